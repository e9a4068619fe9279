#!/usr/bin/env python3
"""Compares the solver with an optimal planner on the same boards, in one run.

    python3 shared/benches/planner/compare.py --sprint target/release/sprint [--boards TSV] [--per-class N] [--limit S]

Installs Fast Downward (PyPI `up-fast-downward`) into a throw-away virtual environment that is removed at the end. It is
no dependency of the project and no part of its tests. Only boards without rings and homes, with equal pegs that carry a
whole tower, are compared: for them a position is what each disk rests on, and pegs are interchangeable in the PDDL as they
are in the solver. A transfer is a lift, which costs 1, and a placing, which costs nothing. Both run one thread. Of the
planner's search with landmark cuts and its blind one the quicker counts. For each class it prints the median seconds of
both, over the boards that the planner finished (translation included, and its search alone), and the ratio of the whole;
exit 1 if the two disagree on a board, or the ratio is below 50 where the planner finished.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DOMAIN = """(define (domain hanoi-sort)
  (:requirements :strips :action-costs)
  (:constants many)
  (:predicates (top ?d ?r) (on ?d ?e) (tangled ?d ?e ?r) (lowest ?d) (fits ?d ?e) (held ?d) (hand-empty)
    (free ?n) (next ?n ?m) (less ?r ?s))
  (:functions (total-cost) - number)
  (:action lift-from-disk :parameters (?d ?e ?r ?s)
    :precondition (and (hand-empty) (on ?d ?e) (fits ?d ?e) (top ?d ?s) (less ?r ?s))
    :effect (and (not (hand-empty)) (held ?d) (not (on ?d ?e)) (not (top ?d ?s)) (top ?e ?r) (increase (total-cost) 1)))
  (:action lift-from-tangle :parameters (?d ?e ?r ?s)
    :precondition (and (hand-empty) (on ?d ?e) (tangled ?d ?e ?r) (top ?d ?s))
    :effect (and (not (hand-empty)) (held ?d) (not (on ?d ?e)) (not (top ?d ?s)) (top ?e ?r) (increase (total-cost) 1)))
  (:action lift-from-floor :parameters (?d ?s ?n ?m)
    :precondition (and (hand-empty) (lowest ?d) (top ?d ?s) (free ?n) (next ?n ?m))
    :effect (and (not (hand-empty)) (held ?d) (not (lowest ?d)) (not (top ?d ?s)) (not (free ?n)) (free ?m)
      (increase (total-cost) 1)))
  (:action place-on-disk :parameters (?d ?t ?r ?s)
    :precondition (and (held ?d) (fits ?d ?t) (top ?t ?r) (less ?r ?s))
    :effect (and (hand-empty) (not (held ?d)) (on ?d ?t) (not (top ?t ?r)) (top ?d ?s)))
  (:action place-on-floor :parameters (?d ?n ?m)
    :precondition (and (held ?d) (free ?m) (next ?n ?m))
    :effect (and (hand-empty) (not (held ?d)) (lowest ?d) (top ?d many) (not (free ?m)) (free ?n))))
"""


def read_board(text):
    """The stacks of a board, and its capacity; None if it has rings, homes or unequal capacities, or carries no tower."""
    fields = text.split(" ")
    if len(fields) > 2:
        return None
    stacks = [[] if peg == "-" else re.findall("[A-Z][0-9]", peg) for peg in fields[0].split("/")]
    capacities = [int(c) for c in fields[1].split(",")]
    tower = max(len([d for s in stacks for d in s if d[0] == colour]) for colour in "RSEAV")
    return (stacks, capacities[0]) if min(capacities) >= tower and len(set(capacities)) == 1 else None


def can_run_out(stack, disks, capacity):
    """Whether more disks than the capacity could ever come to lie on a stack of the start board."""
    def most(height, disk):
        smaller = [e for e in disks if e[0] == disk[0] and e[1] < disk[1] and e not in stack[:height]]
        return height + len(smaller)
    return any(most(height, disk) > capacity for height, disk in enumerate(stack, 1))


def problem(stacks, capacity):
    """The PDDL problem of a board: objects are the disks, numbers that count free pegs, and rooms.

    The room of a topmost disk is how many disks still fit on it. Where it cannot run out, as on a stack that begins on the
    floor and holds one spectrum, it is `many`, which never gets less.
    """
    disks = sorted(d for stack in stacks for d in stack)
    numbers = [f"n{i}" for i in range(len(stacks) + 1)]
    rooms = [f"room{i}" for i in range(capacity)]
    facts = ["(hand-empty)", "(= (total-cost) 0)", f"(free n{sum(not s for s in stacks)})", "(less many many)"]
    facts += [f"(next n{i} n{i + 1})" for i in range(len(stacks))]
    facts += [f"(less room{i + 1} room{i})" for i in range(capacity - 1)]
    for stack in stacks:
        room = "many"
        runs_out = can_run_out(stack, disks, capacity)
        for height, (below, disk) in enumerate(zip([None] + stack, stack), 1):
            is_tangled = below and not (below[0] == disk[0] and below[1] > disk[1])
            if is_tangled:
                facts.append(f"(tangled {disk} {below} {room})")
            if runs_out and (is_tangled or room != "many"):
                room = f"room{capacity - height}"
            facts.append(f"(on {disk} {below})" if below else f"(lowest {disk})")
        if stack:
            facts.append(f"(top {stack[-1]} {room})")
    goal = ["(hand-empty)"]
    for disk in disks:
        larger = [e for e in disks if e[0] == disk[0] and e[1] > disk[1]]
        facts += [f"(fits {disk} {e})" for e in larger]
        goal.append(f"(on {disk} {min(larger)})" if larger else f"(lowest {disk})")
    return (
        f"(define (problem board) (:domain hanoi-sort) (:objects {' '.join(disks + numbers + rooms)})\n"
        f"  (:init {' '.join(facts)})\n  (:goal (and {' '.join(goal)}))\n  (:metric minimize (total-cost)))\n"
    ).lower()


def plan(planner, folder, board, limit, search):
    """Cost (None: unsolvable), seconds of the whole planner and of its search; None if it did not finish."""
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "problem.pddl").write_text(problem(*board))
    command = [sys.executable, planner, "--plan-file", folder / "plan", "--overall-time-limit", f"{limit}s",
               folder / "domain.pddl", folder / "problem.pddl", "--search", search]
    start = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    seconds = time.monotonic() - start
    cost = re.search(r"Plan cost: (\d+)", run.stdout)
    search = re.search(r"Total time: ([0-9.e-]+)s", run.stdout)
    searched = float(search.group(1)) if search else 0.0
    if cost:
        return int(cost.group(1)), seconds, searched
    # 10 to 12: the translator, or a complete search, found that there is no plan; 20 to 24: out of time or memory.
    if run.returncode not in (10, 11, 12, 20, 21, 22, 23, 24):
        sys.exit(f"the planner failed with {run.returncode}: {run.stdout[-500:]}{run.stderr[-500:]}")
    return (None, seconds, searched) if run.returncode in (10, 11, 12) else None


def solve(sprint, board):
    """Optimum (None: unsolvable) and seconds of the solver, as it reports them."""
    command = [sprint, "solve", board, "--json", "--threads", "1"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(run.stdout)
    return None if answer["optimum"] == "unsolvable" else answer["optimum"], answer["ms"] / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sprint", required=True, type=Path, help="the release binary")
    parser.add_argument("--boards", type=Path, default=Path(__file__).parents[2] / "data" / "labelled.tsv")
    parser.add_argument("--per-class", type=int, default=3)
    parser.add_argument("--classes", default="", help="only classes with this in their name")
    parser.add_argument("--limit", type=int, default=60, help="seconds for the planner, a board")
    parser.add_argument("--search", action="append", help="the planner's search; of several the quickest counts")
    args = parser.parse_args()
    searches = args.search or ["astar(lmcut())", "astar(blind())"]

    classes = {}
    for row in args.boards.read_text().splitlines()[1:]:
        name, board, _ = row.split("\t")
        stacks = read_board(board)
        if stacks and args.classes in name and len(classes.setdefault(name, [])) < args.per_class:
            classes[name].append((board, stacks))
    holds = True
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        subprocess.run([sys.executable, "-m", "venv", scratch / "venv"], check=True)
        subprocess.run([scratch / "venv/bin/pip", "install", "-q", "up-fast-downward"], check=True)
        planner = next((scratch / "venv").rglob("fast-downward.py"))
        print("class\tfinished\tplanner s median\tof which search\tsolver s median\tratio")
        for name, boards in classes.items():
            planned, searched, solved = [], [], []
            for board, stacks in boards:
                results = [plan(planner, scratch, stacks, args.limit, search) for search in searches]
                result = min(filter(None, results), key=lambda r: r[1], default=None)
                optimum, seconds = solve(args.sprint, board)
                if result is None:
                    continue
                if result[0] != optimum:
                    print(f"{board}: the planner says {result[0]}, the solver {optimum}", file=sys.stderr)
                    holds = False
                planned.append(result[1])
                searched.append(result[2])
                solved.append(seconds)
            if planned:
                theirs, ours = statistics.median(planned), statistics.median(solved)
                holds = holds and theirs / ours >= 50
                search = statistics.median(searched)
                finished = f"{len(planned)} of {len(boards)}"
                print(f"{name}\t{finished}\t{theirs:.3f}\t{search:.3f}\t{ours:.6f}\t{theirs / ours:.0f}", flush=True)
            else:
                print(f"{name}\t0 of {len(boards)}\t> {args.limit}\t-\t-\t-", flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
