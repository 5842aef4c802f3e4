/* The queues of alerts: their order across tracees, and what happens to names that no packet could
   hold. */
#include <criterion/criterion.h>
#include <string.h>

#include "src/manager/manager.h"

static struct fxt_i_session session;
static struct fxt_i_tracee first = {.session = &session};
static struct fxt_i_tracee second = {.session = &session};
static struct fxt_i_tracee dead = {.session = &session};

static void put(struct fxt_i_tracee *tracee, const char *name)
{
    struct fxt_i_fifo packet = {.alert_length = (uint16_t)strlen(name)};
    memcpy(packet.alert, name, strlen(name));
    fxt_i_alert_put(tracee, &packet);
}

static const char *taken(void)
{
    static char name[FXT_I_ALERT_MAX + 1];
    session.tracees = &first;
    first.next = &second;
    session.past = &dead;
    return fxt_i_alert_take(&session, name) ? name : NULL;
}

Test(alert, alerts_of_all_tracees_come_in_the_order_of_their_arrival)
{
    put(&second, "a");
    put(&dead, "b");
    put(&first, "c");
    put(&second, "d");
    cr_expect_str_eq(taken(), "a");
    cr_expect_str_eq(taken(), "b");
    cr_expect_str_eq(taken(), "c");
    cr_expect_str_eq(taken(), "d");
    cr_expect_null(taken());
}

Test(alert, a_full_queue_loses_its_oldest_alert_only)
{
    put(&first, "kept");
    for (unsigned i = 0; i <= FXT_I_ALERTS_MAX; i++)
        put(&second, i == 0 ? "lost" : "alert");
    cr_expect_str_eq(taken(), "kept");
    for (unsigned i = 0; i < FXT_I_ALERTS_MAX; i++)
        cr_expect_str_eq(taken(), "alert");
    cr_expect_null(taken());
}

Test(alert, bytes_that_are_not_utf_8_become_question_marks)
{
    put(&first, "a\xff\xc3z");
    put(&first, "\xc3\xa4");
    cr_expect_str_eq(taken(), "a??z");
    cr_expect_str_eq(taken(), "\xc3\xa4");
}
