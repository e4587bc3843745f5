"""What a submission does on purpose to its compiler gains nothing, reaches nothing and leaves nothing.

Usage: compile_test.py --simtcc SIMTCC [--cxx COMPILER] [--nvcc NVCC] [unittest's arguments]

Each attack is a file that simtcc --submission has to refuse, with the sentence that is expected here. As root all are tried a
second time as a user without rights.
"""
from __future__ import annotations

import argparse
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LAB = ROOT / "labs" / "01-coalescing"
SOLUTION = ROOT / "solutions" / "01-coalescing" / "coalescing.cu"
NOBODY = 65534
COULD_NOT_WORK, HAS_ERRORS, VERDICT_GIVEN = 2, 3, 4  # how simtcc ends: common/simt/translate/submission.hpp
sys.path.insert(0, str(ROOT / "common"))

from command import student_file  # noqa: E402

options = argparse.Namespace()

FOREIGN = r"submission is one file.* \[foreign-file\]"
NO_HEADER = r"is none of the headers that a submission may include: the lab's contract, CUDA's and the compiler's own\. A " + FOREIGN
ASSEMBLY = "inline assembly reads the file .* and a " + FOREIGN
LINE = r"this line says that what follows is another file's \(#line\); leave it out"
TOO_LONG = r"the compiler has computed for \d+ seconds and was ended; .* \[compile-too-long\]"
NO_MEMORY = r"the compiler needs more than \d+ MiB of memory for this file, .* \[compile-out-of-memory\]"
TOO_LARGE = r"what the compiler makes of this file is larger than \d+ MiB, .* \[compile-too-large\]"
# What clang++ does at a limit on files, and where brackets are nested.
BROKEN = r"the compiler broke down over this file\. .* \[compile-too-large\]|bracket nesting level"
UNSEEN = "changes what the simulator sees of a function; leave this attribute out"

OWN = r"error: __\w+ is defined here, and functions of this name are the simulator's own; leave it out"
NAME = "universal character .* is not valid in an identifier|cannot be specified by a universal character name"
THREAD_VARIABLES = "error: variables of threads of the host are no part of a lab.s submission"

TEXTURES = "textures and surfaces are no part of a lab's submission"

HOST = "error: the host function h is called from device code"

#: What is tried -> (the file, the sentence that answers). @SOLUTION@, @LAB@ and @PLACE@, a folder with things of others, stand in them.
ATTACKS = {
    # Other people's text
    "includes the solution": ('#include "@SOLUTION@"', r"attack\.cu:1:10: error: \"@SOLUTION@\" " + NO_HEADER),
    "includes another student's file": ('#include "other.cu"', r"attack\.cu:1:10: error: \"(\./)?other\.cu\" " + NO_HEADER),
    "includes another student's file through a link": ('#include "link.cu"', NO_HEADER),
    "includes a file by a macro": (
        '#define FILE_OF_OTHERS "other.cu"\n#include FILE_OF_OTHERS', r"attack\.cu:[12]:\d+: error: .*" + NO_HEADER),
    "includes a file behind a path with dots": ('#include "../@NAME@/other.cu"', NO_HEADER),
    "includes a file behind a system's folder and dots": ('#include "/usr/include/../..@PLACE@/other.cu"', NO_HEADER),
    "includes a file behind its own link to a system's folder, and dots": ('#include "system/../..@PLACE@/other.cu"', NO_HEADER),
    "includes a file through a folder's link": ('#include "folder/other.cu"', NO_HEADER),
    "includes a file by include_next and import": ('#import "other.cu"', NO_HEADER),
    "includes a file from within a template's body": (
        'template <class T> void f() {\n#include "other.cu"\n}', r"attack\.cu:2:10: error: .*" + NO_HEADER),
    "includes the rubric": ('#include "rubric.hpp"', NO_HEADER),
    "includes an accepted file of the tests": (f'#include "{ROOT}/common/tests/accepted/01-coalescing/grid_stride_loops.cu"', NO_HEADER),
    "includes private text": ('#include "@PLACE@/private.txt"', NO_HEADER),
    "includes the list of users": ('#include "/etc/passwd"', NO_HEADER),
    "asks whether a private file is there": ('#if __has_include("@PLACE@/private.txt")\n#error it is there\n#endif', NO_HEADER),
    "asks how old a private file is": ('#pragma GCC dependency "@PLACE@/private.txt"', NO_HEADER),
    "includes its environment": ('#include "/proc/self/environ"', NO_HEADER),
    "includes simtcc's memory map": ('#include "/proc/self/maps"', NO_HEADER),
    "assembles a private file": (r'void f() { asm(".pushsection .rodata\n.incbin \"@PLACE@/private.txt\"\n.popsection"); }', ASSEMBLY),
    "assembles the text of a file": (r'void f() { asm(".include \"@PLACE@/other.s\""); }', ASSEMBLY),
    "assembles another student's module": (r'asm(".section .text\n.incbin \"@PLACE@/other.so\"");', "assembly outside of functions"),
    # Files that give nothing, or never end
    "includes /dev/zero": ('#include "/dev/zero"', NO_HEADER),
    "includes a pipe": ('#include "pipe"', NO_HEADER),
    "includes a terminal": ('#include "/dev/tty"', NO_HEADER),
    "includes standard input": ('#include "/dev/stdin"', NO_HEADER),
    "asks how old a pipe is": ('#pragma GCC dependency "pipe"', NO_HEADER),
    "says that its lines are a pipe's": ('#line 1 "pipe"\nint a = b;', LINE),
    "says that its lines are a private file's": ('#line 1 "@PLACE@/private.txt"\nint a = b;', LINE),
    "says so as preprocessors do": ('# 1 "pipe" 1 3\nint a = b;', LINE),
    "says so with a macro": ('#define PIPE "pipe"\n# 1 PIPE\nint a = b;', LINE),
    "says so by other characters": ('%:line 1 "pipe"\nint a = b;', LINE),
    "says so over several lines": ('#\\\nli\\  \nne 1 "pipe"\nint a = b;', LINE),
    "says so behind comments": ('/* a\n b */ /**/ # /**/ 1 "pipe"\nint a = b;', LINE),
    "says so where a comment seems to be": ('#if __has_include(</*>)\n#endif\n#line 1 "pipe"\nint a = b; // */', LINE),
    "says so where a raw string seems to be": ('#define R "/*\n#line 1 "pipe"\nint a = b; // */', LINE),
    # The compiler's state
    "has the compiler load its state": ('#pragma GCC pch_preprocess "other.gch"', "has the compiler read its state from a file"),
    "does so by an operator": ('_Pragma("GCC pch_preprocess \\"other.gch\\"")', "has the compiler read its state from a file"),
    "hides a function's accesses": ('__attribute__((no_sanitize("thread"))) void f() {}', "no_sanitize " + UNSEEN),
    "does so by a macro and another spelling": (
        '#define A(x) __no_##x##__\n[[gnu::A(sanitize)("thread")]] void f() {}', "__no_sanitize__ " + UNSEEN),
    "has a function's accesses joined": ('__attribute__((optimize("O3"))) void f() {}', "optimize " + UNSEEN),
    "hides them by digraphs": ('<:<:gnu::no_sanitize("thread"):>:> void f() <% %>', "no_sanitize " + UNSEEN),
    "hides them by digraphs that stand apart": ('<: <: gnu::no_sanitize("thread") :>\n:> void f() {}', "no_sanitize " + UNSEEN),
    "hides them by continued lines": ('__attri\\\nbute__((no_san\\\nitize("thread"))) void f() {}', "no_sanitize " + UNSEEN),
    "hides them by numbers of characters": ('__attribute__((no_s\\u0061nitize("thread"))) void f() {}', NAME),
    "hides them by numbers of characters in digraphs": ('<:<:gnu::no_s\\U00000061nitize("thread"):>:> void f() {}', NAME),
    "defines a hook": ('extern "C" void __tsan_read4(void*) {}', r"attack\.cu:1:17: " + OWN),
    "defines hooks by a macro, hidden": (
        '#define HOOK(n) extern "C" __attribute__((visibility("hidden"))) void __tsan_##n(void*) {}\nHOOK(read4)', OWN),
    "defines weak hooks": ('extern "C" __attribute__((weak)) void __tsan_write4(void*) {}', OWN),
    "defines a hook of its own alone": ('extern "C" { static __attribute__((used)) void __tsan_read8(void*) {} }', OWN),
    "defines a hook as another name": (
        'extern "C" void mine(void*) {}\nextern "C" __attribute__((alias("mine"))) void __tsan_read4(void*);', OWN),
    "defines a hook in a namespace": ('namespace n { extern "C" { void __tsan_read4(void*) {} } }', OWN),
    "defines a hook as a variable": ('extern "C" { int __tsan_read4 = 1; }', OWN),
    "defines a hook by inline assembly": (r'void f() { asm(".globl __tsan_read4\n.set __tsan_read4, 0"); }', OWN),
    "defines a version of a hook": (r'extern "C" void m() {} void f() { asm(".symver m, __tsan_read4@@V1"); }', OWN + "|version"),
    "defines a copying function's wrapper": ('extern "C" void* __wrap_memcpy(void* a, const void*, unsigned long) { return a; }', OWN),
    "defines a function of the runtime": ('extern "C" void __simt_mine() {}', OWN),
    "defines a hook beside a decoy that is counted": (
        'extern "C" __attribute__((weak, visibility("hidden"))) void __tsan_read4(void*) {}\n'
        "__global__ void k(volatile float* a, float* b) { *b = *a; a[threadIdx.x] = 1; }", OWN),
    "reads through a texture, which is no global load": (
        "void f() { cudaTextureObject_t t; cudaCreateTextureObject(&t, nullptr, nullptr, nullptr); }",
        TEXTURES),
    "reads through a texture of the driver": (
        "#include <cuda.h>\nvoid f() { CUtexObject t; cuTexObjectCreate(&t, nullptr, nullptr, nullptr); }", TEXTURES),
    "reads through a texture that nothing seems to make": (
        "__device__ float read(unsigned long long t) { float (*f)(unsigned long long, int) = tex1Dfetch; return f(t, 0); }", TEXTURES),
    "reads through a surface": (
        "__global__ void k(unsigned long long s, float* a) { *a = surf1Dread<float>(s, 4); }", TEXTURES),
    "reads by assembly of the processor in a function for both sides": (
        '__host__ __device__ constexpr float read(const float* p) {\nfloat v{}; if (!__builtin_is_constant_evaluated()) '
        'asm("mov (%1), %0" : "=r"(v) : "r"(p)); return v; }\n__global__ void k(float* a) { *a = read(a + 1); }', "inline PTX: "),
    "has a variable for each thread of the host, which is not closed to kernels": (
        "static thread_local float kept[1024]; float* f() { return kept; }", THREAD_VARIABLES),
    "has one by a macro, in the compiler's own words": (
        "#define OWN __thread\nfloat* f() { static OWN float kept[1024]; return kept; }", THREAD_VARIABLES),
    "defines a function by assembly alone": ('asm(".globl f\\nf: ret");', "assembly outside of functions"),
    "hides by a pragma that device code calls the host": (
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\nint h() { return 1; }\n__global__ void k(int* p) { *p = h(); }',
        HOST),
    "does so where the call is": (
        'int h() { return 1; }\n__global__ void k(int* p) {\n_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored '
        '\\"-Wdeprecated-declarations\\"") *p = h(); }', HOST),
    "does so by an attribute of its own": (
        '[[deprecated("h")]] __attribute__((deprecated("h"))) int h() { return 1; }\n__global__ void k(int* p) { *p = h(); }', HOST),
    "does so under many other messages": (
        "int h() { return 1; }\n#define A(x) x x x x x x x x\nvoid f() { A(A(A(A(h();)))) }\n__global__ void k(int* p) { *p = h(); }",
        HOST),
    "does so in messages without end": (
        "int h() { return 1; }\n#define A(x) x x x x x x x x\nvoid f() { A(A(A(A(A(A(h();)))))) }\n__global__ void k(int* p) { *p = h(); }",
        "|".join((HOST, "the compiler says more of this file than can be read", TOO_LARGE, TOO_LONG, NO_MEMORY))),
    "calls a function by another's name": ('void f(void*) asm("bcopy");', "names for the assembler"),
    # Bombs
    "includes itself": ('#include "attack.cu"\n#include "attack.cu"', "nested too deeply|" + TOO_LONG),
    "includes itself again and again": ("#include __FILE__\n" * 9, "|".join((TOO_LONG, TOO_LARGE, "In file included from"))),
    "unfolds macros": ("#define A(x) x x x x x x x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define N 1,\nint a[] = {B(B(N))};",
                       "|".join((TOO_LARGE, NO_MEMORY, TOO_LONG))),
    "unfolds template parameters": (
        "template <class... T> struct L {};\ntemplate <class A, class B> struct C;\n"
        "template <class... A, class... B> struct C<L<A...>, L<B...>> { using t = L<A..., B...>; };\n"
        "template <int N> struct D { using t = typename C<typename D<N - 1>::t, typename D<N - 1>::t>::t; };\n"
        "template <> struct D<0> { using t = L<int>; };\nD<26>::t x;", NO_MEMORY + "|" + TOO_LONG),
    "unfolds templates": (
        "template <class T, int N> struct V { V<V<T, N - 1>, N - 1> a; V<T*, N - 1> b; };\n"
        "template <class T> struct V<T, 0> { char c[2]; };\nV<int, 30> v;", NO_MEMORY + "|" + TOO_LONG),
    "computes while it is compiled": (
        "template <int N> constexpr unsigned long f() {\n"
        "unsigned long s = 0; for (int i = 0; i < 100000; ++i) s += i * i ^ s; return s + N; }\n"
        "template <int N> struct A { static constexpr unsigned long v = f<N>() + A<N - 1>::v; };\n"
        "template <> struct A<0> { static constexpr unsigned long v = 0; };\nconstexpr unsigned long a = A<800>::v;", TOO_LONG),
    "is an array of a gigabyte": ("static char x[1 << 30] = {1};\nchar* f() { return x; }", TOO_LARGE + "|" + BROKEN),
    "repeats an instruction": (r'void f() { asm(".rept 1000000000\n nop\n .endr"); }', NO_MEMORY),
    "unfolds macros of the assembler": (
        r'void f() { asm(".macro m n\n.rept 100\n.if \\n\nm \\n-1\n.endif\n.endr\n.endm\nm 8"); }', TOO_LONG + "|" + NO_MEMORY),
    "reserves a terabyte": (r'void f() { asm(".pushsection .data\n.space 1000000000000\n.popsection"); }', TOO_LARGE + "|" + BROKEN),
    "fills 800 megabytes": (
        r'void f() { asm(".pushsection .data\n.fill 100000000, 8, 3\n.popsection"); }', "|".join((TOO_LARGE, BROKEN, NO_MEMORY))),
    "has 100000 errors": ("\n".join(f"b{i};" for i in range(100_000)), r"attack\.cu:1:1: error: |" + TOO_LONG),
    "nests braces": ("void f() " + "{" * 400_000 + "}" * 400_000, "|".join((BROKEN, TOO_LONG, NO_MEMORY))),
}

#: The same with nvcc, which is slow: one of each kind, and what answers.
CUDA_ATTACKS = ["includes the solution", "includes another student's file through a link", "includes a file by a macro",
                "includes /dev/zero", "includes a pipe", "includes its environment", "asks whether a private file is there",
                "says that its lines are a pipe's",
                "assembles a private file", "is an array of a gigabyte", "reserves a terabyte"]


#: What the kernel has to refuse. Without Landlock these end in other ways, or say that a file is there.
NEED_LANDLOCK = ["includes a pipe", "includes /dev/zero", "includes a terminal", "includes standard input",
                 "asks whether a private file is there", "asks how old a private file is", "asks how old a pipe is"]


def has_landlock() -> bool:
    create_ruleset, ask_for_version = 444, 1
    system_call = ctypes.CDLL(None).syscall
    return system_call(create_ruleset, None, 0, ask_for_version) > 0 and "WARPBOOK_UNCONFINED" not in os.environ


class Place:
    """A folder with files of others, in which simtcc builds attack.cu as `user`; None is whoever runs this."""

    #: user -> the folder in which simtcc keeps its headers, made once for all places of this user
    _precompiled: dict[int | None, tempfile.TemporaryDirectory] = {}

    def __init__(self, user: int | None):
        self.user = user
        if user not in self._precompiled:
            self._precompiled[user] = tempfile.TemporaryDirectory(prefix="warpbook-attacks-headers-")
        self.precompiled = pathlib.Path(self._precompiled[user].name)
        self._folder = tempfile.TemporaryDirectory(prefix="warpbook-attacks-")
        self.folder = pathlib.Path(self._folder.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        (self.folder / "other.cu").write_text("int stolen;\n")
        (self.folder / "other.s").write_text(".byte 1\n")
        (self.folder / "other.so").write_bytes(b"\x90" * 100)
        (self.folder / "private.txt").write_text("a secret of this user\n")
        (self.folder / "link.cu").symlink_to("other.cu")
        (self.folder / "folder").symlink_to(".")
        (self.folder / "system").symlink_to("/usr/include")
        os.mkfifo(self.folder / "pipe")
        for path in [self.precompiled, self.folder, *self.folder.rglob("*")]:
            if user is not None:
                os.chown(path, user, user, follow_symlinks=False)

    def close(self) -> None:
        self._folder.cleanup()

    def filled_in(self, text: str) -> str:
        for name, value in {"SOLUTION": SOLUTION, "LAB": LAB, "PLACE": self.folder, "NAME": self.folder.name}.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    def write(self, text: str, name: str = "attack.cu") -> pathlib.Path:
        path = self.folder / name
        path.write_text(self.filled_in(text))
        return path

    def start(self, *words: str, command: list[str] | None = None, environment: dict[str, str] | None = None,
              within: list[str] | None = None) -> subprocess.Popen:
        """`within` is a command that runs simtcc elsewhere, and sets the user."""
        arguments = [str(options.simtcc), "--submission", "--precompiled", str(self.precompiled), "-I", str(LAB), "-include", str(LAB / "lab.hpp"),
                     "-MF", "module.d", "-o", "module.so", *words]
        if command is None:
            arguments += ["--cxx", options.cxx]
        else:
            arguments += ["--", *command]
        arguments = [*(within or []), *arguments]
        extra = {} if self.user is None or within else {"user": self.user, "group": self.user, "extra_groups": []}
        variables = {**os.environ, "TMPDIR": str(self.temporary), **(environment or {})}
        return subprocess.Popen(arguments, cwd=self.folder, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env=variables, **extra)

    def build(self, *words: str, **more) -> tuple[int, str]:
        process = self.start(*words, **more)
        said, _ = process.communicate(timeout=300)
        return process.returncode, said

    def left_behind(self) -> list[str]:
        """Temporary files, and processes that are at home here."""
        files = [str(path) for path in self.temporary.iterdir()]
        return [*files, *processes_in(self.folder).values()]


def processes_in(folder: pathlib.Path) -> dict[int, str]:
    """Command lines of those that are at home here."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            said = (process / "cmdline").read_text(errors="replace")
            if said and pathlib.Path(os.readlink(process / "cwd")).is_relative_to(folder):  # one that says nothing was killed, and is ending
                found[int(process.name)] = said
        except OSError:
            pass
    return found


def cuda_command() -> tuple[list[str], list[str]]:
    """simtcc's options, and the command, as CMake writes them."""
    return ["--nvcc", options.nvcc, "--memory-mib", "2048"], [
        "sh", str(ROOT / "common/cmake/nvcc.sh"), str(options.simtcc), options.nvcc, "-forward-unknown-to-host-compiler", "-shared",
        "-cudart=shared", "--generate-code=arch=compute_90,code=[sm_90]", "-Xcompiler=-fPIC", "-std=c++20"]


class InAPlace(unittest.TestCase):
    user: int | None = None

    @classmethod
    def setUpClass(cls) -> None:
        cls.place = Place(cls.user)
        cls.addClassCleanup(cls.place.close)
        if cls.user is not None:
            seen = subprocess.run(["test", "-x", options.simtcc, "-a", "-r", LAB / "lab.hpp"], user=cls.user, group=cls.user, check=False)
            if seen.returncode != 0:
                raise unittest.SkipTest("a user without rights cannot read this checkout")

    def setUp(self) -> None:
        (self.place.folder / "module.so").unlink(missing_ok=True)

    def assert_refused(self, sentence: str, status: int, said: str) -> None:
        failure = student_file.failure_from(status, said, "attack.cu", self.place.folder)
        self.assertNotEqual(failure.diagnosis, "build-failed", said[:2000])  # with which a hand-in is not judged
        self.assertEqual(failure.diagnosis == "compile-error", status == HAS_ERRORS, said[:2000])
        self.assertRegex(said, self.place.filled_in(sentence))
        self.assertNotIn("secret of this user", said)
        self.assertFalse((self.place.folder / "module.so").exists())
        self.assertEqual(self.place.left_behind(), [])
        print(f"    {self._testMethodName}: {said.splitlines()[0][:300]}", file=options.log)


class Attacks(InAPlace):
    """Filled in below: a test for each of ATTACKS."""


class AttacksWithoutRights(InAPlace):
    """The same, as a user who is not root."""

    user = NOBODY


class AttacksOnNvcc(InAPlace):
    """Filled in below, too."""


def test_of(name: str, cuda: bool):
    attack, sentence = ATTACKS[name]

    def test(self: InAPlace) -> None:
        if name in NEED_LANDLOCK and not has_landlock():
            self.skipTest("this kernel has no Landlock")
        self.place.write(attack)
        limits = ["--processor-seconds", "1" if TOO_LONG in sentence and not cuda else "2", "--idle-seconds", "20"]
        if cuda:
            words, command = cuda_command()
            limits[1] = "30"
            status, said = self.place.build(*limits, *words, "attack.cu", command=command)
        else:
            status, said = self.place.build(*limits, "attack.cu")
        self.assert_refused(sentence, status, said)

    return test


def add_tests() -> None:
    for name, (_, sentence) in ATTACKS.items():
        method = "test_a_file_that_" + re.sub(r"\W+", "_", name)
        setattr(Attacks, method, test_of(name, cuda=False))
        if not any(bomb in sentence for bomb in (TOO_LONG, NO_MEMORY, TOO_LARGE)):  # limits are the same for all
            setattr(AttacksWithoutRights, method, test_of(name, cuda=False))
        if name in CUDA_ATTACKS and options.nvcc:
            setattr(AttacksOnNvcc, method, test_of(name, cuda=True))


class LinkedHeaders(InAPlace):
    """Distributions lay headers elsewhere, and put links to them into their folders of headers."""

    def test_a_link_in_a_folder_that_a_student_can_write_leads_nowhere(self) -> None:
        headers = self.place.folder / "headers"
        headers.mkdir()
        self.addCleanup(shutil.rmtree, headers)
        (headers / "other.h").symlink_to("../other.cu")
        (headers / "folder").symlink_to("..")
        for name in ("other.h", "folder/other.cu"):
            for variables in ({}, {"WARPBOOK_UNCONFINED": "1"}):
                with self.subTest(name, **variables):
                    self.place.write(f"#include <{name}>\n")
                    self.assert_refused(NO_HEADER, *self.place.build("attack.cu", environment={"CPATH": str(headers), **variables}))

    @unittest.skipUnless(os.geteuid() == 0, "only root can make folders that are the system's")
    def test_what_the_systems_own_links_lead_to_may_be_included(self) -> None:
        top = next((path for path in ("/mnt", "/media", "/srv") if os.path.isdir(path)), "")
        script = 'mount -t tmpfs -o mode=755 none "$0" && echo mounted && exec cat'
        holder = subprocess.Popen(["unshare", "--mount", "sh", "-c", script, top], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        self.addCleanup(holder.communicate)
        if (said := holder.stdout.readline()) != "mounted\n":
            self.skipTest(f"nothing can be mounted here: {said.strip()}")
        user = [] if self.user is None else ["--setuid", str(self.user), "--setgid", str(self.user)]
        within = ["nsenter", "--target", str(holder.pid), "--mount", "--root", *user, "sh", "-c", 'cd "$0" && exec "$@"', str(self.place.folder)]
        folder = pathlib.Path(f"/proc/{holder.pid}/root{top}")

        def included(name: str, words: list[str], command: list[str] | None) -> bool:
            (self.place.folder / "module.so").unlink(missing_ok=True)
            self.place.write(f"#include <{name}>\n")
            status, said = self.place.build("attack.cu", *words, within=within, command=command,
                                            environment={"CPATH": f"{top}/include", **variables})
            if status != 0:
                self.assert_refused(NO_HEADER, status, said)
            return status == 0

        for path in ("include", "headers/made", "open"):
            (folder / path).mkdir(parents=True)
        (folder / "open").chmod(0o777)
        for name in ("one.h", "made/two.h", "late.h"):
            (folder / "headers" / name).write_text("typedef int of_the_system;\n")
        (folder / "headers/one.h").write_text("#include <made/two.h>\n")
        (folder / "open/other.h").symlink_to(self.place.folder / "other.cu")
        (folder / "open/own.h").write_text("int own;\n")
        links = {"one.h": "../headers/one.h", "made": "../headers/made", "other.h": "../open/other.h", "open": "../open",
                 "all": "/", "up": ".."}
        for name, target in links.items():
            (folder / "include" / name).symlink_to(target)
        for words, command in [([], None), *([cuda_command()] if options.nvcc else [])]:
            for variables in ({}, {"WARPBOOK_UNCONFINED": "1"}):
                with self.subTest(command=command, **variables):
                    self.assertTrue(included("one.h", words, command))
                    for name in ("other.h", "open/own.h", "open/other.h", f"all{self.place.folder}/other.cu", "up/headers/late.h"):
                        self.assertFalse(included(name, words, command), name)
                    # What was found is kept until the folders change.
                    self.assertFalse(included("../headers/late.h", words, command))
                    (folder / "include/late.h").symlink_to("../headers/late.h")
                    self.assertTrue(included("late.h", words, command))
                    (folder / "include/late.h").unlink()
                    self.assertFalse(included("../headers/late.h", words, command))
                    (folder / "include").chmod(0o777)
                    self.assertFalse(included("one.h", words, command))
                    (folder / "include").chmod(0o755)


class LinkedHeadersWithoutRights(LinkedHeaders):
    user = NOBODY


class Submissions(InAPlace):
    """What must go on working, and what surrounds it."""

    def test_the_solution_builds_and_lists_what_it_is_made_of(self) -> None:
        shutil.copy(SOLUTION, self.place.folder / "right.cu")
        status, said = self.place.build("right.cu")
        self.assertEqual((status, said), (0, ""))
        depfile = (self.place.folder / "module.d").read_text()
        self.assertIn("right.cu", depfile)
        self.assertIn(str(LAB / "lab.hpp"), depfile)
        self.assertIn("/cuda_runtime.h", depfile)
        self.assertEqual(self.place.left_behind(), [])

    def test_a_student_may_include_the_contract_and_what_compilers_bring(self) -> None:
        self.place.write('#include "lab.hpp"\n#include <cooperative_groups.h>\n#include <vector>\n#include <sys/stat.h>\n'
                         "#include <stdint.h>\n"
                         "/*\n # 1 first this\n # 2 then that\n #line up\n*/\nint number = 1'000;\n")
        status, said = self.place.build("attack.cu")
        self.assertNotRegex(said, "foreign-file|#line")

    def test_right_files_in_other_spellings_build(self) -> None:
        self.place.write("template <class T> struct S <% T* p; %>; struct X; S<::X> s;\n%:define ONE 1\n__global__ void k\\u00e9(float* a) <%\n"
                         "  __shared__ float t<:32:>;\n  if (not (threadIdx.x bitand ONE)) <% t<:0:> = a<:0:>; a<:1:> = t<:0:>; %>\n%>\n"
                         "void f(float* a) { k\u00e9<<<1, 32>>>(a); }\nfloat* cudaRows; static int cuRows; int dlopen_;\n")
        self.assertEqual(self.place.build("attack.cu"), (0, ""))

    def test_a_composed_file_may_include_its_parts_and_be_told_as_them_and_nothing_else(self) -> None:
        self.place.write("int part = 1;\n", "part.cu")
        self.place.write('#line 7 "@PLACE@/part.cu"\n#include "@PLACE@/part.cu"\n', "composed.cu")
        part = str(self.place.folder / "part.cu")
        self.assertNotEqual(self.place.build("composed.cu")[0], 0)
        self.assertEqual(self.place.build("--part", part, "composed.cu"), (0, ""))
        self.assertIn("part.cu", (self.place.folder / "module.d").read_text())
        self.place.write('#include "@PLACE@/part.cu"\n#include "@PLACE@/other.cu"\n', "composed.cu")
        status, said = self.place.build("--part", part, "composed.cu")
        self.assertEqual(status, VERDICT_GIVEN)
        self.assertRegex(said, NO_HEADER)

    def test_links_pipes_devices_and_huge_files_are_no_hand_ins_and_are_not_opened(self) -> None:
        huge = self.place.folder / "huge.cu"
        huge.write_bytes(b"/" * 1_000_001)
        for name, sentence in (("link.cu", "is a symbolic link"), ("pipe", "no ordinary file"), ("/dev/zero", "no ordinary file"),
                               ("huge.cu", "1000001 bytes")):
            with self.subTest(name):
                status, said = self.place.build(name)
                self.assertEqual(status, VERDICT_GIVEN)
                self.assertRegex(said, sentence + r".* \[not-a-source\]")
                fault = student_file.fault_of(self.place.folder / name, name, "01-coalescing", False)
                self.assertEqual(fault.diagnosis, "not-a-source")
                self.assertRegex(fault.reason, sentence.replace("no ordinary", "not an ordinary"))
        self.assertEqual(self.place.left_behind(), [])

    def test_verdicts_reach_the_student_as_diagnoses(self) -> None:
        self.place.write('int a;\n#include "other.cu"\n')
        failure = student_file.failure_from(*self.place.build("attack.cu"), "attack.cu", self.place.folder)
        self.assertEqual(failure.diagnosis, "foreign-file")
        self.assertEqual(failure.details, ["attack.cu:2:10", '    2 | #include "other.cu"', "      |          ^"])
        self.assertRegex(failure.reason, r'^attack\.cu cannot be built: "(?:\./)?other\.cu" is none of the headers .* what it needs\.$')
        self.place.write("static char x[1 << 30] = {1};\nchar* f() { return x; }\n")
        failure = student_file.failure_from(*self.place.build("attack.cu"), "attack.cu", self.place.folder)
        self.assertEqual((failure.diagnosis, failure.details), ("compile-too-large", []))

    def test_words_of_the_file_are_no_verdict_and_no_fault_of_the_machine(self) -> None:
        words = ("collect2: fatal error: ld terminated with signal 9 [Killed]", "/usr/bin/ld: final link failed: No space left on device",
                 "Killed", "cc1plus: out of memory allocating 1 bytes", "virtual memory exhausted: Cannot allocate memory",
                 "g++: internal compiler error: File size limit exceeded signal terminated program as",
                 "cc1plus: fatal error: cannot open file: Permission denied", "attack.cu: error: you have passed [foreign-file]",
                 "clang: error: PLEASE submit a bug report",
                 "attack.cu:99999999999999999999:1: fatal error: cub/cub.cuh: No such file or directory",
                 "x: fatal error: /etc/shadow: Permission denied", "x: fatal error: cannot open file '/etc/shadow': Permission denied",
                 "attack.cu:1:1: fatal error: /etc/shadow: Permission denied",
                 "attack.cu:99999999999999999999:1: fatal error: nothing.h: Permission denied", "simtcc: internal error: none")
        joined = "\\n".join(("x", *words, ""))
        texts = {"#error": "\n".join(f"#error {text}" for text in words),
                 "#warning": "\n".join(f"#warning {text}" for text in words) + "\nint a = b;",
                 "static_assert": f'static_assert(false, "{joined}");',
                 "#pragma message": f'#pragma message "{joined}"\nint a = b;',
                 "#pragma GCC error": f'#pragma GCC error "{joined}"',
                 "#pragma GCC warning": f'#pragma GCC warning "{joined}"\nint a = b;',
                 "deprecated": f'[[deprecated("{joined}")]] int d();\nint c = d();\nint a = b;',
                 "nodiscard": f'[[nodiscard("{joined}")]] int d();\nvoid f() {{ d(); }}\nint a = b;',
                 "an attribute": f'__attribute__((error("{joined}"))) int d();\nint c = d();',
                 "the assembler": f'void f() {{ asm(".error \\"{joined.replace(chr(92), chr(92) * 2)}\\""); }}'}
        for how, text in texts.items():
            for name in ("attack.cu", "No space left on device [foreign-file].cu"):
                with self.subTest(how, name=name):
                    path = self.place.write(text + "\n", name)
                    status, said = self.place.build(name)
                    failure = student_file.failure_from(status, said, name, self.place.folder)
                    self.assertEqual((status, failure.diagnosis), (HAS_ERRORS, "compile-error"), said)
                    self.assertEqual(self.place.left_behind(), [])
                    path.unlink()

    def test_a_compiler_that_is_killed_or_that_builds_no_file_is_not_the_files_fault(self) -> None:
        self.place.write("int a;")
        compilers = {"kill -9 $$": "was killed", "kill $$": "was killed", "echo a compiler of its own; exit 1": "cannot build any file",
                     "echo attack.cu:1:1: error: no; exit 1": "cannot build any file"}
        for compiler, sentence in compilers.items():
            with self.subTest(compiler):
                status, said = self.place.build("attack.cu", command=["sh", "-c", compiler])
                self.assertEqual(status, COULD_NOT_WORK, said)
                self.assertIn(sentence, said)
                self.assertEqual(self.place.left_behind(), [])

    def computing(self, **more) -> tuple[subprocess.Popen, list[int]]:
        """simtcc whose compiler computes for a minute, and the compilers proper."""
        self.place.write("int a;")
        self.place.build("attack.cu")  # the headers are there
        self.place.write(ATTACKS["computes while it is compiled"][0].replace("int i = 0", "unsigned i = 0"))  # without an overflow
        process = self.place.start("attack.cu", **more)
        found: list[int] = []
        while not found and process.poll() is None:
            time.sleep(0.5)
            found = [pid for pid, line in processes_in(self.place.folder).items() if "-fsanitize" in line and re.search("cc1plus|clang", line.split("\0")[0])]
        return process, found

    def test_a_compiler_proper_that_is_killed_is_seen_behind_its_driver(self) -> None:
        process, compilers = self.computing()
        for pid in compilers:
            os.kill(pid, signal.SIGKILL)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, COULD_NOT_WORK, said)
        self.assertIn("was killed", said)

    def test_a_disk_without_room_is_known_by_writing_and_a_file_that_fills_it_is_at_fault(self) -> None:
        def built(text: str, size: str) -> tuple[int, str]:
            self.place.write(text)
            mounted = f'mount -t tmpfs -o size={size},mode=777 none "{self.place.temporary}" || exit 77; shift; exec "$@"'
            user = [] if self.user is None else ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
            return self.place.build("attack.cu", within=["unshare", "--mount", "sh", "-c", mounted, "sh", "sh", *user])

        status, said = built("int a = b;", "300k")
        if os.geteuid() != 0 or status in (1, 77):
            self.skipTest(f"nothing can be mounted here: {said.strip()}")
        self.assertEqual(status, COULD_NOT_WORK, said)
        self.assertRegex(said, "The disk that holds .* is full; make room")
        status, said = built(r'void f() { asm(".pushsection .data\n.fill 40000000, 1, 3\n.popsection"); }', "20m")
        self.assertEqual(student_file.failure_from(status, said, "attack.cu", self.place.folder).diagnosis, "compile-error", said)

    def test_without_landlock_the_rule_for_headers_and_the_limits_hold(self) -> None:
        unconfined = {"WARPBOOK_UNCONFINED": "1"}
        for name in ("includes the solution", "includes a file by a macro", "assembles a private file", "says that its lines are a pipe's",
                     "is an array of a gigabyte", "unfolds template parameters"):
            with self.subTest(name):
                attack, sentence = ATTACKS[name]
                if "clang" in options.cxx and sentence == ASSEMBLY:
                    continue  # its assembler does not tell what it reads
                (self.place.folder / "module.so").unlink(missing_ok=True)
                self.place.write(attack)
                sentence = re.sub(r":1:\\d\+:|:1:10:", ":", sentence).replace(r"attack\.cu: error", "error")
                self.assert_refused(sentence.replace(ASSEMBLY, NO_HEADER), *self.place.build("attack.cu", environment=unconfined))
        for name, sentence in (("includes a pipe", r"the compiler has waited for 2 seconds .* \[compile-too-long\]"),
                               ("includes /dev/zero", NO_MEMORY + "|" + NO_HEADER)):
            with self.subTest(name):
                self.place.write(ATTACKS[name][0])
                self.assert_refused(sentence, *self.place.build("--idle-seconds", "2", "attack.cu", environment=unconfined))

    def test_an_error_at_a_private_line_is_shown_without_it(self) -> None:
        for variables in ({}, {"WARPBOOK_UNCONFINED": "1"}):
            self.place.write('#line 1 "@PLACE@/private.txt"\n#error no\n')
            self.assertNotIn("secret", self.place.build("attack.cu", environment=variables)[1])

    def test_a_compiler_that_is_taken_over_reaches_nothing(self) -> None:
        """Whatever a text could make of its compiler: here it is a script."""
        if not has_landlock():
            self.skipTest("this kernel has no Landlock")
        outside = pathlib.Path(tempfile.mkdtemp(prefix="warpbook-attacks-outside-"))
        self.addCleanup(shutil.rmtree, outside)
        script = self.place.write(f"""
{{
env
echo "a word" > {outside}/written; echo "a word" > other.cu; echo "a word" > module.so; mkdir {outside}/made; rm -f pipe
cat private.txt; cat {SOLUTION}; ls {ROOT}/solutions; cat /etc/passwd; cat /proc/$PPID/environ
kill -9 {os.getpid()}; kill -STOP {os.getpid()}
bash -c 'exec 3<> /dev/tcp/127.0.0.1/9'
bash -c 'ulimit -H -t unlimited'
head -c 100000000 /dev/zero > "$TMPDIR/large"
exec 3>&1 > /dev/null 2>&1
setsid sleep 1000 3>&- & (sleep 1000 3>&- &) ; sleep 1000 3>&- &
exec 1>&3
echo "end of the script"
}} 2>&1 | sed "s/^/ /"
exit 1
""", "script.sh")
        self.place.write("int a;")
        begin = time.monotonic()
        status, said = self.place.build("attack.cu", command=["sh", str(script)],
                                        environment={"WARPBOOK_SEED": "12345", "SECRET_KEY": "swordfish"})
        self.assertEqual(status, COULD_NOT_WORK)  # so it ends for a right file, too
        self.assertIn("end of the script", said)
        self.assertLess(time.monotonic() - begin, 100)
        for secret in ("swordfish", "12345", "a secret of this user", "offset_add", "root:x", "__global__"):
            self.assertNotIn(secret, said)
        for refused in (r"socket: (Permission denied|Operation not permitted)", r"ulimit: .*: cannot modify limit"):
            self.assertRegex(said, refused)
        self.assertEqual((list(outside.iterdir()), (self.place.folder / "other.cu").read_text()), ([], "int stolen;\n"))
        self.assertFalse((self.place.folder / "module.so").exists())
        self.assertTrue((self.place.folder / "pipe").exists())
        self.assertEqual(self.place.left_behind(), [])
        slept = subprocess.run(["pgrep", "-x", "-a", "sleep"], text=True, capture_output=True, check=False).stdout
        self.assertNotIn("sleep 1000\n", slept)

    def test_escape_codes_do_not_get_through(self) -> None:
        self.place.write("#error \x1b[31m red \x07\n")
        status, said = self.place.build("attack.cu")
        self.assertEqual(status, HAS_ERRORS)
        self.assertNotRegex(said, "[\x00-\x08\x0b-\x1f\x7f]")

    def test_messages_without_end_are_cut(self) -> None:
        self.place.write("\n".join(f'#warning "{"x" * 1000}"' for _ in range(120)))
        self.assertLess(len(self.place.build("attack.cu")[1]), 70_000)

    def test_an_interrupt_ends_the_compilers_too(self) -> None:
        attack, _ = ATTACKS["computes while it is compiled"]
        self.place.write(attack)
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.place.start("attack.cu")
            time.sleep(0.7)
            process.send_signal(number)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, 2)
            self.assertEqual(self.place.left_behind(), [])

    def test_it_ends_with_who_has_started_it(self) -> None:
        process, compilers = self.computing(within=[sys.executable, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])"])
        self.assertTrue(compilers)
        process.kill()
        process.communicate(timeout=15)  # until the last who could write there has ended, long before the limit of time
        self.assertEqual(self.place.left_behind(), [])

    def test_no_precompiled_header_is_made_from_a_students_text(self) -> None:
        """Two files that differ in all but their headers use one and the same, whose time does not change."""
        shutil.copy(SOLUTION, self.place.folder / "right.cu")
        self.assertEqual(self.place.build("right.cu")[0], 0)
        kept = {path: path.stat().st_mtime_ns for path in self.place.precompiled.iterdir()}
        self.place.write("#define __device__ int\n#define float double\n#include <cuda_runtime.h>\nint stolen;\n")
        self.place.build("attack.cu")
        after = {path: path.stat().st_mtime_ns for path in self.place.precompiled.iterdir()}
        self.assertEqual({path: after.get(path) for path in kept}, kept)
        self.assertFalse(any("stolen" in path.read_text(errors="replace") for path in after if path.suffix in (".ii", ".h")))


class SubmissionsWithoutRights(Submissions):
    user = NOBODY


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simtcc", required=True, type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--log", help="a file for what was said of each attack")
    _, rest = parser.parse_known_args(namespace=options)
    options.log = open(options.log or os.devnull, "w", encoding="utf-8")  # pylint: disable=consider-using-with
    add_tests()
    if os.geteuid() != 0:
        for name in ("AttacksWithoutRights", "LinkedHeadersWithoutRights", "SubmissionsWithoutRights"):
            del globals()[name]
    if not options.nvcc:
        del globals()["AttacksOnNvcc"]
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
