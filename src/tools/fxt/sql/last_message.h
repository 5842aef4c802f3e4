/* Why a file could not be read, for an SQL error. */
#ifndef FXT_TOOLS_FXT_SQL_LAST_MESSAGE_H
#define FXT_TOOLS_FXT_SQL_LAST_MESSAGE_H

/* In the extension the text of the last message, which is printed nowhere else. In fxt, which
   prints its messages, a hint to look there. */
const char *last_message(void);

#endif
