"""./warpbook update: the next version comes, and nothing of the student's goes."""
import contextlib
import io
import itertools
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import types
import unittest
import zipfile
from unittest import mock

from fakes import ROOT, Scratch
from learner import STARTER

from command import files, give_out, update, wheel
from command.give_out import File
from command.problem import Problem
from command.workbook import Workbook

LAB = "labs/01-sums"
KERNEL = f"{LAB}/sums.cu"
OLD = {"warpbook": "#!/bin/sh\n", "CMakeLists.txt": "project(Warpbook VERSION 1.0)\n", "README.md": "# Labs\n", "docs/guide.md": "old guide\n",
       "docs/gone.md": "gone\n", "docs/more/gone.md": "gone\n", "common/command/update.py": "old\n", f"{LAB}/hints.md": "old hint\n",
       f"{LAB}/lab.hpp": "int sum();\n", f"{KERNEL}.starter": STARTER, KERNEL: STARTER}
NEW_STARTER = STARTER.replace("int given;", "int given = 2;").replace("Write it here, too.", "Write it here, in one line.")
NEW = {**{path: text for path, text in OLD.items() if "gone" not in path}, "CMakeLists.txt": "project(Warpbook VERSION 2.0)\n",
       "docs/guide.md": "new guide\n", f"{LAB}/hints.md": "new hint\n", "labs/02-scan/README.md": "# Scan\n",
       f"{KERNEL}.starter": NEW_STARTER, KERNEL: NEW_STARTER}
MINE = STARTER.replace("// Write it here.\n", "int mine;\n")


class Updated(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.mine, self.newer = self.folder / "mine", self.folder / "newer"
        self.give(OLD, self.mine)

    def give(self, files: dict[str, str], folder: pathlib.Path) -> None:
        """Makes `folder` one that give-out has written."""
        shutil.rmtree(folder, ignore_errors=True)
        give_out.write({path: File(text.encode("utf-8"), path == "warpbook") for path, text in files.items()}, folder, {})

    def update(self, files: dict[str, str] = NEW, dry_run: bool = False) -> str:
        self.give(files, self.newer)
        arguments = types.SimpleNamespace(folder=str(self.mine), source=None, dry_run=dry_run)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(update.run(Workbook(self.newer), arguments), 0)
        return said.getvalue()

    def refused(self, files: dict[str, str] = NEW) -> str:
        before = self.everything()
        with self.assertRaises(Problem) as caught:
            self.update(files)
        self.assertEqual(self.everything(), before)
        return caught.exception.sentence

    def everything(self) -> dict[str, bytes]:
        """What the folder holds, without what the command alone reads."""
        ours = (self.mine / give_out.MARKER, self.mine / "build/.update-lock", self.mine / "build")
        return {path.relative_to(self.mine).as_posix(): b"" if path.is_dir() else path.read_bytes()
                for path in self.mine.rglob("*") if path not in ours and not path.is_symlink()}

    def text(self, path: str) -> str:
        return (self.mine / path).read_text(encoding="utf-8")

    def edit(self, path: str, text: str) -> None:
        (self.mine / path).parent.mkdir(parents=True, exist_ok=True)
        (self.mine / path).write_text(text, encoding="utf-8")

    def backups(self) -> list[pathlib.Path]:
        return sorted((self.mine / LAB).glob("*.bak"))


class Files(Updated):
    def test_new_texts_labs_and_hints_come_and_files_and_progress_stay(self):
        self.edit(KERNEL, MINE)
        self.edit("notes.md", "my notes\n")
        self.edit(f"{LAB}/attempt.cu", "int attempt;\n")
        self.edit("build/checks.json", '{"format": 1}\n')
        said = self.update({**NEW, KERNEL: STARTER, f"{KERNEL}.starter": STARTER})
        self.assertEqual(said.replace(str(self.mine), "MINE"), f"""\
MINE now has Warpbook 2.0:
Changed by you and not by the course; yours stays:
  {KERNEL}
New:
  labs/02-scan/README.md
Updated:
  CMakeLists.txt
  docs/guide.md
  {LAB}/hints.md
Removed, because the course does not have it any more:
  docs/gone.md
  docs/more/gone.md
""")
        wanted = {**NEW, KERNEL: MINE, f"{KERNEL}.starter": STARTER, "notes.md": "my notes\n", f"{LAB}/attempt.cu": "int attempt;\n",
                  "build/checks.json": '{"format": 1}\n'}
        self.assertEqual({path: data.decode() for path, data in self.everything().items() if (self.mine / path).is_file()}, wanted)
        self.assertFalse((self.mine / "docs/more").exists())
        self.assertTrue(os.access(self.mine / "warpbook", os.X_OK))

    def test_a_second_time_there_is_nothing_to_do(self):
        self.edit(KERNEL, MINE)
        self.edit("docs/guide.md", "mine\n")
        self.update()
        before = self.everything()
        self.assertEqual(self.update(), f"{self.mine} is up to date with Warpbook 2.0.\nChanged by you and not by the course; yours stays:\n"
                                        f"  docs/guide.md\n  {KERNEL}\n")
        self.assertEqual(self.everything(), before)

    def test_what_both_changed_stays_with_the_new_one_beside_it(self):
        self.edit("docs/guide.md", "mine\n")
        self.edit("docs/guide.md.new-2.0", "something else of mine\n")
        said = self.update()
        self.assertIn("Changed by you and by the course; yours stays, and the new file is beside it:\n  docs/guide.md → docs/guide.md.new-2.0-2\n", said)
        self.assertIn("Copy what you need", said)
        self.assertEqual([self.text(path) for path in ("docs/guide.md", "docs/guide.md.new-2.0", "docs/guide.md.new-2.0-2")],
                         ["mine\n", "something else of mine\n", "new guide\n"])

    def test_what_the_course_removed_goes_only_if_it_is_as_it_was_given(self):
        self.edit("docs/gone.md", "mine\n")
        self.assertIn("Removed from the course, but changed by you; yours stays:\n  docs/gone.md\n", self.update())
        self.assertEqual(self.text("docs/gone.md"), "mine\n")
        self.assertFalse((self.mine / "docs/more/gone.md").exists())

    def test_what_was_deleted_comes_back(self):
        (self.mine / LAB / "lab.hpp").unlink()
        self.assertIn(f"Restored, because it was missing:\n  {LAB}/lab.hpp\n", self.update())
        self.assertEqual(self.text(f"{LAB}/lab.hpp"), OLD[f"{LAB}/lab.hpp"])

    def test_rules_the_workflow_and_a_lab_of_the_courses_own_stay_if_the_new_version_has_none(self):
        own = {"course.json": "{}\n", ".github/workflows/classroom.yml": "on: push\n", "labs/09-own/README.md": "# Own\n"}
        self.give({**OLD, **own}, self.mine)
        for files in (NEW, {**NEW, "docs/guide.md": "newest guide\n"}):
            self.assertNotIn("09-own", self.update(files))
        self.assertEqual({path: self.text(path) for path in own}, own)
        self.update({**NEW, "course.json": '{"total": 1}\n', "labs/09-own/lab.json": "{}\n"})  # they are still known as the course's
        self.assertEqual(self.text("course.json"), '{"total": 1}\n')
        self.assertFalse((self.mine / "labs/09-own/README.md").exists())

    def test_without_a_record_what_differs_is_the_students(self):
        (self.mine / give_out.MARKER).unlink()
        self.edit(KERNEL, MINE)
        self.update()
        self.assertEqual(self.text("docs/guide.md"), "old guide\n")
        self.assertEqual(self.text("docs/guide.md.new-2.0"), "new guide\n")
        self.assertEqual(self.text("docs/gone.md"), "gone\n")
        self.assertEqual(self.text(KERNEL), MINE)
        self.assertEqual(self.text(f"{KERNEL}.new-2.0"), NEW_STARTER)

    def test_line_ends_of_a_checkout_for_windows_are_no_change(self):
        for path in OLD:
            self.edit(path, OLD[path])
            (self.mine / path).write_bytes((MINE if path == KERNEL else OLD[path]).replace("\n", "\r\n").encode())
        said = self.update()
        self.assertNotIn("Changed by you", said)
        self.assertNotIn("hpp", said)
        self.assertEqual((self.mine / KERNEL).read_bytes().count(b"\r\n"), self.text(KERNEL).count("\n"))
        self.assertIn("int given = 2;\n", self.text(KERNEL))

    def test_who_may_read_a_file_stays_as_it_was(self):
        (self.mine / "docs/guide.md").chmod(0o600)
        (self.mine / "warpbook").chmod(0o700)
        self.update({**NEW, "warpbook": "#!/bin/sh\n:\n"})
        self.assertEqual([(self.mine / path).stat().st_mode & 0o777 for path in ("docs/guide.md", "warpbook")], [0o600, 0o700])

    def test_much_of_one_folder_is_one_line(self):
        said = self.update({**NEW, **{f"labs/03-sort/part{number}.md": "" for number in range(9)}})
        self.assertIn("New:\n  labs/02-scan/README.md\n  labs/03-sort/: 9 files\n", said)

    def test_a_dry_run_lists_the_same_and_changes_nothing(self):
        self.edit(KERNEL, MINE)
        self.edit("docs/guide.md", "mine\n")
        before, record = self.everything(), self.text(give_out.MARKER)
        said = self.update(dry_run=True)
        self.assertEqual((self.everything(), self.text(give_out.MARKER)), (before, record))
        self.assertFalse((self.mine / "build").exists())
        self.assertIn("this would happen; nothing was changed:\n", said)
        done = re.sub(r" → .*\.bak", "", self.update())
        self.assertEqual(done.splitlines()[1:-1], said.splitlines()[1:])


class Kernels(Updated):
    def test_what_is_new_outside_of_the_todos_and_in_untouched_ones_comes_around_the_students_text(self):
        self.edit(KERNEL, MINE)
        said = self.update()
        self.assertEqual(self.text(KERNEL), NEW_STARTER.replace("// Write it here.\n", "int mine;\n"))
        backup, = self.backups()
        self.assertEqual(backup.read_text(), MINE)
        self.assertIn(f"Merged: what you have changed stays, what the course has changed is new, and a copy of yours is kept:\n  {KERNEL} → {LAB}/{backup.name}\n", said)
        self.assertEqual(self.text(f"{KERNEL}.starter"), NEW_STARTER)

    def test_a_todo_that_was_edited_stays_where_its_starter_has_changed(self):
        self.edit(KERNEL, STARTER.replace("// Write it here, too.\n", "int mine;\n"))
        self.update()
        self.assertEqual(self.text(KERNEL), NEW_STARTER.replace("// Write it here, in one line.\n", "int mine;\n"))

    def test_what_only_the_student_changed_outside_of_the_todos_stays(self):
        own = "// mine\n" + MINE
        self.edit(KERNEL, own)
        inside = STARTER.replace("Write it here, too.", "Write it here, in one line.")
        self.update({**NEW, KERNEL: inside, f"{KERNEL}.starter": inside})
        self.assertEqual(self.text(KERNEL), own.replace("Write it here, too.", "Write it here, in one line."))
        self.assertEqual(self.backups()[0].read_text(), own)

    def test_what_cannot_be_merged_stays_whole_with_the_new_one_beside_it(self):
        for own, new in (("// mine\n" + MINE, NEW_STARTER),                                              # both outside
                         (MINE.replace("TODO(1)", "TODO(3)"), NEW_STARTER),                              # other markers
                         (MINE.replace("// END TODO(1)\n", ""), NEW_STARTER),                            # a marker is missing
                         (MINE, STARTER.replace("TODO(1)", "TODO(4)")),                                  # the edited TODO is gone
                         (MINE.replace("mine", "m\udcffine"), NEW_STARTER)):                             # no UTF-8
            with self.subTest(own=own, new=new):
                self.give(OLD, self.mine)
                data = own.encode("utf-8", errors="surrogateescape")
                (self.mine / KERNEL).write_bytes(data)
                self.assertIn(f"  {KERNEL} → {KERNEL}.new-2.0\n", self.update({**NEW, KERNEL: new, f"{KERNEL}.starter": new}))
                self.assertEqual((self.mine / KERNEL).read_bytes(), data)
                self.assertEqual(self.text(f"{KERNEL}.new-2.0"), new)
                self.assertEqual(self.backups(), [])

    def test_a_starter_that_was_not_begun_becomes_the_new_one_in_its_language(self):
        chinese, later = ("// 注释\n" + text for text in (STARTER, NEW_STARTER))
        name = f"{LAB}/sums.zh.cu.starter"
        for own in (chinese, chinese.replace("// Write it here.\n", "int mine;\n")):
            self.give({**OLD, name: chinese}, self.mine)
            self.edit(KERNEL, own)  # reset in that language
            self.update({**NEW, name: later})
            self.assertEqual(self.text(KERNEL), later if own == chinese else later.replace("// Write it here.\n", "int mine;\n"))
        self.assertEqual(len(self.backups()), 1)

    def test_a_starter_that_was_edited_is_none_to_compare_with(self):
        self.edit(KERNEL, MINE)
        self.edit(f"{KERNEL}.starter", MINE)
        self.update()
        self.assertEqual(self.text(KERNEL), MINE)
        self.assertEqual(self.text(f"{KERNEL}.new-2.0"), NEW_STARTER)

    def test_a_worked_file_of_the_source_is_not_taken(self):
        for there in (True, False):
            self.give(OLD, self.mine)
            if not there:
                (self.mine / KERNEL).unlink()
            self.update({**NEW, KERNEL: "int solved;\n"})
            self.assertEqual(self.text(KERNEL), NEW_STARTER)

    def test_merging_takes_every_part_from_who_changed_it(self):
        """Against all ways in which two parts can have changed on two sides."""
        def made(outside: str, *parts: str) -> str:
            return outside + "\n" + "".join(f"// TODO({number}): x\n{part}\n// END TODO({number})\n" for number, part in enumerate(parts, 1))

        for mine, new, *parts in itertools.product("omn", "on", "omn", "on", "omn", "on"):
            own, given, later = made(mine, *parts[::2]), made("o", "o", "o"), made(new, *parts[1::2])
            wanted = made(*(theirs if ours == "o" else ours for ours, theirs in zip((mine, *parts[::2]), (new, *parts[1::2]))))
            is_conflict = new == "n" and mine == "m"
            self.assertEqual(update.merged(own, given, later), None if is_conflict else wanted, (mine, new, parts))


class Safety(Updated):
    def worked(self) -> None:
        self.give(OLD, self.mine)
        self.edit(KERNEL, MINE)
        self.edit("docs/guide.md", "mine\n")

    def test_an_interrupted_run_is_gone_on_with_wherever_it_was(self):
        self.worked()
        with mock.patch("command.reset.time.strftime", return_value="now"):
            self.update()
            wanted, record, number = self.everything(), self.text(give_out.MARKER), 0
            while True:
                self.worked()
                with Interrupting(number) as interrupting:
                    try:
                        self.update()
                    except Problem as problem:
                        self.assertEqual((problem.sentence, problem.status), ("Interrupted before everything was updated. The same command goes on.", 130))
                if not interrupting.struck:
                    break
                self.assertEqual(self.text("docs/guide.md"), "mine\n")
                self.assertIn("int mine;\n", self.text(KERNEL))
                self.update()
                now = {path: data for path, data in self.everything().items() if not path.endswith(".bak")}
                self.assertEqual(now, {path: data for path, data in wanted.items() if not path.endswith(".bak")}, number)
                self.assertEqual({path.read_text() for path in self.backups()}, {MINE})
                self.assertEqual(self.text(give_out.MARKER), record)
                number += 1
        self.assertGreater(number, 8)

    def test_links_are_neither_followed_nor_replaced(self):
        outside = self.folder / "outside"
        shutil.copytree(self.mine, outside)
        before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
        shutil.rmtree(self.mine / "docs")
        (self.mine / "docs").symlink_to(outside / "docs")
        (self.mine / LAB / "hints.md").unlink()
        (self.mine / LAB / "hints.md").symlink_to(outside / LAB / "hints.md")
        (self.mine / "labs/02-scan").symlink_to(outside)
        (self.mine / LAB / f".sums.cu.starter.{os.getpid()}.part").symlink_to(outside / "README.md")
        said = self.update()
        self.assertIn("or something else is in its place:\n  docs/gone.md\n  docs/guide.md\n  docs/more/gone.md\n"
                      f"  {LAB}/hints.md\n  labs/02-scan/README.md\n", said)
        self.assertEqual({path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}, before)
        self.assertTrue((self.mine / "docs").is_symlink() and (self.mine / LAB / "hints.md").is_symlink())
        self.assertEqual(self.text(f"{KERNEL}.starter"), NEW_STARTER)

    def test_a_folder_in_the_place_of_a_file_stays(self):
        self.edit("labs/02-scan/README.md/mine.txt", "mine\n")
        self.assertIn("  labs/02-scan/README.md\n", self.update())
        self.assertEqual(self.text("labs/02-scan/README.md/mine.txt"), "mine\n")

    def test_a_record_that_leads_out_of_the_folder_is_not_followed(self):
        victim = self.write("victim.txt", "mine\n")
        self.edit("build/victim.txt", "mine\n")
        print_ = files.fingerprint(b"mine\n")
        leads = ("../victim.txt", str(victim), "docs/../../victim.txt", "build/victim.txt")
        give_out.mark(self.mine, {**give_out.earlier(self.mine), **{path: print_ for path in leads}})
        self.update()
        self.assertEqual((victim.read_text(), self.text("build/victim.txt")), ("mine\n", "mine\n"))
        self.assertLessEqual(set(give_out.earlier(self.mine)), set(NEW))

    def test_a_file_that_is_saved_in_the_meantime_is_not_lost(self):
        self.edit(KERNEL, MINE)
        tree = {path: File(text.encode()) for path, text in NEW.items()}
        steps, _ = update.plan(self.mine, tree, "")
        self.edit(KERNEL, MINE + "// saved\n")
        with self.assertRaises(Problem) as caught:
            update.carry_out(self.mine, steps)
        self.assertEqual(caught.exception.sentence, f"{KERNEL} was changed during the update. The same command goes on.")
        self.assertEqual(self.text(KERNEL), MINE + "// saved\n")

    def test_in_a_clone_uncommitted_work_stays_and_no_commit_is_made(self):
        git = git_in(self.mine)
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "given"]):
            git(*words)
        self.edit(KERNEL, MINE)
        git("add", KERNEL)
        self.edit(KERNEL, MINE + "// not even staged\n")
        head, staged = git("rev-parse", "HEAD"), git("diff", "--cached")
        said = self.update()
        self.assertIn("Nothing was committed. After a look at git status: git add -A && git commit -m 'Warpbook 2.0'\n", said)
        self.assertEqual((git("rev-parse", "HEAD"), git("diff", "--cached")), (head, staged))
        self.assertEqual((self.mine / KERNEL).exists() and self.text(KERNEL), MINE + "// not even staged\n")
        self.assertEqual(self.text(f"{KERNEL}.new-2.0"), NEW_STARTER)

    def test_where_it_does_not_belong_it_is_refused_and_nothing_changes(self):
        self.assertEqual(self.refused({**NEW, "CMakeLists.txt": "project(Warpbook VERSION 0.9)\n"}),
                         f"{self.mine} has Warpbook 1.0, and this is 0.9, which is older. Nothing was changed.")
        (self.mine / "solutions").mkdir()
        (self.mine / "common/tests").mkdir()
        self.update(dry_run=True)  # a student may have these
        (self.mine / "common/tests/command").mkdir()
        self.assertEqual(self.refused(), f"{self.mine} is the workbook's own repository, with solutions and tests. Use git pull there.")
        (self.mine / "warpbook").unlink()
        self.assertEqual(self.refused(), f"{self.mine} is not a workbook.")


class Source(Updated):
    """From the folder's own command: it finds the new version, whose command goes on."""

    def setUp(self) -> None:
        super().setUp()
        script = f"import sys\nopen({str(self.folder / 'called')!r}, 'w').write(' '.join(sys.argv[1:]))\nsys.exit(7)\n"
        self.give({**NEW, "warpbook": script}, self.newer)

    def hand_over(self, source: object, **options) -> str:
        """The arguments of the new version's command."""
        arguments = types.SimpleNamespace(**{"folder": None, "source": source and str(source), "dry_run": False, **options})
        (self.folder / "called").unlink(missing_ok=True)
        self.assertEqual(update.run(Workbook(self.mine), arguments), 7)
        return re.sub(r" --build \S+$", "", (self.folder / "called").read_text())

    def test_a_folder_a_tar_and_a_zip_are_taken(self):
        wanted = f"update --folder {self.mine}"
        self.assertEqual(self.hand_over(self.newer, dry_run=True), f"{wanted} --dry-run")
        for form in ("zip", "gztar"):
            for base in (self.newer, self.folder):  # its files, or a folder with them, as a forge packs a release
                below = "." if base == self.newer else "newer"
                archive = shutil.make_archive(str(self.folder / "packed" / form), form, base, below)
                with self.subTest(form=form, below=below):
                    self.assertEqual(self.hand_over(archive), wanted)

    def test_an_archive_writes_nothing_elsewhere(self):
        into = self.folder / "into"
        with zipfile.ZipFile(self.folder / "bad.zip", "w") as made:
            made.writestr("../victim.txt", "bad")
            made.writestr("good/a.txt", "good")
            link = zipfile.ZipInfo("link")
            link.external_attr = (stat.S_IFLNK | 0o777) << 16
            made.writestr(link, "/etc")
        with tarfile.open(self.folder / "bad.tar", "w") as made:
            for name, kind in (("../victim.txt", tarfile.REGTYPE), ("link", tarfile.SYMTYPE)):
                member = tarfile.TarInfo(name)
                member.type, member.linkname = kind, "/etc"
                made.addfile(member)
        for name in ("bad.zip", "bad.tar"):
            update._unpack(self.folder / name, into)
        self.assertEqual([path.relative_to(into).as_posix() for path in into.rglob("*")], ["good", "good/a.txt"])
        self.assertFalse((self.folder / "victim.txt").exists())

    def test_the_newest_wheel_that_is_installed_is_taken(self):
        found = []
        for version in ("1.9", "1.10", "1.2"):
            package = self.folder / version
            package.mkdir()
            found.append(wheel.Wheel(package, {"version": version}))
        shutil.make_archive(str(self.folder / "1.10/workbook"), "gztar", self.newer)
        with mock.patch("command.wheel.installed", return_value=found):
            self.assertEqual(self.hand_over(None), f"update --folder {self.mine}")

    def test_where_there_is_no_new_version_that_is_said(self):
        self.write("broken.zip", "no archive")
        (self.folder / "empty").mkdir()
        self.write("old/warpbook")
        with zipfile.ZipFile(self.folder / "a.whl", "w") as made:
            made.writestr("warpbook/wheel.json", "{}")
        for source, said in ((None, "no wheel of Warpbook is installed"), ("broken.zip", "cannot be unpacked"), ("empty", "holds no workbook"),
                             ("old", "too old to update yours"), ("a.whl", "holds no workbook"), ("nowhere", "holds no workbook")):
            with self.assertRaises(Problem) as caught, mock.patch("command.wheel.installed", return_value=[]):
                self.hand_over(source and self.folder / source)
            self.assertIn(said, caught.exception.sentence)
            self.assertEqual("pip install" in "".join(caught.exception.details), source in (None, "a.whl"))

    def test_the_command_itself_updates_another_folder(self):
        """Through ./warpbook, with the options as a reader types them."""
        done = subprocess.run([sys.executable, ROOT / "warpbook", "update", "--folder", self.folder, "--build", self.folder / "build"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, f"{self.folder} is not a workbook.\n"))


class Interrupting:
    """Raises KeyboardInterrupt before the file operation with this number, among those that change the folder."""

    def __init__(self, number: int):
        self._left, self.struck = number, False
        self._patches = [mock.patch.object(pathlib.Path, name, self._wrapped(getattr(pathlib.Path, name))) for name in ("write_bytes", "open")]
        self._patches.append(mock.patch.object(os, "replace", self._wrapped(os.replace)))
        self._patches.append(mock.patch.object(give_out, "mark", self._wrapped(give_out.mark)))

    def _wrapped(self, function):
        def wrapped(*arguments, **options):
            is_writing = function.__name__ != "open" or "x" in (*arguments[1:2], "")[0]
            if is_writing and "newer" not in str(arguments[0]) and not self.struck:
                self._left -= 1
                if self._left < 0:
                    self.struck = True
                    raise KeyboardInterrupt
            return function(*arguments, **options)
        return wrapped

    def __enter__(self) -> "Interrupting":
        for patch in self._patches:
            patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        for patch in self._patches:
            patch.stop()


def git_in(folder: pathlib.Path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}

    def git(*words: str) -> str:
        command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    return git


if __name__ == "__main__":
    unittest.main()
