/* A manager and its client in one program. argv[1] is the directory of the sockets. */
#include <stdio.h>

#include <trace-controller/controller.h>
#include <trace-manager/manager.h>

int main(int argc, char **argv)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    trace_manager_t *manager;
    char why[200];

    options.directory = argc == 2 ? argv[1] : NULL;
    if (trace_manager_create(&options, &manager, why) != 0) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    trace_manager_destroy(manager);
    puts(trace_controller_error_text(TRACE_ERROR_INVALID));
    return 0;
}
