"""Whose clones are, by GitHub Classroom's grades or the clones' names."""
from __future__ import annotations

import collections

from . import harmless, naming
from .times_told import Times
from .walking import Repository, Walk
from .who import Who, shown_path


def users_of_clones(walk: Walk, times: Times, given: str, notes: list[str], asks: list[str]) -> dict[tuple[str, ...], tuple[list[Who], int]]:
    """Whom GitHub Classroom's grades or clones' names name, and the components that they stand in, where the clones' folders are what tells persons apart: clones
    side by side, alone or in a folder that a tool made, and the zips that GitHub makes of them. The others lie in folders or archives
    of persons, and are called alike, or as a person liked."""
    found = {}
    known = {row.keys["github"].casefold() for row in walk.mapping.entries if "github" in row.keys}
    beside = collections.Counter(repository.path[:-1] for repository in walk.repositories)
    places = [repository.path[:_user_at(repository)] for repository in walk.repositories]
    bases: dict[tuple[str, ...], list[str]] = {}
    for place, repository in zip(places, walk.repositories):
        bases.setdefault(place, []).append(repository.base)
    for place, repository in zip(places, walk.repositories):
        folder = [given, *repository.path][-2] if repository.path else ""
        alone = not repository.archive and (len(repository.path) == 1 or len(beside) == 1)
        in_its_zip = len(place) == len(repository.archive) - 1
        if repository.path and (beside[repository.path[:-1]] > 1 or alone or in_its_zip or naming.assignment_of(folder)):
            names = {other.casefold() for other in bases[place]}
            told, path = times.members(repository.base), repository.path[:len(place) + 1]
            if told:
                found[repository.path] = [Who(user or identifier, user or identifier, {"github": user} if user else {}, named=False, path=path,
                                              source=shown_path(path), identifier=identifier) for user, identifier in told], len(place)
                continue

            def of_name(name: str) -> tuple[str, list[str]]:
                user = naming.user_of_repository(name, folder, bases[place])
                is_sure = name.casefold() == f"{naming.assignment_of(folder)}-{user}".casefold()
                return user, [] if is_sure else _listed_users(name, user, len(names) == 1, known)

            user, listed = of_name(repository.base)
            user = listed[0] if listed else user
            plain = naming.without_number(repository.base)
            if plain != repository.base and user.casefold() not in known:
                other, listed = of_name(plain)
                if listed or other.casefold() in known or plain.casefold() in names:
                    user = listed[0] if listed else other
                    notes.append(f"{shown_path(repository.path)} is {harmless.shown(user)}'s clone here: GitHub appends a number to a repository's name that is taken. "
                                 "The assignment's grades with --times, or a roster's row with its path, say whose it is.")
            who = Who(user, user, {"github": user}, named=False, path=path, source=shown_path(path))
            if len(listed) > 1:
                who.name = who.base = who.keys["_clone"] = repository.base
                del who.keys["github"]
                if not walk.mapping.says_whose(repository.path):
                    asks.append(f"{shown_path(repository.path)} may be the clone of {' or of '.join(map(harmless.shown, listed))}, who are on the roster, and was given "
                                "to none of them. A roster's row with its path says whose it is.")
            if not naming.is_no_name(user):
                found[repository.path] = [who], len(place)
    return found


def _user_at(repository: Repository) -> int:
    """The component that has a clone's name: its folder, or the zip around it that is called alike, as GitHub calls it."""
    archive = naming.repository_name(naming.strip_archive(repository.archive[-1])) if repository.archive else None
    return len(repository.archive if archive == repository.base else repository.path) - 1


def _listed_users(name: str, user: str, alone: bool, known: set[str]) -> list[str]:
    """The GitHub names that a clone's name may end with, of those `known` from rosters. All clones may begin with a part of their users' names;
    an end that is shorter than `user` is another one's name, unless the clone is `alone`, so that what stands before the user is not known."""
    ends = (name[at:] for at in range(len(name)) if not at or name[at - 1] == "-")
    return [end for end in ends if end.casefold() in known and (alone or len(end) >= len(user))]
