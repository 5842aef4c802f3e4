"""Files that a run leaves. Each is there as a whole, or as it was before."""
import os
import tempfile

from runner.plain import Unwritten, printable, why


def look_at_folder(what, folder, make=False):
    """Whether files can be written there: before the run, which may take minutes."""
    try:
        if make:
            os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Unwritten("cannot write %s: %s" % (printable(what, 400), why(error)))


def write_file(what, path, data):
    """By a file beside it, so that a full disk costs no older one; but into a device as it is."""
    if isinstance(data, str):
        data = data.encode("utf-8", "backslashreplace")
    path = os.path.realpath(path)
    device = os.path.exists(path) and not os.path.isfile(path)
    beside = path if device else "%s.%d.new" % (path, os.getpid())
    try:
        try:
            with open(beside, "wb") as f:
                f.write(data)
            if not device:
                os.replace(beside, path)
        finally:
            if not device and os.path.lexists(beside):
                os.unlink(beside)
    except OSError as error:
        raise Unwritten("cannot write %s: %s" % (printable(what, 400), why(error)))
