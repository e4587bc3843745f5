"""What makes a remark for the instructor, and what must not.

With --write it writes usual.json again, from the workbook's files and the modules that are built here.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import time
import unittest
from unittest import mock

from fakes import ROOT, Scratch

from command.classroom import remarks, remarks_process
from command.classroom.journal import Journal
from command.classroom.model import Fault, HandIn, Person
from command.classroom.module_symbols import Symbols, symbols_of
from command.regions import regions, with_region
from command.workbook import Workbook

LABS = Workbook(ROOT).labs()
MODULES = ROOT / "build/sim/modules"
ATTACKS = ROOT / "common/tests/attacks/run"
USUAL = ROOT / "common/command/classroom/usual.json"
WRITE = "python3 common/tests/command/test_remarks.py --write brings usual.json up to date; read what it adds"
#: Hostile code, a piece each, and the kind of remark that it has to have.
HOSTILE = (
    ("inline-assembly", 'void f() { asm volatile("syscall" : : "a"(39)); }'),
    ("inline-assembly", 'void f() { __asm__("mov.s %eax, %ebx"); }'),
    ("inline-assembly", 'extern "C" void innocent() asm("cudaMemcpy");'),
    ("inline-assembly", '#define CALL asm("int3")'),
    ("runs-before-main", "__attribute__((constructor)) static void early() {}"),
    ("runs-before-main", "[[gnu::constructor]] void early() {}"),
    ("runs-before-main", "static int opened = prepare(3);"),
    ("runs-before-main", "namespace { const auto done = [] { return 1; }(); }"),
    ("runs-before-main", "struct Early { Early() { work(); } };\nEarly early;"),
    ("runs-before-main", "struct Early { Early() { work(); } } early;"),
    ("runs-before-main", "namespace a { struct E { E(); ~E(); }; }\nstatic a::E e{};"),
    ("runs-outside-of-calls", "void f() { atexit(late); }"),
    ("runs-outside-of-calls", "__attribute__((__destructor__)) void late() {}"),
    ("runs-outside-of-calls", "void f() { cudaLaunchHostFunc(stream, host, nullptr); }"),
    ("hooks-off", '__attribute__((no_sanitize("thread"))) void f() {}'),
    ("hooks-off", "#pragma GCC optimize(\"O0\")"),
    ("hooks-off", '[[gnu::optimize("O3")]] void f() {}'),
    ("hooks-off", '<:<:gnu::no_sanitize("thread"):>:> void f() <% %>'),
    ("runs-before-main", "static int opened<::> = <% prepare(3) %>;"),
    ("code-placement", '__attribute__((section(".text"))) const char code[] = "";'),
    ("suspicious-text", 'const char* maps = "/proc/self/maps";'),
    ("suspicious-text", 'const char* maps = R"x(/proc/self/mem)x";'),
    ("suspicious-text", r'const char code[] = "\x48\x31\xc0\xb0\x3c\x0f\x05\x90";'),
    ("suspicious-text", 'const char* told = "{\\"status\\": \\"passed\\", \\"max_points\\"";'),
    ("loads-code", 'void f() { dlsym(nullptr, "x"); }'),
    ("loads-code", "extern struct r_debug _r_debug;"),
    ("system-call", "long f() { return syscall(SYS_write, 3, p, 4); }"),
    ("changes-memory-maps", "void f() { mprotect(p, 4096, 7); }"),
    ("files", 'void f() { std::ofstream out("x"); }'),
    ("files", 'void f() { int d = ::open(name, 0); }'),
    ("processes", "void f() { if (fork() == 0) {} }"),
    ("processes", "void f() { kill(getppid(), 9); }"),
    ("threads", "void f() { std::thread other(work); }"),
    ("network", "void f() { int s = socket(2, 1, 0); }"),
    ("environment", 'bool f() { return std::getenv("HOME"); }'),
    ("signals", "void f() { sigaction(11, &a, nullptr); }"),
    ("ends-the-program", "void f() { _exit(0); }"),
    ("resource-limits", "void f() { setrlimit(1, &l); }"),
    ("reads-the-stack", "void* f() { return __builtin_return_address(0); }"),
    ("simulators-insides", 'extern "C" void __tsan_read4(void*);'),
    ("simulators-insides", "void f() { __simt_register_section(0, 0, 0); }"),
    ("unusual-include", "#include <sys/mman.h>"),
    ("unusual-include", '#include "../../solutions/01-coalescing/coalescing.cu"'),
    ("unusual-include", "#define H <dlfcn.h>\n#include H"),
    ("unusual-include", "#  include /* here */ </dev/zero>"),
    ("unusual-include", "#inc\\\nlude <thread>"),
    ("unusual-include", "%:include <sys/mman.h>"),
    ("file-inclusion", '#if __has_include("/etc/passwd")\n#endif'),
    ("line-numbers", '#line 1 "/tmp/fifo"'),
    ("line-numbers", '# 12 "other.cu"'),
    ("redefined-word", "#define threadIdx other"),
    ("redefined-word", "#define __syncthreads()"),
    ("redefined-word", "%: define __syncthreads()"),
    ("backend-detection", "#ifdef __SIMT__\nint f() { return 1; }\n#endif"),
    ("backend-detection", "bool f() { return __TIME__[0] == '1'; }"),
    ("address-as-number", "auto p = (char*)0x7fff00000000;"),
    ("address-as-number", "void f() { *reinterpret_cast<int*>(0x55'5555'0000) = 1; }"),
    ("hidden-character", "// \u202e} fi\nint a;"),
    ("hidden-character", "int a\u200bb;"),
    ("hidden-character", "int a; // \x1b[2J"),
    ("look-alike-letters", "void \u0441udaMemcpy();"),
    ("long-line", "int a;" + " " * 200 + "int b;"),
    ("long-line", "int a" + " + 1" * 200 + ";"),
    ("long-line", "\t" * 130 + "int b;"),
)
#: Attacks on the results: wrong or odd CUDA, without a call that no student makes.
COMPUTE_ONLY = {"changes_its_neighbourhood", "copies_within_the_device", "counted_beside_empty_launches", "counted_beside_the_work", "counted_beside_what_the_host_takes",
                "passes_structures_by_value_honestly",
                "replays_an_earlier_result", "unseen_behind_a_canary",
                "unseen_behind_shared_variables", "unseen_but_by_one_warp", "unseen_by_functions_of_the_c_library",
                "unseen_by_instructions_of_the_processor", "unseen_by_structures_by_value", "unseen_in_late_rounds", "unseen_in_other_labs",
                "unseen_through_memory", "unseen_by_way_of_registered_memory", "unseen_by_way_of_stacks_of_other_lanes"}
#: Code that honest students write, and that looks like the hostile kind.
HONEST = (
    "// asm volatile, /proc/self/maps, dlopen and getenv in a comment",
    "/* #include <sys/mman.h> */ int a;",
    'void f() { printf("cannot open the system: exit, kill, %d\\n", 3); }',
    "#define CHECK(call) do { if ((call) != cudaSuccess) { fprintf(stderr, \"%s:%d\\n\", __FILE__, __LINE__); exit(1); } } while (0)",
    "constexpr int twice(int x) { return 2 * x; }\nconstexpr int four = twice(2);",
    "__device__ unsigned count = 0;\n__constant__ float table[16];",
    "const int tile = 32;\nstatic const float third = 1.0f / 3;\nint bound(int n, int of = size(3));",
    "struct Pair { float a; float b = 2; };\nPair make(Pair p) { return Pair{p.a, 1}; }",
    "template <typename T> __global__ void k(T* a) { a[0] = T(1); }\nvoid f() { k<float><<<1, 1>>>(nullptr); }",
    "float opened(float open, int kill, int signal) { return open + kill * signal; }",
    "void f(Queue& q) { q.connect(); q->open(1); }",
    "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\nint a;\n#endif",
    "void f() { const unsigned mask = 0xffffffff; use(mask * 0xffffffffu); }",
    "// Größe des Feldes, 配列の長さ, размер, 👩‍🚀\nint größe = 1;",
    "[[maybe_unused]] __launch_bounds__(256) __global__ void k() {}",
    '#ifdef __SIMT__ // no PTX here\n#define ROOT(y, x) y = rsqrtf(x)\n#else\n'
    '#define ROOT(y, x) asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x))\n#endif',
    "extern \"C\" {\nvoid f() { int a = g(1); }\n}",
    "#pragma unroll 4\nusing Word = unsigned;\nenum class Kind { a = 1, b };",
    "struct Sum { Sum operator+(Sum other) const { return {a + other.a}; } Sum& operator=(const Sum&) = default; int a; };\nint b = 3;",
)


def composed(lab, mutant: str) -> str:
    """The file that a mutant is built from: its TODO regions take the place of the solution's, and a whole file is itself."""
    if re.search(r"^#include <cuda_runtime.h>", mutant, re.M):
        return mutant
    mutant = re.sub(r"// TODO\((\d+)\)[ \t]*$", r"// TODO(\1): changed", mutant, flags=re.M)
    text = (ROOT / "solutions" / lab.name / lab.starter.name).read_text(encoding="utf-8")
    for region in regions(mutant):
        text = with_region(text, region.number, mutant)
    return text


def known_files():
    """(lab, path, text) of every file that is known to be honest."""
    for lab in LABS:
        solutions = ROOT / "solutions" / lab.name
        for path in [lab.kept_starter, *solutions.glob("*.cu"), *solutions.glob("steps/*.cu"), *solutions.glob("mutants/*.cu"),
                     *(ROOT / "common/tests/accepted" / lab.name).glob("*.cu")]:
            text = path.read_text(encoding="utf-8")
            if "// diagnosis: computed-by-host\n" in text:
                continue  # they have the host do the work, by functions that no other file has a use for
            yield lab, path, composed(lab, text) if path.parent.name == "mutants" else text


def headers() -> list[str]:
    return sorted({match[1] for _, _, text in known_files() for match in re.finditer(r"^\s*#\s*include\s*<([^>]*)>", text, re.M)})


def imports() -> list[str]:
    return sorted({name for _, path in known_modules() for name in symbols_of(path).imported})


def write_usual() -> None:
    """Brings usual.json up to date."""
    said = remarks.usual()
    said |= {"headers": headers(), "imports": sorted({*said["imports"], *imports()})}
    said["more_headers"] = sorted({*said["more_headers"]} - {*said["headers"]})
    fill = textwrap.TextWrapper(140, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False).fill
    lists = [f'  "{name}": [\n{fill(", ".join(map(json.dumps, said[name])))}\n  ]' for name in ("headers", "more_headers", "imports")]
    lists.append('  "more_imports": [\n' + ",\n".join(f"    {json.dumps(pattern)}" for pattern in said["more_imports"]) + "\n  ]")
    USUAL.write_text("{\n" + ",\n".join(lists) + "\n}\n", encoding="utf-8")


def known_modules():
    """(lab, path) of the built modules of the files that are known to be honest, where this folder has built them."""
    for lab, path, _ in known_files():
        of_folder = {"mutants": "mutant-", "steps": "step-", lab.name: "accepted-" if "accepted" in path.parts else "solution"}
        kind = of_folder.get(path.parent.name)
        module = MODULES / lab.number / "sim" / f"{kind}{path.stem if kind != 'solution' else ''}.so"
        if module.exists() and module.stat().st_mtime >= path.stat().st_mtime:
            yield lab, module


class Sources(unittest.TestCase):
    def test_hostile_code_has_a_remark_of_its_kind(self):
        for kind, text in HOSTILE:
            with self.subTest(text=text):
                self.assertIn(kind, [each[0] for each in remarks.of_source(text)])

    def test_honest_code_has_none(self):
        for text in HONEST:
            with self.subTest(text=text):
                self.assertEqual(remarks.of_source(text), [])

    def test_starters_solutions_steps_mutants_and_accepted_files_have_none(self):
        count = 0
        for _, path, text in known_files():
            count += 1
            self.assertEqual(remarks.of_source(text), [], path.relative_to(ROOT))
        self.assertGreater(count, 600)

    def test_attacks_have_a_remark_but_those_that_only_compute(self):
        """What the host computes, and what a kernel does wrong, is the rubric's to find: such files look like any other."""
        if not ATTACKS.is_dir():
            self.skipTest("the attacks are not here")
        prelude, unseen = ((ATTACKS / name).read_text(encoding="utf-8") for name in ("prelude.hpp", "unseen.hpp"))
        texts = {path.stem: path.read_text(encoding="utf-8").replace('#include "unseen.hpp"', unseen) for path in ATTACKS.glob("*.cu")}
        plain = {name for name, text in texts.items()
                 if not remarks.of_source(prelude * any(word in text for word in ("prelude", "attack::", "IN_CALL")) + text)}
        self.assertEqual({name for name in plain if not name.startswith("host_")} - COMPUTE_ONLY, set())

    def test_a_remark_has_the_line_of_the_code(self):
        text = "int a; /* two\nlines */\nint b = \\\n  0;\n// \u202e\nconst char* c = R\"(\n\n/proc)\";\nvoid f() { dlopen(0, 1); }\n"
        self.assertEqual([(kind, line) for kind, line, _ in sorted(remarks.of_source(text), key=lambda each: each[1])],
                         [("hidden-character", 5), ("suspicious-text", 6), ("loads-code", 9)])

    def test_sentences_hold_no_control_characters_of_the_file(self):
        for text in ('#include <\x1b[2J>', "#define __x\x07 1", "#line 3 \"\u202ex\"", "void \u0441\u0442() {}"):
            for _, _, sentence in remarks.of_source(text):
                self.assertTrue(sentence.isprintable() and sentence.isascii(), ascii(sentence))

    def test_any_text_is_read_to_its_end_in_a_moment(self):
        for text in ("/*" * 200_000, '"' * 400_000, "R\"(" * 100_000, "((((" * 50_000, "{" * 300_000, "asm(" * 20_000, "#" * 100_000,
                     "\\\n" * 200_000, "struct a {" * 20_000, "=(" * 50_000, "__attribute__((" * 5_000, "\x00" * 1000, "'" * 10_001,
                     "[[" * 20_000):
            remarks.of_source(text)


    def test_reading_takes_time_in_proportion_to_the_text(self):
        """Texts of 40 KB: some take minutes where a piece is tried with each piece after it."""
        pieces = (".u8", "asm(", "asm ", 'asm("a.u8") ', 'asm("mov.u32 a;")', '"" ', "lib", "/proc", '\\"', '"\\', "a(){},", "a(),", "a=b(", "a[", "__GNUC__ ",
                  '__GNUC__ asm("mov.u32 a;");\n', "pthread_a ", "0x111111 ", "*)0x1111111", "#define A asm(\n", "#if 0\n", "#\n", "a b;", "namespace ",
                  "struct a { a(); }; a b;", "__attribute__((", "[[", "(", "{", "R\"(", "/*", "'", " ", "\t", "\\\n", "\u0441 ", "// \u202e\n", ")a\"", "... ")
        contexts = (("", ""), ('"', ""), ('asm("a', '!")'), ("#define A ", ""), ('#define A asm("a', '!")'), ("#if 0\n", "\n#endif"),
                    ('#if 0\nasm("@p a', '!")\n#endif'), ("R\"(", ""), ('"', "\\"), ("(", ")"))
        for before, after in contexts:
            for piece in pieces:
                text = before + piece * (40_000 // len(piece)) + after
                began = time.process_time()
                remarks.of_source(text)
                self.assertLess(time.process_time() - began, 5, text[:60])

    def test_ptx_is_told_from_assembly_of_the_processor(self):
        for is_ptx, text in ((True, "rsqrt.approx.ftz.f32 %0, %1;"), (True, "@!%p1 mov.u32 %0, %1;"), (True, "{ ; .reg .pred p;\\n\\tbar.sync 0; }"),
                             (True, "ld.global.nc.v4.u32 {%0, %1}, [%2];"), (True, "add.rn.f16x2 %0, %1, %2;"), (True, ".reg.u32 x;"),
                             (False, "syscall"), (False, "mov.s %eax, %ebx"), (False, "mov.u32.S %0;"), (False, "mov..u32 %0;"), (False, "@p"), (False, ""),
                             (False, "mov.u32 %0; int3"), (False, ".regs"), (False, "1mov.u32"), (False, "a" + ".u8" * 50_000 + "!")):
            self.assertEqual([kind for kind, _, _ in remarks.of_source(f'void f() {{ asm("{text}"); }}') if kind == "inline-assembly"],
                             [] if is_ptx else ["inline-assembly"], text[:40])

    def test_each_assembly_of_a_macro_is_looked_at(self):
        text = '#define A asm("mov.u32 %0, 1;"); asm("syscall")\n'
        self.assertEqual([kind for kind, _, _ in remarks.of_source(text)], ["inline-assembly"])


class Modules(Scratch):
    def test_no_known_module_imports_or_does_anything_unusual(self):
        found = [(path.name, each) for lab, path in known_modules()
                 for each in remarks.of_module(path, "", (lab.folder / "lab.hpp").read_text(encoding="utf-8"))]
        self.assertEqual(found, [])

    def test_the_usual_imports_are_those_of_the_known_modules(self):
        modules = list(known_modules())
        if len(modules) < 500:
            self.skipTest("few of the labs' modules are built here")
        seen, listed = set(imports()), set(remarks.usual()["imports"])
        # Compilers differ in the functions of the C and C++ libraries that they call.
        ours = re.compile(r"cuda\w+|__simt_\w+")
        self.assertEqual({name for name in listed if ours.fullmatch(name)}, {name for name in seen if ours.fullmatch(name)}, WRITE)

    def test_the_usual_headers_are_those_of_the_known_files(self):
        self.assertEqual(headers(), remarks.usual()["headers"], WRITE)
        self.assertEqual(set(remarks.usual()["headers"]) & set(remarks.usual()["more_headers"]), set())

    def built(self, text: str) -> pathlib.Path:
        compiler = shutil.which("g++") or shutil.which("clang++")
        if compiler is None:
            self.skipTest("there is no C++ compiler here")
        source, module = self.write("file.cpp", text), self.folder / "file.so"
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-w", "-o", str(module), str(source)], check=True)
        return module

    def test_an_unusual_import_is_named_with_its_line(self):
        text = "#include <sys/mman.h>\n#include <math.h>\n\nextern \"C\" float f(float x) { mprotect(0, 1, 2); return sinf(x); }\n"
        found = remarks.of_module(self.built(text), text, "")
        self.assertEqual([(kind, line, re.search(r"imports (\w+)", sentence)[1]) for kind, line, sentence in found],
                         [("unusual-import", 4, "mprotect")])

    def test_functions_that_run_at_load_and_replaced_functions_are_seen(self):
        early = "".join(f"__attribute__((constructor)) void early{number}() {{}}\n" for number in range(4))
        text = early + "extern \"C\" int cudaMemcpy() { return 0; }\n"
        kinds = [kind for kind, _, _ in remarks.of_module(self.built(text), text, "void f();")]
        self.assertEqual(kinds, ["replaced-function", "runs-before-main"])

    def test_thousands_of_functions_and_any_name_cost_little(self):
        names = tuple(f"cudaNew{number}" for number in range(20_000))
        imported = tuple(f"pthread_a{number}" for number in range(20_000)) + ("_Z" + "9" * 5_000, "_ZN1a", "_ZNK99999999999a")
        text = "".join(f"void {name}() {{}}\n" for name in names)
        began = time.process_time()
        with mock.patch.object(remarks, "symbols_of", return_value=Symbols(imported, names, 3)):
            found = remarks.of_module(self.folder / "none.so", text, "")
        self.assertLess(time.process_time() - began, 8)
        self.assertEqual([(line, sentence) for kind, line, sentence in found if kind == "replaced-function"][-1],
                         (20_000, "The file defines cudaNew19999, which is the system's or the simulator's."))

    def test_a_damaged_module_is_a_remark_and_no_crash(self):
        whole = self.built("int f() { return 1; }").read_bytes()
        module = self.folder / "damaged.so"
        for data in (b"", b"\x7fELF", whole[:80], whole[:len(whole) // 2], whole[:0x28] + b"\xff" * 8 + whole[0x30:],
                     whole[:0x3c] + b"\xff\xff" + whole[0x3e:]):
            module.write_bytes(data)
            self.assertEqual([kind for kind, _, _ in remarks.of_module(module, "", "")], ["module-unreadable"])
        self.assertEqual(remarks.of_module(self.folder / "none.so", "", "")[0][0], "module-unreadable")


class HandIns(Scratch):
    def hand_in(self, text: str, **more) -> HandIn:
        return HandIn(Person("alice", "Alice"), LABS[0], self.write("alice.cu", text), "alice.cu", **more)

    def test_remarks_belong_to_the_hand_in_and_come_by_line(self):
        found = remarks.remarks_of(self.hand_in("void f() { dlsym(0, 0); }\n\nvoid g() { fork(); }\n"), {})
        self.assertEqual([(each.hand_in, each.kind, each.line) for each in found],
                         [("01.alice", "loads-code", 1), ("01.alice", "processes", 3)])

    def test_of_one_kind_there_are_a_few_and_no_more(self):
        self.assertEqual(len(remarks.remarks_of(self.hand_in("void f() { fork(); }\n" * 50), {})), remarks.MOST_OF_A_KIND)

    def test_a_file_with_a_fault_or_that_is_no_file_is_not_opened(self):
        hand_in = self.hand_in("void f() { fork(); }")
        hand_in.file.write_bytes("void f() { fork(); }".encode("utf-16"))  # no text to a compiler, which the page says once
        self.assertEqual(remarks.remarks_of(hand_in, {}), [])
        self.assertEqual(remarks.remarks_of(self.hand_in("void f() { fork(); }", fault=Fault("empty-file", "It is empty.")), {}), [])
        hand_in = self.hand_in("void f() { fork(); }")
        hand_in.file = pathlib.Path("/dev/zero")
        self.assertEqual(remarks.remarks_of(hand_in, {}), [])
        hand_in.file = self.folder / "link.cu"
        hand_in.file.symlink_to("alice.cu")
        self.assertEqual(remarks.remarks_of(hand_in, {}), [])

    def test_the_data_is_sorted(self):
        data = json.loads(USUAL.read_text(encoding="utf-8"))
        for name in ("headers", "more_headers", "imports"):
            self.assertEqual(data[name], sorted(set(data[name])))


class Process(Scratch):
    """What one file takes costs that file alone, and once."""

    def asked(self, *texts: str) -> list[tuple[HandIn, dict]]:
        return [(HandIn(Person(f"s{number}", "S"), LABS[0], self.write(f"{number}.cu", text), ""), {}) for number, text in enumerate(texts)]

    def looked(self, asked) -> list[tuple[str, str]]:
        return [(remark.hand_in, remark.kind) for remark in remarks_process.of_class(asked, Journal(self.folder / "journal"))]

    def test_it_says_what_is_said_without_it(self):
        asked = self.asked("void f() { dlsym(0, 0); }\n\nvoid g() { fork(); }\n", "int a;", "\xe9 \u0441(); // \u202e\n")
        self.assertEqual(remarks_process.of_class(asked, Journal(self.folder / "journal")),
                         [remark for hand_in, modules in asked for remark in remarks.remarks_of(hand_in, modules)])

    def test_a_file_that_takes_too_much_time_or_memory_is_given_up_and_the_others_are_looked_at(self):
        asked = self.asked("void f() { fork(); }", "#\n" * 500_000, "void f() { fork(); }", "((" * 500_000)
        for limit, words in (({"SECONDS": 0.5}, "0.5 s of processor time"), ({"MEMORY": 80 << 20}, "80 MiB of memory")):
            shutil.rmtree(self.folder / "journal", ignore_errors=True)
            with mock.patch.multiple(remarks_process, **limit):
                found = remarks_process.of_class(asked, Journal(self.folder / "journal"))
            self.assertEqual([(remark.hand_in, remark.kind) for remark in found],
                             [("01.s0", "processes"), ("01.s1", "not-looked-at"), ("01.s2", "processes"), ("01.s3", "not-looked-at")])
            self.assertIn(words, found[1].sentence)

    def test_it_is_looked_at_once_and_again_when_something_has_changed(self):
        asked = self.asked("void f() { fork(); }", "#\n" * 500_000)
        with mock.patch.object(remarks_process, "SECONDS", 0.5):
            first = self.looked(asked)
        with mock.patch.object(remarks_process, "_looked", side_effect=AssertionError("it was looked at again")):
            self.assertEqual(self.looked(asked), first)
        asked[0][0].file.write_text("void f() { dlopen(0, 1); }", encoding="utf-8")
        self.assertEqual(self.looked(asked), [("01.s0", "loads-code"), *first[1:]])
        module = self.write("sim.so", "no module")
        self.assertEqual(self.looked([(asked[0][0], {"sim": module})]), [("01.s0", "loads-code"), ("01.s0", "module-unreadable")])
        Journal(self.folder / "journal").forget("01.s0")
        with mock.patch.object(remarks_process, "_looked", return_value=([[]], 0)) as looked:
            self.looked(asked[:1])
        looked.assert_called_once()

    def test_a_process_that_was_ended_by_something_else_is_tried_again_the_next_time(self):
        asked = self.asked("void f() { fork(); }")
        with mock.patch.object(remarks_process, "_looked", return_value=([], -9)):
            self.assertEqual(self.looked(asked), [("01.s0", "not-looked-at")])
        self.assertEqual(self.looked(asked), [("01.s0", "processes")])

    def test_a_process_that_says_nothing_is_killed(self):
        with mock.patch.object(remarks_process, "PATIENCE", 0.001):
            self.assertEqual(self.looked(self.asked("#\n" * 500_000)), [("01.s0", "not-looked-at")])


if __name__ == "__main__":
    if "--write" in sys.argv:
        write_usual()
        sys.exit()
    unittest.main()
