/* What every ts of a document is relative to; see chrome.h. Owns base, far, negative and inexact of
   struct fxt_chrome. A converter that streams cannot know the earliest time. So the base lies a day
   or two before the first time that it writes, and no further: what lies between is lost to what
   doubles hold. Whole days, so that the documents of a day have one base. */
#include "src/convert/chrome_i.h"

#define DAY (UINT64_C(86400) * 1000000000)

void fxt_chrome_absolute(struct fxt_chrome *chrome)
{
    chrome->far = FXT_CHROME_EXACT_NS;
}

char *fxt_i_chrome_put_far(struct fxt_chrome *chrome, char *to, uint64_t ns)
{
    if (chrome->far == 0) {
        chrome->far = FXT_CHROME_EXACT_NS;
        chrome->base = ns < DAY ? 0 : (ns / DAY - 1) * DAY;
    }
    if (ns < chrome->base) {
        chrome->negative++;
        *to++ = '-';
        return fxt_i_chrome_put_time(&chrome->time, to, chrome->base - ns);
    }
    chrome->inexact += ns - chrome->base >= FXT_CHROME_EXACT_NS;
    return fxt_i_chrome_put_time(&chrome->time, to, ns - chrome->base);
}
