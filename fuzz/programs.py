"""What the scripts of this folder share: targets, their seeds, and the programs that Bazel builds."""
import glob
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TARGETS = sorted(os.path.basename(path)[:-len("_fuzzer.c")]
                 for path in glob.glob(os.path.join(HERE, "*_fuzzer.c")))
KINDS = {"save": "buffer", "salvage": "buffer", "packet": "packet"}


class Error(Exception):
    pass


def kind_of(target):
    """The extension of its seeds."""
    return KINDS.get(target, "fxt")


def copy_seeds(target, folder):
    """The seeds of that target, and everything that was ever found."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for pattern in ("seeds/*." + kind_of(target), "regress/*.*"):
        for path in glob.glob(os.path.join(HERE, pattern)):
            if not path.endswith(".md"):
                shutil.copy(path, folder)
    return folder


def run(command):
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
    except FileNotFoundError:
        raise Error("%s is not installed: run ./setup" % command[0])
    if done.returncode != 0:
        raise Error("'%s' failed:\n%s" % (" ".join(command[:8]), done.stdout[-4000:]))


def built(*names):
    """The folder with these programs or files. In a test Bazel has built them; else this asks it to."""
    if all(os.path.exists(os.path.join(HERE, name)) for name in names):
        return HERE
    run(["bazel", "build"] + ["//fuzz:" + name for name in names])
    return os.path.join(ROOT, "bazel-bin", "fuzz")


def environment(engine):
    """Of a program that is made for this engine."""
    more = {"UBSAN_OPTIONS": "print_stacktrace=1"}
    if engine == "afl":
        more.update(ASAN_OPTIONS="abort_on_error=1:symbolize=0:detect_leaks=0",
                    UBSAN_OPTIONS="halt_on_error=1:abort_on_error=1:symbolize=0",
                    MSAN_OPTIONS="exit_code=86:abort_on_error=1:symbolize=0", AFL_NO_UI="1",
                    AFL_SKIP_CPUFREQ="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
                    AFL_NO_AFFINITY="1", AFL_QUIET="1")
    return {**os.environ, **more}
