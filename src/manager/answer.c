/* Packets of numbers to a client: statistics, the state of the session, alerts. */
#include "src/manager/manager.h"

#include <string.h>

#define SILENT_NS UINT64_C(1000000000) /* a dispatcher that runs answers within this time */

static enum trace_provider_start start_of(const struct fxt_i_tracee *tracee)
{
    if (tracee->started_once || tracee->start_sent_ns == 0)
        return TRACE_PROVIDER_STARTED;
    if (tracee->declined || (tracee->provider != NULL && tracee->disconnected_ns != 0))
        return TRACE_PROVIDER_DECLINED;
    if (tracee->disconnected_ns == 0 ||
        tracee->disconnected_ns - tracee->start_sent_ns >= SILENT_NS)
        return TRACE_PROVIDER_SILENT;
    return TRACE_PROVIDER_ENDED;
}

void fxt_i_client_statistics(struct fxt_i_client *client, uint32_t transaction,
                             const struct fxt_i_tracee *tracee)
{
    struct fxt_i_controller_packet packet = {
        .ordinal = FXT_I_STATISTICS, .transaction = transaction, .name_count = 1};
    const struct fxt_buffer_header *header = &tracee->header;
    struct fxt_bytes name = fxt_i_bytes_of(tracee->name);

    packet.numbers[0] = tracee->process;
    packet.numbers[1] = (uint64_t)tracee->session->mode;
    packet.numbers[2] = header->wrapped_count;
    packet.numbers[3] = header->records_dropped;
    packet.numbers[4] =
        header->durable_size != 0 ? 100 * header->durable_data_end / header->durable_size : 0;
    packet.numbers[5] = tracee->bytes_written;
    packet.numbers[6] = tracee->records_refused;
    packet.numbers[7] = (tracee->died ? 1u : 0u) + (tracee->misbehaved ? 2u : 0u) +
                        (header->definitions_inlined != 0 ? 4u : 0u) +
                        (tracee->timed_out ? 8u : 0u) + ((uint64_t)start_of(tracee) << 4);
    fxt_i_client_send(client, &packet, &name);
}

static void status_of(const struct fxt_i_session *session, struct trace_status *out)
{
    memset(out, 0, sizeof *out);
    if (session == NULL)
        return;
    out->state = session->state;
    out->mode = session->mode;
    out->bytes_written = session->archive->bytes_written;
    out->output_error = session->archive->error;
    out->started_ns = session->started_ns != 0 ? fxt_i_now_ns() - session->started_ns : 0;
    out->records_dropped = session->past_dropped;
    out->records_refused = session->past_refused;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        fxt_i_save_reread_header(it);
        out->providers += !fxt_i_tracee_is_dead(it);
        out->records_dropped += it->header.records_dropped;
        out->records_refused += it->records_refused;
    }
}

/* From the header as last read. The half before the current one counts, too, unless the manager has
   saved it, which it does in streaming mode. */
static void add_fill(struct trace_manager_fill *fill, const struct fxt_i_tracee *tracee)
{
    const struct fxt_buffer_header *header = &tracee->header;
    if (tracee->buffer == NULL || tracee->written || (header->flags & FXT_BUFFER_ENDS_KEPT) == 0) {
        fill->recorded += tracee->bytes_written;
        return;
    }
    uint32_t lap = header->wrapped_count;
    uint64_t now = header->durable_data_end + header->rolling_data_end[lap & 1];
    bool has_both = header->buffering_mode != FXT_BUFFERING_ONESHOT;
    bool keeps_last = has_both && lap > 0 && tracee->next_wrapped < lap;
    fill->recorded += now + lap * header->rolling_size;
    fill->used += now + (keeps_last ? header->rolling_data_end[~lap & 1] : 0);
    fill->room += header->durable_size + (has_both ? 2 : 1) * header->rolling_size;
}

static void tell_fill(const struct trace_manager *manager)
{
    const struct fxt_i_session *session = manager->session;
    struct trace_manager_fill fill = {.recorded = 0};
    if (manager->fill == NULL || session == NULL)
        return;
    for (const struct fxt_i_tracee *it = session->past; it != NULL; it = it->next)
        fill.recorded += it->bytes_written;
    for (const struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        add_fill(&fill, it);
    manager->fill(manager->fill_data, &fill);
}

void fxt_i_client_state(struct fxt_i_client *client, uint32_t transaction)
{
    struct fxt_i_controller_packet packet = {.ordinal = FXT_I_STATE, .transaction = transaction};
    struct trace_status status;

    status_of(client->manager->session, &status);
    tell_fill(client->manager);
    packet.numbers[0] = (uint64_t)status.state;
    packet.numbers[1] = (uint64_t)status.mode;
    packet.numbers[2] = status.providers;
    packet.numbers[3] = status.bytes_written;
    packet.numbers[4] = status.records_dropped;
    packet.numbers[5] = status.started_ns;
    packet.numbers[6] = status.records_refused;
    packet.numbers[7] = (uint64_t)status.output_error;
    fxt_i_client_send(client, &packet, NULL);
}

void fxt_i_client_alert(struct fxt_i_client *client)
{
    struct fxt_i_controller_packet packet = {.ordinal = FXT_I_ALERTED, .name_count = 1};
    char name[FXT_I_ALERT_MAX + 1];

    if (client->session == NULL || client->watching_alert == 0 ||
        !fxt_i_alert_take(client->session, name))
        return;
    struct fxt_bytes bytes = fxt_i_bytes_of(name);
    packet.transaction = client->watching_alert;
    client->watching_alert = 0;
    fxt_i_client_send(client, &packet, &bytes);
}
