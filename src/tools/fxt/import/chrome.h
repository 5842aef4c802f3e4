/* JSON traces of Chrome and Catapult: one event. */
#ifndef FXT_TOOLS_FXT_IMPORT_CHROME_H
#define FXT_TOOLS_FXT_IMPORT_CHROME_H

#include "src/tools/fxt/import/intake.h"

/* Writes what an event becomes; counts what has no place. The byte at text + size is no part of a number. */
void chrome_event(struct intake *intake, const char *text, size_t size);

/* Counts a member of the document, unless it is about the document itself. */
void chrome_member(struct intake *intake, const char *name, size_t size);

#endif
