/* The command `json`, under any name. No state. */
#include "src/cli/json.h"
#include "src/cli/output.h"

enum exit_code json_run(const void *given)
{
    const struct options *options = given;
    struct output output;
    struct stream stream;
    if (!output_open(&output, options->output, &options->operands))
        return EXIT_IO;
    enum exit_code code = stream_open(&stream, options->operands.it[0], options);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code = json_convert(&output.out, &stream, options->max_findings);
    return output_end(&output, exit_worse(code, stream_close(&stream)), true);
}

const struct option_spec json_options[] = {
    OPTION_OUTPUT,
    OPTION_MAX_FINDINGS,
    OPTIONS_OF_TRACES,
    OPTION_END,
};
