/* The queues of alerts that wait for the client. Each tracee has a queue; the client receives the
   oldest alert of all queues. */
#include "src/manager/manager.h"

#include <assert.h>
#include <string.h>

#include "src/base/utf8.h"

static void forget_first(struct fxt_i_alerts *alerts)
{
    assert(alerts->count > 0 && alerts->count <= FXT_I_ALERTS_MAX);
    alerts->count--;
    memmove(alerts->numbers, alerts->numbers + 1, alerts->count * sizeof *alerts->numbers);
    memmove(alerts->names, alerts->names + 1, alerts->count * sizeof *alerts->names);
}

void fxt_i_alert_put(struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet)
{
    struct fxt_i_alerts *alerts = &tracee->alerts;

    if (alerts->count == FXT_I_ALERTS_MAX)
        forget_first(alerts);
    assert(alerts->count < FXT_I_ALERTS_MAX);
    assert(packet->alert_length <= FXT_I_ALERT_MAX);
    char *name = alerts->names[alerts->count];
    memcpy(name, packet->alert, packet->alert_length);
    name[packet->alert_length] = '\0';
    fxt_i_utf8_mend((uint8_t *)name, packet->alert_length); /* names in packets must be UTF-8 */
    alerts->numbers[alerts->count++] = tracee->session->alert_count++;
}

static struct fxt_i_alerts *oldest_of(struct fxt_i_tracee *tracees, struct fxt_i_alerts *oldest)
{
    for (struct fxt_i_tracee *it = tracees; it != NULL; it = it->next)
        if (it->alerts.count > 0 && (oldest == NULL || it->alerts.numbers[0] < oldest->numbers[0]))
            oldest = &it->alerts;
    return oldest;
}

bool fxt_i_alert_take(struct fxt_i_session *session, char name[FXT_I_ALERT_MAX + 1])
{
    struct fxt_i_alerts *oldest = oldest_of(session->tracees, NULL);

    oldest = oldest_of(session->past, oldest);
    if (oldest == NULL)
        return false;
    memcpy(name, oldest->names[0], sizeof oldest->names[0]);
    forget_first(oldest);
    return true;
}
