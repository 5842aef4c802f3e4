/* fxt asm: assembler source to traces, line by line. The assembler's two buffers grow until a
   line fits. Its bytes go to the output when there are enough of them and they are whole words.
   After an error, the other lines are still checked, but nothing more is written, and a file
   named by --output is not created. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/convert/convert.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/lines.h"
#include "src/cli/output.h"

#define ERRORS_MAX 20u
#define BYTES_FIRST (UINT64_C(1) << 20)
#define BYTES_MAX (UINT64_C(1) << 30) /* for one line; `repeat` makes many bytes of few */
#define SCRATCH_MORE 2048u

struct assembly {
    struct fxt_assembler assembler;
    struct output *output;
    unsigned errors;
    bool is_read; /* a file, or a part of one */
};

static void emit(struct assembly *assembly)
{
    struct fxt_assembler *assembler = &assembly->assembler;
    if (assembly->errors == 0)
        fxt_out_bytes(&assembly->output->out, (const char *)assembler->bytes, assembler->size);
    assembler->size = 0;
}

static bool grow(uint8_t **bytes, uint64_t *size, uint64_t need)
{
    if (*size >= need)
        return true;
    uint8_t *larger = realloc(*bytes, need);
    if (larger == NULL)
        return false;
    *bytes = larger;
    *size = need;
    return true;
}

static enum fxt_status assemble(struct assembly *assembly, const char *line, size_t length)
{
    struct fxt_assembler *assembler = &assembly->assembler;
    uint64_t number = assembler->line;
    if (!grow(&assembler->scratch, &assembler->scratch_size, length + SCRATCH_MORE))
        return FXT_FULL;
    enum fxt_status status = fxt_asm_line(assembler, line, length);
    for (uint64_t room = BYTES_FIRST; status == FXT_FULL && room <= BYTES_MAX; room *= 2) {
        if (assembler->size % FXT_WORD_BYTES == 0)
            emit(assembly);
        if (!grow(&assembler->bytes, &assembler->capacity, assembler->size + room))
            break;
        assembler->line = number;
        status = fxt_asm_line(assembler, line, length);
    }
    return status;
}

static void report(struct assembly *assembly, const char *file, enum fxt_status status)
{
    const struct fxt_assembler *assembler = &assembly->assembler;
    message_at("%s:%llu:%llu: %s", file, (unsigned long long)assembler->line,
               (unsigned long long)assembler->column,
               status == FXT_FULL ? "the line makes more bytes than memory holds"
                                  : assembler->message);
    assembly->errors++;
}

static enum exit_code assemble_file(struct assembly *assembly, const struct options *options,
                                    const char *path)
{
    struct lines lines;
    const char *line;
    size_t length;
    if (!lines_open(&lines, path, options->raw))
        return EXIT_IO;
    assembly->is_read = true;
    struct fxt_assembler *assembler = &assembly->assembler;
    fxt_asm_init(assembler, assembler->bytes, assembler->capacity, assembler->scratch,
                 assembler->scratch_size);
    while (assembly->errors < ERRORS_MAX && !assembly->output->out.failed &&
           lines_next(&lines, &line, &length)) {
        enum fxt_status status = assemble(assembly, line, length);
        if (status != FXT_OK)
            report(assembly, lines.input.raw.name, status);
        if (assembler->size >= BYTES_FIRST / 2 && assembler->size % FXT_WORD_BYTES == 0)
            emit(assembly);
    }
    emit(assembly);
    if (lines.too_long) {
        message_at("%s:%llu:1: the line is too long", lines.input.raw.name,
                   (unsigned long long)assembler->line + 1);
        assembly->errors++;
    }
    if (assembly->errors == ERRORS_MAX && lines_next(&lines, &line, &length))
        message_at("%s: too many errors", lines.input.raw.name);
    return lines_close(&lines) ? EXIT_IO : EXIT_CLEAN;
}

static enum exit_code run(const void *given)
{
    const struct options *options = given;
    struct output output;
    enum exit_code code = EXIT_CLEAN;
    if (!output_open_trace(&output, options->output))
        return EXIT_IO;
    struct assembly assembly = {.output = &output};
    struct fxt_assembler *assembler = &assembly.assembler;
    if (!grow(&assembler->bytes, &assembler->capacity, BYTES_FIRST) ||
        !grow(&assembler->scratch, &assembler->scratch_size, SCRATCH_MORE)) {
        message("%s", strerror(ENOMEM));
        output_discard(&output);
        return EXIT_IO;
    }
    for (int i = 0; i < options->operands.count && assembly.errors < ERRORS_MAX; i++)
        code = exit_worse(code, assemble_file(&assembly, options, options->operands.it[i]));
    free(assembler->bytes);
    free(assembler->scratch);
    if (assembly.errors > 0)
        code = exit_worse(code, EXIT_FINDINGS);
    return output_end(&output, code, assembly.is_read && assembly.errors == 0);
}

static const struct option_spec options_of_asm[] = {
    OPTION_OUTPUT,
    OPTION_RAW,
    OPTION_END,
};

const struct command command_asm = {
    .name = "asm",
    .title = "Assembles traces from the text that fxt dump --asm prints.",
    .usage = "[FILE]...",
    .options = options_of_asm,
    .defaults = &options_default,
    .size = sizeof options_default,
    .run = run,
};
