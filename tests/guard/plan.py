"""Which runs are made: few for every change, many for a release."""

from collections.abc import Iterator
from itertools import product

from tests.guard.cases import Cases, Pair
from tests.guard.keeping import WAYS
from tests.guard.payloads import PAYLOADS, TEMPLATES
from tests.guard.persons import Kind
from tests.guard.runs import ROUTES, Job
from tests.guard.variants import VARIANTS

_FAST_PAIRS = 80
_FAST_ASIDE = 6  # of each route, and of each other person
_FAST_SHAPES = 2  # of each other shape in which something is kept
_SHAPED = [route for route in ROUTES if route in WAYS and not route.endswith("_whole")]
_LAUNDERED = [route for route in ROUTES[1:] if route not in _SHAPED]


def benign(cases: Cases) -> list[Job]:
    """Every task without an attacker."""
    return [Job(suite, task) for suite, task in cases.tasks]


def fast(cases: Cases) -> list[Job]:
    """Every task alone; a spread of pairs with every payload and every variant; some of all else."""
    acting = _acting(cases)
    chosen = acting[:: max(1, len(acting) // _FAST_PAIRS)][:_FAST_PAIRS]
    few = acting[3 :: max(1, len(acting) // _FAST_ASIDE)][:_FAST_ASIDE]
    jobs = [_square(pair, number, place=number) for number, pair in enumerate(chosen)]
    for kind in (Kind.NEVER, Kind.YES_SAYER):
        jobs += [_of_person(pair, number, kind) for number, pair in enumerate(few)]
    for route in _LAUNDERED:
        jobs += [_laundered(pair, number, route) for number, pair in enumerate(few)]
    for route in _SHAPED:
        jobs += [_laundered(pair, 0, route) for pair in few[:_FAST_SHAPES]]
    return benign(cases) + jobs


def full(cases: Cases) -> list[Job]:
    """Every pair with every payload and every variant once, in all mixtures over the pairs; and all else.

    The two make a Latin square: for one pair each payload comes with another variant, and for the
    next pair they are shifted by one.
    """
    jobs = benign(cases)
    for number, pair in enumerate(_acting(cases)):
        jobs += [_square(pair, number, place=place) for place in range(_side())]
        jobs += _aside(pair, number)
    return jobs


def every(cases: Cases) -> list[Job]:
    """`full`, with every mixture for every pair."""
    jobs = benign(cases)
    for number, pair in enumerate(_acting(cases)):
        jobs += [
            _job(pair, number, payload=payload, variant=variant)
            for payload, variant in product(PAYLOADS, VARIANTS)
        ]
        jobs += _aside(pair, number)
    return jobs


def _aside(pair: Pair, number: int) -> list[Job]:
    """The pair with other people, by every other route, and kept in one of the other shapes."""
    jobs = [_of_person(pair, number, kind) for kind in (Kind.NEVER, Kind.YES_SAYER)]
    routes = [*_LAUNDERED, _SHAPED[number % len(_SHAPED)]]
    return jobs + [_laundered(pair, number, route) for route in routes]


def _acting(cases: Cases) -> list[Pair]:
    """The pairs, the suites taking turns, so that a part of them is a part of each."""
    by_suite = [[pair for pair in cases.pairs if pair.suite is suite] for suite in cases.suites]
    return list(_spread(by_suite))


def _spread(rows: list[list[Pair]]) -> Iterator[Pair]:
    places = [(place / len(row), pair) for row in rows for place, pair in enumerate(row)]
    yield from (pair for _place, pair in sorted(places, key=lambda one: one[0]))


def _side() -> int:
    return max(len(PAYLOADS), len(VARIANTS))


def _square(pair: Pair, number: int, *, place: int) -> Job:
    payloads, variants = list(PAYLOADS), list(VARIANTS)
    payload = payloads[place % len(payloads)]
    variant = variants[(place + number // _side() + number) % len(variants)]
    return _job(pair, number, payload=payload, variant=variant)


def _of_person(pair: Pair, number: int, kind: Kind) -> Job:
    return _job(pair, number, payload=_template(number), person=kind)


def _laundered(pair: Pair, number: int, route: str) -> Job:
    return _job(pair, number, payload=_template(number), route=route)


def _template(number: int) -> str:
    return list(TEMPLATES)[number % len(TEMPLATES)]


def _job(
    pair: Pair,
    number: int,
    *,
    payload: str,
    variant: str = "plain",
    person: Kind = Kind.CAREFUL,
    route: str = "result",
) -> Job:
    return Job(
        pair.suite,
        pair.task,
        pair,
        payload=payload,
        variant=variant,
        person=person,
        route=route,
        number=number,
    )
