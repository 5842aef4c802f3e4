/* What the options of fxt report choose. */
#ifndef FXT_TOOLS_FXT_REPORT_CHOICES_H
#define FXT_TOOLS_FXT_REPORT_CHOICES_H

#define REPORT_TOP 20u /* rows of a table of text, and of every list */

enum report_by {
    REPORT_BY_NAME,
    REPORT_BY_CATEGORY,
    REPORT_BY_THREAD,
    REPORT_BY_PROCESS,
    REPORT_BY_PROVIDER,
    REPORT_BY_COUNT
};

/* The first is the default. */
enum report_sort {
    REPORT_SORT_TOTAL,
    REPORT_SORT_COUNT,
    REPORT_SORT_SELF,
    REPORT_SORT_MIN,
    REPORT_SORT_P50,
    REPORT_SORT_P90,
    REPORT_SORT_P99,
    REPORT_SORT_MAX,
    REPORT_SORT_NAME,
    REPORT_SORT_COUNT_OF
};

enum report_colour { REPORT_COLOUR_AUTO, REPORT_COLOUR_ALWAYS, REPORT_COLOUR_NEVER };

#endif
