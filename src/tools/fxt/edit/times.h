/* Times as the user says them. */
#ifndef FXT_TOOLS_FXT_EDIT_TIMES_H
#define FXT_TOOLS_FXT_EDIT_TIMES_H

#include <stdbool.h>
#include <stdint.h>

enum times_from {
    TIMES_CLOCK, /* @1.5s: of the trace's clock */
    TIMES_START, /* 1.5s or +1.5s: after the first time of the trace */
    TIMES_END,   /* -1.5s: before its end */
    TIMES_SHARE, /* 25%: of the time from the first to the end */
};

struct times_point {
    enum times_from from;
    uint64_t ns; /* or 10^-9 of a percent */
};

/* A number with a unit (ns, us, ms, s, m; without one ns), and a sign or % as above. False: not such
   a time. */
bool times_parse(struct times_point *point, const char *text);

/* A length of time with a sign, in ns: "5ms", "-20us". */
bool times_parse_shift(int64_t *ns, const char *text);

/* The time in ns of a trace whose first time is `first` and whose end is `end`. A point before 0 is
   0, one beyond UINT64_MAX that. */
uint64_t times_resolve(struct times_point point, uint64_t first, uint64_t end);

#define TIMES_TEXT 40u

/* The length of time in the largest unit that is not larger, as times_parse reads it: "1.5s". */
void times_print(char text[TIMES_TEXT], uint64_t ns);

#endif
