"""./warpbook update [--from DIR_OR_ARCHIVE] [--dry-run]: the next version of the workbook, around what the student has.

The new version's own command does it, so none of the files that run is replaced under way; the folder's finds it and hands over. What
give-out has recorded (give_out.MARKER) tells for each file whether the student, the course or both changed it. No git is run: in a clone
the files change, and a commit is up to the student.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

from . import course, files, give_out, language, lock, regions, reset, wheel
from .give_out import File, Tree
from .language import N_, _
from .problem import SUCCESS, Problem
from .workbook import Workbook

_SELF = "common/command/update.py"
_SHOWN = 4  # entries of a folder that are listed one by one
#: What a list says of each kind of step, in the list's order.
_SAID = {
    "merged": N_("Merged: what you have changed stays, what the course has changed is new, and a copy of yours is kept:"),
    "beside": N_("Changed by you and by the course; yours stays, and the new file is beside it:"),
    "yours": N_("Changed by you and not by the course; yours stays:"),
    "left": N_("Removed from the course, but changed by you; yours stays:"),
    "blocked": N_("Not written, because a link, a folder or something else is in its place:"),
    "new": N_("New:"),
    "back": N_("Restored, because it was missing:"),
    "updated": N_("Updated:"),
    "removed": N_("Removed, because the course does not have it any more:"),
}
_WHOLE = ("merged", "beside", "yours", "left", "blocked")  # each file of these is listed
_WRITES = ("merged", "beside", "new", "back", "updated")


class _Blocked(Exception):
    """The place of a file holds something that is not written over, or leads out of the folder."""


@dataclasses.dataclass
class Step:
    kind: str
    path: str
    file: File | None = None    # what is written
    seen: bytes | None = None   # what was there, None if nothing
    beside: str = ""            # the name that it is written under, if that is not `path`


# ---- what the folder has ---------------------------------------------------------------------------------


def version(root: pathlib.Path) -> str:
    try:
        said = re.search(r"project\(Warpbook VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""
    return said[1] if said else ""


def _order(said: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", said)))


def _is_inside(path: str) -> bool:
    """Whether a path of a record or of another workbook is one below a workbook, and of what is given out."""
    parts = pathlib.PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and parts[0] != "build" and not {"..", ".git"} & set(parts)


def _content(folder: pathlib.Path, path: str) -> bytes | None:
    """What a file of the folder holds, None if there is none. Links are not followed, on the way neither. Raises _Blocked."""
    *above, name = pathlib.PurePosixPath(path).parts
    at = folder
    for part in [*above, name]:
        at /= part
        try:
            mode = at.lstat().st_mode
        except FileNotFoundError:
            return None
        if not (stat.S_ISREG if at == folder / path else stat.S_ISDIR)(mode):
            raise _Blocked
    return at.read_bytes()


def _with_newlines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _has(data: bytes | None, recorded: str | None) -> bool:
    """Whether `data` is what was recorded, but for the line ends of a checkout for Windows."""
    return data is not None and recorded in (files.fingerprint(data), files.fingerprint(_with_newlines(data)))


# ---- a lab's file -----------------------------------------------------------------------------------------


def _parts(text: str) -> dict[str, str]:
    regions.regions(text)  # raises Malformed
    return regions.fingerprints(text)


def merged(own: str, given: str, new: str) -> str | None:
    """`own`, which was made of the starter `given`, with what has changed from that to the starter `new`; None where both changed the same
    part of the text outside of the TODOs, or a TODO that was edited is no longer there. Raises Malformed."""
    mine, before, after = map(_parts, (own, given, new))
    is_new = mine[""] in (before[""], after[""])
    edited = {name for name in mine if name and mine[name] != before.get(name)}
    if not (is_new or before[""] == after[""]) or not edited <= set(after):
        return None
    base, others = (new, own) if is_new else (own, new)
    for name in filter(None, after):
        if (name in edited) == is_new and name in mine:
            base = regions.with_region(base, int(name), others)
    return base.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in own else base


def _starters(folder: pathlib.Path, tree: Tree, before: dict[str, str], path: str, own: str) -> tuple[str, File] | None:
    """The starter that the student's file `path` was made of, and the new one in the same language; None if it is not known."""
    found = []
    for spoken in language.ALL.values():
        name = language.translated_name(f"{path}.starter", spoken)
        data = _content(folder, name)
        new = tree.get(name) or tree[f"{path}.starter"]
        if data is None or not _has(data, before.get(name)) and data != new.data:
            continue
        given = data.decode("utf-8")
        is_of = regions.fingerprints(given)[""] == regions.fingerprints(own)[""]
        found.append((not is_of, not _has(data, before.get(path)), len(found), given, new))
    return min(found)[3:] if found else None


# ---- what is to be done ----------------------------------------------------------------------------------


def _step(folder: pathlib.Path, tree: Tree, before: dict[str, str], path: str, label: str) -> Step | None:
    """What becomes of a file that the new version has; None if it is there already. For a lab's file `tree` gets it in the student's
    language."""
    seen = _content(folder, path)
    starters = None
    if seen is not None and f"{path}.starter" in tree:
        try:
            starters = _starters(folder, tree, before, path, seen.decode("utf-8"))
        except UnicodeDecodeError:
            pass  # it is not merged then
        if starters:
            tree[path] = File(starters[1].data, tree[path].runnable)
    new = tree[path]
    if seen is None:
        return Step("back" if path in before else "new", path, new)
    if _with_newlines(seen) == _with_newlines(new.data):
        return None
    if _has(seen, before.get(path)):
        return Step("updated", path, new, seen)
    if _has(new.data, before.get(path)):
        return Step("yours", path)
    if starters:
        try:
            text = merged(seen.decode("utf-8"), starters[0], new.text)
        except regions.Malformed:
            text = None
        if text is not None:
            data = text.encode("utf-8")
            is_starter = regions.fingerprints(starters[0]) == regions.fingerprints(seen.decode("utf-8"))
            return Step("yours", path) if data == seen else Step("updated" if is_starter else "merged", path, File(data), seen)
    return Step("beside", path, new, seen, _free_name(folder, path, label, new.data))


def _free_name(folder: pathlib.Path, path: str, label: str, data: bytes) -> str:
    """A name beside `path` that is free, or holds `data` since an update that was interrupted."""
    for extra in ("", *(f"-{number}" for number in range(2, 1000))):
        name = f"{path}.new{label}{extra}"
        try:
            if _content(folder, name) in (None, data):
                return name
        except _Blocked:
            pass
    raise Problem(_("There are too many copies of {file} already.", file=path))


def plan(folder: pathlib.Path, tree: Tree, label: str) -> tuple[list[Step], dict[str, str]]:
    """What turns `folder` into one with `tree`, and what is recorded afterwards. `label` is a part of the names of what is put beside."""
    before = {path: print_ for path, print_ in (give_out.earlier(folder) or {}).items() if _is_inside(path)}
    tree = {path: file for path, file in tree.items() if _is_inside(path)}
    steps: list[Step] = []
    for path in sorted({*tree, *before}):
        try:
            if path in tree:
                steps.append(_step(folder, tree, before, path, label))
            elif (seen := _content(folder, path)) is not None and not _stays(path, tree):
                steps.append(Step("removed" if _has(seen, before[path]) else "left", path, None, seen))
        except _Blocked:
            steps.append(Step("blocked", path))
    kept = {path: print_ for path, print_ in before.items() if _stays(path, tree)}
    return list(filter(None, steps)), dict(sorted({**kept, **{path: files.fingerprint(file.data) for path, file in tree.items()}}.items()))


def _stays(path: str, tree: Tree) -> bool:
    """Whether a file is the course's, so that a workbook without it says nothing: rules, the workflow, a lab of the course's own."""
    lab = re.match(r"labs/\d\d-[^/]+/", path)
    return path not in tree and (give_out.is_left_out(path) or bool(lab) and not any(other.startswith(lab[0]) for other in tree))


def carry_out(folder: pathlib.Path, steps: list[Step]) -> dict[str, str]:
    """Takes the steps. Returns the names of the copies of what was merged, by path. A lab's file comes before its starter: a run that is
    interrupted knows at the next call what the student's was made of."""
    copies = {}
    for step in sorted(steps, key=lambda step: step.path.endswith(".starter")):
        target = folder / (step.beside or step.path)
        if step.kind not in (*_WRITES, "removed"):
            continue
        if _content(folder, step.path) != step.seen:
            raise Problem(_("{file} was changed during the update. The same command goes on.", file=step.path))
        if step.kind == "removed":
            target.unlink()
            give_out.remove_empty(target.parent, folder)
            continue
        if step.kind == "merged":
            copy = reset.backup_of(target)
            copy.write_bytes(step.seen)
            copies[step.path] = copy.relative_to(folder).as_posix()
        with files.replacing(target) as draft:
            with draft.open("xb") as written:  # not through a link
                written.write(step.file.data)
            mode = (target if step.seen is not None and not step.beside else draft).stat().st_mode & 0o777
            draft.chmod(mode | (mode & 0o444) >> 2 if step.file.runnable else mode)
    return copies


# ---- the new version -------------------------------------------------------------------------------------


def _new_tree(workbook: Workbook, folder: pathlib.Path) -> tuple[Tree, list[str]]:
    """The files that this workbook gives students, by the rules and in the language of `folder`; and sentences on that."""
    listed = give_out.earlier(workbook.root)
    if listed is not None:  # it was given out itself
        tree = {path: give_out.file_at(workbook.root / path) for path in listed if _is_inside(path) and files.is_plain(workbook.root / path)}
        for path in tree:
            if f"{path}.starter" in tree:
                tree[path] = File(tree[f"{path}.starter"].data)  # whatever has been made of it there
        return tree, []
    spoken = language.current()
    try:
        page = (folder / "README.md").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        page = ""
    given_in = next((each for each in language.TRANSLATIONS if f"README.{each.code}.md)" in page), language.ENGLISH)
    rules = next((path for root in (workbook.root, folder) if files.is_plain(path := root / course.FILE)), None)
    try:
        language.speak(given_in, workbook.root, workbook.build_root)
        return give_out.made(workbook, rules)
    except Problem as problem:
        if rules is None or rules.parent != folder:
            raise
        raise Problem(f"The course's rules, {course.FILE}, do not fit this version: {problem.sentence}", problem.details) from None
    finally:
        language.speak(spoken, workbook.root, workbook.build_root)


def _unpack(archive: pathlib.Path, folder: pathlib.Path) -> None:
    """Takes the plain files out of a zip or a tar."""
    def put(name: str, data: bytes, is_runnable: bool) -> None:
        if _is_inside(name):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if is_runnable else 0o644)

    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                for entry in zipped.infolist():
                    if not entry.is_dir() and not stat.S_ISLNK(entry.external_attr >> 16):
                        put(entry.filename, zipped.read(entry), bool(entry.external_attr >> 16 & 0o111))
        else:
            with tarfile.open(archive) as tar:
                for member in tar:
                    if member.isfile():
                        put(member.name, tar.extractfile(member).read(), bool(member.mode & 0o111))
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, RuntimeError, zlib.error) as error:
        raise Problem(_("{file} cannot be unpacked: {why}.", file=archive, why=str(error).splitlines()[0] if str(error) else type(error).__name__)) from None


def _hand_over(workbook: Workbook, arguments) -> int:
    """Finds the new version, and has its command update the folder."""
    if arguments.source:
        source = pathlib.Path(arguments.source).expanduser().absolute()
    else:
        found = max(wheel.installed(workbook.root), key=lambda each: _order(each.version), default=None)
        if found is None:
            raise Problem(_("No new version was found: no wheel of Warpbook is installed."),
                          [_("Install one with pip install warpbook-….whl, or name another copy of the workbook: {command}", command="./warpbook update --from DIR"),
                           _("DIR is, for example, a fresh clone of your course's repository, or an archive of it.")])
        source = found.folder / wheel.ARCHIVE
    with tempfile.TemporaryDirectory(prefix="warpbook-") as scratch:
        places = [source]
        if source.is_file():
            unpacked = pathlib.Path(scratch, "new")
            _unpack(source, unpacked)
            places = [unpacked, *sorted(unpacked.glob("*/"))]
        new = next((place for place in places if (place / "warpbook").is_file() and (place / _SELF).is_file()), None)
        if new is None:
            raise Problem(_("{path} holds no workbook, or one that is too old to update yours.", path=source),
                          [_("A wheel is installed first, with pip install; then ./warpbook update takes its workbook.")] if source.suffix == ".whl" else [])
        # In a build folder of its own: neither is the source written to, nor is the student's build taken for one of the new version.
        command = [sys.executable, str(new / "warpbook"), "update", "--folder", str(arguments.folder or workbook.root),
                   *(["--dry-run"] if arguments.dry_run else []), "--build", str(pathlib.Path(scratch, "build"))]
        try:
            return subprocess.run(command, env={**os.environ, language.VARIABLE: language.current().code}, check=False).returncode
        except KeyboardInterrupt:
            return 130  # it has said so itself


# ---- the verb ---------------------------------------------------------------------------------------------


def require_students(folder: pathlib.Path) -> None:
    if not ((folder / "warpbook").is_file() and (folder / "labs").is_dir()):
        raise Problem(_("{folder} is not a workbook.", folder=folder))
    if (folder / "solutions").is_dir() and (folder / "common/tests/command").is_dir():
        raise Problem(_("{folder} is the workbook's own repository, with solutions and tests. Use git pull there.", folder=folder))


def rows(steps: list[Step], copies: dict[str, str]) -> list[str]:
    """The list of what happened. What the student has a hand in is listed file by file, the rest by folder where it is much."""
    listed = []
    for kind, said in _SAID.items():
        paths = [step.path for step in steps if step.kind == kind]
        names = {step.path: f"{step.path} → {name}" for step in steps if (name := step.beside or copies.get(step.path))}
        groups: dict[str, list[str]] = {}
        for path in paths:
            groups.setdefault(path if kind in _WHOLE else "/".join(path.split("/")[:-1][:2]), []).append(path)
        lines = []
        for group, within in groups.items():
            lines += [_("{folder}/: {count} files", folder=group, count=len(within))] if len(within) > _SHOWN and group else [names.get(path, path) for path in within]
        listed += [_(said), *(f"  {line}" for line in lines)] if lines else []
    return listed


def run(workbook: Workbook, arguments) -> int:
    folder = pathlib.Path(arguments.folder).resolve() if arguments.folder else workbook.root
    require_students(folder)
    if arguments.source or folder == workbook.root:
        return _hand_over(workbook, arguments)
    old, new = version(folder), version(workbook.root)
    if _order(new) < _order(old):
        raise Problem(_("{folder} has Warpbook {old}, and this is {new}, which is older. Nothing was changed.", new=new, old=old, folder=folder))
    tree, notes = _new_tree(workbook, folder)
    if arguments.dry_run:
        return _report(folder, new, plan(folder, tree, f"-{new}" if new else "")[0], {}, notes, is_dry=True)
    with lock.held(Workbook(folder), folder / "build", ".update-lock"):
        steps, after = plan(folder, tree, f"-{new}" if new else "")
        try:
            copies = carry_out(folder, steps)
            give_out.mark(folder, after)
        except KeyboardInterrupt:
            raise Problem(_("Interrupted before everything was updated. The same command goes on."), status=130) from None
    found = next(iter(wheel.installed(workbook.root)), None)
    if found:
        wheel.remember_giver(folder, found)
    return _report(folder, new, steps, copies, notes)


def _report(folder: pathlib.Path, new: str, steps: list[Step], copies: dict[str, str], notes: list[str], is_dry: bool = False) -> int:
    if all(step.kind in ("yours", "left") for step in steps):
        said = _("{folder} is up to date with Warpbook {version}.", folder=folder, version=new)
    elif is_dry:
        said = _("To bring {folder} up to Warpbook {version}, this would happen; nothing was changed:", folder=folder, version=new)
    else:
        said = _("{folder} now has Warpbook {version}:", folder=folder, version=new)
    print(said, *rows(steps, copies), *notes, sep="\n")
    if any(step.kind in _WRITES or step.kind == "removed" for step in steps) and not is_dry:
        if any(step.kind == "beside" for step in steps):
            print(_("Copy what you need from the new files beside yours, then delete them."))
        if (folder / ".git").exists():
            print(_("Nothing was committed. After a look at git status: {command}", command=f"git add -A && git commit -m 'Warpbook {new}'"))
    return SUCCESS
