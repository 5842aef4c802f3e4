/* Requests that change a session. No state of its own. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "src/client/exchange.h"
#include "src/socket/socket.h"

/* Converts names of categories for a packet; false if there are too many. */
struct names {
    struct fxt_bytes it[1 + FXT_I_NAMES_MAX];
    uint16_t count;
};

static bool add_name(struct names *names, const char *name)
{
    if (names->count == 1 + FXT_I_NAMES_MAX || name == NULL)
        return false;
    names->it[names->count++] = (struct fxt_bytes){(const uint8_t *)name, strlen(name)};
    return true;
}

static bool add_names(struct names *names, const char *const *list, size_t count)
{
    if (count > FXT_I_NAMES_MAX || (count > 0 && list == NULL))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!add_name(names, list[i]))
            return false;
    return true;
}

static bool ask_spec(struct fxt_i_question *out, struct names *names,
                     const struct trace_provider_spec *spec)
{
    names->count = 0;
    bool fits =
        add_name(names, spec->name) && add_names(names, spec->categories, spec->category_count);
    *out = (struct fxt_i_question){
        .packet = {.ordinal = FXT_I_PROVIDER_SPEC,
                   .numbers = {spec->buffer_megabytes},
                   .name_count = names->count},
        .names = names->it,
        .descriptor = -1,
    };
    return fits;
}

/* Sends all specifications, or only checks that they can be sent. */
static int exchange_specs(trace_controller_t *controller, const struct trace_config *config,
                          bool send)
{
    if (config->spec_count > FXT_I_NAMES_MAX || (config->spec_count > 0 && config->specs == NULL))
        return TRACE_ERROR_INVALID;
    for (size_t i = 0; i < config->spec_count; i++) {
        struct fxt_i_question question;
        struct names names;
        if (!ask_spec(&question, &names, &config->specs[i]) ||
            !fxt_i_exchange_can_be(controller, &question))
            return TRACE_ERROR_INVALID;
        int error = send ? fxt_i_exchange_send(controller, &question, 0) : 0;
        if (error != 0)
            return error;
    }
    return 0;
}

int trace_controller_initialize(trace_controller_t *controller, const struct trace_config *config,
                                int output)
{
    struct names names = {.count = 0};
    if (output < 0 || !add_names(&names, config->categories, config->category_count))
        return TRACE_ERROR_INVALID;
    struct fxt_i_question question = {
        .packet = {.ordinal = FXT_I_INITIALIZE_TRACING,
                   .numbers = {config->mode, config->buffer_megabytes, config->start_timeout_ms,
                               config->defer_transfer, config->stop_timeout_ms},
                   .name_count = names.count},
        .names = names.it,
        .descriptor = output,
    };
    if (!fxt_i_exchange_can_be(controller, &question))
        return TRACE_ERROR_INVALID;
    if (fcntl(output, F_GETFD) < 0) /* the manager would keep the specifications */
        return -errno;
    controller->aborted = false;
    int error = exchange_specs(controller, config, false);
    if (error == 0)
        error = exchange_specs(controller, config, true);
    return error != 0 ? error : fxt_i_exchange(controller, &question);
}

int trace_controller_start(trace_controller_t *controller, enum trace_disposition disposition,
                           const char *const *additional_categories, size_t count)
{
    struct names names = {.count = 0};
    if (!add_names(&names, additional_categories, count))
        return TRACE_ERROR_INVALID;
    struct fxt_i_question question = {
        .packet = {.ordinal = FXT_I_START_TRACING,
                   .numbers = {disposition},
                   .name_count = names.count},
        .names = names.it,
        .descriptor = -1,
    };
    return fxt_i_exchange(controller, &question);
}

struct statistics_taker {
    trace_statistics_handler_t *handler;
    void *data;
};

static void take_statistics(void *data, const struct fxt_i_controller_packet *answer)
{
    const struct statistics_taker *taker = data;
    struct trace_provider_statistics it;

    fxt_i_exchange_statistics(&it, answer);
    if (taker->handler != NULL)
        taker->handler(taker->data, &it);
}

static int end(trace_controller_t *controller, uint16_t ordinal, bool write_results,
               trace_statistics_handler_t *handler, void *data)
{
    struct statistics_taker taker = {handler, data};
    struct fxt_i_question question = {
        .packet = {.ordinal = ordinal, .numbers = {write_results}},
        .descriptor = -1,
        .answer = FXT_I_STATISTICS,
        .take = take_statistics,
        .data = &taker,
    };
    return fxt_i_exchange(controller, &question);
}

int trace_controller_stop(trace_controller_t *controller, bool write_results,
                          trace_statistics_handler_t *handler, void *data)
{
    return end(controller, FXT_I_STOP_TRACING, write_results, handler, data);
}

int trace_controller_terminate(trace_controller_t *controller, bool write_results,
                               trace_statistics_handler_t *handler, void *data)
{
    return end(controller, FXT_I_TERMINATE_TRACING, write_results, handler, data);
}

bool trace_controller_providers_waited(const trace_controller_t *controller)
{
    return controller->is_crowded;
}

/* The other thread may be using the controller's scratch buffer, so this has its own. If there is
   no room for the packet, the manager is not reading anyway. The first request ends the session if
   nobody has asked for that yet; only the second one hurries then. */
void trace_controller_hurry(trace_controller_t *controller)
{
    const struct fxt_i_controller_packet packet = {
        .ordinal = FXT_I_TERMINATE_TRACING, .transaction = FXT_I_HURRY_NUMBER, .numbers = {true}};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    uint64_t size = fxt_i_controller_write(bytes, &packet, NULL);
    for (int i = 0; size > 0 && i < 2; i++)
        fxt_i_socket_send(controller->socket, bytes, size, NULL, 0);
}

int trace_controller_flush(trace_controller_t *controller, int output)
{
    struct fxt_i_question question = {
        .packet = {.ordinal = FXT_I_FLUSH_BUFFERS},
        .descriptor = output,
    };
    return fxt_i_exchange(controller, &question);
}
