"""What stands around a class's hand-ins: bubblewrap for real where it is there, docker by its command line."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from fakes import Scratch
from small_workbook import GradedClass, needs_machine

from command.build import Build
from command.classroom import sandbox
from command.workbook import Workbook


def bubblewrap_works() -> bool:
    if not shutil.which("bwrap"):
        return False
    return subprocess.run([*sandbox.bubblewrap([], [], pathlib.Path("/")), "true"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(bubblewrap_works(), "bubblewrap is not installed, or does not start here")
class Bubblewrap(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.secret = self.write("secret.txt", "secret\n")
        self.module = self.write("build a/run-1/sim.so", "module").parent

    def inside(self, script: str, readable=(), writable=()) -> str:
        done = subprocess.run([*sandbox.bubblewrap(list(readable), list(writable), pathlib.Path("/")), "sh", "-c", script],
                              capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def test_what_it_is_not_given_is_not_there(self):
        self.assertIn("No such file", self.inside(f"cat '{self.secret}'"))
        self.assertIn("No such file", self.inside("ls /root /home"))
        self.assertEqual(self.inside(f"cat '{self.secret}'", readable=[self.secret]), "secret\n")

    def test_what_is_to_be_read_cannot_be_written(self):
        self.assertIn("Read-only file system", self.inside(f"echo x > '{self.secret}'", readable=[self.secret]))
        self.assertEqual(self.inside(f"echo x > '{self.module}/new' && cat '{self.module}/new'", writable=[self.module]), "x\n")
        self.assertIn("Read-only file system", self.inside("echo x > /usr/x"))

    def test_it_has_no_network_and_sees_no_other_process(self):
        self.assertEqual(self.inside("grep -c : /proc/net/dev; cat /proc/net/dev | grep -v lo: | grep -c :").split()[:2], ["1", "0"])
        self.assertNotIn(str(os.getpid()), self.inside("ls /proc").split())

    def test_what_stands_in_front_of_a_runner_is_one_word_whatever_the_folders_are_called(self):
        workbook = Workbook(self.folder)
        build = Build(workbook, "sim", {"compiler": "", "python": sys.executable})
        (build.folder / "bin").mkdir(parents=True)
        with sandbox.Sandbox("bwrap").runner_prefix(build, self.module, "sim") as prefix:
            assert prefix
            self.assertEqual(len(prefix.split()), 1)
            done = subprocess.run([prefix, "cat", f"{self.module}/sim.so"], capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout, "module", done.stderr)
            done = subprocess.run([prefix, "cat", str(self.secret)], capture_output=True, text=True, check=False)
            self.assertIn("No such file", done.stderr)
        self.assertFalse(os.path.exists(prefix))


@needs_machine
class AroundAClass(GradedClass):
    @unittest.skipUnless(bubblewrap_works(), "bubblewrap is not installed, or does not start here")
    def test_behind_bubblewrap_a_compiler_reads_nothing_else_and_the_report_says_so(self):
        secret = self.write("secret.txt", "the secret\n")
        self.hand_in("alice", "// solved\n")
        self.hand_in("bob", f"// peeks at {secret} \n")
        status, out, err = self.grade("--sandbox", "none")
        self.assertIn("the secret", json.dumps(self.entry("bob")))
        status, out, err = self.grade("--sandbox", "bwrap")
        self.assertEqual(self.points(), {"alice": "4", "bob": "0"}, out + err)
        self.assertNotIn("the secret", json.dumps(self.entry("bob")))
        self.assertIn("Each hand-in was confined by bubblewrap, without a network", out)

    def docker(self, script: str) -> str:
        """A PATH on which docker is `script`, with what stands behind the image's name as $@ in the end."""
        self.tool("docker", f"""case "$1" in
version) echo 27.0 ;;
image) exit 1 ;;
import) cat > {self.folder}/image ;;
run) printf '%s\\n' "$@" > {self.folder}/command
  while [ "$1" != {sandbox.IMAGE} ]; do shift; done
  shift
  {script} ;;
esac""")
        return f"{self.bin}:{os.environ['PATH']}"

    def test_with_docker_each_hand_in_has_a_container_without_a_network(self):
        self.hand_in("alice", "// solved\n")
        self.hand_in("bob", "// nothing\n")
        status, out, err = self.grade("--sandbox", "docker", PATH=self.docker('"$@"'))
        self.assertEqual(status, 0, out + err)
        self.assertEqual(self.points(), {"alice": "4", "bob": "0"})
        self.assertIn("Each hand-in was compiled and judged in a docker container of its own", out)
        self.assertTrue((self.folder / "image").exists())
        words = (self.folder / "command").read_text().splitlines()
        for option, value in (("--network", "none"), ("--cap-drop", "ALL"), ("--security-opt", "no-new-privileges")):
            self.assertEqual(words[words.index(option) + 1], value)
        self.assertIn("--read-only", words)
        mounts = [words[index + 1] for index, word in enumerate(words) if word == "--mount"]
        writable = [mount for mount in mounts if not mount.endswith(",readonly")]
        self.assertEqual(len(writable), 2, mounts)  # a folder of its own, and one for further precompiled headers
        for mount in writable:
            self.assertIn('"source=' + str(self.out / "work/01."), mount)
        for mount in mounts:
            self.assertNotIn(f'"source={self.folder / "class"}', mount)

    def test_a_container_that_ends_without_a_verdict_is_told(self):
        self.hand_in("alice", "// solved\n")
        status, out, err = self.grade("--sandbox", "docker", PATH=self.docker("echo no such image; exit 125"))
        self.assertEqual(status, 1, out + err)
        self.assertIn("The container ended with status 125 and without a verdict", out)

    def test_a_sandbox_that_is_not_there_is_a_sentence(self):
        self.hand_in("alice", "// solved\n")
        for name, package in (("bwrap", "bubblewrap"), ("docker", "docker.io")):
            with mock.patch.object(sandbox.shutil, "which", lambda tool, name=name, **more: None if tool == name else "/usr/bin/" + tool):
                status, _, err = self.grade("--sandbox", name)
            self.assertEqual(status, 2)
            self.assertIn(f"{name} is not installed", err)
            self.assertIn(f"sudo apt-get install {package}", err)

    def test_a_docker_without_its_daemon_is_a_sentence(self):
        self.hand_in("alice", "// solved\n")
        self.tool("docker", "echo Cannot connect to the Docker daemon >&2; exit 1")
        status, _, err = self.grade("--sandbox", "docker", PATH=f"{self.bin}:{os.environ['PATH']}")
        self.assertEqual(status, 2)
        self.assertIn("docker does not start here:\n  Cannot connect to the Docker daemon", err)


if __name__ == "__main__":
    unittest.main()
