"""Finds libfxtref and declares its functions: `lib.fxt_reader_next(…)` as in C."""
import ctypes
import ctypes.util
import os

from . import abi


def _load() -> ctypes.CDLL:
    name = os.environ.get("FXTREF_LIBRARY") or ctypes.util.find_library("fxtref") or "libfxtref.so.0.2"
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError("libfxtref cannot be loaded: %s: install it, or set FXTREF_LIBRARY to its "
                          "path" % error) from None
    for function, (result, parameters) in abi.FUNCTIONS.items():
        declared = getattr(library, function)
        declared.restype, declared.argtypes = result, parameters
    return library


lib = _load()
