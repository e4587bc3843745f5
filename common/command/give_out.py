"""./warpbook give-out DIR [--rules FILE] [--autograder github [--repository OWNER/NAME]]: the workbook as students get it."""
from __future__ import annotations

import fnmatch
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

from . import build_choice, course, files, lab_facts, language, regions, results, wheel
from .classroom.rules import Rules
from .files import File, Tree
from .problem import SUCCESS, Problem
from .workbook import Lab, Workbook

MARKER = ".warpbook-give-out"
#: Folders and files that students do not get. Whatever is below a folder goes with it.
LEFT_OUT = (
    "solutions/",                  # readable solutions, teaching steps, mutants
    "common/tests/",               # right files in other styles, and attacks
    "common/new_lab/",             # what ./warpbook new-lab begins with
    "docs/instructor-guide.md", "docs/course-rules.md", "docs/what-can-be-faked.md", "docs/adding-a-lab.md", "docs/where-to-look.md",
    "CONTRIBUTING.md",
    ".ci/", ".github/",            # the workbook's own continuous integration
    course.FILE, MARKER,
)
#: What the root of a workbook holds, where no git says it.
_ROOT = (".clang-format", ".devcontainer", ".dockerignore", ".gitattributes", ".gitignore", ".vscode", "CMakeLists.txt", "CMakePresets.json", "Dockerfile", "LICENSE", "README.md",
         "common", "docs", "labs", "plots", "pyproject.toml", "warpbook")
_TESTS = "common/tests/CMakeLists.txt"
_README = pathlib.Path(__file__).with_name("classroom") / "give_out_readme.txt"
#: Rules that are between the instructor and single students, or of no use to them.
_PRIVATE = ("extra_time", "excused", "corrections")
#: What a student wants who gives out into a folder that is in use.
_UPDATE = ["For the next version in a workbook that you work in: ./warpbook update, in that folder."]


# ---- what the workbook holds -----------------------------------------------------------------------------


def is_left_out(path: str) -> bool:
    if path.startswith("plots/data/") and path.endswith(".json"):
        return True  # the tables beside them have the same measurements, and are what pages and pictures are made from
    return any(path == each or (each.endswith("/") and path.startswith(each)) for each in LEFT_OUT)


def _git(root: pathlib.Path, *arguments: str, text: bytes | None = None) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], input=text, capture_output=True, check=False)
    except OSError as error:
        raise Problem(f"{root} is a git repository, and git cannot be run: {error.strerror}.") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").splitlines()
        raise Problem("git does not say what belongs to the workbook:", ["  " + line for line in said[:6]])
    return done.stdout


def tree_of(root: pathlib.Path) -> tuple[Tree, list[str]]:
    """The workbook's files, without those that are left out, and sentences on what differs from what lies in the folder.

    In a git repository that is what its index has, as it has it: what was never added, or was changed since, is not given out. In a plain
    copy it is what the folders of a workbook hold.
    """
    if (root / ".git").exists():
        return _from_index(root)
    return from_folder(root), []


def _from_index(root: pathlib.Path) -> tuple[Tree, list[str]]:
    links, wanted = [], []
    for entry in filter(None, _git(root, "ls-files", "-z", "--stage").decode("utf-8", "surrogateescape").split("\0")):
        about, _, path = entry.partition("\t")
        mode, _, stage = about.split(" ")
        if stage != "0":
            raise Problem(f"{path} is in the middle of a merge; finish it first.")
        if not is_left_out(path):
            (wanted if mode.startswith("100") else links).append(path)
    if not wanted:
        raise Problem(f"git's index has no file of {root}.")
    if links:
        raise Problem("These are no files, and cannot be given out:", [f"  {path}" for path in links])
    names = "\0".join(wanted).encode("utf-8", "surrogateescape")
    with tempfile.TemporaryDirectory(prefix="warpbook-") as folder:
        _git(root, "checkout-index", "-z", "--stdin", f"--prefix={folder}/", text=names)
        below = pathlib.Path(folder) / os.fsdecode(_git(root, "rev-parse", "--show-prefix")).strip()
        tree = {path: file_at(below / path) for path in wanted}
    changed = [path for path in _git(root, "diff", "--name-only", "-z", "--relative").decode("utf-8", "surrogateescape").split("\0")
               if path in tree and not _is_kernel(path)]
    if not changed:
        return tree, []
    count = f"{len(changed)} files have" if len(changed) > 1 else "1 file has"
    return tree, [f"{count} changes that are not in git's index; they are given out without them: "
                  f"{', '.join(changed[:5])}{' …' if len(changed) > 5 else ''}"]


def from_folder(root: pathlib.Path) -> Tree:
    ignored = [line.strip().strip("/") for line in _lines(root / ".gitignore") if line.strip() and not line.startswith("#")]
    ignored += ["*.pyc", "*~", ".*.swp", ".*.part"]
    tree: Tree = {}
    for top in _ROOT:
        for folder, folders, names in os.walk(root / top) if (root / top).is_dir() else [(root, [], [top])]:
            folders[:] = sorted(name for name in folders if not any(fnmatch.fnmatch(name, pattern) for pattern in ignored))
            for name in sorted(names):
                file = pathlib.Path(folder, name)
                path = file.relative_to(root).as_posix()
                if not is_left_out(path) and not any(fnmatch.fnmatch(name, pattern) for pattern in ignored) and files.is_plain(file):
                    tree[path] = file_at(file)
    return tree


def _lines(path: pathlib.Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def file_at(path: pathlib.Path) -> File:
    return File(path.read_bytes(), os.access(path, os.X_OK))


def _is_kernel(path: str) -> bool:
    return bool(re.fullmatch(r"labs/[^/]+/[^/]+\.cu", path))


# ---- what it must not hold -------------------------------------------------------------------------------


def answers(tree: Tree, labs: list[str]) -> list[str]:
    """The files of `tree` that define a function of a contract, and are not a starter's text: a student could hand them in. `labs` are the
    labs' folders."""
    found = []
    for lab in labs:
        functions = lab_facts.contract_functions(tree[f"{lab}/lab.hpp"].text)
        parameters = r"\((?:[^;{}()]|\([^;{}()]*\))*\)"
        defines = re.compile(rf"\b(?:{'|'.join(sorted(functions))})\s*{parameters}\s*(?:noexcept\s*)?\{{") if functions else None
        starters = {file.data for path, file in tree.items() if path.startswith(f"{lab}/") and path.endswith(".cu.starter")}
        for path, file in tree.items():
            if defines and file.data not in starters and defines.search(_readable(file.data)):
                found.append(path)
    return sorted(set(found))


def _readable(data: bytes) -> str:
    """A file's text, as far as it is one, without comments; \\n of a JSON text and &lt; of a page are what they stand for."""
    text = data.decode("utf-8", errors="replace")
    for written, meant in (("\\n", "\n"), ("\\\"", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&#160;", " ")):
        text = text.replace(written, meant)
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


# ---- what becomes of it ----------------------------------------------------------------------------------


def give_fresh_starters(tree: Tree, labs: list[Lab]) -> None:
    """Each lab's file becomes the kept starter's text, whatever the instructor has made of it; in the command's language, if there is such a
    starter."""
    for lab in labs:
        kept, own = (f"labs/{lab.name}/{path.name}" for path in (lab.kept_starter, lab.starter))
        in_language = language.translated_name(kept, language.current())
        kept = in_language if in_language in tree else kept
        if kept not in tree:
            raise Problem(f"{kept} is missing, which has the starter's text.", ["Take it from a fresh copy of the workbook."])
        tree[own] = File(tree[kept].data)
        regions.regions(tree[own].text)


def items_of(workbook: Workbook, lab: Lab, page: str) -> list[dict]:
    """The lab's items, from its grader where one is built, else from the page with its table of points."""
    items = build_choice.items_of(workbook, lab)
    if items:
        return items
    words = {"simulator": "sim", "GPU": "cuda"}
    items = []
    rows = re.match(r"(?:\|.*\n?)*", page.partition(results.POINTS.splitlines(keepends=True)[0])[2])[0]
    for name, worth, where in re.findall(r"^\| `(.+)` \| ([\d.]+) \| (.+) \|$", rows, re.M):
        backends = [words[place.split()[0]] for place in where.split(", ") if place.split()[0] in words]
        capability = re.search(r"GPU from ([\d.]+)", where)
        items.append({"item": name, "points": float(worth), "backends": backends, "capability": capability[1] if capability else ""})
    return items


def points_page(lab: Lab) -> str:
    """The text of the lab's page that has its table of points, or nothing if the lab has no such page."""
    page = lab.folder / lab_facts.POINTS_PAGE
    return page.read_text(encoding="utf-8") if page.exists() else ""


def put_points(tree: Tree, workbook: Workbook, labs: list[Lab], rules: Rules) -> dict[str, float]:
    """Writes the course's points into the labs' tables of points. Returns what each lab's items come to."""
    sums = {}
    for lab in labs:
        path = f"labs/{lab.name}/{lab_facts.POINTS_PAGE}"
        page = tree[path].text if path in tree else ""
        items = items_of(workbook, lab, page)
        rules.know(lab, items)
        changed = [{**item, "points": results.number(item["points"])} for item in rules.apply_points(lab, items)]
        text = results.with_points(page, changed)
        if text is not None:
            tree[path].text = text
        for spoken in language.TRANSLATIONS:
            for name in lab_facts.PAGES:
                if (path := f"labs/{lab.name}/{language.translated_name(name, spoken)}") in tree:
                    tree[path].text = with_points(tree[path].text, items, changed)
        sums[lab.name] = results.total(item["points"] for item in changed)
    return sums


def with_points(page: str, items: list[dict], changed: list[dict]) -> str:
    """A translated page whose table of points, which names `items`, has the points of `changed`; without the rows of those that give none."""
    known, points = {item["item"] for item in items}, {item["item"]: item["points"] for item in changed if item["points"]}

    def row(match: re.Match) -> str:
        if match[1] not in known:
            return match[0]
        return f"| `{match[1]}` | {points[match[1]]} |{match[2]}" if match[1] in points else ""

    return re.sub(r"^\| `([^`]+)` \| [\d.]+ \|(.*\n)", row, page, flags=re.M)


def translated_now(tree: Tree) -> list[str]:
    """The translated pages whose originals are as they were when they were translated."""
    found = []
    for path, file in tree.items():
        original, spoken = language.original_of(path)
        if spoken != language.ENGLISH and path.endswith(".md") and original in tree:
            header = language.HEADER.match(file.text)
            if header and header[2] == files.fingerprint(tree[original].data):
                found.append(path)
    return found


def keep_up_to_date(tree: Tree, pages: list[str]) -> None:
    """Notes in translated pages that they are up to date with their originals, which have changed on the way to students as they have."""
    for path in pages:
        if (original := language.original_of(path)[0]) in tree:
            tree[path].text = language.HEADER.sub(lambda match: match[0].replace(match[2], files.fingerprint(tree[original].data)), tree[path].text, count=1)


def public_rules(text: str) -> str:
    """A course.json as students may see it: without what it says of single students."""
    said = json.loads(text)
    return json.dumps({key: value for key, value in said.items() if key not in _PRIVATE}, indent=2, ensure_ascii=False) + "\n"


def readme(labs: list[Lab], sums: dict[str, float], rules: list[str]) -> str:
    rows = [f"| [{lab.name}](labs/{lab.name}/{language.translated(lab.folder / 'README.md').name}) | {lab.facts.about} | {results.number(sums[lab.name])} |" for lab in labs]
    counts = "\n".join(["", "## What counts", "", *(f"- {sentence}" for sentence in rules), ""]) if rules else ""
    return (_README.read_text(encoding="utf-8").replace("@LABS@", "\n".join(rows)).replace("@FIRST@", labs[0].number)
            .replace("@HANDOUT@", f"labs/{labs[0].name}/{language.translated(labs[0].folder / 'README.md').name}").replace("@RULES@", counts))


_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?!https?:|mailto:)([^)\s#]*)(#[^)\s]*)?\)")


def anchors(text: str) -> set[str]:
    """The anchors of a Markdown page's headings, as GitHub makes them."""
    found: dict[str, int] = {}
    names = set()
    for heading in lab_facts.headings(text):
        name = lab_facts.slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        names.add(name + (f"-{found[name]}" if name in found else ""))
        found[name] = found.get(name, 0) + 1
    return names


def mend_links(tree: Tree) -> None:
    """Links to what is not given out become plain words; a row of a table or an entry of a list that begins with one goes."""
    folders = {parent.as_posix() for path in tree for parent in pathlib.PurePosixPath(path).parents}
    for path, file in tree.items():
        if not path.endswith(".md") or path.endswith("/messages.md"):  # graders are made from that, and a wheel's fit the same text alone
            continue

        def leads(link: re.Match, page: str = path) -> bool:
            target = os.path.normpath(os.path.join(os.path.dirname(page), link[2])) if link[2] else page
            if target not in tree:
                return target in folders
            return not link[3] or not target.endswith(".md") or link[3][1:] in anchors(tree[target].text)

        lines = []
        for line in file.text.splitlines(keepends=True):
            first = _LINK.search(line)
            entry = re.match(r"\s*(?:\||[-*] )\s*", line)
            if first and entry and first.start() == entry.end() and not leads(first):
                continue
            lines.append(_LINK.sub(lambda link: link[0] if leads(link) else link[1], line))
        file.text = "".join(lines)


def drop_pictures(tree: Tree) -> None:
    """Takes out the pictures that no page shows: those of pages that are not given out."""
    pages = "".join(file.text for path, file in tree.items() if path.endswith(".md"))
    for path in [path for path in tree if path.startswith("docs/images/") and os.path.basename(path) not in pages]:
        del tree[path]


def workflow(workbook: Workbook, labs: list[Lab], rules: pathlib.Path | None, repository: str) -> Tree:
    from .classroom.systems import github_classroom, package

    options = package.Options(workbook, labs, rules, repository=repository)
    return github_classroom.files(options)


def made(workbook: Workbook, rules_file: pathlib.Path | None, autograder: str = "", repository: str = "") -> tuple[Tree, list[str]]:
    """The students' tree, and sentences on what was decided. Raises Problem if something in it would give an answer away."""
    labs = workbook.labs()
    rules = Rules.find(workbook.root, labs, rules_file)
    tree, notes = tree_of(workbook.root)
    present = [lab for lab in labs if f"labs/{lab.name}/lab.json" in tree]
    notes += [f"{lab.name} is not in git's index, so it is not given out." for lab in labs if lab not in present]
    if not present:
        raise Problem("There is no lab to give out.")
    translated = translated_now(tree)
    give_fresh_starters(tree, present)
    sums = put_points(tree, workbook, present, rules)
    source = rules_file or workbook.root / course.FILE
    sentences = []
    if source.exists():
        tree[course.FILE] = File(public_rules(source.read_text(encoding="utf-8-sig")).encode("utf-8"))
        sentences = Rules(labs, json.loads(tree[course.FILE].text)).sentences(present)
    tree["README.md"] = File(readme(present, sums, sentences).encode("utf-8"))
    tree[_TESTS] = File(b"# The workbook's own tests are not part of a student's copy.\n")
    mend_links(tree)
    drop_pictures(tree)
    keep_up_to_date(tree, translated)
    if autograder:
        tree |= workflow(workbook, present, source if source.exists() else None, repository)
    found = answers(tree, [f"labs/{lab.name}" for lab in present])
    if found:
        raise Problem("These files define functions of a lab, and are not its starter. Students would get an answer with them:",
                      [*(f"  {path}" for path in found), "Move them into solutions/, or out of the workbook."])
    return tree, notes


# ---- writing it ------------------------------------------------------------------------------------------


def earlier(folder: pathlib.Path) -> dict[str, str] | None:
    """What an earlier give-out wrote into `folder`, by path, as fingerprints; None if it is none."""
    try:
        return {str(path): str(print_) for path, print_ in files.read_json(folder / MARKER)["files"].items()}
    except (KeyError, TypeError, AttributeError):
        return None


def require_target(workbook: Workbook, folder: pathlib.Path) -> dict[str, str]:
    """What `folder` has of an earlier give-out. Raises Problem if nothing can be given out into it."""
    if folder.exists() and not folder.is_dir():
        raise Problem(f"{folder} is not a folder.")
    within = folder == workbook.root or (folder.is_relative_to(workbook.root) and not folder.is_relative_to(workbook.build_root))
    if within or workbook.root.is_relative_to(folder):
        raise Problem(f"{folder} is in the workbook, or around it; a student's copy needs a folder elsewhere.", _UPDATE if folder == workbook.root else [])
    if not folder.exists() or not any(path.name != ".git" for path in folder.iterdir()):
        return {}
    before = earlier(folder)
    if before is None:
        raise Problem(f"{folder} is not empty, and no earlier give-out.", ["Name a new folder, or one that give-out has written.", *_UPDATE])
    changed = [path for path, print_ in before.items() if (folder / path).is_file() and files.fingerprint((folder / path).read_bytes()) != print_]
    if changed:
        raise Problem(f"In {folder} these files were changed since they were given out:",
                      [*(f"  {path}" for path in changed[:20]), *(["  …"] if len(changed) > 20 else []),
                       *_UPDATE, "An instructor takes the changes over into the workbook, deletes the files there, and gives out again."])
    return before


def write(tree: Tree, folder: pathlib.Path, before: dict[str, str]) -> None:
    """Writes `tree`, and takes away what an earlier give-out wrote and this one does not have. Files of others, and .git, stay."""
    folder.mkdir(parents=True, exist_ok=True)
    prints = {path: files.fingerprint(file.data) for path, file in sorted(tree.items())}
    mark(folder, {**before, **prints})  # an interrupted run is known as one
    for path in sorted(set(before) - set(tree), reverse=True):
        gone = folder / path
        if gone.parent.resolve().is_relative_to(folder.resolve()):
            gone.unlink(missing_ok=True)
            remove_empty(gone.parent, folder)
    for path, file in sorted(tree.items()):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.is_symlink() or target.read_bytes() != file.data:
            target.unlink(missing_ok=True)
            target.write_bytes(file.data)
        target.chmod(0o755 if file.runnable else 0o644)
    mark(folder, prints)


def mark(folder: pathlib.Path, prints: dict[str, str]) -> None:
    said = {"about": "What ./warpbook give-out has written here.", "files": prints}
    files.write(folder / MARKER, json.dumps(said, indent=0) + "\n")


def strangers(folder: pathlib.Path, tree: Tree) -> list[str]:
    """What lies in `folder` and is not of `tree`: files, and folders of which nothing is."""
    known = {parent.as_posix() for path in tree for parent in pathlib.PurePosixPath(path).parents} | set(tree) | {".git", "build", MARKER}
    found = []
    for at, folders, names in os.walk(folder):
        below = pathlib.Path(at).relative_to(folder)
        found += [path for name in [*folders, *names] if (path := (below / name).as_posix()) not in known]
        folders[:] = [name for name in folders if (below / name).as_posix() in known - {".git", "build"}]
    return sorted(found)


def remove_empty(folder: pathlib.Path, top: pathlib.Path) -> None:
    while folder != top:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def run(workbook: Workbook, arguments) -> int:
    folder = pathlib.Path(arguments.folder).absolute()
    folder = folder.resolve() if folder.exists() else folder.parent.resolve() / folder.name
    rules = pathlib.Path(arguments.rules) if arguments.rules else None
    if arguments.repository and not arguments.autograder:
        raise Problem("--repository is for a workflow: it comes with --autograder github.")
    before = require_target(workbook, folder)
    tree, notes = made(workbook, rules, arguments.autograder or "", arguments.repository or "")
    write(tree, folder, before)
    wheel.remember_giver(folder, next(iter(wheel.installed(workbook.root)), None))
    size = sum(len(file.data) for file in tree.values())
    print(f"{folder}: {len(tree)} files, {size / 1e6:.1f} MB, for students: no solutions, mutants, tests or instructors' pages, and fresh "
          "starters.")
    print(*notes, sep="\n", end="\n" if notes else "")
    others = strangers(folder, tree)
    if others:
        print(f"Left as they were, because give-out did not write them: {', '.join(others[:8])}{' …' if len(others) > 8 else ''}")
    if not (folder / ".git").exists():
        print(f"Publish it:\n  cd {shlex.quote(str(folder))} && git init && git add -A && git commit -m 'Warpbook labs'")
    return SUCCESS
