"""The draw again, from docs/decisions/0096-verifiable-draw.md alone, with Python's own library.

Reads records, one JSON object a line, and prints for each a line of JSON: list_hash,
announcement_hash, entered_hash, randomness and order. It takes a round's signature as it is.
"""

import hashlib
import json
import sys


def text(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_list(record):
    version = [record["version"]] if "version" in record else []
    lines = [["list", record["number"], record["frozen_at"], record["salt"]] + version]
    for one in record["entrants"]:
        fields = ("position", "ticket", "points", "sizes", "takes_any")
        last = [one[field] for field in ("losses", "weight") if field in one]
        lines.append([one[field] for field in fields] + last)
    return sha256("\n".join(text(line) for line in lines).encode()).hex()


def hash_announcement(draw):
    source = draw["randomness"]
    words = [source["source"]]
    words += [source[key] for key in ("round", "commitment") if key in source]
    masks = [[one["size"], one["masks"]] for one in draw["masks"]]
    line = ["draw", draw["number"], draw["list_hash"], masks, draw["by_rank"]]
    line += [draw["drawn_among"], words, draw["announced_at"]]
    line += [draw["entered_hash"]] if "entered_hash" in draw else []
    return sha256(text(line).encode()).hex()


def hash_entered(record):
    return sha256(text(record["entered"]).encode()).hex() if "entered" in record else None


def randomness_of(record):
    source = record["announcement"]["randomness"]["source"]
    if source == "none":
        return b""
    evidence = bytes.fromhex(record["evidence"])
    return sha256(evidence) if source == "quicknet" else evidence


def score_of(randomness, entrant):
    data = randomness + bytes.fromhex(entrant["ticket"])
    hashes = entrant["weight"] if "weight" in entrant else 1 + entrant.get("losses", 0)
    return min([sha256(data)] + [sha256(data + bytes([j])) for j in range(1, hashes)])


def take(entrant, left):
    wished = [size for size in entrant["sizes"] if left.get(size, 0) > 0]
    if not wished and entrant["takes_any"] and any(left.values()):
        # max returns the first of equals, and a dict keeps its order
        wished = [max(left, key=left.get)]
    if not wished:
        return None
    left[wished[0]] -= 1
    return wished[0]


def order_of(record, randomness):
    draw = record["announcement"]
    left = {one["size"]: one["masks"] for one in draw["masks"]}
    by_rank, others, rest = [], [], []
    for entrant in record["entrants"]:
        if "entered" in record and entrant["position"] not in record["entered"]:
            continue
        size = take(entrant, left) if len(by_rank) < draw["by_rank"] else None
        (others if size is None else by_rank).append((entrant, size))
    drawn = []
    for entrant, _ in others:
        if draw["randomness"]["source"] != "none" and entrant["position"] <= draw["drawn_among"]:
            drawn.append(entrant)
        else:
            rest.append((entrant, None))
    drawn.sort(key=lambda entrant: score_of(randomness, entrant))
    order = by_rank + [(entrant, take(entrant, left)) for entrant in drawn] + rest
    return [{"position": one["position"], "size": size} for one, size in order]


for line in sys.stdin:
    record = json.loads(line)
    randomness = randomness_of(record)
    result = {
        "list_hash": hash_list(record),
        "announcement_hash": hash_announcement(record["announcement"]),
        "entered_hash": hash_entered(record),
        "randomness": randomness.hex(),
        "order": order_of(record, randomness),
    }
    print(json.dumps(result))
