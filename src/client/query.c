/* Requests that change nothing, and alerts. No state of its own. */
#include <errno.h>
#include <string.h>

#include "src/client/exchange.h"

struct status_taker {
    struct trace_status it;
    uint64_t count;
};

static void take_status(void *data, const struct fxt_i_controller_packet *answer)
{
    struct status_taker *taker = data;
    const uint64_t *numbers = answer->numbers;
    taker->count++;
    taker->it = (struct trace_status){
        .state = (enum trace_session_state)numbers[0],
        .mode = (enum trace_mode)numbers[1],
        .providers = (uint32_t)numbers[2],
        .bytes_written = numbers[3],
        .records_dropped = numbers[4],
        .started_ns = numbers[5],
        .records_refused = numbers[6],
        .output_error = (int)numbers[7],
    };
}

int trace_controller_get_status(trace_controller_t *controller, struct trace_status *out)
{
    struct status_taker taker = {.count = 0};
    struct fxt_i_question question = {
        .packet = {.ordinal = FXT_I_GET_STATUS},
        .descriptor = -1,
        .answer = FXT_I_STATE,
        .take = take_status,
        .data = &taker,
    };
    int error = fxt_i_exchange(controller, &question);
    if (error == 0 && taker.count != 1)
        error = controller->broken = -EPROTO;
    if (error == 0)
        *out = taker.it;
    return error;
}

static void copy_name(char to[FXT_I_NAME_MAX + 1], const struct fxt_i_controller_packet *packet,
                      uint32_t place)
{
    struct fxt_bytes name = fxt_i_packet_name(packet->names, place);
    memset(to, 0, FXT_I_NAME_MAX + 1);
    memcpy(to, name.bytes, (size_t)name.size);
}

struct provider_taker {
    trace_provider_handler_t *handler;
    void *data;
};

static void take_provider(void *data, const struct fxt_i_controller_packet *answer)
{
    const struct provider_taker *taker = data;
    struct trace_provider_info it = {
        .id = (uint32_t)answer->numbers[0],
        .process = answer->numbers[1],
    };
    copy_name(it.name, answer, 0);
    taker->handler(taker->data, &it);
}

int trace_controller_get_providers(trace_controller_t *controller,
                                   trace_provider_handler_t *handler, void *data)
{
    struct provider_taker taker = {handler, data};
    struct fxt_i_question question = {
        .packet = {.ordinal = FXT_I_GET_PROVIDERS},
        .descriptor = -1,
        .answer = FXT_I_PROVIDER_INFO,
        .take = take_provider,
        .data = &taker,
    };
    return fxt_i_exchange(controller, &question);
}

struct category_taker {
    trace_category_handler_t *handler;
    void *data;
};

static void take_category(void *data, const struct fxt_i_controller_packet *answer)
{
    const struct category_taker *taker = data;
    char name[FXT_I_NAME_MAX + 1];
    char description[FXT_I_NAME_MAX + 1];
    copy_name(name, answer, 0);
    copy_name(description, answer, 1);
    taker->handler(taker->data, name, description);
}

int trace_controller_get_known_categories(trace_controller_t *controller,
                                          trace_category_handler_t *handler, void *data)
{
    struct category_taker taker = {handler, data};
    struct fxt_i_question question = {
        .packet = {.ordinal = FXT_I_GET_CATEGORIES},
        .descriptor = -1,
        .answer = FXT_I_CATEGORY_INFO,
        .take = take_category,
        .data = &taker,
    };
    return fxt_i_exchange(controller, &question);
}

int trace_controller_watch_alert(trace_controller_t *controller)
{
    struct fxt_i_question question = {
        .packet = {.ordinal = FXT_I_WATCH_ALERT},
        .descriptor = -1,
    };
    if (controller->watch != 0 || controller->alert[0] != '\0')
        return TRACE_ERROR_INVALID;
    uint32_t number = fxt_i_exchange_number(controller);
    int error = fxt_i_exchange_send(controller, &question, number);
    if (error == 0)
        controller->watch = number;
    return error;
}

int trace_controller_next_alert(trace_controller_t *controller, int timeout_ms, char name[15])
{
    int error = fxt_i_exchange_await_alert(controller, timeout_ms);
    if (error != 0)
        return error;
    memcpy(name, controller->alert, sizeof controller->alert);
    controller->alert[0] = '\0';
    return 0;
}
