"""Plans of lazy arrays beside the clock."""

from time import perf_counter

from . import _core
from ._lazy_array import lend
from ._plan import _formats, _tier

_MOST_RUNS = 100
_HOPELESS = 4.0  # times the fastest: not run again


def tune(*arrays, seconds=5.0, most=4, format=None, exact=False, tier="auto"):
    """Measures the `most` best plans of lazy arrays on what they hold now, and keeps the fastest: from now on `compute`
    takes it for this structure. They run in turns, for about so many seconds, compiling them included; a run that has
    begun is waited for, and the chosen plan runs once whatever that takes.

    format, exact, tier: as for `compute`; machine code is the system's compiler's unless tier is "jit".
    Ctrl-C ends it with KeyboardInterrupt, and then everything is as it was. Raises Error, Fault.
    """
    if not arrays:
        raise ValueError("at least one array is needed")
    cores = [lend(one) for one in arrays]
    formats = _formats(arrays, cores, format)
    begun = perf_counter()
    ways = [_Way(one) for one in _core.ways(cores, formats, exact, "jit" if _tier(tier) == "jit" else "native", most)]
    for turn in range(_MOST_RUNS):
        least = min((way.measured for way in ways if way.runs), default=None)
        for way in ways:
            if (turn or way is not ways[0]) and perf_counter() - begun > seconds:
                break
            if least is None or not way.runs or way.measured <= _HOPELESS * least:
                way.run(cores)
        else:
            continue
        break
    measured = [way for way in ways if way.runs]
    fastest = min(measured, key=lambda way: way.measured)
    _core.keep_way(fastest.core, cores, formats, exact, tier)
    return Tuned([way.row(way is fastest) for way in ways])


class _Way:
    """A plan, and the least that it took."""

    def __init__(self, core):
        self.core, self.runs, self.measured = core, 0, None

    def run(self, cores):
        if not self.runs:
            _core.run_way(self.core, cores)  # which compiles it
        begun = perf_counter()
        _core.run_way(self.core, cores)
        took = perf_counter() - begun
        self.measured = took if not self.runs else min(self.measured, took)
        self.runs += 1

    def row(self, chosen):
        return {"plan": self.core.plan, "estimated": self.core.estimated, "measured": self.measured, "runs": self.runs,
                "chosen": chosen}


class Tuned:
    """What `tune` measured. ways: a dict each, in the order of their estimates, with `plan`; `estimated` and
    `measured`, seconds, the least of all `runs`, None where there was no time for one; `chosen`. chosen: the one that is kept."""

    def __init__(self, ways):
        self.ways = tuple(ways)
        self.chosen = next(way for way in self.ways if way["chosen"])

    def __repr__(self):
        lines = []
        for way in self.ways:
            measured = f"{way['measured'] * 1e3:10.3f} ms" if way["runs"] else "   not run   "
            estimated = "" if way["estimated"] is None else f", estimated {way['estimated'] * 1e3:.3f} ms"
            lines.append(f"{'>' if way['chosen'] else ' '} {measured} of {way['runs']} runs{estimated}: {way['plan']}")
        return "\n".join(lines)
