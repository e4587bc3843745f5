"""Whose files are which in folders that people made, by the names of files and folders alone."""
from __future__ import annotations

import os
import re

from . import naming
from .walking import Leaf, Walk
from .who import key_of, word_of


def named_by_hand(found: list[tuple[Leaf, list[naming.Named]]], given: str, walk: Walk):
    """For each file its words for a person, or None, and the component that they stand in, or None where they are those of the whole: (leaf, parts, words, place).

    The person is the first component, below the folders that all files share, with words that are neither a lab's name nor
    such as `final`. A folder in which several folders or files hold the same lab's file under different names is a group, and
    each of these a person: a file too many in the class is seen, and one student's file taken for another's older version is not.
    An archive with a person's name is that person's, whatever names are in it.
    """
    names = [[None if naming.is_no_name(part.rest) else part.rest for part in parts] for _, parts in found]
    for (leaf, parts), words in zip(found, names):
        # A number in front of a file's name is the lab's only if nothing else names one; otherwise it belongs to the person.
        last = parts[-1]
        if last.strength == 1 and (last.lab != leaf.lab or any(part.strength > 1 for part in parts[:-1])):
            words[-1] = f"{last.in_words} {last.rest}".strip() or None
        for index, part in enumerate(parts[:-1]):
            if part.strength == 1 and part.rest:
                words[index] = f"{part.in_words} {part.rest}"
        words[:-1] = [None if leaf.path[:index + 1] in walk.mapping.groups else word for index, word in enumerate(words[:-1])]
        if leaf.around.repository:  # neither the clone's name nor what it holds belongs to a person
            inside = max(0, len(leaf.around.repository.path) - 1)
            words[inside:] = [None] * (len(words) - inside)
    folders = [leaf.path[:-1] for leaf, _ in found]
    around = os.path.commonprefix(folders) if folders else ()
    own = (length for length in range(len(around)) if around[:length + 1] in walk.archives and walk.names_person(around[length]))
    shared = next(own, len(around))
    level = [_first_name(words, shared) for words in names]
    known = [next((index for index, word in enumerate(words) if word and word_of(word) in walk.mapping.words), None) for words in names]
    places = {leaf.path[:index] for (leaf, _), index in zip(found, known)}
    in_archive = any(place[:length] in walk.archives for place in places for length in range(1, len(place) + 1))
    if None not in known and len(places) == 1 and not in_archive:  # all lie in one folder, the instructor's
        level = known
    for _ in range(4):
        groups = _groups(found, names, level, walk)
        if not groups:
            break
        for index, (leaf, _) in enumerate(found):
            at = level[index]
            if at is not None and at + 1 < len(leaf.path) and leaf.path[:at] in groups and leaf.path[:at + 1] not in walk.archives:
                deeper = _first_name(names[index], at + 1, fall_back=False)
                level[index] = at if deeper is None else deeper
    none_named = all(at is None for at in level) and not naming.is_no_name(given)
    for (leaf, parts), words, at in zip(found, names, level):
        yield (leaf, parts, words[at], at) if at is not None else (leaf, parts, given if none_named else None, None)


def _first_name(words: list[str | None], shared: int, fall_back: bool = True) -> int | None:
    behind = next((index for index in range(shared, len(words)) if words[index]), None)
    if behind is not None or not fall_back:
        return behind
    return next((index for index in range(min(shared, len(words))) if words[index]), None)


def _groups(found, names, level, walk: Walk) -> set[tuple[str, ...]]:
    """The folders in which most entries are folders that are groups: one lab's file is there under several names."""
    inside: dict[tuple[str, ...], dict[int, set[str]]] = {}
    for (leaf, _), words, at in zip(found, names, level):
        if at is not None:
            below = inside.setdefault(leaf.path[:at + 1], {})
            name = next((word for word in words[at + 1:] if word and not re.fullmatch(r"\d{1,2}", word)), None)
            if name and word_of(name) != word_of(words[at]):
                below.setdefault(leaf.lab, set()).add(key_of(name))
            else:
                below.setdefault(leaf.lab, set())
    groups: dict[tuple[str, ...], dict[tuple[str, ...], bool]] = {}
    for path, labs in inside.items():
        is_group = path not in walk.archives and any(len(names) > 1 for names in labs.values())
        groups.setdefault(path[:-1], {})[path] = is_group
        for length in range(1, len(path)):
            groups.setdefault(path[:length - 1], {}).setdefault(path[:length], False)
    return {path for path, are in groups.items() if sum(are.values()) * 2 > len(are)}
