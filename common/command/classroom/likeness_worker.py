"""Compares files by winnowing, as MOSS does; run by an interpreter that has copydetect, with PYTHONHASHSEED=0.

Reads from stdin {"given": [path], "known": [path], "files": [path], "least": share, "most": pairs}, and writes to stdout
{"pairs": [...], "left": how many more pairs there are, "unread": {index: why},
"short": [index of a file that has too little of its own]}. A pair has the indexes of its two files, their shares
and the passages that they share, as [passage, begin, end] in characters of each file.

What a file and the given ones have in common does not count: the starter's text, the contract. Names, texts and comments do not
matter: each name becomes V, and comments and blanks are left out. A fingerprint counts the more, the fewer files have it, the known ones
(right files that are in the workbook) among them: two students who write the only loop that there is to write share nothing that is rare.
"""
import io
import json
import os
import signal
import sys

import copydetect
import numpy as np
from cpp_tokens import in_usual_spellings
from pygments import token
from pygments.lexers import get_lexer_by_name

WORD = 25   # characters of normalised code that make a fingerprint; a shorter passage is never found
WINDOW = 6  # a passage of WORD + WINDOW - 1 characters is always found
FEWEST = 60  # fingerprints of a file that can be compared: about seven lines of its own
SECONDS = 10  # of processor time for one file
MOST_BYTES = 200_000  # of one file; a lab's file has a few thousand


class TooLong(Exception):
    """A file takes more time than any student's, or is longer."""


def normalised(code):
    """`code` without comments and blanks, names and texts as one letter; and for each character left, where it stands in `code`."""
    kept, places = [], []
    for place, kind, text in get_lexer_by_name("cuda").get_tokens_unprocessed(in_usual_spellings(code)):
        if kind in token.Comment.Preproc or kind in token.Comment.PreprocFile:
            text = "P"
        elif kind in token.Comment or kind in token.Text or kind in token.Whitespace or not text.strip():
            continue
        elif kind in token.Literal.String:
            text = "S"
        elif kind in token.Name and kind not in token.Name.Builtin:
            text = "V"
        kept.append(text)
        places += range(place, place + len(text))
    return "".join(kept), places


class File:
    """`marks` maps each fingerprint to where it begins in the normalised code."""

    def __init__(self, path, given, window):
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            code, self.places = normalised(file.read())
        self.print = copydetect.CodeFingerprint(path, WORD, window, filter=False, fp=io.StringIO(code))
        self.print.hash_idx = {mark: [int(at) for at in places] for mark, places in self.print.hash_idx.items() if mark not in given}
        self.print.hashes = set(self.print.hash_idx)

    @property
    def marks(self):
        return self.print.hash_idx


def read(path, given, window=WINDOW):
    def stop(number, frame):
        raise TooLong

    if os.path.getsize(path) > MOST_BYTES:
        raise TooLong
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return File(path, given, window)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def weights(files):
    """What each fingerprint counts: the logarithm of how rare it is among all files."""
    having = {}
    for file in files:
        for mark in file.marks:
            having[mark] = having.get(mark, 0) + 1
    return {mark: np.log2((len(files) + 1) / count) for mark, count in having.items()}, having


def shares(files, weight, having):
    """How much of file i's weight file j has too, for all i and j; and the parts that are shared whatever they weigh."""
    shared = {mark: place for place, mark in enumerate(mark for mark, count in having.items() if count > 1)}
    total = np.array([max(sum(weight[mark] for mark in file.marks), 1e-9) for file in files])
    both = np.zeros((len(files), len(files)))
    columns = 4096  # at a time, so that a large class needs no large memory
    for begin in range(0, len(shared), columns):
        part = np.zeros((len(files), columns), dtype=np.float32)
        for row, file in enumerate(files):
            for mark in file.marks:
                place = shared.get(mark, -1) - begin
                if 0 <= place < columns:
                    part[row, place] = np.sqrt(weight[mark])
        both += part @ part.T
    return both / total[:, None]


def passages(first, second):
    """The passages that two files share, as [number, begin, end] in characters of each. The same number is the same passage."""
    common = first.print.hashes & second.print.hashes
    starts = sorted((at, mark) for mark in common for at in first.marks[mark])
    number_of, sides, number, end = {}, [], -1, -1
    for at, mark in starts:
        number += at > end
        end = at + WORD
        number_of.setdefault(mark, number)
    for file in (first, second):
        found = []
        for at, mark in sorted((at, mark) for mark in common for at in file.marks[mark]):
            number = number_of[mark]
            if found and found[-1][0] == number and at <= found[-1][2]:
                found[-1][2] = at + WORD
            else:
                found.append([number, at if not found else max(at, found[-1][2]), at + WORD])
        sides.append([[number, file.places[begin], file.places[end - 1] + 1] for number, begin, end in found if begin < end])
    return sides


def compared(asked):
    given = set()
    for path in asked["given"]:
        given |= read(path, set(), 1).print.hashes
    files, unread = [], {}
    for index, path in enumerate(asked["files"]):
        try:
            files.append((index, read(path, given)))
        except TooLong:
            unread[index] = "it is too long"
    known = [read(path, given) for path in asked["known"]]
    everyone = [file for _, file in files]
    weight, having = weights([*everyone, *known])
    part = shares(everyone, weight, having) if everyone else np.zeros((0, 0))
    best = np.maximum(part, part.T)
    short = np.array([len(file.marks) < FEWEST for file in everyone], dtype=bool)
    best[short, :], best[:, short] = 0, 0
    rows, columns = np.nonzero(np.triu(best >= asked["least"], 1))
    order = sorted(zip(rows.tolist(), columns.tolist()), key=lambda pair: (-best[pair], pair))
    pairs = []
    for row, column in order[:asked["most"]]:
        sides = passages(everyone[row], everyone[column])
        both = [min(float(part[row, column]), 1.0), min(float(part[column, row]), 1.0)]
        pairs.append({"files": [files[row][0], files[column][0]], "shares": both, "passages": sides})
    return {"pairs": pairs, "left": max(0, len(order) - asked["most"]), "unread": unread,
            "short": [files[row][0] for row in np.nonzero(short)[0].tolist()]}


if __name__ == "__main__":
    json.dump(compared(json.load(sys.stdin)), sys.stdout)
