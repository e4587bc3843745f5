"""A verdict for editors: check --format gcc and --format sarif."""
import json
import re
import unittest
import urllib.parse

from learner import PASSED, WRONG, LearnersWorkbook
from small_workbook import needs_machine

from command import formats, results
from command.workbook import Workbook

LINE = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?:error: (?P<text>.+) \[(?P<id>[a-z-]+)\]|note: .+)\n")
FILE = "labs/01-coalescing/coalescing.cu"


def failed(item, **more) -> results.ItemResult:
    return results.ItemResult(item, "sim", "failed", **more)


def verdict_of(*failures, broken=None) -> results.Verdict:
    return results.Verdict("01-coalescing", "starter", FILE, list(failures), broken)


def broken(*details: str, reason: str = "It does not compile.", diagnoses=("compile-error",)) -> results.Verdict:
    return verdict_of(broken=failed("builds", reason=reason, details=results.lines("compiler", list(details)), diagnoses=list(diagnoses)))


def sarif_of(verdict: results.Verdict, workbook: Workbook) -> dict:
    """The one run of the document, which has all that SARIF 2.1.0 requires of what we use."""
    document = json.loads(formats.sarif(verdict, workbook))
    assert document["version"] == "2.1.0" and document["$schema"].endswith("sarif-2.1.0.json"), document  # 3.13.2, 3.13.3
    [run] = document["runs"]  # 3.13.4
    assert isinstance(run["tool"]["driver"]["name"], str)  # 3.14.6, 3.18.2, 3.19.8
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")  # 3.14.17
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)  # 3.49.3
    for base in run["originalUriBaseIds"].values():
        assert urllib.parse.urlsplit(base["uri"]).scheme == "file" and base["uri"].endswith("/"), base  # 3.14.14
    for result in run["results"]:
        assert result["message"]["text"]  # 3.27.11, 3.11.8
        assert result["level"] in ("none", "note", "warning", "error")  # 3.27.10
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]  # 3.27.5, 3.27.6
        assert len({place["id"] for place in result.get("relatedLocations", [])}) == len(result.get("relatedLocations", []))  # 3.28.2
        for place in [*result["locations"], *result.get("relatedLocations", [])]:
            artifact, region = place["physicalLocation"]["artifactLocation"], place["physicalLocation"]["region"]
            assert not re.search(r"[\s\\]", artifact["uri"]) and artifact.get("uriBaseId", "WORKBOOK") in run["originalUriBaseIds"]  # 3.4.3
            assert region["startLine"] >= 1 and region["startColumn"] >= 1  # 3.30.5, 3.30.6
    return run


class Places(unittest.TestCase):
    """Where a failure is shown."""

    def setUp(self):
        self.workbook = Workbook("/book")

    def gcc(self, verdict: results.Verdict) -> str:
        text = formats.gcc(verdict, self.workbook)
        self.assertEqual(LINE.sub("", text), "")
        return text

    def place(self, verdict: results.Verdict) -> tuple:
        [problem] = sarif_of(verdict, self.workbook)["results"]
        where = problem["locations"][0]["physicalLocation"]
        return where["artifactLocation"], where["region"]["startLine"], where["region"]["startColumn"]

    def test_the_line_that_a_failure_names_comes_before_its_todo(self):
        todo = {"number": 1, "file": FILE, "line": 26}
        places = [{"file": f"/book/{FILE}", "line": 28}, {"file": f"/book/{FILE}", "line": 30}]
        for more, line in (({"places": places, "todo": todo}, 28), ({"todo": todo}, 26), ({"places": [{"file": "x.cu", "line": 0}], "todo": todo}, 26),
                           ({}, 1), ({"todo": {"number": 1, "line": 0}}, 1)):
            verdict = verdict_of(failed("adds one", reason="Wrong.", diagnoses=["wrong-result", "more"], **more))
            self.assertEqual(self.gcc(verdict), f"{FILE}:{line}:1: error: Wrong. [wrong-result]\n")
            self.assertEqual(self.place(verdict), ({"uri": FILE, "uriBaseId": "WORKBOOK"}, line, 1))

    def test_all_that_took_part_are_told_and_placed(self):
        def took_part(action: str, line: int, *thread: int) -> dict:
            return {"file": f"/book/{FILE}", "line": line, "action": action, **({"thread": {"thread": thread, "block": [0, 0, 0]}} if thread else {})}

        race = {"participants": [took_part("reads it", 28, 31, 0, 0), took_part("writes it", 27, 32, 0, 0)]}
        launch = {"participants": [took_part("launches it", 40), took_part("is nowhere", 0)]}
        todo = {"number": 1, "file": FILE, "line": 26}
        cases = (({"findings": [race]}, 28, ["28: thread (31,0,0) of block (0,0,0) reads it", "27: thread (32,0,0) of block (0,0,0) writes it"]),
                 ({"findings": [race], "places": [{"file": f"/book/{FILE}", "line": 27}, {"file": f"/book/{FILE}", "line": 30}]}, 27,
                  ["28: thread (31,0,0) of block (0,0,0) reads it", "27: thread (32,0,0) of block (0,0,0) writes it", "30: "]),
                 ({"findings": [launch, race]}, 40, ["40: launches it"]))
        for more, line, expected in cases:
            verdict = verdict_of(failed("adds one", reason="Wrong.", diagnoses=["shared-race"], todo=todo, **more))
            first, *notes = self.gcc(verdict).splitlines()
            self.assertEqual(first, f"{FILE}:{line}:1: error: Wrong. [shared-race]")
            self.assertEqual(notes, [f"{FILE}:{number}:1: note: {text}" for each in expected if (text := each.partition(": ")[2])
                                     for number in [each.partition(":")[0]]])
            [problem] = sarif_of(verdict, self.workbook)["results"]
            self.assertEqual(self.place(verdict)[1], line)
            self.assertEqual([f"{place['physicalLocation']['region']['startLine']}: {place.get('message', {}).get('text', '')}"
                              for place in problem["relatedLocations"]], expected)

    def test_a_sentence_is_one_line_and_what_nobody_graded_has_an_id_too(self):
        self.assertEqual(self.gcc(verdict_of(failed("adds one", reason="Two\n  lines."))), f"{FILE}:1:1: error: Two lines. [not-graded]\n")

    def test_what_several_items_fail_for_is_said_once(self):
        same = {"reason": "Wrong.", "diagnoses": ["wrong-result"], "todo": {"number": 1, "file": FILE, "line": 26}}
        verdict = verdict_of(failed("adds one", **same), failed("four sectors", **same), failed("adds two", **{**same, "message": "other", "reason": "Other."}))
        self.assertEqual(len(self.gcc(verdict).splitlines()), 2)
        run = sarif_of(verdict, self.workbook)
        self.assertEqual([problem["properties"]["items"] for problem in run["results"]], [["adds one", "four sectors"], ["adds two"]])
        self.assertEqual(run["tool"]["driver"]["rules"], [{"id": "wrong-result"}])

    def test_a_compilers_error_has_its_line_and_column(self):
        for said, place in ((f"{FILE}:28:34: error: expected ';'", (28, 34)), (f"{FILE}:3:9: fatal error: expected ';'", (3, 9)),
                            (f"{FILE}(28): error: expected ';'", (28, 1))):
            verdict = broken("In file included from x.hpp:3:", said, "   28 | a:1:1: error: not this")
            self.assertEqual(self.gcc(verdict), f"{FILE}:{place[0]}:{place[1]}: error: expected ';' [compile-error]\n")
            self.assertEqual(self.place(verdict), ({"uri": FILE, "uriBaseId": "WORKBOOK"}, *place))

    def test_a_file_that_no_compiler_saw_is_its_first_line(self):
        verdict = broken("Put it back.", reason=f"{FILE} is missing.", diagnoses=["missing-file"])
        self.assertEqual(self.gcc(verdict), f"{FILE}:1:1: error: {FILE} is missing. [missing-file]\n")
        self.assertEqual(self.gcc(broken(diagnoses=[])), f"{FILE}:1:1: error: It does not compile. [build-failed]\n")

    def test_paths_may_have_blanks_and_lie_elsewhere(self):
        verdict = broken("/my work/a (1).cu:2:3: error: no")
        self.assertEqual(self.gcc(verdict), "/my work/a (1).cu:2:3: error: no [compile-error]\n")
        self.assertEqual(self.place(verdict), ({"uri": "file:///my%20work/a%20%281%29.cu"}, 2, 3))
        verdict = broken("my work/a.cu:2:3: error: no")
        self.assertEqual(self.place(verdict), ({"uri": "my%20work/a.cu", "uriBaseId": "WORKBOOK"}, 2, 3))

    def test_without_a_failure_there_is_no_line_and_no_result(self):
        verdict = verdict_of(results.ItemResult("adds one", "sim", "passed"))
        self.assertEqual(self.gcc(verdict), "")
        self.assertEqual(sarif_of(verdict, self.workbook)["results"], [])


@needs_machine
class FromTheCommand(LearnersWorkbook):
    def test_gcc_is_a_line_for_each_failure_and_nothing_else(self):
        self.attempt(PASSED, {**WRONG, "places": [{"file": str(self.starter), "line": 7}]})
        status, out, _ = self.warpbook("check", "1", "--format", "gcc")
        self.assertEqual((status, out), (1, f"{FILE}:7:1: error: a[3] is 1 and should be 2. So it is too small. [wrong-result]\n"))
        self.starter.write_text("// broken\n")
        self.assertEqual(self.warpbook("check", "1", "--format", "gcc")[:2], (1, f"{FILE}:9:3: error: expected ';' [compile-error]\n"))
        self.attempt(PASSED, PASSED)
        self.assertEqual(self.warpbook("check", "1", "--format", "gcc")[:2], (0, ""))

    def test_sarif_is_one_document_and_nothing_else(self):
        self.attempt(WRONG, None)
        status, out, _ = self.warpbook("check", "1", "--format=sarif")
        self.assertEqual(status, 1)
        document = json.loads(out)
        self.assertEqual([problem["ruleId"] for problem in document["runs"][0]["results"]], ["wrong-result", "unsolved"])
        self.assertEqual(document["runs"][0]["originalUriBaseIds"]["WORKBOOK"]["uri"], self.root.as_uri() + "/")
        self.attempt(PASSED, PASSED)
        status, out, _ = self.warpbook("check", "1", "--format", "sarif")
        self.assertEqual((status, json.loads(out)["runs"][0]["results"]), (0, []))

    def test_what_the_compiler_warns_of_is_told_once_whatever_the_verdict_and_until_it_is_gone(self):
        self.attempt(PASSED, PASSED)
        right = self.starter.read_text()
        for text, told in ((right + "// pointless\n", True), (right + "// pointless\n", True), (right, False)):
            self.starter.write_text(text)
            status, out, _ = self.warpbook("check", "1")
            lines = f"The compiler warns:\n    | {FILE}:4: comparison is always true\n"
            self.assertEqual((status, lines in out, "warn" in out), (0, told, told), out)
            self.assertEqual(self.warpbook("check", "1", "--format", "gcc")[1],
                             f"{FILE}:4:3: warning: comparison is always true [compiler-warning]\n" if told else "")
            found = json.loads(self.warpbook("check", "1", "--format", "sarif")[1])["runs"][0]["results"]
            self.assertEqual([(each["ruleId"], each["level"]) for each in found], [("compiler-warning", "warning")] if told else [])
            found = json.loads(self.warpbook("check", "1", "--json")[1])["warnings"]
            self.assertEqual(found, [{"line": 4, "column": 3, "text": "comparison is always true"}] if told else [])

    def test_another_file_is_named_by_its_own_path(self):
        mine = self.write("my work/attempt.cu", "// broken\n")
        self.assertEqual(self.warpbook("check", "1", str(mine), "--format", "gcc")[1], f"{mine}:9:3: error: expected ';' [compile-error]\n")

    def test_what_cannot_be_graded_is_status_2_and_no_line(self):
        self.break_the_grader()
        for form in ("gcc", "sarif"):
            status, out, err = self.warpbook("check", "1", "--format", form)
            self.assertEqual((status, out), (2, ""))
            self.assertIn("no file is to be judged", err)

    def test_an_unknown_form_names_those_there_are(self):
        status, out, err = self.warpbook("check", "1", "--format", "xml")
        self.assertEqual((status, out), (2, ""))
        for form in ("text", *formats.FORMATS):
            self.assertIn(form, err)


if __name__ == "__main__":
    unittest.main()
