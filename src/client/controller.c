/* A client's connection: connecting, disconnecting, and the texts of errors. */
#include <trace-controller/controller.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/client/exchange.h"
#include "src/socket/socket.h"

_Static_assert(TRACE_CONTROLLER_DIRECTORY_MAX == FXT_I_DIRECTORY_MAX, "one and the same length");

const char *trace_controller_error_text(int error)
{
    static const char *const texts[] = {
        [TRACE_ERROR_NONE] = "no error",
        [TRACE_ERROR_NOT_INITIALIZED] = "there is no session",
        [TRACE_ERROR_ALREADY_INITIALIZED] = "there is a session already",
        [TRACE_ERROR_ALREADY_STARTED] = "the recording is already started",
        [TRACE_ERROR_NOT_STARTED] = "the recording is not started",
        [TRACE_ERROR_STOPPING] = "the recording is being stopped",
        [TRACE_ERROR_TERMINATING] = "the session is being ended",
        [TRACE_ERROR_ABORTED] = "the output accepts no more data",
        [TRACE_ERROR_INVALID] = "invalid argument",
        [TRACE_ERROR_NO_RESOURCES] = "the manager is out of memory or descriptors",
        [TRACE_ERROR_NOT_SUPPORTED] = "not supported",
    };
    if (error == -EPIPE)
        return "lost the connection to the trace manager";
    if (error == -EPROTO)
        return "the trace manager broke the protocol";
    if (error >= 0 && (size_t)error < sizeof texts / sizeof *texts)
        return texts[error];
    const char *text = error < 0 && error > -4096 ? strerrordesc_np(-error) : NULL;
    return text != NULL ? text : "unknown error";
}

int trace_controller_directory(char out[TRACE_CONTROLLER_DIRECTORY_MAX])
{
    int error = fxt_i_socket_directory(out);
    if (error == 0)
        error = fxt_i_socket_make_directory(out);
    return -error;
}

int trace_controller_adopt(int descriptor, trace_controller_t **out)
{
    trace_controller_t *controller = calloc(1, sizeof *controller);
    if (controller == NULL)
        return -ENOMEM;
    controller->socket = descriptor;
    *out = controller;
    return 0;
}

int trace_controller_connect(const char *directory, trace_controller_t **out)
{
    char usual[FXT_I_DIRECTORY_MAX];
    int descriptor;
    int error = directory == NULL ? fxt_i_socket_directory(usual) : 0;

    if (error == 0)
        error = fxt_i_socket_connect(&descriptor, directory == NULL ? usual : directory,
                                     FXT_I_CONTROLLER, true);
    if (error != 0)
        return -error;
    error = trace_controller_adopt(descriptor, out);
    if (error != 0)
        close(descriptor);
    return error;
}

void trace_controller_destroy(trace_controller_t *controller)
{
    if (controller == NULL)
        return;
    close(controller->socket);
    free(controller);
}

void trace_controller_set_drop_handler(trace_controller_t *controller,
                                       trace_statistics_handler_t *handler, void *data)
{
    controller->on_drop = handler;
    controller->drop_data = data;
}

int trace_controller_descriptor(const trace_controller_t *controller)
{
    return controller->socket;
}
