/* The rows of options that several commands share. No state. */
#include "src/cli/tool_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"

const struct options options_default = OPTIONS_INIT;

bool options_read_stdin_twice(const struct options *options, const char *command)
{
    int count = 0;
    for (int i = 0; i < options->operands.count; i++)
        count += strcmp(options->operands.it[i], "-") == 0;
    if (count > 1)
        message("%s: standard input can be one of the files only", command);
    return count > 1;
}

bool option_max_record(void *member, const struct option_spec *spec, const char *value)
{
    uint64_t *size = member;
    (void)spec;
    char *end;
    if (!isdigit((unsigned char)*value))
        return false;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    unsigned shift = 0;
    switch (*end) {
    case 'k':
    case 'K':
        shift = 10;
        break;
    case 'm':
    case 'M':
        shift = 20;
        break;
    case 'g':
    case 'G':
        shift = 30;
        break;
    default:
        break;
    }
    if (shift > 0)
        end++;
    if (errno != 0 || *end != '\0' || number > MAX_RECORD_MAX >> shift)
        return false;
    *size = (uint64_t)number << shift;
    return *size >= MAX_RECORD_MIN;
}

bool option_max_findings(void *member, const struct option_spec *spec, const char *value)
{
    char *end;
    (void)spec;
    errno = 0;
    *(uint64_t *)member = strtoull(value, &end, 10);
    return errno == 0 && isdigit((unsigned char)*value) && *end == '\0';
}
