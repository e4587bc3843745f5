"""What lab 01's grader says of wrong programs is in the reader's language, to the last line; all else is as in English.

    test_grader.py MODULES GRADER RUNNER SOURCES PSEUDO.mo
    test_grader.py MODULES --reads                          prints the modules that it reads

PSEUDO.mo has every message in angle brackets. MODULES and SOURCES are the folders of the lab's built mutants.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

MODULES = pathlib.Path(sys.argv[1])
MUTANTS = ("answer_hard_coded", "block_index_missing", "columns_summed_by_the_host", "copied_the_wrong_way", "matrix_read_twice", "no_bounds_check",
           "nothing_stored", "product_in_an_int", "row_per_thread", "sum_replaced", "tail_by_one_thread", "time_step_forgotten")

#: Lines of details without words: source code, and names with their values.
WORDLESS = re.compile(r"\s*[\w./]+:\d+( \| .*)?|(\w+ = [\w.+-]+(, )?)+|\s*")


def results(mutant: str, **environment: str) -> list[dict]:
    command = [GRADER, "--submission", mutant, "--kind", "handin", "--module", MODULES / f"mutant-{mutant}.so", "--runner", RUNNER,
               "--source", SOURCES / f"{mutant}.cu", "--backend", "sim", "--leave-out-speed", "--json"]
    said = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=False).stdout
    return [event["result"] for event in map(json.loads, said.splitlines()) if event["event"] == "result"]


def texts(result: dict) -> list[str]:
    return [detail["text"] for detail in result["details"]]


def in_english(text: str) -> str:
    """A text without the brackets. A noun has one form in that language, which is the English one without its s."""
    return text.replace("⟨", "").replace("⟩", "")


class Grader(unittest.TestCase):
    def setUp(self):
        self.found = {mutant: (results(mutant, WARPBOOK_MESSAGES=""), results(mutant, WARPBOOK_MESSAGES=str(PSEUDO))) for mutant in MUTANTS}

    def test_only_sentences_differ_and_all_of_these_do(self):
        failed = 0
        for mutant, (english, translated) in self.found.items():
            self.assertEqual(len(english), len(translated))
            for one, other in zip(english, translated):
                for key in ("item", "status", "points", "max_points", "diagnoses", "message", "sections", "places", "formulas", "todo", "counters"):
                    self.assertEqual(one.get(key), other.get(key), f"{mutant}, {one['item']}: {key}")
                if one["status"] != "failed":
                    continue
                failed += 1
                with self.subTest(mutant=mutant, item=one["item"]):
                    self.assertTrue(other["reason"].startswith(("⟨", f"{one['function']}: ⟨")), other["reason"])
                    self.assertEqual([detail["kind"] for detail in one["details"]], [detail["kind"] for detail in other["details"]])
                    untold = [line for line in texts(other) if "⟨" not in line and not WORDLESS.fullmatch(line)]
                    self.assertEqual(untold, [])
                    for mine, its in zip(texts(one), texts(other)):
                        self.assertEqual(re.sub(r"s\b", "", mine), re.sub(r"s\b", "", in_english(its)))
        self.assertGreaterEqual(failed, len(MUTANTS))

    def test_a_failure_with_a_part_that_has_no_translation_is_told_in_english(self):
        with tempfile.NamedTemporaryFile(suffix=".mo") as file:
            file.write(PSEUDO.read_bytes().replace(b"lab 01\4", b"lab 00\4"))  # what the lab says has no translation
            file.flush()
            languages = set()
            for mutant, (english, _) in self.found.items():
                for one, other in zip(english, results(mutant, WARPBOOK_MESSAGES=file.name)):
                    told = [line for line in (other["reason"], *(detail["text"] for detail in other["details"])) if not WORDLESS.fullmatch(line)]
                    self.assertIn(len([line for line in told if "⟨" in line]), (0, len(told)), told)
                    if one["status"] == "failed" and "⟨" not in other["reason"]:
                        self.assertEqual((one["reason"], one["details"]), (other["reason"], other["details"]))
                    languages |= {"⟨" in line for line in told}
        self.assertEqual(languages, {True, False})


if __name__ == "__main__":
    if sys.argv[2:] == ["--reads"]:
        print(*(MODULES / f"mutant-{mutant}.so" for mutant in MUTANTS), sep="\n")
        sys.exit()
    GRADER, RUNNER, SOURCES, PSEUDO = map(pathlib.Path, sys.argv[2:6])
    unittest.main(argv=sys.argv[:1])
