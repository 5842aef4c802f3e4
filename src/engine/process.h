/* What the engine's programs write first. */
#ifndef FXT_ENGINE_PROCESS_H
#define FXT_ENGINE_PROCESS_H

/* Writes a record with the name of this process; nothing while the engine does not trace. By any
   thread. */
void fxt_i_name_process(void);

#endif
