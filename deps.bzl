"""For the WORKSPACE of a project that depends on this one: see docs/install.md."""

def _part_impl(ctx):
    directory = ctx.path(ctx.attr.workspace).dirname
    for entry in directory.readdir():
        ctx.symlink(entry, entry.basename)

# A directory of this repository as a repository of its own.
_part = repository_rule(
    implementation = _part_impl,
    attrs = {"workspace": attr.label(allow_single_file = True)},
)

def _once(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def fxtref_deps():
    """What fxtref loads, unless the project has it already."""
    _once(_part, "rules_cc", workspace = Label("//:.bazel/rules_cc/WORKSPACE"))
    _once(_part, "rules_shell", workspace = Label("//:.bazel/rules_shell/WORKSPACE"))

def fxtref_debian_bazel():
    """What the rules in Debian's Bazel load, which downloads nothing; needs bazel-rules-java."""
    _once(
        _part,
        "remote_coverage_tools",
        workspace = Label("//:.bazel/remote_coverage_tools/WORKSPACE"),
    )
    _once(native.local_repository, "rules_java", path = "/usr/share/bazel/rules/java")
