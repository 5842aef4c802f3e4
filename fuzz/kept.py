"""Archives TARGET.zip of inputs that campaigns found and that cover more than the seeds, in kept/ and elsewhere. Each
input is named by the SHA-1 of its bytes. Equal inputs give equal bytes of the archive."""
import contextlib
import hashlib
import os
import re
import zipfile
import zlib

INPUT_MAX = 64 << 10  # where the targets cut their input
ALL_MAX = 64 << 20
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
EPOCH = (1980, 1, 1, 0, 0, 0)


class Error(Exception):
    pass


def name_of(data):
    return hashlib.sha1(data).hexdigest()


def entry(archive, info):
    if not re.fullmatch("[0-9a-f]{40}", info.filename):
        raise Error("the name %a is not a SHA-1" % info.filename[:80])
    if info.file_size > INPUT_MAX:
        raise Error("%s has %d bytes, more than %d" % (info.filename, info.file_size, INPUT_MAX))
    if info.compress_type not in METHODS:
        raise Error("%s is not compressed by deflate" % info.filename)
    data = archive.read(info)
    if name_of(data) != info.filename:
        raise Error("%s is not the SHA-1 of its bytes" % info.filename)
    return data


def read(path):
    """The inputs of an archive; none if there is no such file."""
    if not os.path.exists(path):
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > ALL_MAX:
                raise Error("its inputs have %d bytes, more than %d" % (size, ALL_MAX))
            return [entry(archive, info) for info in archive.infolist()]
    except (Error, OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError,
            RuntimeError, ValueError) as error:
        raise Error("cannot read the inputs of %s: %s; restore the file or delete it" % (path, error))


@contextlib.contextmanager
def replacing(path):
    """A file to write, which takes the place of this one when it is whole. A link stays; a device or a FIFO is
    written in place."""
    in_place = os.path.exists(path) and not os.path.isfile(path)
    new = path if in_place else os.path.realpath(path) + ".new"
    try:
        with open(new, "wb") as f:
            yield f
        if not in_place:
            os.replace(new, new[:-len(".new")])
    except OSError as error:
        raise Error("cannot write %s: %s" % (path, error.strerror))
    finally:
        if not in_place:
            with contextlib.suppress(OSError):
                os.remove(new)


def write(path, inputs):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with replacing(path) as f, zipfile.ZipFile(f, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted((name_of(data), data) for data in set(inputs)):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
