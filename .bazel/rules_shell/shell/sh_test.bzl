"""sh_test, which is native in Bazel 4."""

sh_test = native.sh_test
