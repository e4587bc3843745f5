"""The documents name only commands, options, presets, labels and files that exist."""
import json
import os
import re
import shlex
import unittest

from fakes import ROOT

from command import build_folder, cli, language
from command.problem import Problem

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "labs").glob("*/*.md")])
LABELS = {"sim", "gpu", "starter", "solution", "step", "mutant", "peer", "handin", "unit", "golden"}
COMMAND = re.compile(r"(?:^|\s)(?:[A-Z_]+=\S+ )*(\./warpbook|cmake|ctest)(?=\s)(.*)")


def code_of(text: str) -> list[str]:
    """Lines of fenced blocks, and inline code, of a document."""
    fenced = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.S | re.M)
    lines = [line.strip() for block in fenced for line in block.splitlines()]
    rest = re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)
    return lines + re.findall(r"`([^`\n]+)`", rest)


def words_of(line: str) -> list[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return []


def commands() -> list[tuple[str, str, list[str]]]:
    """(document, program, arguments) of every command line in the documents."""
    found = []
    for path in DOCUMENTS:
        for line in code_of(path.read_text(encoding="utf-8")):
            for piece in re.split(r"&&|\|\|?|;", line):
                match = COMMAND.match(piece) if not piece.lstrip().startswith(("//", "|")) else None
                if match:
                    found.append((str(path.relative_to(ROOT)), match.group(1), words_of(match.group(2))))
    return found


def without_options(words: list[str]) -> list[str]:
    """The command's words without those options that stand anywhere."""
    return language.take_option(build_folder.take_option(words))[0]


class Documents(unittest.TestCase):
    def setUp(self):
        self.commands = commands()
        self.addCleanup(os.environ.pop, build_folder.VARIABLE, None)  # a document's --build DIR

    def of(self, program: str) -> list[tuple[str, list[str]]]:
        chosen = [(document, words) for document, name, words in self.commands if name == program and words]
        self.assertGreater(len(chosen), 3, program)  # the search itself must find something
        return chosen

    def test_every_command_line_is_one_that_the_command_takes(self):
        parser, parsers = cli.parser_of_all()
        for document, words in self.of("./warpbook"):
            verb, *rest = without_options(words)
            if verb in ("VERB", "--help") or "──" in words:
                continue
            self.assertIn(verb, parsers, document)
            if not rest or rest[-1] == "--help":  # the verb itself is meant
                continue
            try:
                parser.parse_args([verb, *("1" if word in ("N", "$RANDOM") else word for word in rest)])
            except Problem as problem:
                self.fail(f"{document}: {' '.join(words)}: {problem.sentence}")

    def test_every_lab_of_a_command_exists(self):
        labs = {lab for path in (ROOT / "labs").glob("[0-9][0-9]-*")
                for lab in (path.name, path.name[:2], path.name[3:], str(int(path.name[:2])))} | {"LAB", "NN"}
        for document, words in self.of("./warpbook"):
            verb, *rest = without_options(words)
            if verb in ("check", "bench", "plot") and rest:
                self.assertIn(rest[0], labs | ({"all"} if verb == "bench" else set()), document)

    def test_no_preset_takes_no_test_for_success(self):
        presets = {entry["name"]: entry for entry in json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]}
        self.assertEqual(presets["base"]["execution"]["noTestsAction"], "error")
        self.assertEqual([name for name, entry in presets.items() if name != "base" and entry["inherits"] != "base"], [])

    def test_every_preset_exists(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        names = {kind: {entry["name"] for entry in presets[f"{kind}Presets"]}
                 for kind in ("configure", "build", "test", "workflow")}
        for program in ("cmake", "ctest"):
            for document, words in self.of(program):
                if "--preset" not in words:
                    continue
                kind = ("test" if program == "ctest" else "workflow" if "--workflow" in words
                        else "build" if "--build" in words else "configure")
                preset = words[words.index("--preset") + 1]
                self.assertIn(preset, names[kind], f"{document}: {kind} preset")

    def test_every_label_exists(self):
        for document, words in self.of("ctest"):
            for option, label in zip(words, words[1:]):
                if option == "-L":
                    self.assertTrue(label in LABELS or re.fullmatch(r"lab\d\d", label), f"{document}: -L {label}")

    def test_the_labels_are_those_that_the_tests_carry(self):
        sources = [ROOT / "common/cmake/lab_tests.cmake", ROOT / "common/cmake/Warpbook.cmake",
                   *(ROOT / "common/tests").glob("*/CMakeLists.txt")]
        text = "\n".join(path.read_text() for path in sources)
        for label in LABELS:
            self.assertRegex(text, rf"\b{label}\b")

    def test_every_cmake_option_exists(self):
        known = set(re.findall(r"(?:option|set)\((WARPBOOK_\w+)", (ROOT / "CMakeLists.txt").read_text()))
        for document, words in self.of("cmake"):
            for word in words:
                match = re.match(r"-D(WARPBOOK_\w+)=", word)
                if match:
                    self.assertIn(match.group(1), known, document)

    def test_every_environment_variable_is_read_somewhere(self):
        code = "\n".join(path.read_text(errors="replace") for suffix in ("py", "cpp", "txt", "cmake")
                         for path in (ROOT / "common").rglob(f"*.{suffix}") if "tests" not in path.parts)
        for path in [ROOT / "CMakeLists.txt", *(ROOT / "common/tests").rglob("CMakeLists.txt")]:
            code += path.read_text()
        known = set(re.findall(r"\bWARPBOOK_[A-Z_]+\b", code))
        for path in DOCUMENTS:
            self.assertEqual(set(re.findall(r"\bWARPBOOK_[A-Z_]+\b", path.read_text(encoding="utf-8"))) - known, set(), path.name)

    def test_every_relative_link_leads_somewhere(self):
        for path in DOCUMENTS:
            for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", path.read_text(encoding="utf-8")):
                self.assertTrue((path.parent / target).exists(), f"{path.relative_to(ROOT)}: {target}")

    def test_every_diagnosis_that_is_explained_can_be_given(self):
        text = (ROOT / "docs/how-grading-works.md").read_text(encoding="utf-8")
        section = text[text.index("**diagnosis id**"):text.index("## With CTest alone")]
        named = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", section))
        code = "\n".join(path.read_text(encoding="utf-8") for folder in ("common/grader", "common/simt", "labs/01-coalescing")
                         for path in (ROOT / folder).rglob("*") if path.suffix in (".cpp", ".hpp"))
        code += (ROOT / "common/command/student_file.py").read_text(encoding="utf-8")
        self.assertGreater(len(named), 25)
        self.assertEqual({name for name in named if not re.search(rf'["(]{name}["\s]', code)}, set())

    def test_every_verb_is_in_the_guides(self):
        text = (ROOT / "docs/student-guide.md").read_text() + (ROOT / "docs/instructor-guide.md").read_text()
        for verb in cli.parser_of_all()[1]:
            self.assertIn(f"./warpbook {verb}", text)


if __name__ == "__main__":
    unittest.main()
