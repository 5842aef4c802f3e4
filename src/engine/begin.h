/* What a program that links the whole library does before main. */
#ifndef FXT_ENGINE_BEGIN_H
#define FXT_ENGINE_BEGIN_H

/* Called by a constructor of the engine, once, before the program has threads. The recorder defines it
   (src/recorder/environment.c). The engine calls it so that every program that traces links it, from a
   static library, too. */
void fxt_i_record_from_start(void);

#endif
