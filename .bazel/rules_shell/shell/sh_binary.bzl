"""sh_binary, which is native in Bazel 4."""

sh_binary = native.sh_binary
