/* How large the tables and buffers of the tools are. Programs that run thousands of commands on small
   files, as tools_fuzzer does, are compiled with TOOL_SIZE_SHIFT: most of the time of such a command
   goes into the fresh pages of its memory. */
#ifndef FXT_CLI_SIZE_H
#define FXT_CLI_SIZE_H

#ifndef TOOL_SIZE_SHIFT
#define TOOL_SIZE_SHIFT 0
#endif

/* `usual` slots or bytes, of which so small a program has a part; a power of two stays one. */
#define TOOL_SIZE(usual) ((usual) >> TOOL_SIZE_SHIFT)

#endif
