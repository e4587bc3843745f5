"""Translated pages, questions and starters have the structure of their originals, and the check of that does find what differs."""
import json
import re
import subprocess
import sys
import unittest

from fakes import ROOT, Scratch

sys.path.insert(0, str(ROOT / "common/languages"))
import pages  # noqa: E402
from command import language  # noqa: E402

PAGE = """\
# Lab 01: sums

Thirty-two lanes read 128 bytes from `a[i]`: see the [glossary](../../docs/glossary.md#warp) and [more](more.md#fast).

## TODO(1): the first `kernel`

![drawn](../../docs/images/x.svg)

```cpp
int i = 32; // of a warp
```

```
$ ./warpbook check 01   # grades it
 lane 0 … 31
```

| a | b |
| --- | --- |
| 1 | two |

- one
- TODO(2)

<details><summary>Why?</summary>

So.

</details>
"""
SAME = """\
# 实验 01：求和

32 个 lane 从 `a[i]` 读取 128 字节：见[词汇表](../../docs/glossary.md#warp)和[更多](more.zh.md#快)。

## TODO(1)：第一个 `kernel`

![图](../../docs/images/x.svg)

```cpp
int i = 32; // 一个线程束的
```

```
$ ./warpbook check 01   # 评分
 通道 0 … 31
```

| 甲 | 乙 |
| --- | --- |
| 1 | 2 |

- 一
- TODO(2)

<details><summary>为什么？</summary>

如此。

</details>
"""
#: What a translation may have wrong: the text in SAME, what stands there instead, and what is said of it.
MISTAKES = (
    ("128 字节", "256 字节", "the number 128 of the original is missing"),
    ("128 字节", "128 字节（4 个扇区）", "the original has no number 4"),
    ("`a[i]`", "`a[j]`", "`a[i]` of the original is missing"),
    ("glossary.md#warp", "glossary.md#lane", "the links"),
    ("和[更多](more.zh.md#快)", "", "the links"),
    ("## TODO(1)", "## TODO(3)", "the TODO numbers of the heading"),
    ("## TODO(1)", "### TODO(1)", "its headings have the levels [1, 3], and the original's [1, 2]"),
    ("`kernel`", "核函数", "the names of code in the heading"),
    ("images/x.svg", "images/y.svg", "the pictures"),
    ("int i = 32;", "int i = 33;", "the code is 'int i = 33;' where the original's is 'int i = 32;'"),
    ("```cpp", "```", "its blocks of code are ['plain', 'plain'], and the original's ['cpp', 'plain']"),
    ("check 01 ", "check 02 ", "the commands of a block are"),
    ("| 1 | 2 |\n", "", "the columns of the tables' rows"),
    ("- 一\n", "", "the entries of lists"),
    ("- TODO(2)", "- TODO", "the TODO numbers"),
    ("<details><summary>为什么？</summary>", "为什么？", "the folded parts"),
)


class Structure(unittest.TestCase):
    def test_a_translation_with_other_words_alone_is_right(self):
        self.assertEqual(pages.of_pages(PAGE, SAME), [])

    def test_what_else_differs_is_found(self):
        for own, wrong, said in MISTAKES:
            with self.subTest(said):
                self.assertIn(own, SAME)
                found = pages.of_pages(PAGE, SAME.replace(own, wrong, 1))
                self.assertTrue([fault for fault in found if said in fault], found)

    def test_a_program_may_differ_in_its_comments_alone(self):
        program = 'int a; // one\n// TODO(1): x\n/* two\n lines */ const char* s = "// no comment";\n// END TODO(1)\n'
        for other, faults in ((program.replace("one", "一").replace(" lines", "行"), 0), (program.replace("int", "long"), 1), (program.replace("no comment", "无"), 1),
                              (program.replace("TODO(1)", "TODO(2)"), 1), (program + "int b;\n", 1), (program.replace("// END TODO(1)\n", ""), 1)):
            self.assertEqual(len(pages.of_programs(program, other)), faults, other)

    def test_questions_may_differ_in_their_words_alone(self):
        questions = {"questions": [{"id": "a", "todo": 1, "ask": "How many `x` of 4?", "unit": "bytes", "answer": 8, "why": "So.", "wrong": [{"value": 4, "why": "No 4."}], "otherwise": "Count."}]}
        said = json.dumps(questions)
        right = said.replace("How many", "多少").replace("bytes", "字节").replace("Count.", "数。").replace("No 4.", "不是 4。")
        self.assertEqual(pages.of_questions(questions, json.loads(right)), [])
        for own, wrong in (('"answer": 8', '"answer": 9'), ('"todo": 1', '"todo": 2'), ('"value": 4', '"value": 5'), ("of 4?", "of 5?"), ("`x`", "x"), ('"id": "a"', '"id": "b"'),
                           ('"unit": "字节"', '"unit": ""'), ("不是 4", "不是 5")):
            self.assertIn(own, right)
            self.assertNotEqual(pages.of_questions(questions, json.loads(right.replace(own, wrong))), [], wrong)


class OfTheWorkbook(unittest.TestCase):
    def test_every_translation_has_the_structure_of_its_original(self):
        translations = pages.translations(ROOT)
        self.assertGreater(len(translations), 4)
        for original, path in translations:
            with self.subTest(path=str(path.relative_to(ROOT))):
                self.assertEqual(pages.faults(original, path), [])


class Files(Scratch):
    def test_a_page_is_compared_while_its_original_is_the_one_that_was_translated(self):
        original = self.write("README.md", PAGE)
        path = self.write("README.zh.md", SAME)
        self.assertIn("its first line is not <!-- Translation of README.md sha256:", pages.faults(original, path)[0])
        subprocess.run([sys.executable, "-B", ROOT / "common/languages/pages.py", "--up-to-date", path], check=True)
        self.assertEqual((path.read_text().partition("\n")[2], pages.faults(original, path)), (SAME, []))
        original.write_text(PAGE.replace("128", "256"))
        self.assertEqual((pages.is_older(original, path.read_text()), pages.faults(original, path)), (True, []))
        subprocess.run([sys.executable, "-B", ROOT / "common/languages/pages.py", "--up-to-date", path], check=True)
        self.assertTrue(re.search("the number 256 of the original is missing", " ".join(pages.faults(original, path))))

    def test_names_of_translations_lead_to_their_originals_and_back(self):
        chinese = language.ALL["zh"]
        for name, own in (("README.md", "README.zh.md"), ("labs/01-x/x.cu.starter", "labs/01-x/x.zh.cu.starter"), ("questions.json", "questions.zh.json")):
            self.assertEqual(language.translated_name(name, chinese), own)
            self.assertEqual(language.original_of(own), (name, chinese))
            self.assertEqual(language.original_of(name), (name, language.ENGLISH))


if __name__ == "__main__":
    unittest.main()
