"""The check of the texts' style: which words it finds, where lines are too long, and that it reads what proselint says."""

import json
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common/honesty"))

import style  # noqa: E402

#: A sentence for each entry of the list, in which it must be found.
FOUND = ["which nobody has written", "somebody else's element", "before anybody writes", "Everybody waits.",
         "The grader is told so.", "4 sectors a request", "16 bytes a lane", "32 sectors a read request", "1.5 KB a thread", "leave it away", "gets up to 48 KiB just so",
         "This leads so far.", "It shall have one.", "two of them all together", "It hangs on the size.", "TODO(1) stands for itself.",
         "lest it be lost", "cudaMalloc and its kin", "It is written anew.", "what the next step mends",
         "No one takes a point for that.", "It does little else than copy.", "CMake knows no CUDA."]
#: What is like them, and right.
RIGHT = ["no thread has written it", "4 sectors per request", "one element of a request", "the report tells the two apart",
         "The grader was able to tell.", "by default", "It hangs on the simulator.", "a kind word", "amends", "NOBODY", "test_nobody_waits",
         "the kinds", "told", "It can be told apart.", "the whole of a warp"]


class Words(unittest.TestCase):
    def test_each_entry_is_found_in_a_sentence_and_no_sentence_is_without_one(self):
        advices = set()
        for sentence in FOUND:
            found = style.of_words(sentence)
            self.assertEqual(len(found), 1, (sentence, found))
            advices.add(found[0][2])
        self.assertEqual(advices, {advice for _, advice in style.WORDS})

    def test_what_is_like_them_is_left_alone(self):
        for sentence in RIGHT:
            self.assertEqual(style.of_words(sentence), [], sentence)

    def test_words_are_found_across_the_lines_of_a_comment_with_the_line_of_the_first(self):
        for text in ("// one\n// The student is\n// told of it.\n", "/// one\n  /// is\n  /// told\n", "# one\n# is\n# told\n", "\nis\ntold"):
            self.assertEqual([(line, advice) for line, _, advice in style.of_words(text)],
                             [(2, "say who says it: 'the report names …'")], text)


class Width(unittest.TestCase):
    def test_prose_is_wrapped_and_what_cannot_be_wrapped_is_left(self):
        long = "word " * 25
        text = "\n".join([long, "# " + long, "| " + long, "- " + long, "https://" + "x" * 120, f"[a long name](https://{'x' * 120})",
                          "```text", long, "```", "x" * 100])
        self.assertEqual([line for line, _, _ in style.of_width(text)], [1, 4])

    def test_a_fence_within_a_longer_fence_does_not_end_it(self):
        self.assertEqual(style.of_width("````\n```\n" + "word " * 25 + "\n```\n````\n"), [])

    def test_a_chinese_character_takes_two_columns(self):
        self.assertEqual(style.of_width(f"a {'字' * 49}\n"), [])
        self.assertEqual([(line, advice[-3:]) for line, _, advice in style.of_width(f"ab {'字' * 49}\n")], [(1, "101")])


class Translations(unittest.TestCase):
    def test_a_line_does_not_end_between_two_chinese_characters(self):
        for text in ("一个线\n程", "- 一个线\n  程", "> 一个线\n> 程"):
            self.assertEqual([line for line, _, _ in style.of_breaks("\n" + text)], [2], text)

    def test_it_may_end_where_a_blank_may_stand_and_where_a_paragraph_ends(self):
        for text in ("一个线程，\n两个", "处理 n\n个元素", "有 2 个\n`float`", "一行\n\n二行", "# 标题\n正文", "- 一\n- 二", "```\n一\n二\n```",
                     "| 表 |\n| 表 |", "正文\n```\n一\n```\n正文"):
            self.assertEqual(style.of_breaks(text), [], text)

    def test_blanks_at_the_end_of_a_line_are_found(self):
        self.assertEqual([line for line, _, _ in style.of_blanks("一\n二 \n三　\n")], [2, 3])

    def test_names_say_what_a_translation_is(self):
        for name in ("README.zh.md", "questions.zh.json", "coalescing.zh.cu.starter", "hints.pt-BR.md"):
            self.assertTrue(style.TRANSLATION.search(name), name)
        for name in ("README.md", "questions.json", "coalescing.cu.starter", "terms.md", "a.b.md"):
            self.assertFalse(style.TRANSLATION.search(name), name)


class Notebook(unittest.TestCase):
    def test_its_texts_stay_at_their_lines_and_its_code_is_fenced(self):
        cells = [{"cell_type": "markdown", "id": "a", "source": ["Words \"here\",\n", "Nobody reads.\n"]},
                 {"cell_type": "code", "id": "b", "outputs": [], "source": ["x = 1  # nobody\n", "y = '" + "word " * 25 + "'"]},
                 {"cell_type": "markdown", "id": "c", "source": ["word " * 25]}]
        file = json.dumps({"cells": cells, "nbformat": 4}, indent=1)
        text = style.as_markdown(file)
        at = {line.strip(): number for number, line in enumerate(file.splitlines(), 1)}
        self.assertEqual(text.count("\n"), file.count("\n") + 1)
        self.assertEqual([line for line in text.splitlines() if line],
                         ['Words "here",', "Nobody reads.", "```", "x = 1  # nobody", "y = '" + "word " * 25 + "'", "```", "word " * 25])
        self.assertEqual([line for line, _, _ in style.of_words(text)], [at['"Nobody reads.\\n"'], at['"x = 1  # nobody\\n",']])
        self.assertEqual([line for line, _, _ in style.of_width(text)], [at['"' + "word " * 25 + '"']])

    def test_a_file_of_another_shape_is_no_clean_text(self):
        with self.assertRaisesRegex(SystemExit, "not in the file as Jupyter writes it"):
            style.as_markdown(json.dumps({"cells": [{"cell_type": "markdown", "source": ["one\n", "two"]}]}))


class Linter(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.document = self.folder / "text.md"

    def program(self, body: str) -> str:
        path = self.folder / "proselint"
        path.write_text(f"#!{sys.executable}\nimport json, pathlib, sys\n" + textwrap.dedent(body))
        path.chmod(0o755)
        return str(path)

    def test_findings_have_the_line_of_the_document_and_code_is_not_looked_at(self):
        self.document.write_text("```\ncode = 1\n```\nSee `code`, [here](there.md).\nA fine text.\n")
        program = self.program("""
            path = pathlib.Path(sys.argv[-1])
            text = path.read_text()
            assert "code" not in text and "there.md" not in text and text.count("\\n") == 5, text
            line = 1 + text[:text.index("fine")].count("\\n")
            print(json.dumps({"result": {path.as_uri(): {"diagnostics": [
                {"check_path": "cliches", "message": "it is one", "pos": [line, 3]}]}}}))
            sys.exit(1)""")
        self.assertEqual(style.of_proselint(program, [self.document]), [(self.document, 5, "cliches", "it is one")])

    def test_a_linter_that_fails_is_no_clean_text(self):
        self.document.write_text("A text.\n")
        with self.assertRaises(SystemExit) as stopped:
            style.of_proselint(self.program("print('Traceback')"), [self.document])
        self.assertIn("did not print its findings as JSON", str(stopped.exception))

    def test_the_real_one_finds_a_cliche(self):
        program = style.linter(ROOT)
        if not program:
            self.skipTest("proselint is not installed")
        self.document.write_text("It was a fine day.\n\nAt the end of the day, the kernel avoided it like the plague.\n")
        self.assertIn((self.document, 3), {(path, line) for path, line, _, _ in style.of_proselint(program, [self.document])})


class Command(unittest.TestCase):
    def run_on(self, *paths: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-B", str(ROOT / "common/honesty/style.py"), str(self.root), *paths],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.root / "docs").mkdir()
        (self.root / "docs/bad.md").write_text("Fine.\n\nNobody reads it.\n")
        (self.root / "good.cpp").write_text("// All threads wait.\n")
        (self.root / "picture.png").write_bytes(b"nobody")

    def test_findings_fail_and_name_file_line_and_words(self):
        status, said = self.run_on()
        self.assertEqual(status, 1)
        self.assertIn("docs/bad.md:3: Nobody: name who it is", said)
        self.assertIn("2 files, 1 findings", said)

    def test_a_handout_that_is_too_long_is_named_and_no_other_page(self):
        (self.root / "labs/01-a").mkdir(parents=True)
        for words, status in ((2500, 0), (2501, 1)):
            for name in ("README.md", "more.md"):
                (self.root / "labs/01-a" / name).write_text("lanes\n" * words)
            found, said = self.run_on("labs")
            self.assertEqual(found, status, said)
        self.assertIn("labs/01-a/README.md:1: 2,501 words: a handout has at most 2,500", said)
        self.assertIn("2 files, 1 findings", said)

    def test_a_translation_is_read_as_one(self):
        (self.root / "docs/bad.zh.md").write_text("Nobody \n一个线\n程\n", encoding="utf-8")
        status, said = self.run_on("docs/bad.zh.md")
        self.assertEqual(status, 1)
        self.assertIn("docs/bad.zh.md:1: Nobody␠: no blanks", said)
        self.assertIn("docs/bad.zh.md:2: 一个线 / 程: end the line", said)
        self.assertIn("1 files, 2 findings", said)

    def test_chosen_paths_alone_are_read_and_none_at_all_fails(self):
        self.assertEqual(self.run_on("good.cpp")[0], 0)
        self.assertEqual(self.run_on("picture.png")[0], 1)

    def test_in_a_repository_files_that_git_does_not_know_are_left_out(self):
        for command in (["init", "-q"], ["add", "good.cpp"]):
            subprocess.run(["git", "-C", str(self.root), *command], check=True)
        self.assertEqual(self.run_on()[0], 0)


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        unittest.TestCase.enterContext = lambda self, manager: (manager.__enter__(), self.addCleanup(manager.__exit__, None, None, None))[0]
    unittest.main()
