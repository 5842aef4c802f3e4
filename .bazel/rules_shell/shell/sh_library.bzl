"""sh_library, which is native in Bazel 4."""

sh_library = native.sh_library
