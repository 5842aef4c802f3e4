"""What is built of which rooms, to be installed."""

load("//src:build_defs.bzl", "FXT_SOVERSION")

# library: the rooms whose functions it holds. The static ones leave those of fxtref to it.
LIBRARIES = {
    "fxtref": [
        "//packaging:inline",
        "//src/base",
        "//src/buffer",
        "//src/check",
        "//src/events",
        "//src/read",
        "//src/wire",
        "//src/write",
    ],
    "fxtref-trace": [
        "//src/protocol",
        "//src/engine",
        "//src/recorder",
        "//src/loop",
        "//src/provider",
        "//src/socket",
    ],
    "fxtref-controller": [
        "//src/protocol",
        "//src/client",
        "//src/socket",
    ],
    "fxtref-manager": [
        "//src/protocol",
        "//src/loop",
        "//src/manager",
        "//src/socket",
        "//src/convert:printable",
        "//src/convert:salvage",
    ],
}

PROGRAMS = {
    "fxt": "//src/tools/fxt",
    "ktrace_provider": "//src/kernel:ktrace_provider",
    "trace": "//src/tools/trace",
    "trace-manager": "//src/manager:trace-manager",
}

# The extension for SQLite, which is a program without a main().
EXTENSIONS = {"fxt.so": "//src/tools/fxt/sql:fxt.so"}

# Goes into any program, and takes the engine from libfxtref-trace.so.
PRELOADED = {"fxtref-auto": "//packaging:libfxtref-auto.so.%s" % FXT_SOVERSION}

# program: the static libraries that it links
_LINKED = {
    "fxtref-auto": ["fxtref-trace"],
    "fxt": ["fxtref"],
    "fxt.so": [
        "//src/tools/fxt/tables",
        "//src/tools/fxt/tables:read",
        "fxtref",
    ],
    "ktrace_provider": ["fxtref-trace"],
    "trace": ["fxtref-controller", "fxtref-manager"],
    "trace-manager": ["fxtref-manager"],
}

def built_from(name, libraries, programs, extensions):
    """Files NAME.txt for each library and program: the labels of the sources that Bazel compiles.

    Args:
      name: of the filegroup of all of them.
      libraries: LIBRARIES.
      programs: PROGRAMS.
      extensions: EXTENSIONS.
    """
    label = {library: "//packaging:lib%s.so.%s" % (library, FXT_SOVERSION) for library in libraries}
    below = {library: ["fxtref"] for library in libraries if library != "fxtref"}
    below["fxtref"] = []
    below.update(_LINKED)
    label.update(programs)
    label.update(extensions)
    for built, target in label.items():
        without = [label.get(library, library) for library in below[built]]
        native.genquery(
            name = built + ".txt",
            expression = "filter('^//(src/.*|packaging:inline)[.]c$', deps(%s) except deps(set(%s)))" %
                         (target, " ".join(without)),
            opts = ["--noimplicit_deps"],
            scope = [target] + without,
        )
    native.filegroup(
        name = name,
        srcs = [built + ".txt" for built in label],
    )

_Sources = provider(fields = ["files"])

def _collect(target, ctx):
    rule = ctx.rule.attr
    own = [label.files for name in ["srcs", "hdrs", "textual_hdrs"] for label in getattr(rule, name, [])]
    below = [label[_Sources].files for label in getattr(rule, "deps", []) if _Sources in label]
    return [_Sources(files = depset(transitive = own + below))]

_collected = aspect(implementation = _collect, attr_aspects = ["deps"])

def _sources_of(ctx):
    files = depset(transitive = [label[_Sources].files for label in ctx.attr.deps])
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

# The sources and headers of libraries and of all that they depend on.
sources_of = rule(
    implementation = _sources_of,
    attrs = {"deps": attr.label_list(aspects = [_collected])},
)
