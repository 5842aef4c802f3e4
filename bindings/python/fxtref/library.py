"""Finds libfxtref and declares its functions: `lib.fxt_reader_next(…)` as in C."""
import ctypes
import os

from . import abi

VERSION = "%d.%d" % (abi.FXT_VERSION_MAJOR, abi.FXT_VERSION_MINOR)  # others have other structs than abi.py


def _load() -> ctypes.CDLL:
    name = os.environ.get("FXTREF_LIBRARY") or "libfxtref.so." + VERSION
    try:
        library = ctypes.CDLL(name)
        for function, (result, parameters) in abi.FUNCTIONS.items():
            declared = getattr(library, function)
            declared.restype, declared.argtypes = result, parameters
        found = library.fxt_version().decode()
        if not found.startswith(VERSION + "."):
            raise OSError("%s has version %s" % (name, found))
    except (AttributeError, OSError) as error:  # AttributeError: a function is missing
        raise ImportError("libfxtref %s cannot be loaded: %s: install it, or set FXTREF_LIBRARY to its "
                          "path" % (VERSION, error)) from None
    return library


lib = _load()
