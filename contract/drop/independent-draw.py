"""The draw again, from docs/decisions/0096-verifiable-draw.md alone, with Python's own library.

Reads records, one JSON object a line, and prints for each a line of JSON: list_hash,
announcement_hash, randomness and order. It takes a round's signature as it is.
"""

import hashlib
import json
import sys


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_list(record):
    lines = [["list", record["number"], record["frozen_at"], record["salt"]]]
    for one in record["entrants"]:
        fields = ("position", "ticket", "points", "sizes", "takes_any")
        lines.append([one[field] for field in fields])
    return sha256("\n".join(text(line) for line in lines).encode()).hex()


def hash_announcement(draw):
    source = draw["randomness"]
    words = [source["source"]]
    words += [source[key] for key in ("round", "commitment") if key in source]
    masks = [[one["size"], one["masks"]] for one in draw["masks"]]
    line = ["draw", draw["number"], draw["list_hash"], masks, draw["by_rank"]]
    line += [draw["drawn_among"], words, draw["announced_at"]]
    return sha256(text(line).encode()).hex()


def randomness_of(record):
    source = record["announcement"]["randomness"]["source"]
    if source == "none":
        return b""
    evidence = bytes.fromhex(record["evidence"])
    return sha256(evidence) if source == "quicknet" else evidence


def order_of(record, randomness):
    draw = record["announcement"]
    left = {one["size"]: one["masks"] for one in draw["masks"]}

    def give(entrant):
        choices = [size for size in entrant["sizes"] if left.get(size, 0) > 0]
        if not choices and entrant["takes_any"] and any(left.values()):
            # max returns the first of equals, and a dict keeps its order
            choices = [max(left, key=left.get)]
        if not choices:
            return None
        left[choices[0]] -= 1
        return choices[0]

    by_rank, others = [], []
    for entrant in record["entrants"]:
        size = give(entrant) if len(by_rank) < draw["by_rank"] else None
        (others if size is None else by_rank).append((entrant, size))
    drawn, rest = [], []
    for entrant, _ in others:
        is_drawn = entrant["position"] <= draw["drawn_among"]
        (drawn if is_drawn else rest).append(entrant)
    drawn.sort(key=lambda one: sha256(randomness + bytes.fromhex(one["ticket"])))
    order = by_rank + [(one, give(one)) for one in drawn] + [(one, None) for one in rest]
    return [{"position": one["position"], "size": size} for one, size in order]


for line in sys.stdin:
    record = json.loads(line)
    randomness = randomness_of(record)
    result = {
        "list_hash": hash_list(record),
        "announcement_hash": hash_announcement(record["announcement"]),
        "randomness": randomness.hex(),
        "order": order_of(record, randomness),
    }
    print(json.dumps(result))
