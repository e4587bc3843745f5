"""`grade --engine slurm` on a real Slurm of one node, which the tests start in a folder of their own."""
from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from small_workbook import GradedClass, needs_machine

DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")

CONF = """\
ClusterName=warpbook
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=5
KillWait=1
MinJobAge=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def path_with_sbin() -> str:
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def why_not() -> str:
    """Why no cluster can be started here; "" if one can."""
    if os.geteuid() != 0:
        return "Slurm's node daemon needs root"
    missing = [name for name in DAEMONS if not shutil.which(name, path=path_with_sbin())]
    return f"not installed: {', '.join(missing)} (munge, slurmctld, slurmd, slurm-client)" if missing else ""


class Cluster:
    """munge, a controller and a node, on this machine."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": path_with_sbin()}
        self._daemons: dict[str, subprocess.Popen] = {}
        self._ports = self._free_ports()

    @staticmethod
    def _free_ports() -> list[int]:
        with socket.socket() as first, socket.socket() as second:
            for each in (first, second):
                each.bind(("127.0.0.1", 0))
            return [first.getsockname()[1], second.getsockname()[1]]

    def start(self) -> None:
        for name in ("munge", "state", "spool"):
            (self.folder / name).mkdir(mode=0o700)
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        (self.folder / "slurm.conf").write_text(CONF.format(host=socket.gethostname().partition(".")[0], folder=self.folder,
                                                            ports=self._ports, processors=len(os.sched_getaffinity(0))))
        munge = self.folder / "munge"
        self._start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={munge}/socket", f"--pid-file={munge}/pid",
                    f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self._wait_for(lambda: (munge / "socket").exists())
        self.start_controller()
        self.start_node()
        self._wait_for(lambda: "idle" in self.said("sinfo", "--noheader", "--format=%T"))

    def start_controller(self) -> None:
        self._start("slurmctld", "-D", "-f", str(self.folder / "slurm.conf"))

    def start_node(self) -> None:
        self._start("slurmd", "-D", "-f", str(self.folder / "slurm.conf"))

    def _start(self, name: str, *options: str) -> None:
        with open(self.folder / f"{name}.out", "ab") as out:
            command = [shutil.which(name, path=path_with_sbin()) or name, *options]
            self._daemons[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
                                                   env={**os.environ, **self.environment})

    def _wait_for(self, condition) -> None:
        deadline = time.monotonic() + 30
        while not condition():
            if time.monotonic() > deadline:
                raise unittest.SkipTest("Slurm does not start here: " + " ".join(
                    line for log in self.folder.glob("slurm*.log") for line in log.read_text(errors="replace").splitlines()[-2:]))
            time.sleep(0.1)

    def said(self, *command: str) -> str:
        return subprocess.run(command, env={**os.environ, **self.environment}, capture_output=True, text=True, check=False).stdout

    def end(self, name: str, by: signal.Signals) -> None:
        daemon = self._daemons.pop(name)
        daemon.send_signal(by)
        daemon.wait()

    def steps(self) -> list[int]:
        """The processes that look after this cluster's tasks, and all that these have started."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                is_keeper = (entry / "cmdline").read_bytes().startswith(b"slurmstepd:")
                if is_keeper and str(self.folder).encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return found

    def clear(self) -> None:
        """As it is after the start, whatever a test has left."""
        self.said("scancel", "--user=root")
        self._wait_for(lambda: not self.said("squeue", "--noheader"))
        if "idle" not in self.said("sinfo", "--noheader", "--format=%T"):
            self.said("scontrol", "update", "NodeName=ALL", "State=RESUME")
            self._wait_for(lambda: "idle" in self.said("sinfo", "--noheader", "--format=%T"))

    def stop(self) -> None:
        self.said("scancel", "--user=root")
        for name in ("slurmd", "slurmctld", "munged"):
            daemon = self._daemons.pop(name, None)
            if daemon:
                daemon.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    daemon.wait(timeout=10)
                if daemon.poll() is None:
                    daemon.kill()
                    daemon.wait()
        for process in self.steps():
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)


@needs_machine
@unittest.skipIf(why_not(), why_not())
class Slurm(GradedClass):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="warpbook-slurm-", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(pathlib.Path(folder.name))
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    def setUp(self) -> None:
        super().setUp()
        self.cluster.clear()
        self.go = self.folder / "go"

    def grade(self, *options: str, **environment: str):
        return super().grade("--engine", "slurm", *options, **{**self.cluster.environment, **environment})

    def start(self, *options: str):
        return self.start_grading("--engine", "slurm", *options, **self.cluster.environment)

    def jobs(self) -> list[str]:
        return self.cluster.said("squeue", "--noheader", "--array", "--format=%A_%K %t").split("\n")[:-1]

    def wait_for_slurm(self, condition) -> None:
        """`condition` asks by a command, which takes more than looking at a file."""
        self.wait_until(condition, pause=0.25)

    def class_with_one_that_waits(self) -> None:
        """alice to dan are a task, and erin with the others is another: she waits for the file `go`."""
        for name in ("alice", "bob", "carol", "dan"):
            self.hand_in(name, "// solved\n")
        self.hand_in("erin", f"// solved, waits for {self.go} \n")
        self.hand_in("fay", "// solved\n")

    def wait_for_erin(self) -> None:
        self.wait_until(lambda: self.graded() >= {"alice", "bob", "carol", "dan"} and list(self.out.glob("work/01.erin/run-*/sim.so")))

    def end_of(self, process: subprocess.Popen) -> tuple[int, str, str]:
        out, err = process.communicate(timeout=100)
        self.assertNotIn("Traceback", out + err)
        return process.returncode, out, err

    def test_the_verdicts_are_those_of_one_machine(self):
        for name, text in (("alice", "solved"), ("bob", "broken"), ("carol", "nothing"), ("dan", "solved"), ("erin", "busy"),
                           ("fay", "silent")):
            self.hand_in(name, f"// {text}\n")
        status, out, err = self.grade()
        self.assertEqual(status, 1, out + err)
        on_slurm = (self.out / "items.csv").read_text()
        self.assertEqual(self.points(), {"alice": "4", "bob": "0", "carol": "0", "dan": "4", "erin": "0", "fay": "0"})
        self.assertEqual(self.jobs(), [])
        status, out, err = super().grade("--fresh")
        self.assertEqual((self.out / "items.csv").read_text(), on_slurm)

    def test_what_was_graded_on_the_cluster_is_not_graded_again(self):
        self.hand_in("alice", "// solved\n")
        self.grade()
        self.changed()
        status, out, err = super().grade()
        self.assertEqual((status, self.changed()), (0, set()), err)
        status, out, err = self.grade("--fresh")
        self.assertEqual((status, self.changed()), (0, {"alice"}), err)

    def test_a_task_that_is_killed_is_sent_once_more_and_nothing_is_done_twice(self):
        for kill in ("its keeper", "by Slurm"):
            with self.subTest(kill):
                self.class_with_one_that_waits()
                process = self.start()
                self.wait_for_erin()
                self.changed()
                if kill == "by Slurm":
                    job = (self.out / "slurm/job").read_text()
                    self.cluster.said("scancel", "--user=root")
                    self.wait_for_slurm(lambda job=job: not any(line.startswith(job) for line in self.jobs()))
                else:
                    for step in self.cluster.steps():
                        os.kill(step, signal.SIGKILL)
                self.go.write_text("")
                status, out, err = self.end_of(process)
                self.assertEqual(status, 0, out + err)
                if kill == "by Slurm":  # without its keeper, a task may still end its work
                    self.assertIn("2 hand-ins have no verdict yet: their tasks were lost. They are sent once more", err)
                self.assertEqual(self.changed(), {"erin", "fay"})
                self.assertEqual(set(self.points().values()), {"4"})
                self.go.unlink()
                shutil.rmtree(self.out)

    def test_a_node_that_goes_down_and_comes_back_loses_nothing(self):
        self.class_with_one_that_waits()
        process = self.start()
        self.wait_for_erin()
        self.changed()
        steps = self.cluster.steps()
        self.cluster.end("slurmd", signal.SIGKILL)
        for step in steps:
            os.kill(step, signal.SIGKILL)
        self.go.write_text("")
        self.wait_for_slurm(lambda: "down" in self.cluster.said("sinfo", "--noheader", "--format=%T"))
        self.cluster.start_node()
        status, out, err = self.end_of(process)
        self.assertEqual(status, 0, out + err)
        self.assertEqual(self.changed(), {"erin", "fay"})
        self.assertEqual(set(self.points().values()), {"4"})

    def test_a_controller_that_goes_away_for_a_while_is_waited_for(self):
        self.class_with_one_that_waits()
        process = self.start()
        self.wait_for_erin()
        self.cluster.end("slurmctld", signal.SIGTERM)  # in order: one that is killed loses what it has not saved
        self.go.write_text("")
        self.wait_until(lambda: "fay" in self.graded())
        time.sleep(2)
        self.cluster.start_controller()
        status, out, err = self.end_of(process)
        self.assertEqual(status, 0, out + err)
        self.assertEqual(set(self.points().values()), {"4"})

    def test_an_interrupt_cancels_the_array_and_the_same_command_goes_on(self):
        self.class_with_one_that_waits()
        process = self.start()
        self.wait_for_erin()
        os.killpg(process.pid, signal.SIGINT)
        status, _, err = self.end_of(process)
        self.assertEqual(status, 130)
        self.assertRegex(err, "4 of 6 hand-ins are graded, and their verdicts are kept")
        self.wait_for_slurm(lambda: not self.jobs())
        self.changed()
        self.go.write_text("")
        status, out, err = self.grade()
        self.assertEqual(status, 0, out + err)
        self.assertEqual(self.changed(), {"erin", "fay"})

    def test_the_array_of_a_command_that_was_killed_is_ended_by_the_next(self):
        self.class_with_one_that_waits()
        process = self.start()
        self.wait_for_erin()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        job = (self.out / "slurm/job").read_text()
        self.changed()
        process = self.start()
        self.wait_for_slurm(lambda: self.jobs() and not any(line.startswith(job) for line in self.jobs()))
        self.go.write_text("")
        status, out, err = self.end_of(process)
        self.assertEqual(status, 0, out + err)
        self.assertIn(f"An earlier command has left job {job} behind", err)
        self.assertEqual(self.changed(), {"erin", "fay"})
        self.assertEqual(set(self.points().values()), {"4"})

    def test_a_task_on_a_machine_with_other_programs_writes_no_verdict_and_says_why(self):
        self.hand_in("alice", "// solved\n")
        compiler = self.tool("c++", 'case "$SLURM_JOB_ID" in "") echo here ;; *) echo there ;; esac')
        status, out, err = self.grade(PATH=f"{compiler.parent}:{path_with_sbin()}")
        self.assertEqual(status, 2)
        self.assertIn("1 hand-ins have no verdict after 4 tries:\n  01.alice (alice/coalescing.cu)", err)
        self.assertIn("This machine would grade 01-coalescing otherwise than the one that gave the task: different compiler.", err)
        self.assertIn("compiler: there here, here there", err)

    def test_what_slurm_does_not_take_is_said_in_its_words(self):
        self.hand_in("alice", "// solved\n")
        status, _, err = self.grade("--slurm-options=--partition=nowhere")
        self.assertEqual(status, 2)
        self.assertIn("Slurm did not take the job:", err)
        self.assertRegex(err, re.compile("invalid partition", re.I))


@needs_machine
class WithoutSlurm(GradedClass):
    def test_without_slurms_commands_it_says_so(self):
        self.hand_in("alice", "// solved\n")
        tools = self.folder / "tools"  # what is on the PATH, without Slurm's
        tools.mkdir()
        for place in os.environ["PATH"].split(":"):
            for tool in os.listdir(place) if os.path.isdir(place) else []:
                if tool not in DAEMONS and not os.path.lexists(tools / tool):
                    (tools / tool).symlink_to(f"{place}/{tool}")
        status, _, err = self.grade("--engine", "slurm", PATH=str(tools))
        self.assertEqual(status, 2)
        self.assertIn("--engine slurm needs Slurm's commands", err)


if __name__ == "__main__":
    unittest.main()
