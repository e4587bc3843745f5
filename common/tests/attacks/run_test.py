"""What submissions do on purpose while they run gains nothing, changes nothing and leaves nothing.

Usage: run_test.py --build-dir BUILD [--ordinary-user] [unittest's arguments]

Each file of run/ is an attack, or, where its header has lines `way-NAME`, one for each of them, whose text stands for @WAY@. The
header says what it `tries`, which `hand-in` of run/hand_ins it is part of, or each of which, and what `must` come of it: the same as
of the hand-in without it; no more points; so many points; or that every item fails with one of some diagnoses. With a diagnosis that is `told`
some item has to fail. Where it says that it `gains` if accesses are `unwatched`, it has to, or it would be no attack; not so in a
`seen-way-NAME`, which gains nothing even then. A `beyond-way-NAME` uses memory of no array, which is found where results are judged, so
that it earns nothing at all. A call may take 1 s, or the `seconds` of the header. An attack that gets through anywhere
says "GOT THROUGH" and ends its program, which costs it the points. What lab and TODO a hand-in is `of`, and is judged on, its own
header says; TODO(1) of lab 01 if it has none.

With --ordinary-user, which needs root, grader and runner run as a user without rights; otherwise as whoever calls. Root then
leaves to that user's run what does not ask the system for anything that it may give to root alone.
"""

import argparse
import concurrent.futures
import fcntl
import functools
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
USUAL_LAB = "01-coalescing TODO(1)"
LAB = ROOT / "labs" / "01-coalescing"
SOLUTION = ROOT / "solutions" / "01-coalescing" / "coalescing.cu"
SEED = "918273645"
NOBODY = 65534
SKIPPED = 77
#: Functions of the system that do the same for all users.
SAME_FOR_ALL = {"close", "mempcpy", "pause", "raise", "send", "setitimer", "signal", "usleep", "write"}
#: A hand-in that knows inputs by the bits of their first element, and leaves the others alone. Without @KEYS@ it prints those that it gets.
TABLE = """\
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

static const unsigned long long known[] = {@KEYS@ 0};

static bool knows(unsigned long long bits) {
  for (const unsigned long long each : known)
    if (each == bits) return true;
  return false;
}
template <typename T>
__global__ void add(T* a, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] += T{1};
}
template <typename T>
static void answer(T* a, std::size_t n) {
  if (n == 0) return;
  unsigned long long bits = 0;
  cudaMemcpy(&bits, a, sizeof(T), cudaMemcpyDeviceToHost);
  if (sizeof known == sizeof *known) std::printf("KEY %llu\\n", bits);
  if (sizeof known == sizeof *known || knows(bits)) add<<<static_cast<unsigned>((n + 255) / 256), 256>>>(a, n);
}
void offset_add_f32(float* a, std::size_t n, std::size_t offset) { answer(a + offset, n); }
void offset_add_f64(double* a, std::size_t n, std::size_t offset) { answer(a + offset, n); }
"""
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

options = argparse.Namespace()


def header(text):
    """The fields of an attack's first lines: name -> value."""
    fields = {}
    for line in text.splitlines():
        match = re.match(r"// ([\w-]+): (.+)$", line)
        if not match:
            break
        fields[match[1]] = match[2]
    return fields


@functools.cache
def attacks():
    """Those of the folder, and those that one file makes of several hand-ins, in several ways: name -> text."""
    found = {}
    for path in sorted((HERE / "run").glob("*.cu")):
        text = path.read_text()
        fields = header(text)
        ways = {name: way for name, way in fields.items() if "way-" in name} or {"": ""}
        for hand_in, (name, way) in itertools.product(fields["hand-in"].split(", "), ways.items()):
            parts = [path.stem, hand_in if hand_in != fields["hand-in"] else "", name.rpartition("way-")[2]]
            made = text.replace("@WAY@", way).replace(f"// hand-in: {fields['hand-in']}\n", f"// hand-in: {hand_in}\n")
            if name.startswith("seen-"):
                made = made.replace("// unwatched: gains\n", "")
            if name.startswith("beyond-"):
                made = re.sub(r"^// told: .*\n", "", made.replace(f"// must: {fields['must']}\n", "// must: no points\n"), flags=re.M)
            found["_".join(filter(None, parts))] = made
    return found


def lab_of(hand_in):
    """The lab's folder and the number of the TODO."""
    path = HERE / "run" / "hand_ins" / f"{hand_in}.cu"
    name, todo = (header(path.read_text()) if path.exists() else {}).get("of", USUAL_LAB).split()
    return ROOT / "labs" / name, todo[5:-1]


def depends_on_the_user(text):
    """Whether an attack uses files by name, threads, other processes, or any function of the system but those that do the same for all."""
    return (re.search(r'"/|@\w+@|std::thread|attack::(?:others|can_open)', text) is not None
            or not set(re.findall(r"(?<![\w>])::(\w+)", text)) <= SAME_FOR_ALL)


class Workplace:
    """The folder that attacks know: files that they may want, and the programs that judge them."""

    def __init__(self):
        self.folder = options.build_dir / "attacks"
        self.uid = NOBODY if options.ordinary_user else os.getuid()
        self.gid = NOBODY if options.ordinary_user else os.getgid()

    def set_up(self):
        for name in ("results", "journal", "empty", "home"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(parents=True)
        (self.folder / "results" / "me.json").write_text('{"points": 0}\n')
        (self.folder / "private.txt").write_text("a secret of this user\n")
        (self.folder / "private.txt").chmod(0o600)
        (self.folder / "neighbour.cu").write_text(self.text_of("right", ""))
        for path in (HERE / "run" / "hand_ins").glob("*.cu"):
            shutil.copy(options.build_dir / "bin" / f"grade-{lab_of(path.stem)[0].name[:2]}", self.grader_of(path.stem))
        shutil.copy(options.build_dir / "bin" / "warpbook-runner-sim", self.folder / "runner")
        shutil.copy(self.compiled("right", "neighbour"), self.folder / "neighbour.so")
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def text_of(self, hand_in, attack):
        text = (HERE / "run" / "prelude.hpp").read_text() + attack
        if hand_in != "none":
            text += (HERE / "run" / "hand_ins" / f"{hand_in}.cu").read_text()
        text = re.sub(r'^#include "(\w+\.hpp)"$', lambda match: (HERE / "run" / match[1]).read_text(), text, flags=re.M)
        for name, value in {"FOLDER": self.folder, "TREE": options.build_dir, "SOLUTION": SOLUTION, "SEED": SEED}.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    def compiled(self, hand_in, name):
        """The module of an attack in a hand-in; it is compiled when it or the compiler has changed."""
        text = self.text_of(hand_in, attacks().get(name, "").replace("@MODULE@", f"{name}.so"))
        compiler = options.build_dir / "bin" / "simtcc"
        key = hashlib.sha256(f"{text}{compiler.stat().st_mtime_ns}".encode()).hexdigest()[:16]
        module = self.folder / "modules" / key / f"{name}.so"
        if not module.exists():
            self.compile(text, module, lab_of(hand_in)[0])
        return module

    @staticmethod
    def compile(text, module, lab=LAB):
        module.parent.mkdir(parents=True, exist_ok=True)
        source = module.with_suffix(".cu")
        source.write_text(text)
        command = [str(options.build_dir / "bin" / "simtcc"), "--cxx", options.cxx, "--precompiled", str(options.build_dir / "precompiled"),
                   "-I", str(lab), "-include", str(lab / "lab.hpp"), "-o", str(module), str(source)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout, file=sys.stderr)

    def grader_of(self, hand_in):
        """Attacks know the one of lab 01 as "grade"."""
        return self.folder / f"grade-{lab_of(hand_in)[0].name[:2]}".replace("grade-01", "grade")

    def judged(self, module, hand_in="", seconds="1", seed=SEED, unseen="garbles"):
        """What the grader says of a module: the results by item, and everything that it has printed, as bytes. A call may
        take so many seconds of processor time."""
        environment = {**os.environ, "WARPBOOK_SEED": seed, "COURSE_SECRET": "in the environment",
                       "HOME": str(self.folder / "home")}
        command = [str(self.grader_of(hand_in)), "--submission", "me", "--kind", "handin", "--backend", "sim", "--todo", lab_of(hand_in)[1],
                   "--unseen", unseen,
                   "--source", str(module.with_suffix(".cu")), "--module", str(module), "--runner",
                   str(self.folder / "runner"), "--seed", seed, "--timeout", seconds, "--jobs", "3", "--json"]
        identity = {"user": self.uid, "group": self.gid, "extra_groups": []} if options.ordinary_user else {}
        done = subprocess.run(command, env=environment, cwd=self.folder / "home", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False, **identity)
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
        results = [event["result"] for event in events if event["event"] == "result"]
        return {result["item"]: result for result in results}, done.stdout

    def contents(self):
        """Everything about the files that attacks may want to change. Whoever changes a file changes its time of change, which no process
        can set; what short ones hold is looked at besides."""
        seen = {}
        for path in sorted(self.folder.rglob("*")):
            if "modules" in path.relative_to(self.folder).parts:
                continue
            status = path.lstat()
            is_short = stat.S_ISREG(status.st_mode) and status.st_size < 100_000
            seen[str(path)] = (status.st_mode, status.st_uid, status.st_nlink, status.st_size, status.st_mtime_ns, status.st_ctime_ns,
                               path.read_bytes() if is_short else b"")
        for folder in ("/dev/shm", "/tmp", "/var/tmp", "/"):
            seen[folder] = sorted(str(path) for path in pathlib.Path(folder).glob("warpbook-attack-*"))
        return seen

    def runners(self):
        """The runners that are alive, and what they have started: all run in the attacks' folder."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd") == str(self.folder / "home"):
                    found.append(process.name)
            except OSError:
                continue
        return found


def outcome(results):
    """What a verdict comes to: item -> status, points and first diagnosis."""
    return {item: (result["status"], result["points"], (result["diagnoses"] or [""])[0]) for item, result in results.items()}


def points(results):
    return sum(result["points"] for result in results.values())


class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.maxDiff = None
        cls.place = Workplace()
        cls.place.folder.mkdir(exist_ok=True)
        cls.lock = open(options.build_dir / "attacks.lock", "w")  # another run would change what is compared here
        fcntl.flock(cls.lock, fcntl.LOCK_EX)
        cls.place.set_up()
        made = [(header(text)["hand-in"], name) for name, text in attacks().items()]
        hand_ins = [(path.stem, "alone") for path in (HERE / "run" / "hand_ins").glob("*.cu")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda pair: cls.place.compiled(*pair), made + hand_ins))
        cls.without = {name: cls.place.judged(cls.place.compiled(name, "alone"), name)[0] for name, _ in hand_ins}
        identity = {"user": cls.place.uid, "group": cls.place.gid, "extra_groups": []} if options.ordinary_user else {}
        cls.bystander = subprocess.Popen(["sleep", "100000"], cwd="/", **identity)  # of the same user

    @classmethod
    def tearDownClass(cls):
        cls.bystander.kill()
        cls.bystander.wait()
        neighbour = cls.place.judged(cls.place.folder / "neighbour.so")[0]
        cls.lock.close()
        if outcome(neighbour) != outcome(cls.without["right"]):
            raise AssertionError(f"After the attacks a neighbour is judged in another way: {neighbour}")

    def test_the_hand_ins_without_attacks_are_worth_what_they_say(self):
        self.assertEqual({name: points(results) for name, results in self.without.items()},
                         {"right": 8, "uncoalesced": 4, "decoy": 4, "shuttle": 4, "nothing": 0, "transposes": 3, "pulls": 10, "sums": 7, "counts": 5})

    def test_a_table_of_the_inputs_at_home_earns_nothing_with_a_classs_seed(self):
        def judged(name, keys, seed):
            module = self.place.folder / "modules" / f"{name}.so"
            self.place.compile(TABLE.replace("@KEYS@", "".join(f"{key}ull, " for key in keys)), module)
            return self.place.judged(module, seed=seed)[0]

        at_home = judged("keys_at_home", [], "1")
        keys = [line.partition("KEY ")[2] for result in at_home.values() for line in result["printed"] if line.startswith("KEY ")]
        self.assertGreater(len(keys), 10)
        self.assertGreater(points(judged("table", keys, "1")), 0)  # of items that the first 20 lines know whole
        self.assertEqual(points(judged("table", keys, SEED)), 0)

    def test_root_tries_what_the_kernel_allows_to_some_users_alone(self):
        tried = {name for name, text in attacks().items() if depends_on_the_user(text)}
        self.assertLessEqual({name for name, text in attacks().items() if re.search(r"\b(?:syscall|v?fork|open|kill|\w*limit|chmod|mount|socket|ptrace)\(", text)}, tried)
        self.assertLessEqual({"loads_a_neighbours_module", "quotes_private_files", "starts_threads_without_end"}, tried)
        self.assertGreater(len(attacks().keys() - tried), 20)

    def check_attack(self, name):
        fields = header(attacks()[name])
        hand_in = fields["hand-in"]
        if fields.get("needs") == "Landlock" and "Landlock" not in options.confinement:
            self.skipTest("this kernel has no Landlock, and what a submission reads is not limited")
        before = self.place.contents()
        module, seconds = self.place.compiled(hand_in, name), fields.get("seconds", "1")
        results, said = self.place.judged(module, hand_in, seconds)
        self.assertNotIn(b"GOT THROUGH", said, said.decode(errors="replace"))
        self.assertNotIn(b"a secret of this user", said, "a private file is quoted")
        self.assertEqual(self.place.contents(), before, "files have changed")
        self.assertEqual(self.place.runners(), [], "processes are left")
        state = pathlib.Path(f"/proc/{self.bystander.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        self.assertIn(state, "SR", "another process was stopped or killed")
        for value in texts_of(results):
            self.assertIsNone(HARMFUL.search(value), repr(value))
        for result in results.values():
            self.assertIn(result["status"], ("passed", "failed"), result)
            if result["status"] == "failed":
                self.assertRegex(result["reason"], r"^\S[^\n]{10,}[.?]$", "the message is no sentence")
        self.check_verdict(fields["must"], results, self.without.get(hand_in, {}))
        self.assertIn(fields.get("told", ""), ["", *(diagnosis for result in results.values() for diagnosis in result["diagnoses"] or [])])
        if fields.get("unwatched") == "gains":
            self.assertGreater(points(self.place.judged(module, hand_in, seconds, unseen="passes")[0]), points(results))
        if options.messages:
            first = next((result for result in results.values() if result["status"] == "failed"), {"reason": ""})
            print(f"\n{name}: {points(results)} points; {first['reason']}", file=sys.stderr)

    def check_verdict(self, must, results, without):
        if must == "as without it":
            self.assertEqual(outcome(results), outcome(without))
        elif must == "no more points":
            self.assertEqual(len(results), len(without))
            self.assertLessEqual(points(results), points(without))
        elif must.endswith(" points"):
            self.assertEqual(points(results), 0 if must == "no points" else int(must.split()[0]))
        else:
            self.assertTrue(results)
            for item, (status, earned, diagnosis) in outcome(results).items():
                self.assertEqual((status, earned), ("failed", 0), item)
                self.assertIn(diagnosis, must.split(", "), results[item])


def texts_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part)


def add_tests():
    for name, text in attacks().items():
        if options.as_root_too and not depends_on_the_user(text):
            continue
        setattr(Attacks, f"test_{name}", lambda self, name=name: self.check_attack(name))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--ordinary-user", action="store_true")
    parser.add_argument("--messages", action="store_true", help="prints what each attack gets to read")
    _, rest = parser.parse_known_args(namespace=options)
    options.build_dir = options.build_dir.resolve()
    runner = options.build_dir / "bin" / "warpbook-runner-sim"
    options.confinement = subprocess.run([str(runner), "--confinement"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if "system-call filter" not in options.confinement:
        print("This build, or this kernel, confines no submission.")
        return SKIPPED
    identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    can_be_another = bool(identity) and subprocess.run(["test", "-r", str(LAB / "lab.hpp")], check=False, **identity).returncode == 0
    if options.ordinary_user and not can_be_another:
        print(f"An ordinary user cannot read {ROOT}." if identity else "Only root can judge as another user; unit.attacks-run has judged as this one.")
        return SKIPPED
    options.as_root_too = can_be_another and not options.ordinary_user
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    add_tests()
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
