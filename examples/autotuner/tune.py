#!/usr/bin/env python3
"""How many evaluations an autotuner needs, with and without the search space that hwconfig exports.

COMMAND stays, reads lines of a point, NAME=VALUE ..., and answers each with the seconds that it took,
or with "no" where there is no such kernel.  Searches with the space: from its start by hill climbing,
then its points in order of their predicted times, or again by hill climbing from points at random.
Without: at random, and by hill climbing from points at random, over all values that a tuner tries who
knows nothing of the machine.  A table has, of each, the evaluations and seconds until it reached 0.98
of the best point that any of them has found, the median over seeds, and what it reached.  Evaluations
include the one that asks for a point, and none that only confirms the times for this table.
"""
import argparse
import ast
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time

BLIND = {  # what a tuner tries who knows nothing of the machine
    "MR": list(range(1, 17)),
    "NV": list(range(1, 9)),
    "KC": [2**i for i in range(4, 12)],
    "MC": [2**i for i in range(4, 12)],
    "NC": [2**i for i in range(6, 14)],
    "BLOCK": [2**i for i in range(0, 18)],
    "FANOUT": [2**i for i in range(1, 15)],
}
ENOUGH = 0.98
AGAIN = 5  # answers whose median confirms a time
CONFIRMED = 40  # points at most that are confirmed to tell the best
NOISE = 0.03  # by how much a first answer may be too long
PREDICTED = 100  # points of the space in order of predicted time
# What an expression of the space may have: no more, since it is evaluated.
NODES = (ast.Expression, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Compare, ast.LtE, ast.Call, ast.Name,
         ast.Load, ast.Constant)
FUNCTIONS = {"max": max, "min": min, "ceil": math.ceil}


class Error(Exception):
    """What is wrong with what was given."""


# ---- The space -----------------------------------------------------------------------------------


def compiled(text, names):
    """An expression of these names and of FUNCTIONS."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, TypeError, ValueError):
        raise Error(f"no expression: {text}") from None
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        known = FUNCTIONS if node in called else names
        if not isinstance(node, NODES) or isinstance(node, ast.Name) and node.id not in known:
            raise Error(f"not in an expression: {ast.unparse(node)}: {text}")
    return compile(tree, "space", "eval")


def points(values):
    """All points of a grid, in order."""
    return (dict(zip(values, point)) for point in itertools.product(*values.values()))


def anywhere(values, chance):
    """A point of a grid."""
    return {name: chance.choice(list_) for name, list_ in values.items()}


class Space:
    """One kernel of a file of hwconfig export space, at a size."""

    def __init__(self, file_name, kernel, size):
        try:
            with open(file_name, encoding="utf-8") as file:
                kernels = json.load(file)["kernels"]
            if kernel not in kernels:
                raise Error(f"no such kernel: {kernel} (there are {', '.join(kernels)})")
            space = kernels[kernel]
            self.sizes = {name: size for name in space["sizes"]}
            self.values, self.start = space["parameters"], space["start"]
            names = {*self.sizes, *self.values}
            if set(self.start) != set(self.values):
                raise Error("the start is no point of the parameters")
            for value in [*itertools.chain(*self.values.values()), *self.start.values()]:
                if not isinstance(value, int) or value < 1:
                    raise Error(f"no positive number: {value}")
            if not all(self.values.values()):
                raise Error("a parameter without values")
            self.constraints = [compiled(text, names) for text in space["constraints"]]
            self.time = compiled(space["time"], names) if "time" in space else None
        except OSError as error:
            raise Error(f"{file_name}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Error(f"{file_name}: not what hwconfig export space writes: {error}") from None
        except Error as error:
            raise Error(f"{file_name}: {error}") from None

    def value(self, expression, point):
        return eval(expression, {"__builtins__": {}, **FUNCTIONS}, {**point, **self.sizes})

    def allows(self, point):
        return all(self.value(constraint, point) for constraint in self.constraints)


# ---- Evaluations ---------------------------------------------------------------------------------


def key_of(point):
    return " ".join(f"{name}={value}" for name, value in point.items())


class Evaluator:
    """The times of points, each asked for once, and what that cost; in a file, too, if it has a name."""

    def __init__(self, command, file_name):
        self.command, self.times, self.again, self.file, self.begun = command, {}, {}, None, False
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            raise Error(f"{command[0]}: {error.strerror}") from None
        if file_name:
            self.recall(file_name)

    def recall(self, file_name):
        """Lines: what it took to answer, the answer, the point; a point more than once is confirmed."""
        try:
            self.file = open(file_name, "a+", encoding="utf-8")
        except OSError as error:
            raise Error(f"{file_name}: {error.strerror}") from None
        self.file.seek(0)
        for line in self.file:
            try:
                cost, seconds, key = line.rstrip("\n").split(" ", 2)
                self.keep(key, float(seconds), float(cost))
            except ValueError:
                raise Error(f"{file_name}: no time of a point: {line.rstrip()}") from None

    def keep(self, key, seconds, cost):
        if key in self.times:
            self.again.setdefault(key, []).append(seconds)
        else:
            self.times[key] = seconds, cost

    def answer(self, key):
        """What the command answers, and how long that took."""
        begun = time.monotonic()
        try:
            print(key, file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ""
        try:
            seconds = math.inf if answer == "no" else float(answer)
        except ValueError:
            seconds = 0
        if not seconds > 0:
            what = f'answers "{answer}", neither seconds nor "no"' if answer else "ended without an answer"
            raise Error(f"{self.command[0]}: {what}, when asked for {key}")
        return seconds, time.monotonic() - begun

    def ask(self, key):
        if not self.begun:
            self.answer(key)  # the first waits for the command to begin
            self.begun = True
        seconds, cost = self.answer(key)
        self.keep(key, seconds, cost)
        if self.file:
            print(f"{cost:.6f} {seconds:.9g} {key}", file=self.file, flush=True)

    def __call__(self, key):
        if key not in self.times:
            self.ask(key)
        return self.times[key][0]

    def confirmed(self, key, turn=0):
        """The median of answers that are not why this point was looked at."""
        while len(self.again.get(key, ())) < AGAIN * (turn + 1):
            self.ask(key)
        return statistics.median(self.again[key][AGAIN * turn : AGAIN * (turn + 1)])

    def best(self, keys):
        """Of these points the one that is quickest once confirmed, none left that has seemed quicker; and
        its time, confirmed anew: the best of several is so by luck, too."""
        best, least = None, math.inf
        for key in sorted(keys, key=lambda key: self.times[key][0])[:CONFIRMED]:
            if self.times[key][0] >= least:
                break
            if self.confirmed(key) < least:
                best, least = key, self.confirmed(key)
        return best, self.confirmed(best, 1) if best else least


class Search:
    """The points that one search asked for, in order."""

    def __init__(self, name, evaluate, most):
        self.name, self.evaluate, self.most, self.seen = name, evaluate, most, {}

    def __call__(self, point):
        key = key_of(point)
        if key not in self.seen:
            self.seen[key] = self.evaluate(key)
        return self.seen[key]

    def over(self):
        return len(self.seen) >= self.most

    def reached(self, best, least):
        """Evaluations and seconds until 0.98 of the best; the former infinite where it was not reached."""
        passed = 0
        for n, (key, seconds) in enumerate(self.seen.items(), 1):
            passed += self.evaluate.times[key][1]
            near = seconds <= least / ENOUGH * (1 + NOISE)
            if key == best or near and self.evaluate.confirmed(key) <= least / ENOUGH:
                return n, passed
        return math.inf, passed


# ---- Searches ------------------------------------------------------------------------------------


def neighbours(point, values):
    """The points that differ by one value to either side."""
    for name, list_ in values.items():
        below, above = [v for v in list_ if v < point[name]], [v for v in list_ if v > point[name]]
        yield from ({**point, name: value} for value in [*below[-1:], *above[:1]])


def climb(search, values, point, allows):
    """From a point to the best of those next to it, until none is better."""
    here = search(point)
    while True:
        for candidate in neighbours(point, values):
            if search.over():
                return
            if allows(candidate):
                search(candidate)
        best = min(filter(allows, neighbours(point, values)), key=search, default=point)
        if search(best) >= here:
            return
        point, here = best, search(best)


def climb_on(search, values, allows, chance):
    """Hill climbing from points at random, as long as there are new ones."""
    for _ in range(100 * search.most):
        if search.over():
            return
        point = anywhere(values, chance)
        if allows(point) and key_of(point) not in search.seen:
            climb(search, values, point, allows)


def with_space(space, search, chance):
    climb(search, space.values, space.start, space.allows)
    if space.time:
        inside = filter(space.allows, points(space.values))
        for point in sorted(inside, key=lambda point: space.value(space.time, point))[:PREDICTED]:
            if not search.over():
                search(point)
    climb_on(search, space.values, space.allows, chance)


def at_random(search, values, chance):
    total = math.prod(map(len, values.values()))
    for at in chance.sample(range(total), min(search.most, total)):
        point = {}
        for name, list_ in values.items():
            at, digit = divmod(at, len(list_))
            point[name] = list_[digit]
        search(point)


# ---- The table -----------------------------------------------------------------------------------


def number(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=number, default=400, metavar="N", help="evaluations of a search (400)")
    parser.add_argument("--seeds", type=number, default=3, metavar="N", help="of the searches at random (3)")
    parser.add_argument("--times", metavar="FILE", help="keep the times of points there, and ask for no others")
    parser.add_argument("space", metavar="SPACE", help="what hwconfig export space writes")
    parser.add_argument("kernel", metavar="KERNEL")
    parser.add_argument("size", type=number, metavar="SIZE")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND...")
    given = parser.parse_args()
    if not given.command:
        parser.error("no COMMAND")
    return given


def tune(given):
    space = Space(given.space, given.kernel, given.size)
    evaluate = Evaluator(given.command, given.times)
    blind = {name: BLIND.get(name, [2**i for i in range(20)]) for name in space.values}
    rows = {}

    def add(name, search_with, *arguments_):
        search = Search(name, evaluate, given.most)
        search_with(search, *arguments_)
        rows.setdefault(name, []).append(search)

    add("the space", lambda search: with_space(space, search, random.Random(1)))
    for seed in range(1, given.seeds + 1):
        add("random", at_random, blind, random.Random(seed))
        add("hill climbing", climb_on, blind, lambda point: True, random.Random(seed))
    best, least = evaluate.best(evaluate.times)
    if best is None:
        raise Error(f"{given.command[0]}: no point has a time")
    report(given, space, blind, rows, best, least)


def report(given, space, blind, rows, best, least):
    """The table; a number with > is of a search that did not get there."""
    inside, grid = sum(map(space.allows, points(space.values))), math.prod(map(len, blind.values()))
    needed, lines = {}, []
    for name, searches in rows.items():
        reached = [search.reached(best, least) for search in searches]
        n, seconds = (statistics.median(column) for column in zip(*reached))
        mark = ">" if n == math.inf else ""
        needed[name] = statistics.median(len(search.seen) for search in searches) if mark else n
        share = statistics.median(least / search.evaluate.best(search.seen)[1] for search in searches)
        lines.append(f"{name:<14} {inside if name == 'the space' else grid:>8} {mark + format(needed[name], 'g'):>11} "
                     f"{mark + format(seconds, '.1f'):>8} {share:>8.3f}")
    print(f"{given.kernel}, {given.size}: the best is {best}, {least:.3g} s")
    print(f"{'search':<14} {'points':>8} {'evaluations':>11} {'seconds':>8} {'reached':>8}", *lines, sep="\n")
    fewer = min(n for name, n in needed.items() if name != "the space") / needed["the space"]
    print(f"with the space {fewer:.3g} times fewer evaluations")


def main():
    try:
        tune(arguments())
    except Error as error:
        sys.exit(f"tune.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
