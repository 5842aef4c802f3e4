"""The command line of a small script: words, and no option but --help. Exit codes: 0 done, 2 not."""
import os
import sys

import kept


def run(usage, main, counts):
    """Calls main() with the words, if there are as many as one of the counts."""
    name, words = os.path.basename(sys.argv[0]), sys.argv[1:]
    if "--help" in words or "-h" in words:
        print(usage.strip())
        return 0
    if len(words) not in counts:
        sys.stderr.write(usage)
        return 2
    try:
        main(*words)
        sys.stdout.flush()
        return 0
    except OSError as error:
        problem = "%s: %s" % (error.filename or "cannot write the output", error.strerror)
        if sys.stdout:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python tries again at its end
    except (kept.Error, ValueError) as error:
        problem = error
    print("%s: %s" % (name, problem), file=sys.stderr)
    return 2


def one_of(**commands):
    """main() of a script whose first word says what it does with the second."""
    def main(word, path):
        if word not in commands:
            raise kept.Error("there is no command '%s'; see --help" % word)
        commands[word](path)
    return main
