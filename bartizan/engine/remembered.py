"""Cache drawn parts of a table by the bytes that they were drawn from.

Most of a table doesn't change in a move, and looks the same to several seats. A function that draws a part of
a table gets a record that reads fields on demand (see `bartizan.engine.record`), so it is known afterwards
which bytes the result depends on. When these bytes and the other arguments are the same again, the cached
result is used. No dependency has to be declared, so none can be forgotten.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from bartizan.engine.record import Record, bytes_of, places_read

MOST = 1024  # cached results of one function, and …
MOST_WAYS = 32  # … the different sets of bytes on which they depended

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", bound=Record)

Places = tuple[tuple[int, int], ...]  # from and to, in bytes


def remembered(draw: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """Return a function that does the same and caches its results.

    `draw` takes a record, which it must not change, and further hashable arguments.  Callers share the
    returned value, so they must not change it either.  Records not made from bytes are not cached.
    """
    # By the set of bytes that were read: results by their values.
    ways: dict[Places, OrderedDict[Any, R]] = {}
    lock = threading.Lock()  # tables are drawn both in the event loop and in threads

    def look(record: T, /, *args: P.args, **kwargs: P.kwargs) -> R:
        data = bytes_of(record)
        if data is None:
            return draw(record, *args, **kwargs)
        more = (args, tuple(kwargs.items())) if kwargs else args
        with lock:
            for places, results in ways.items():
                key = (*[data[start:stop] for start, stop in places], more)
                if key in results:
                    results.move_to_end(key)
                    return results[key]
        fresh = type(record).from_bytes(data)
        result = draw(fresh, *args, **kwargs)
        places = places_read(fresh)
        with lock:
            if places not in ways and len(ways) >= MOST_WAYS:
                ways.clear()
            results = ways.setdefault(places, OrderedDict())
            results[(*[data[start:stop] for start, stop in places], more)] = result
            if len(results) > MOST:
                results.popitem(last=False)
        return result

    functools.update_wrapper(look, draw)
    return look
