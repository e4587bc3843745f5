"""What ./warpbook check says to other programs fits its schemas: --json, the journal's verdicts, and --format sarif.

    test_schemas.py MODULES GRADER RUNNER
    test_schemas.py MODULES --reads        prints the modules that it reads

MODULES is the folder of lab 01's built mutants. Each is judged, and has another kind of failure.
"""
import copy
import json
import pathlib
import subprocess
import sys
import unittest

MODULES = pathlib.Path(sys.argv[1])
MUTANTS = ("block_index_missing", "columns_summed_by_the_host", "matrix_read_twice", "no_bounds_check", "nothing_stored", "static_number_of_columns")
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common"))

from command import formats, results  # noqa: E402
from command.workbook import Workbook  # noqa: E402

try:
    import jsonschema
except ModuleNotFoundError:
    jsonschema = None
try:
    from pydantic_sarif import model
except ModuleNotFoundError:
    model = None


def verdict_on(mutant: str) -> results.Verdict:
    source = ROOT / "solutions/01-coalescing/mutants" / f"{mutant}.cu"
    said = subprocess.run([GRADER, "--submission", mutant, "--kind", "handin", "--module", MODULES / f"mutant-{mutant}.so", "--runner", RUNNER,
                           "--source", source, "--backend", "sim", "--leave-out-speed", "--json"],
                          stdout=subprocess.PIPE, text=True, check=False).stdout
    events = [json.loads(line) for line in said.splitlines()]
    found = [results.ItemResult.from_json(event["result"]) for event in events if event["event"] == "result"]
    return results.Verdict("01-coalescing", mutant, str(source), found)


def of_a_file_that_does_not_compile() -> results.Verdict:
    failure = results.ItemResult("builds", "sim", "failed", reason="It does not compile.", diagnoses=["compile-error"],
                                 details=[*results.lines("error", ["a.cu:3:9: error: no"]), *results.lines("compiler", ["  3 | }"])])
    item = {"item": "adds one", "points": 2, "function": "f", "todo": 1}
    return results.Verdict("01-coalescing", "starter", "a.cu", [results.not_run(item, "sim", results.NOT_RUN)], failure)


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.verdicts = [*map(verdict_on, MUTANTS), of_a_file_that_does_not_compile()]

    @unittest.skipUnless(jsonschema, "no jsonschema: build/venv/bin/pip install jsonschema brings it")
    def test_a_verdict_fits_the_schema_of_the_docs_and_anything_else_does_not(self):
        schema = json.loads((ROOT / "docs/check.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        kinds = set()
        for verdict in self.verdicts:
            document = {**json.loads(json.dumps(verdict.to_json())), "next_hint": None}
            with self.subTest(verdict.submission):
                self.assertEqual([f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)], [])
                self.assertEqual(results.Verdict.from_json(verdict.to_json()), verdict)
            kinds |= {detail["kind"] for result in [*verdict.results, *filter(None, [verdict.build_failure])] for detail in result.details}
        self.assertLessEqual({"cause", "finding", "source", "advice", "call", "example", "error", "compiler"}, kinds)
        self.assertTrue(any(result.findings for verdict in self.verdicts for result in verdict.results))
        for spoil in (lambda item: item.pop("reason"), lambda item: item.update(said="x"), lambda item: item.update(status="error"),
                      lambda item: item.update(details=["a line"]), lambda item: item.update(details=[{"kind": "words", "text": "x"}])):
            spoiled = copy.deepcopy(document)
            spoil(spoiled["items"][0])
            self.assertFalse(validator.is_valid(spoiled))

    @unittest.skipUnless(model, "no pydantic-sarif: build/venv/bin/pip install pydantic-sarif brings it")
    def test_sarif_fits_the_public_schema(self):
        schema = model.StaticAnalysisResultsFormatSarifVersion210JsonSchema
        for verdict in self.verdicts:
            text = formats.sarif(verdict, Workbook(ROOT))
            schema.model_validate_json(text)
            self.assertTrue(json.loads(text)["runs"][0]["results"])
        with self.assertRaises(ValueError):
            schema.model_validate_json(text.replace('"message"', '"says"'))


if __name__ == "__main__":
    if sys.argv[2:] == ["--reads"]:
        print(*(MODULES / f"mutant-{mutant}.so" for mutant in MUTANTS), sep="\n")
        sys.exit()
    GRADER, RUNNER = sys.argv[2:4]
    unittest.main(argv=sys.argv[:1])
