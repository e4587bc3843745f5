"""A workbook of a few texts, for tests of the site: one lab with questions, hints, a second page and a solution, and two documents."""
from __future__ import annotations

import hashlib
import json
import pathlib

SECRET = "a_line_that_only_the_solution_has"
STARTER = "#include <cuda_runtime.h>\n// TODO(1): the first\n// END TODO(1)\n// TODO(2): the second\n// END TODO(2)\n"
QUESTIONS = {"questions": [
    {"id": "sectors-at-stride-2", "todo": 2, "ask": "How many sectors at `stride` 2?", "unit": "sectors", "answer": 8, "why": "256 bytes are 8 < 9 sectors.",
     "wrong": [{"value": 4, "why": "4 is the least."}], "otherwise": "Count the bytes."},
    {"id": "share-used", "todo": 1, "ask": "Which share is used?", "answer": 0.5, "tolerance": 0.01, "why": "Every second float.", "otherwise": "Divide."},
    {"id": "about-nothing", "ask": "How many lanes has a warp?", "answer": 32, "why": "So it is.", "otherwise": "Look it up."}]}
HANDOUT = """\
# Lab 01: sums

What you learn. The contract is [`lab.hpp`](lab.hpp), your file is [`sums.cu`](sums.cu), the [solution](../../solutions/01-sums/sums.cu) is not.
A [wavefront](../../docs/glossary.md#wavefront) is a turn. ![a drawing](../../docs/images/lanes.svg)

## TODO(1): the first & best

```
$ ./warpbook check 01 --todo 1
All points.
$ ./warpbook list
```

## TODO(2): the second

**Check it now:** `./warpbook check 01 --todo 2`, not `./warpbook list`.

```
 a drawing   ███
```

```cpp
int lanes = 32;  // "of a warp"
```

| a | b |
| --- | --- |
| 1 | [more](more.md#measured) |

## Questions

<details><summary>Why?</summary>

Because of **sectors**.

</details>

## TODO(1): the first & best
"""
FILES = {
    "README.md": "# Small\n\nStart with [lab 01](labs/01-sums/README.md), or [the labs](labs/01-sums#questions).\n\n## The tree\n\nA [folder](common/parts).\n",
    "labs/01-sums/lab.json": json.dumps({"title": "sums", "kernel": "sums"}),
    "labs/01-sums/lab.hpp": "#pragma once\n// the contract\n",
    "labs/01-sums/sums.cu": f"// {SECRET}\n",
    "labs/01-sums/sums.cu.starter": STARTER,
    "labs/01-sums/README.md": HANDOUT,
    "labs/01-sums/more.md": "# More on sums\n\n## Measured\n\nSee the [data](../../plots/data/sums.csv).\n",
    "labs/01-sums/hints.md": "# Hints for lab 01\n\n## TODO(1): x\n\n<details><summary>Hint 1</summary>\n\nThink of `lanes`.\n\n</details>\n",
    "labs/01-sums/questions.json": json.dumps(QUESTIONS),
    "solutions/01-sums/sums.cu": f"// {SECRET}\n",
    "docs/glossary.md": "# Glossary\n\n## wavefront\n\nOne turn of shared memory.\n\n## zebra\n\nAn animal: `x<y>`.\n",
    "docs/simulator.md": "# The simulator\n\n### shared-race\n\n<!-- findings: shared-race -->\n```text\nshared-race\n  Two threads use <place>.\n  try: a barrier.\n"
                         "shared-race (scope)\n  Two blocks, in\n  two lines.\n```\n<!-- end -->\n",
    "docs/how-grading-works.md": "# How grading works\n\n## What an item's failure tells\n\n| id | meaning |\n| --- | --- |\n| `unsolved` | [nothing](#there) is written |\n\n## There\n",
    "docs/images/lanes.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><rect width="80" height="20"/></svg>',
    "plots/data/sums.csv": "n,time\n1,2\n",
    "docs/examples/see_one.cu": "// Shows one thing.\n//\n//   more\n\nint one;\n",
    "docs/examples/other.cu": "// Is none of see.\n",
    "common/parts/one.cpp": "int one;\n",
}

HANDOUT_ZH = """\
# 实验 01：求和

你将学到什么。约定是 [`lab.hpp`](lab.hpp)，
你的文件是 [`sums.cu`](sums.cu)，[答案](../../solutions/01-sums/sums.cu)不在这里。
[波前](../../docs/glossary.md#wavefront)是一次轮转。![一幅图](../../docs/images/lanes.svg)

## TODO(1)：第一个和最好的

```
$ ./warpbook check 01 --todo 1
All points.
$ ./warpbook list
```

## TODO(2)：第二个

**现在检查：** `./warpbook check 01 --todo 2`，不是 `./warpbook list`。

```
 a drawing   ███
```

```cpp
int lanes = 32;  // 一个线程束的
```

| a | b |
| --- | --- |
| 1 | [更多](more.md#measured)，见[问题](#问题) |

## 问题

<details><summary>为什么？</summary>

因为**扇区**和合并访问。

</details>

## TODO(1)：第一个和最好的
"""
QUESTIONS_ZH = {"questions": [
    {"id": "sectors-at-stride-2", "todo": 2, "ask": "`stride` 为 2 时有多少个扇区？", "unit": "扇区", "answer": 8, "why": "256 字节是 8 < 9 个扇区。",
     "wrong": [{"value": 4, "why": "4 是最少的。"}], "otherwise": "数一数字节。"},
    {"id": "share-used", "todo": 1, "ask": "用到了多大的份额？", "answer": 0.5, "tolerance": 0.01, "why": "每隔一个 float。", "otherwise": "除一下。"}]}
#: What the Chinese version has: the handout, hints, questions, the lab's file, and some words of the pages. more.md has no translation.
IN_CHINESE = {
    "labs/01-sums/README.zh.md": f"<!-- Translation of README.md sha256:{hashlib.sha256(HANDOUT.encode()).hexdigest()[:16]} -->\n{HANDOUT_ZH}",
    "labs/01-sums/hints.zh.md": "<!-- Translation of hints.md sha256:0123456789abcdef -->\n# 实验 01 的提示\n\n## TODO(1)：x\n\n<details><summary>提示 1</summary>\n\n想想 `lanes`。\n\n</details>\n",
    "labs/01-sums/questions.zh.json": json.dumps(QUESTIONS_ZH, ensure_ascii=False),
    "labs/01-sums/sums.zh.cu.starter": "#include <cuda_runtime.h>\n// TODO(1): 第一个\n// END TODO(1)\n// TODO(2): 第二个\n// END TODO(2)\n",
    "common/languages/zh.po": """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgctxt "command"
msgid "Next"
msgstr "下一页"

#, fuzzy
msgctxt "command"
msgid "Previous"
msgstr "不对"

msgctxt "command"
msgid "Hints for TODO({todo})"
msgstr "TODO({todo}) 的提示"

msgctxt "command"
msgid "The English page is newer than this translation."
msgstr "英文页面比这个译文新。"

msgctxt "command"
msgid "The answer is {answer}."
msgstr "答案是 {answer}。"

msgctxt "command"
msgid "✓ Right."
msgstr "✓ 对。"

msgctxt "command"
msgid ""
"Your progress: {ticked} of {sections} sections ticked, "
"{right} of {questions} questions answered."
msgstr "进度：{sections} 节中已勾选 {ticked} 节，{questions} 个问题中答对 {right} 个。"

msgctxt "command"
msgid "Nothing has all these words."
msgstr "找不到。"
""",
}


def write_translation(root: pathlib.Path) -> pathlib.Path:
    """Writes the Chinese version into the workbook at `root`."""
    for name, text in IN_CHINESE.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def write(root: pathlib.Path, **changed: str) -> pathlib.Path:
    """Writes the workbook; `changed` are other texts, by the names of their files without suffix."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed.get(path.stem, text) if path.suffix != ".hpp" else text, encoding="utf-8")
    return root
