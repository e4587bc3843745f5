"""Trace files of all functions of the labs: whole, in the form that docs/trace-format.md describes, and with the counters that
check reports.

  test_traces.py BINARY_DIR SOURCE_DIR FOLDER [unittest arguments]
  test_traces.py BINARY_DIR SOURCE_DIR --reads                        prints what the tests read of the build, a path per line

The trace files go into FOLDER, where the tests of the pages find them.
"""
import json
import pathlib
import subprocess
import sys
import time
import unittest

BINARY, SOURCE, FOLDER = (pathlib.Path(argument) for argument in sys.argv[1:4])

#: Wrong answers that a picture has to explain: accesses that are not coalesced, bank conflicts, races, tails, launches.
MUTANTS = {
    "01": {"one_chunk_per_thread": "offset_add_f32", "no_bounds_check": "offset_add_f32", "thread_for_a_row": "column_sums"},
    "02": {"tile_without_padding": "transpose", "tile_without_barrier": "transpose", "ends_not_tested": "stencil",
           "rows_for_columns": "transpose", "barrier_for_those_with_work": "two_arrays"},
    "03": {"first_barrier_missing": "accelerations", "barrier_in_a_branch": "accelerations", "read_piecemeal": "accelerations"},
    "04": {"barrier_missing_in_tree": "block_dots_f32", "added_without_atomic": "dot_f32", "neighbours_pair_up": "dot_f64"},
    "05": {"child_without_barrier": "reduce_nested", "inside_beyond_the_square": "mandelbrot_adaptive",
           "neighbours_pair_up": "reduce_interleaved"},
    "06": {"first_cluster_sync_missing": "histogram_cluster", "added_without_atomic": "histogram_global", "tail_skipped": "histogram_global"},
}

#: Whole programs of common/tests/programs, in ten styles.
PROGRAMS = ("bfs", "bitonic_sort", "cluster_exchange", "convolution", "game_of_life", "grid_sync", "histogram", "matmul_tiled",
            "nested_quicksort", "neural_layers")

#: The counter of each way to memory: its name, and what its cost counts.
COUNTERS = {("global", "read"): ("global_load", "sectors"), ("global", "write"): ("global_store", "sectors"),
            ("global", "atomic"): ("global_atomic", "sectors"), ("shared", "read"): ("shared_load", "wavefronts"),
            ("shared", "write"): ("shared_store", "wavefronts"), ("shared", "atomic"): ("shared_atomic", "wavefronts")}

#: The keys of each record, and whether it has to have them.
KEYS = {
    "trace": {"version": True, "title": True, "file": True, "made": True, "schedule": True, "call": False, "submission": False,
              "verdict": False, "numbers": False},
    "file": {"path": True, "text": True},
    "launch": {"kernel": True, "grid": True, "block": True, "cluster": True, "shared_bytes": True, "depth": True, "parent": False},
    "array": {"name": True, "space": True, "bytes": True, "element_bytes": True, "address": True, "extents": False},
    "site": {"kernel": True, "file": False, "line": False},
    "line": {"file": True, "line": True, "space": True, "access": True, "requests": True, "cost": True, "least": True, "lanes": True,
             "bytes": True, "remote": False, "given": False},
    "finding": {"id": True, "sentence": True, "details": True, "places": True},
    "end": {"steps": True, "left_out": True},
}
_STEP = {"kind": True, "launch": True, "block": True, "thread": True, "lanes": True}
_ACCESS = {**_STEP, "site": True, "bytes": True, "array": False, "from": False, "by": False, "at": False, "cost": False, "least": False,
           "owner": False, "joined": False}
STEP_KEYS = {"read": _ACCESS, "write": _ACCESS, "atomic": _ACCESS, "exchange": _STEP, "launch": {**_STEP, "child": True},
             "barrier": {**_STEP, "site": True, "scope": True, "phase": True, "ended": False},
             "host": {"kind": True, "launch": True, "array": True, "first": True, "last": True}}


def records_of(path: pathlib.Path) -> dict[str, list[dict]]:
    """The records of a trace file by their kind."""
    records: dict[str, list[dict]] = {kind: [] for kind in [*KEYS, "step"]}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            (kind, record), = json.loads(line).items()
            records[kind].append(record)
    return records


def sums_of(lines: list[dict]) -> dict[str, int]:
    """The `line` records as counters, as a grader names them; those that are 0 are left out."""
    sums: dict[str, int] = {}
    for line in lines:
        if line.get("remote"):
            continue
        name, unit = COUNTERS[line["space"], line["access"]]
        for key, counter in (("requests", "requests"), ("cost", unit), ("lanes", "lanes"), ("bytes", "bytes")):
            sums[f"{name}_{counter}"] = sums.get(f"{name}_{counter}", 0) + line[key]
    return {name: count for name, count in sums.items() if count}


class Traces(unittest.TestCase):
    compared = 0  # calls of which the grader has told the counters, too

    def grade(self, lab: str, kind: str, name: str, source: pathlib.Path, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run([str(BINARY / "bin" / f"grade-{lab}"), "--submission", name, "--kind", kind, "--backend", "sim", "--module",
                               str(BINARY / ("submissions" if name == "starter" else "modules") / lab / "sim" / f"{name}.so"), "--runner", str(BINARY / "bin" / "warpbook-runner-sim"),
                               "--source", str(source), *options], capture_output=True, text=True, timeout=120, check=False)

    def see(self, lab: str, kind: str, name: str, source: pathlib.Path, function: str) -> tuple[dict, dict | None]:
        """What the grader says, and the records; None if there is nothing to draw."""
        path = FOLDER / f"{lab}.{name}.{function}.jsonl"
        path.unlink(missing_ok=True)
        done = self.grade(lab, kind, name, source, "--see", function, "--result", str(path))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(path.exists(), done.returncode == 0)
        said = json.loads(done.stdout)
        if not path.exists():
            return said, None
        records = records_of(path)
        self.check_form(records)
        self.check_sums(records)
        return said, records

    def check_keys(self, record: dict, keys: dict[str, bool]) -> None:
        self.assertLessEqual(set(record), set(keys))
        self.assertLessEqual({key for key, needed in keys.items() if needed}, set(record))

    def check_form(self, records: dict) -> None:
        for kind, keys in KEYS.items():
            for record in records[kind]:
                self.check_keys(record, keys)
        self.assertEqual([len(records["trace"]), len(records["end"])], [1, 1])
        self.assertEqual(records["trace"][0]["version"], 1)
        self.assertEqual(records["end"][0]["steps"], len(records["step"]))
        for launch in records["launch"]:
            self.assertEqual(launch["depth"] > 0, "parent" in launch)
        for array in records["array"]:
            self.assertIn(array["space"], ("global", "shared"))
        for step in records["step"]:
            self.check_keys(step, STEP_KEYS[step["kind"]])
            self.check_step(step, records)

    def check_step(self, step: dict, records: dict) -> None:
        self.assertLess(step["launch"], len(records["launch"]))
        if step["kind"] == "host":
            return
        launch = records["launch"][step["launch"]]
        blocks, threads = (x * y * z for x, y, z in (launch["grid"], launch["block"]))
        self.assertLess(step["block"], blocks)
        self.assertEqual(step["thread"] % 32, 0)
        self.assertGreater(step["lanes"], 0)
        self.assertLessEqual(step["thread"] + step["lanes"].bit_length(), threads)
        if "site" in step:
            self.assertLess(step["site"], len(records["site"]))
        if step["kind"] not in ("read", "write", "atomic") or "array" not in step:
            return
        self.assertLess(step["array"], len(records["array"]))
        lanes = step["lanes"].bit_count()
        self.assertEqual("at" in step, "from" not in step)
        self.assertEqual(len(step.get("at", [0] * lanes)), lanes)
        if step.get("joined"):
            self.assertNotIn("cost", step)
        else:
            self.assertLessEqual(step["least"], step["cost"])

    def check_sums(self, records: dict) -> None:
        """The requests that are in the file are those of the lines, unless some were left out."""
        if records["end"][0]["left_out"]:
            return
        accesses = [step for step in records["step"] if step["kind"] in ("read", "write", "atomic")]
        self.assertEqual(sum(step.get("cost", 0) for step in accesses), sum(line["cost"] for line in records["line"]))
        self.assertEqual(sum(step.get("least", 0) for step in accesses), sum(line["least"] for line in records["line"]))
        self.assertEqual(sum(step["lanes"].bit_count() for step in accesses), sum(line["lanes"] for line in records["line"]))

    def functions(self, lab: str) -> list[str]:
        listed = subprocess.run([str(BINARY / "bin" / f"grade-{lab}"), "--list-items"], capture_output=True, text=True, check=True)
        return list(dict.fromkeys(function for line in listed.stdout.splitlines() for function in json.loads(line)["functions"]))

    def labs(self):
        for lab in sorted(MUTANTS):
            yield lab, next((SOURCE / "labs").glob(f"{lab}-*"))

    def test_every_function_of_a_solution_has_a_scene_that_shows_it_right_and_small(self):
        for lab, folder in self.labs():
            source = next((SOURCE / "solutions" / folder.name).glob("*.cu"))
            for function in self.functions(lab):
                with self.subTest(lab=lab, function=function):
                    began = time.monotonic()
                    said, records = self.see(lab, "solution", "solution", source, function)
                    self.assertEqual(said["verdict"], f"All items of {function} pass.", said)
                    self.assertEqual(records["end"][0]["left_out"], 0)
                    self.assertLess(len(records["step"]), 10_000)
                    print(f"{lab} {function}: {len(records['step'])} steps, {time.monotonic() - began:.2f} s")

    def test_a_starter_that_accesses_no_memory_has_nothing_to_draw(self):
        for lab, folder in self.labs():
            source = folder / next((SOURCE / "solutions" / folder.name).glob("*.cu")).name
            for function in self.functions(lab)[:1]:
                with self.subTest(lab=lab, function=function):
                    said, records = self.see(lab, "starter", "starter", source, function)
                    self.assertIn("still to be written", said["sentence"])
                    if records is not None:  # a kernel is given
                        self.assertTrue(records["line"])

    def test_a_wrong_answer_shows_the_call_that_fails_and_the_counters_that_check_reports(self):
        for lab, mutants in MUTANTS.items():
            for mutant, function in mutants.items():
                with self.subTest(lab=lab, mutant=mutant):
                    self.check_mutant(lab, mutant, function)
        self.assertGreaterEqual(self.compared, 6)

    def test_a_whole_program_shows_what_its_kernels_cost_in_the_summary(self):
        for program in PROGRAMS:
            with self.subTest(program=program):
                path = FOLDER / f"program.{program}.jsonl"
                done = subprocess.run([str(BINARY / "bin" / "simtrun"), "--json", f"--trace={path}",
                                       str(BINARY / "common" / "tests" / "programs" / f"program-{program}.so")],
                                      capture_output=True, text=True, errors="replace", timeout=120, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                counted: dict[str, int] = {}
                for kernel in json.loads(done.stdout)["kernels"]:
                    for counter, count in kernel["counters"].items():
                        counted[counter] = counted.get(counter, 0) + count
                records = records_of(path)
                self.check_form(records)
                self.check_sums(records)
                sums = sums_of(records["line"])
                self.assertTrue(sums)
                for prefix, unit in COUNTERS.values():
                    for counter in (f"{prefix}_requests", f"{prefix}_{unit}"):
                        self.assertEqual(sums.get(counter, 0), counted.get(counter, 0), counter)

    def check_mutant(self, lab: str, mutant: str, function: str) -> None:
        name, source = f"mutant-{mutant}", BINARY / "mutants" / lab / f"{mutant}.cu"
        said, records = self.see(lab, "handin", name, source, function)
        item = said["verdict"].removeprefix("It fails the item: ")
        self.assertNotEqual(item, said["verdict"])
        self.assertEqual(records["finding"][0]["sentence"], said["sentence"])
        result = FOLDER / "result.json"
        self.grade(lab, "handin", name, source, "--item", item, "--result", str(result))
        judged = json.loads(result.read_text())
        self.assertEqual(judged["reason"], said["sentence"])
        if judged["last_call"] != said["call"]:  # the counters are of the last one
            return
        self.compared += 1
        counted = {counter: judged["counters"].get(counter, 0) for prefix, unit in COUNTERS.values()
                   for counter in (f"{prefix}_requests", f"{prefix}_{unit}", f"{prefix}_lanes", f"{prefix}_bytes")}
        self.assertEqual(sums_of(records["line"]), {counter: count for counter, count in counted.items() if count})


def reads() -> list[pathlib.Path]:
    modules = [BINARY / "modules" / lab / "sim" / f"{name}.so" for lab, mutants in MUTANTS.items()
               for name in ("solution", *(f"mutant-{mutant}" for mutant in mutants))]
    return [*modules, *(BINARY / "common/tests/programs" / f"program-{name}.so" for name in PROGRAMS)]


if __name__ == "__main__":
    if sys.argv[3:] == ["--reads"]:
        print(*reads(), sep="\n")
        sys.exit()
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
