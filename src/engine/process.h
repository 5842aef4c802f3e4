/* The first record of a program. */
#ifndef FXT_ENGINE_PROCESS_H
#define FXT_ENGINE_PROCESS_H

/* Writes a record with the name of this process. A no-op while the engine does not trace. Any
   thread may call it. */
void fxt_i_name_process(void);

#endif
