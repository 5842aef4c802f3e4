"""Fuzz programs that are built the same way in every configuration.

A fuzz target needs its whole program compiled by one compiler with one set of flags, whatever
--config the rest of the build has: an aspect collects the sources of the libraries, and each engine
compiles them by itself.
"""

def _libfuzzer(sanitizers):
    # Clang's own, as //fuzz:<what>_fuzzer has it under --config=fuzz. The mutator and the dictionary know the
    # constants that traced comparisons would tell, which cost half of the time.
    return struct(
        compiler = "clang",
        compile = "-fsanitize=fuzzer-no-link,%s -fno-sanitize-coverage=trace-cmp" % sanitizers,
        oracles = "clang -fsanitize=%s" % sanitizers,
        # The fuzzer refers to the kit's mutator weakly, which takes nothing out of a library.
        link = "-fsanitize=fuzzer,%s -Wl,-u,LLVMFuzzerCustomMutator" % sanitizers,
    )

def _afl(sanitizers):
    # AFL++ in persistent mode, through the driver that it has for libFuzzer's interface, and leaks.c.
    return struct(
        compiler = "afl-clang-fast",
        compile = "-fsanitize=%s" % sanitizers,
        oracles = "clang -fsanitize=%s" % sanitizers,
        link = "-fsanitize=fuzzer,%s -Wl,--wrap=LLVMFuzzerTestOneInput" % sanitizers,
    )

# `oracles` compiles what is in fuzz/ and the explorer in proofs/, where coverage leads nowhere and costs
# more than half of the time.
# The first three are in the tests; the others are for fuzz/run and fuzz/coverage.
_ENGINES = {
    "libfuzzer": _libfuzzer("address,undefined"),
    "afl": _afl("address,undefined"),
    # No fuzzer: main() in replay.c runs the target on the files that it is given.
    "replay": struct(
        compiler = "gcc",
        compile = "-fsanitize=address,undefined",
        oracles = "gcc -fsanitize=address,undefined",
        link = "-fsanitize=address,undefined",
    ),
    # The same for fuzz/coverage: no sanitizer, and profiles of what was run.
    "coverage": struct(
        compiler = "clang",
        compile = "-fprofile-instr-generate -fcoverage-mapping -fcoverage-compilation-dir=/proc/self/cwd",
        oracles = "clang",
        link = "-fprofile-instr-generate",
    ),
    "libfuzzer_undefined": _libfuzzer("undefined"),
    "libfuzzer_memory": _libfuzzer("memory"),
    "afl_undefined": _afl("undefined"),
    "afl_memory": _afl("memory"),
    # Debian 12 has no honggfuzz: hfuzz-clang comes from elsewhere.
    "honggfuzz": struct(
        compiler = "hfuzz-clang",
        compile = "-fsanitize=address,undefined",
        oracles = "clang -fsanitize=address,undefined",
        link = "-fsanitize=address,undefined",
    ),
}

ENGINES = _ENGINES.keys()

# An input needs small tables only (src/cli/size.h).
_FLAGS = ("-std=c11 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer -U_FORTIFY_SOURCE -fno-sanitize-recover=all " +
          "-DTOOL_SIZE_SHIFT=5")

# <trace-cmd/trace-cmd.h> includes its neighbours without their directories.
_INCLUDES = "-Isrc/include -I. -isystem/usr/include/traceevent -isystem/usr/include/tracefs"

# The explorer's header takes the place of one of the engine's, in the programs that have the explorer, and
# headers of fuzz/joint take those of the manager's.
_EXPLORED = "-Ifuzz/engine "
_JOINT = "-Ifuzz/joint "

def _includes(ctx, included):
    paths = [f.path for f in included.to_list()]
    explored = [p for p in paths if p.startswith("fuzz/engine/src/")]
    joint = [p for p in paths if p.startswith("fuzz/joint/src/")]
    return (_JOINT if joint else "") + (_EXPLORED if explored else "") + _INCLUDES + " -I" + ctx.bin_dir.path

_Sources = provider(fields = ["compiled", "included"])

# By the paths of their sources.
_Objects = provider(fields = ["objects"])

def _files(attr, name):
    return [f for target in getattr(attr, name, []) for f in target.files.to_list()]

def _sources_impl(_target, ctx):
    attr = ctx.rule.attr
    deps = [d[_Sources] for d in getattr(attr, "deps", []) if _Sources in d]
    files = _files(attr, "srcs")
    return [_Sources(
        compiled = depset([f for f in files if f.extension == "c"], transitive = [d.compiled for d in deps]),
        included = depset(
            [f for f in files if f.extension != "c"] + _files(attr, "hdrs") + _files(attr, "textual_hdrs"),
            transitive = [d.included for d in deps],
        ),
    )]

_sources = aspect(implementation = _sources_impl, attr_aspects = ["deps"])

# For a build, and for the tests that have them as data.
def _offer(ctx, files):
    return DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))

def _compile(ctx, engine, source, included, copts = []):
    how = "%s %s" % (engine.compiler, engine.compile)
    uncovered = getattr(ctx.attr, "uncovered", [])
    path = source.short_path
    if path.startswith("fuzz/") or path.startswith("proofs/") or path in uncovered:
        how = engine.oracles
    name = "%s.%s.o" % (ctx.label.name, path.replace("/", "_"))
    out = ctx.actions.declare_file("_objects/" + name)
    ctx.actions.run_shell(
        inputs = depset([source], transitive = [included]),
        outputs = [out],
        command = "AFL_QUIET=1 %s %s %s %s -c %s -o %s" %
                  (how, _FLAGS, " ".join(copts), _includes(ctx, included), source.path, out.path),
        mnemonic = "FuzzCompile",
        use_default_shell_env = True,
    )
    return out

def _fuzz_library_impl(ctx):
    engine = _ENGINES[ctx.attr.engine]
    compiled = depset(transitive = [d[_Sources].compiled for d in ctx.attr.deps])
    included = depset(transitive = [d[_Sources].included for d in ctx.attr.deps])
    shared = ctx.attr.base[_Objects].objects if ctx.attr.base else {}
    for f in ctx.attr.base[_Sources].included.to_list() if ctx.attr.base else []:
        if f.path == "src/engine/atomic.h":
            fail("the base depends on %s, in the place of which the explorer has its own" % f.path)
    own = [
        f
        for f in compiled.to_list()
        if (f.path not in shared or f.path in ctx.attr.uncovered) and f.path not in ctx.attr.replaced
    ]
    objects = dict(shared)
    objects.update({f.path: _compile(ctx, engine, f, included) for f in own})
    out = ctx.outputs.out
    ctx.actions.run_shell(
        inputs = objects.values(),
        outputs = [out],
        arguments = [ctx.actions.args().add_all([out] + objects.values())],
        command = "rm -f $1 && ar rcsD \"$@\"",
        mnemonic = "FuzzArchive",
        use_default_shell_env = True,
    )
    return [
        _offer(ctx, depset([out])),
        _Objects(objects = objects),
        _Sources(compiled = depset(), included = included),
    ]

# Libraries and all that they depend on, as one archive, for one engine. What another library of that
# engine has compiled, the base, is not compiled again.
fuzz_library = rule(
    implementation = _fuzz_library_impl,
    attrs = {
        "base": attr.label(providers = [_Objects]),
        "deps": attr.label_list(aspects = [_sources]),
        "engine": attr.string(values = _ENGINES.keys()),
        "out": attr.output(mandatory = True),
        "replaced": attr.string_list(),  # paths of sources that others of the library take the place of
        "uncovered": attr.string_list(),  # paths of sources that are compiled as the oracles are
    },
)

# What a target does not use counts as not covered.
def _taken(engine, library):
    return "-Wl,--whole-archive %s -Wl,--no-whole-archive" % library if engine == "coverage" else library

def _fuzz_program_impl(ctx):
    engine = _ENGINES[ctx.attr.engine]
    included = ctx.attr.library[_Sources].included
    objects = [_compile(ctx, engine, f, included, ctx.attr.copts) for f in ctx.files.srcs]
    library = ctx.file.library
    out = ctx.actions.declare_file(ctx.label.name)
    arguments = ctx.actions.args()
    arguments.add_all(objects)
    arguments.add_all(ctx.files.link_options, format_each = "@%s")
    ctx.actions.run_shell(
        inputs = objects + [library] + ctx.files.link_options,
        outputs = [out],
        arguments = [arguments],
        command = "AFL_QUIET=1 %s %s \"$@\" %s -o %s -Wl,--as-needed %s" %
                  (engine.compiler, engine.link, _taken(ctx.attr.engine, library.path), out.path, " ".join(ctx.attr.linkopts)),
        mnemonic = "FuzzLink",
        use_default_shell_env = True,
    )
    return [DefaultInfo(executable = out, files = depset([out]))]

# A program of one target and one engine.
fuzz_program = rule(
    implementation = _fuzz_program_impl,
    attrs = {
        "copts": attr.string_list(),
        "engine": attr.string(values = _ENGINES.keys()),
        "library": attr.label(
            allow_single_file = True,
            providers = [_Sources],
        ),
        "link_options": attr.label_list(allow_files = True),  # files of them
        "linkopts": attr.string_list(),
        "srcs": attr.label_list(allow_files = [".c"]),
    },
    executable = True,
)

def _fuzz_flags_impl(ctx):
    engine = _ENGINES[ctx.attr.engine]
    out = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(out, "%s %s %s %s\n%s %s\n" %
                           (engine.compiler, _FLAGS, engine.compile, _EXPLORED + _INCLUDES, engine.compiler, engine.link))
    return [_offer(ctx, depset([out]))]

# A file of two lines: how an engine compiles, and how it links.
fuzz_flags = rule(
    implementation = _fuzz_flags_impl,
    attrs = {"engine": attr.string(values = _ENGINES.keys())},
)

def _fuzz_sources_impl(ctx):
    sources = [d[_Sources] for d in ctx.attr.deps]
    files = depset(transitive = [s.compiled for s in sources] + [s.included for s in sources])
    return [_offer(ctx, depset([f for f in files.to_list() if f.is_source]))]

# The sources and headers of libraries and all that they depend on, but for those that are built, for
# tests that build as a user does.
fuzz_sources = rule(
    implementation = _fuzz_sources_impl,
    attrs = {"deps": attr.label_list(aspects = [_sources])},
)
