"""Which language the command speaks, what of it is translated, and lines of wide characters."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest
from unittest import mock

from fakes import ROOT, Scratch

from command import hint, language
from command.language import _
from command.problem import Problem
from command.workbook import Workbook

CHINESE = language.ALL["zh"]
PO = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "command"
msgid "{lab} has no hints."
msgstr "{lab} 没有提示。"

#, fuzzy
msgctxt "command"
msgid "Lab"
msgstr "不对"

msgctxt "command"
msgid "Points"
msgstr ""

msgctxt "lab 01"
msgid "Best"
msgstr "另一个"

msgctxt "command"
msgid "At the last check"
msgstr "上次检查时"

msgctxt "command"
msgid "not checked yet"
msgstr "尚未检查"

msgctxt "command"
msgid "There is no lab '{name}'."
msgstr "没有实验“{name}”。"
"""


class Which(unittest.TestCase):
    def chosen(self, asked: str, verb: str, **environment: str) -> str:
        kept = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", language.VARIABLE)}
        with mock.patch.dict(os.environ, {**kept, **environment}, clear=True):
            return language.chosen(asked, verb).code

    def test_the_option_counts_before_the_variable_and_that_before_the_system(self):
        for asked, environment, code in (("", {}, "en"), ("", {"LANG": "zh_CN.UTF-8"}, "zh"), ("en", {"LANG": "zh_CN.UTF-8"}, "en"), ("zh", {"WARPBOOK_LANGUAGE": "en"}, "zh"),
                                         ("", {"WARPBOOK_LANGUAGE": "en", "LANG": "zh_CN.UTF-8"}, "en"), ("", {"WARPBOOK_LANGUAGE": "zh"}, "zh"), ("zh-Hans", {}, "zh"), ("ZH_cn", {}, "zh")):
            self.assertEqual(self.chosen(asked, "check", **environment), code, (asked, environment))

    def test_the_system_s_language_is_found_as_gettext_finds_it(self):
        for environment, code in (({"LANG": "fr_FR.UTF-8"}, "en"), ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"), ({"LC_ALL": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "en"),
                                  ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"), ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:zh_CN:en"}, "zh"), ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en:zh"}, "en"),
                                  ({"LANGUAGE": "zh"}, "en"), ({"LANG": "C.UTF-8", "LANGUAGE": "zh"}, "en")):
            self.assertEqual(self.chosen("", "check", **environment), code, environment)

    def test_what_instructors_keep_is_english_unless_the_option_asks_for_more(self):
        for verb in ("grade", "give-out", "autograder", "results", "test"):
            self.assertEqual(self.chosen("", verb, LANG="zh_CN.UTF-8", WARPBOOK_LANGUAGE="zh"), "en")
            self.assertEqual(self.chosen("zh", verb), "zh")

    def test_a_language_that_does_not_exist_is_a_sentence(self):
        with self.assertRaisesRegex(Problem, "--language: there is no language 'xx'"):
            self.chosen("xx", "check")
        with self.assertRaisesRegex(Problem, "WARPBOOK_LANGUAGE: there is no language 'xx'"):
            self.chosen("", "check", WARPBOOK_LANGUAGE="xx")

    def test_the_option_stands_anywhere_before_the_dashes(self):
        for words, others, code in ((["--language", "zh", "check", "01"], ["check", "01"], "zh"), (["check", "--language=zh", "01"], ["check", "01"], "zh"),
                                    (["sim", "a.cu", "--", "--language", "zh"], ["sim", "a.cu", "--", "--language", "zh"], ""),
                                    (["check", "01", "--language"], ["check", "01", "--language"], ""), (["--language", "--all"], ["--language", "--all"], "")):
            self.assertEqual(language.take_option(words), (others, code))


class Speaking(Scratch):
    """A test in a folder with the catalogue above."""

    def setUp(self) -> None:
        super().setUp()
        self.write("common/languages/zh.po", PO)
        self.addCleanup(language.speak, language.ENGLISH, self.folder, self.folder / "build")

    def speak(self) -> None:
        language.speak(CHINESE, self.folder, self.folder / "build")


class Messages(Speaking):
    def test_a_message_is_said_in_the_language_with_its_values(self):
        self.assertEqual(_("{lab} has no hints.", lab="{x}"), "{x} has no hints.")
        self.speak()
        self.assertEqual(_("{lab} has no hints.", lab="{x}"), "{x} 没有提示。")

    def test_what_is_missing_or_fuzzy_or_of_another_context_is_english(self):
        self.speak()
        self.assertEqual([_("Lab"), _("Points"), _("Best"), _("total")], ["Lab", "Points", "Best", "total"])

    def test_without_a_catalogue_everything_is_english(self):
        (self.folder / "common/languages/zh.po").unlink()
        self.speak()
        self.assertEqual((_("At the last check"), os.environ.get(language.MESSAGES)), ("At the last check", None))

    def test_a_catalogue_that_cannot_be_read_is_a_sentence(self):
        self.write("common/languages/zh.po", PO + 'msgid no quotes\n')
        with self.assertRaisesRegex(Problem, "zh.po:.*this is no line of a catalogue: msgid no quotes"):
            self.speak()

    def test_graders_get_the_same_messages_in_a_file_that_is_made_again_when_they_change(self):
        self.speak()
        made = pathlib.Path(os.environ[language.MESSAGES])
        self.assertEqual((made, struct.unpack_from("<3I", made.read_bytes())), (self.folder / "build/languages/zh.mo", (0x950412DE, 0, 6)))
        before = made.stat().st_mtime_ns
        self.speak()
        self.assertEqual(made.stat().st_mtime_ns, before)
        source = self.write("common/languages/zh.po", PO.replace("尚未检查", "还没有检查"))
        os.utime(source, ns=(before + 1_000_000_000, before + 1_000_000_000))
        self.speak()
        self.assertIn("还没有检查".encode(), made.read_bytes())
        language.speak(language.ENGLISH, self.folder, self.folder / "build")
        self.assertNotIn(language.MESSAGES, os.environ)


    def test_a_section_is_called_as_the_translated_page_has_it_and_the_page_is_named_unless_it_is_the_handout(self):
        self.write("labs/01-sums/README.md", "# Sums\n\n```\n# no heading\n```\n\n## The tail\n")
        self.write("labs/01-sums/README.zh.md", "# 求和\n\n```\n# no heading\n```\n\n## 尾部\n")
        self.write("labs/01-sums/more.md", "# More\n\n## Tricks\n")

        def lines() -> list[str]:
            return [language.read_on("01-sums", section) for section in ("The tail", "Tricks", "Elsewhere")]

        language.speak(language.ENGLISH, self.folder, self.folder / "build")
        self.assertEqual(lines(), ["Handout: 'The tail'", "Handout: 'Tricks', in labs/01-sums/more.md", "Handout: 'Elsewhere'"])
        self.speak()
        self.assertEqual(lines(), ["Handout: '尾部'", "Handout: 'Tricks', in labs/01-sums/more.md", "Handout: 'Elsewhere'"])
        self.write("labs/01-sums/more.zh.md", "# 更多\n\n## 技巧\n")
        self.assertEqual(lines()[1], "Handout: '技巧', in labs/01-sums/more.zh.md")


class Verbs(Scratch):
    """The verbs that need no build, in a workbook with one lab in Chinese, too."""

    def setUp(self) -> None:
        super().setUp()
        self.lab = self.write_lab("01-sums")
        shutil.copy(ROOT / "warpbook", self.folder / "warpbook")
        (self.folder / "common").mkdir()
        (self.folder / "common/command").symlink_to(ROOT / "common/command")
        for name, text in {
            "common/languages/zh.po": PO,
            "labs/01-sums/sums.cu.starter": "// TODO(1): add\n// in English\n// END TODO(1)\n",
            "labs/01-sums/sums.zh.cu.starter": "// TODO(1): 相加\n// 中文\n// END TODO(1)\n",
            "labs/01-sums/sums.cu": "// TODO(1): add\nint mine;\n// END TODO(1)\n",
            "labs/01-sums/hints.md": "## TODO(1): sum\n\n<details><summary>Hint 1: a question</summary>\n\nWhich one?\n\n</details>\n",
            "labs/01-sums/hints.zh.md": "<!-- x -->\n\n## TODO(1)：sum\n\n<details><summary>提示 1：一个问题</summary>\n\n哪一个？\n再想想。\n\n</details>\n",
            "labs/01-sums/questions.json": json.dumps({"questions": [{"id": "a", "todo": 1, "ask": "How many?", "unit": "bytes", "answer": 8, "why": "So.", "otherwise": "Count."}]}),
            "labs/01-sums/questions.zh.json": json.dumps({"questions": [{"id": "a", "todo": 1, "ask": "多少？", "unit": "字节", "answer": 7, "why": "如此。", "otherwise": "数一数。"}]}),
        }.items():
            self.write(name, text)

    def warpbook(self, *words: str, **environment: str) -> "tuple[int, str, str]":
        done = subprocess.run([sys.executable, "-B", self.folder / "warpbook", *words], capture_output=True, text=True, encoding="utf-8", cwd=self.folder, check=False,
                              env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment})
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout, done.stderr

    def test_list_speaks_the_language_in_columns(self):
        out = self.warpbook("--language", "zh", "list")[1]
        self.assertRegex(out, r"^Lab      Points  Best  TODOs  上次检查时\n01-sums  -                    尚未检查\n")
        self.assertIn("not checked yet", self.warpbook("list")[1])

    def test_a_problem_is_told_in_the_language(self):
        for words, environment in ((["--language=zh", "hint", "7"], {}), (["hint", "7"], {"WARPBOOK_LANGUAGE": "zh"})):
            self.assertIn("没有实验“7”。", self.warpbook(*words, **environment)[2])

    def test_a_hint_is_the_translated_one_with_its_lines_joined(self):
        self.assertIn("TODO(1), sum: 提示 1：一个问题\n\n哪一个？\n再想想。\n", self.warpbook("hint", "1", "--todo", "1", "--language", "zh")[1])
        self.assertEqual(hint.text_of(hint.Hint("", ["哪一个？", "再想想。"]), 40), "哪一个？再想想。")

    def test_questions_have_the_translation_s_words_and_their_own_numbers(self):
        status, out, _err = self.warpbook("check", "1", "--questions", "--language", "zh")
        self.assertIn("  多少？（字节）", out)
        for answer in ("8", "8 字节"):
            status, out, _err = self.warpbook("check", "1", "--questions", "--answer", f"a={answer}", "--language", "zh")
            self.assertEqual((status, out.splitlines()[-1].rpartition(" ")[2]), (0, "如此。"), answer)
        self.assertEqual(self.warpbook("check", "1", "--questions", "--answer", "a=7", "--language", "zh")[0], 1)

    def test_reset_gives_the_starter_with_comments_in_the_language(self):
        self.warpbook("reset", "1", "--todo", "1", "--language", "zh")
        self.assertEqual((self.lab / "sums.cu").read_text(encoding="utf-8"), "// TODO(1): add\n// 中文\n// END TODO(1)\n")
        self.warpbook("reset", "1", "--yes", "--language", "zh")
        self.assertEqual((self.lab / "sums.cu").read_bytes(), (self.lab / "sums.zh.cu.starter").read_bytes())
        self.warpbook("reset", "1", "--yes")
        self.assertEqual((self.lab / "sums.cu").read_bytes(), (self.lab / "sums.cu.starter").read_bytes())

    def test_a_todo_is_untouched_in_either_language(self):
        from command import grading

        lab = Workbook(self.folder).lab("1")
        for text, untouched in (("// 中文\n", {1}), ("// in English\n", {1}), ("int mine;\n", set())):
            source = self.write("mine.cu", f"// TODO(1): x\n{text}// END TODO(1)\n")
            self.assertEqual(grading.untouched_todos(grading.Submission(lab, "check", source)), untouched)


class Measured(Speaking):
    def test_what_was_counted_is_listed_as_the_language_lists(self):
        try:
            from command import render
        except ModuleNotFoundError:
            self.skipTest("no rich")
        counted = [{"what": what, "text": "4 sectors"} for what in ("read", "written")]
        self.assertEqual(render._measured(counted), "read, written: 4 sectors")
        self.speak()
        self.assertEqual(render._measured([*counted, {"what": "both", "text": "8"}]), "read、written：4 sectors；both：8")


class Lines(unittest.TestCase):
    def test_wide_characters_take_two_columns(self):
        self.assertEqual([language.width_of(text) for text in ("", "ab", "线程", "a线", "e\u0301", "…")], [0, 2, 4, 3, 1, 1])

    def test_lines_are_joined_without_a_blank_between_wide_characters(self):
        self.assertEqual(language.joined(["线程", "块。", "of 32", "lanes"]), "线程块。of 32 lanes")
        self.assertEqual(language.joined(["32 个", "lane", "（每个一字）"]), "32 个 lane（每个一字）")

    def test_lines_break_between_wide_characters_and_never_before_closing_punctuation(self):
        self.assertEqual(language.wrapped("线程束请求了，全局内存", 12), ["线程束请求", "了，全局内存"])
        self.assertEqual(language.wrapped("用 std::size_t 算出编号。", 14, "  "), ["  用", "std::size_t 算", "出编号。"])
        for width in range(4, 40):
            text = "一个线程束的 32 个 lane 读取 `a[offset]`，每次请求 4.00 个扇区（已是最少）。"
            lines = language.wrapped(text, width, "  ", " ")
            self.assertEqual("".join(lines).replace(" ", ""), text.replace(" ", ""))
            self.assertFalse([line for line in lines if line.strip()[0] in language._CLOSING])

    def test_a_line_is_shortened_to_its_columns(self):
        self.assertEqual([language.shortened(text, 7) for text in ("线程束", "线程束请求", "one two three")], ["线程束", "线程 …", "one …"])


if __name__ == "__main__":
    unittest.main()
