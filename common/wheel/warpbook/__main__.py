"""The command `warpbook` of the wheel: it goes on in the workbook that the current folder is in. Standard library only.

Where there is none, `warpbook give-out DIR` makes one of the workbook that the wheel has, and `warpbook sim` runs programs by it.
`warpbook update` brings the one that there is up to the wheel's, by the wheel's command: an older one need not know the verb.
"""
import json
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parent
ARCHIVE, SAID = PACKAGE / "workbook.tar.gz", PACKAGE / "wheel.json"
#: What needs no lab of the reader's.
_EVERYWHERE = {"give-out", "sim", "doctor", "help", "-h", "--help"}


def is_workbook(folder):
    return all((folder / name).is_file() for name in ("warpbook", "common/command/cli.py")) and (folder / "labs").is_dir()


def workbook_around(folder):
    """The workbook that `folder` is or lies in, or None."""
    return next((each for each in (folder, *folder.parents) if is_workbook(each)), None)


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "warpbook"


def unpacked():
    """The wheel's own workbook, unpacked once for each wheel."""
    said = json.loads(SAID.read_text(encoding="utf-8"))
    place = cache() / f"{said['version']}-{said['programs'][:12]}-{ARCHIVE.stat().st_size:x}"
    if not is_workbook(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = pathlib.Path(tempfile.mkdtemp(dir=place.parent, prefix=".draft-"))
        try:
            with tarfile.open(ARCHIVE) as archive:
                safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                archive.extractall(draft, **safe)
            draft.chmod(0o755)
            try:
                draft.rename(place)
            except OSError:  # another process was quicker
                if not is_workbook(place):
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return place


def main():
    arguments = sys.argv[1:]
    root = workbook_around(pathlib.Path.cwd())
    is_update = root is not None and "update" in arguments[:3]
    if is_update:
        after = arguments.index("update") + 1
        arguments[after:after] = ["--folder", str(root)]  # the reader's own option comes later, and counts
    if root is None or is_update:
        if root is None and arguments and not _EVERYWHERE & set(arguments[:3]):
            print("There is no workbook in this folder or around it. This makes one:", "  warpbook give-out labs && cd labs",
                  f"  warpbook {' '.join(arguments)}", sep="\n", file=sys.stderr)
            return 2
        try:
            root = unpacked()
        except OSError as error:
            print(f"The workbook could not be unpacked into {cache()}: {error.strerror}. XDG_CACHE_HOME names another folder.", file=sys.stderr)
            return 2
        if is_update:  # what is built for the reader's workbook is none of the wheel's
            os.environ["WARPBOOK_BUILD"] = str(root / "build")
        os.environ.setdefault("WARPBOOK_BUILD", str(root / "build"))
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, str(root / "warpbook"), *arguments])


if __name__ == "__main__":
    sys.exit(main())
