"""What editors read: the tasks of VS Code, and the containers to work in."""
import json
import os
import re
import unittest

from fakes import ROOT
from learner import PASSED, WRONG, LearnersWorkbook
from small_workbook import needs_machine

from command import cli, requirements

TASKS = ROOT / ".vscode/tasks.json"
PLAIN, CUDA = ROOT / ".devcontainer/devcontainer.json", ROOT / ".devcontainer/cuda/devcontainer.json"


def tasks() -> dict[str, dict]:
    document = json.loads(TASKS.read_text(encoding="utf-8"))
    assert document["version"] == "2.0.0", document["version"]
    return {task["label"]: task for task in document["tasks"]}


class Tasks(unittest.TestCase):
    def test_there_is_one_for_each_verb_of_the_loop_and_the_command_takes_its_words(self):
        self.assertEqual(set(tasks()), {"check", "watch", "hint"})
        for label, task in tasks().items():
            self.assertEqual((task["type"], task["command"], task["options"]["cwd"]), ("process", "./warpbook", "${workspaceFolder}"))
            words = [word.replace("${fileDirnameBasename}", "01-coalescing") for word in task["args"]]
            parsed = cli.parser_of_all()[0].parse_args(words)
            self.assertEqual((words[0], parsed.lab), (label, "01-coalescing"))

    def test_the_groups_of_the_matcher_are_those_of_its_expression(self):
        matcher = tasks()["check"]["problemMatcher"]
        pattern = dict(matcher["pattern"])
        groups = re.compile(pattern.pop("regexp")).groups
        self.assertEqual(sorted(pattern.values()), list(range(1, groups + 1)))
        self.assertEqual(matcher["fileLocation"], ["autoDetect", "${workspaceFolder}"])  # a file may lie elsewhere


@needs_machine
class ProblemMatcher(LearnersWorkbook):
    def problems(self) -> list[dict]:
        """What the editor makes of the task's output, in which it leaves no line out."""
        task = tasks()["check"]
        out = self.warpbook(*(word.replace("${fileDirnameBasename}", "01-coalescing") for word in task["args"]))[1]
        pattern = dict(task["problemMatcher"]["pattern"])
        expression = re.compile(pattern.pop("regexp"))
        found = [expression.search(line) for line in out.splitlines()]
        self.assertNotIn(None, found, out)
        return [{name: match[group] for name, group in pattern.items()} for match in found]

    def test_a_failure_has_its_place_sentence_and_id(self):
        self.attempt(PASSED, {**WRONG, "reason": "a[3]: 1 and 2:3:4: no [x].", "places": [{"file": str(self.starter), "line": 7}]})
        self.assertEqual(self.problems(), [{"file": "labs/01-coalescing/coalescing.cu", "line": "7", "column": "1", "severity": "error",
                                            "message": "a[3]: 1 and 2:3:4: no [x].", "code": "wrong-result"}])
        self.assertTrue((self.root / self.problems()[0]["file"]).is_file())

    def test_each_failure_is_one_and_so_is_a_compilers_error(self):
        self.assertEqual([problem["code"] for problem in self.problems()], ["unsolved", "unsolved"])
        self.starter.write_text("// broken\n")
        self.assertEqual([(problem["line"], problem["column"], problem["message"]) for problem in self.problems()], [("9", "3", "expected ';'")])
        self.attempt(PASSED, PASSED)
        self.assertEqual(self.problems(), [])


class Containers(unittest.TestCase):
    def test_the_one_for_a_gpu_installs_everything_that_a_build_needs(self):
        line = json.loads(CUDA.read_text(encoding="utf-8"))["postCreateCommand"]
        self.assertEqual(line, f"{requirements.install_line('apt-get', requirements.ALL, False)} git python3")

    def test_the_one_without_is_the_image_of_the_dockerfile(self):
        build = json.loads(PLAIN.read_text(encoding="utf-8"))["build"]
        self.assertTrue(os.path.samefile(PLAIN.parent / build["dockerfile"], ROOT / "Dockerfile"))
        self.assertTrue(os.path.samefile(PLAIN.parent / build["context"], ROOT))
        text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
        self.assertEqual(text.count("\nFROM debian:12"), 2)
        for needed in (requirements.COMPILER.packages["apt-get"], "python3-venv", "git"):
            self.assertIn(f" {needed} ", text.partition("\nFROM debian:12\n")[2])

    def test_they_run_on_x86_64(self):
        plain, cuda = (json.loads(path.read_text(encoding="utf-8")) for path in (PLAIN, CUDA))
        self.assertRegex(cuda["image"], r"^nvidia/cuda:13\.\d+\.\d+-devel-ubuntu24\.04$")
        self.assertEqual(cuda["runArgs"][-2:], ["--gpus", "all"])
        for container in (plain, cuda):
            self.assertEqual(container["runArgs"][:2], ["--platform", "linux/amd64"])


if __name__ == "__main__":
    unittest.main()
