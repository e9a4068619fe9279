#!/usr/bin/env python3
"""A bot that plays one round of Technomancer Sprint, written from docs/protocol.md alone.

    python3 -m venv venv && venv/bin/pip install websockets       # once; Python 3.9 or newer
    venv/bin/python bot.py http://HOST:PORT            opens a room, prints its code and waits for another player
    venv/bin/python bot.py http://HOST:PORT CODE       joins a room
    venv/bin/python bot.py http://HOST:PORT --quick    waits in the queue of quick match for another bot

It solves its board by breadth-first search, which is fast enough for the preset `initiate` and needs too much memory for larger
boards.
"""
import json
import secrets
import sys
import urllib.error
import urllib.request
from collections import deque

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def post(server, path, body, token=None):
    headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)}
    if token:
        headers["Authorization"] = "Bearer " + token
    request = urllib.request.Request(server + "/api/v1" + path, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.read().decode()}")
    except urllib.error.URLError as error:
        sys.exit(f"{server}: {error.reason}")


def messages(socket):
    """What the server says, until it closes the connection: then the program ends with the reason."""
    try:
        while True:
            yield json.loads(socket.recv())
    except ConnectionClosed as closed:
        sys.exit(f"closed by the server: {closed.rcvd.code} {closed.rcvd.reason}" if closed.rcvd else "the line is lost")


def legal(pegs, capacities):
    """Every transfer (from, to), counted from 0: onto an empty peg, or onto a larger disk of the same spectrum."""
    for source, peg in enumerate(pegs):
        for target, onto in enumerate(pegs):
            if peg and source != target and len(onto) < capacities[target]:
                if not onto or (onto[-1][0] == peg[-1][0] and onto[-1][1] > peg[-1][1]):
                    yield source, target


def is_harmony(pegs):
    """Each peg carries one whole spectrum and nothing else, the largest disk lowest."""
    spectra = [disk[0] for peg in pegs for disk in peg]
    return all(
        len({disk[0] for disk in peg}) == 1 and len(peg) == spectra.count(peg[0][0]) and list(peg) == sorted(peg)[::-1]
        for peg in pegs
        if peg
    )


def solve(board):
    """The shortest list of transfers to harmony. Boards of a preset have neither rings nor homes."""
    notation, capacity = board.split()[:2]
    start = tuple(tuple(p[i : i + 2] for i in range(0, len(p), 2)) if p != "-" else () for p in notation.split("/"))
    capacities = [int(c) for c in capacity.split(",")] * (1 if "," in capacity else len(start))
    came_from, queue = {start: None}, deque([start])
    while queue:
        pegs = queue.popleft()
        if is_harmony(pegs):
            line = []
            while came_from[pegs]:
                pegs, transfer = came_from[pegs]
                line.append(transfer)
            return line[::-1]
        for source, target in legal(pegs, capacities):
            after = list(pegs)
            after[target] += (after[source][-1],)
            after[source] = after[source][:-1]
            after = tuple(after)
            if after not in came_from:
                came_from[after] = pegs, (source, target)
                queue.append(after)


def matched(server, token):
    """Waits for a quick match: the room's code."""
    with connect(server.replace("http", "ws", 1) + "/ws/v1/queue", subprotocols=["sprint.v1"]) as socket:
        socket.send(json.dumps({"type": "join", "token": token, "seats": 2, "preset": "initiate"}))
        for message in messages(socket):
            if message["type"] == "matched":
                return message["code"]
            if message["type"] == "error":
                sys.exit(f"{message['code']}: {message['message']}")


def main(server, code=None):
    token = post(server, "/players", {"bot": True})["token"]
    if code == "--quick":
        code = matched(server, token)
    if code is None:
        code = post(server, "/rooms", {"preset": "initiate", "seats": 2}, token)["code"]
        print("room", code, flush=True)
    address = server.replace("http", "ws", 1) + "/ws/v1/rooms/" + code
    with connect(address, subprotocols=["sprint.v1"]) as socket:

        def say(**message):
            socket.send(json.dumps(message))

        say(type="hello", token=token, role="player")
        seat = n = ply = 0
        line = []
        for message in messages(socket):
            kind = message["type"]
            if kind == "welcome":
                seat, n = message["seat"], message["n"]
                # In a quick match everybody is ready who is there, and the last one is welcomed to a round that has begun.
                if message["state"]["phase"] == "dealing":
                    say(type="nonce", nonce=secrets.token_hex(16))
                elif not any(other["ready"] for other in message["state"]["seats"] if other["seat"] == seat):
                    say(type="ready", ready=True)
            elif kind == "committed":
                say(type="nonce", nonce=secrets.token_hex(16))
            elif kind == "start":
                line = solve(message["state"]["round"]["board"])
                ply = 0
            elif kind == "transferred" and message["seat"] == seat:
                line.pop(0)
                ply += 1
            elif kind in ("refused", "error"):
                sys.exit(f"{message['code']}: {message['message']}")
            elif kind == "round_over":
                for racer in message["result"]["seats"]:
                    print(racer["rank"], racer["name"], racer["moves"], racer["finish"], racer["score"])
                return
            if line and (kind == "start" or kind == "transferred" and message["seat"] == seat):
                n += 1
                source, target = line[0]
                say(type="move", n=n, ply=ply, **{"from": source + 1, "to": target + 1})


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or not sys.argv[1].startswith("http"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
