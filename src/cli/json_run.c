/* The command `json`, under any name. No state. */
#include "src/cli/json.h"
#include "src/cli/output.h"

enum exit_code json_run(const void *given)
{
    const struct json_options *settings = given;
    const struct options *options = &settings->common;
    struct output output;
    struct stream stream;
    if (!output_open(&output, options->output, &options->operands))
        return EXIT_IO;
    enum exit_code code = stream_open(&stream, options->operands.it[0], options);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code = json_convert(&output.out, &stream, settings);
    return output_end(&output, exit_worse(code, stream_close(&stream)), true);
}

const struct json_options json_default = {.common = OPTIONS_INIT};

const struct option_spec json_options[] = {
    OPTIONS_OF_JSON,
    OPTION_END,
};
