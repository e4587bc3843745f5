"""public_programs.py on small repositories made for it: what it finds, how it judges, and what its table says."""
from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import public_programs  # noqa: E402
from find_programs import find_programs, headers_of  # noqa: E402
from notes import Note, read_notes  # noqa: E402

BINARIES = pathlib.Path(os.environ["SIMTRUN"]).resolve().parent

KERNEL = """#include <cstdio>
__global__ void fill(int* values) { values[threadIdx.x%s] = 1; }
int main(int count, char** words) {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  fill<<<1, 32>>>(values);
  std::printf("%%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
  %s
}
"""
HOST = "#include <cstdio>\n#include <cuda_runtime.h>\nint main(int count, char** words) {\n  %s\n}\n"


class WithRepository(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "repository"
        self.root.mkdir()

    def write(self, name: str, text: str = "") -> pathlib.Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def found(self) -> dict[str, list[str]]:
        return {program.name: [path.name for path in program.sources] for program in find_programs(self.root)}


class Finding(WithRepository):
    def test_each_file_with_a_main_is_a_program(self) -> None:
        self.write("one/a.cu", "int main() {}")
        self.write("one/b.cu", "int\nother();\nint main(int argc, char *argv[])\n{\n}")
        self.write("one/c.cu", "// int main() is elsewhere\nvoid c() {}")
        self.assertEqual(self.found(), {"one/a": ["a.cu"], "one/b": ["b.cu"]})

    def test_the_only_main_of_a_folder_has_the_other_files(self) -> None:
        self.write("two/main.cu", "int main(void) { return 0; }")
        self.write("two/part.cu", "void part() {}")
        self.write("two/host.cpp", "void host() {}")
        self.assertEqual(self.found(), {"two/main": ["main.cu", "host.cpp", "part.cu"]})

    def test_a_header_says_which_of_several_mains_needs_its_source(self) -> None:
        self.write("a.cu", '#include "part.h"\nint main() {}')
        self.write("b.cu", "int main() {}")
        self.write("part.h", "void part();")
        self.write("part.cpp", '#include "part.h"\nvoid part() {}')
        self.assertEqual(self.found(), {"a": ["a.cu", "part.cpp"], "b": ["b.cu"]})

    def test_a_makefile_says_what_belongs_together(self) -> None:
        self.write("a.cu", "int main() {}")
        self.write("b.cu", "int main() {}")
        self.write("part.cu")
        self.write("unused.cu")
        self.write("Makefile", "b: b.cu \\\n  part.cu\n\tnvcc -o $@ $^\n")
        self.assertEqual(self.found(), {"a": ["a.cu"], "b": ["b.cu", "part.cu"]})

    def test_a_makefile_that_names_the_main_alone_is_believed(self) -> None:
        self.write("a.cu", "int main() {}")
        self.write("LICENSE.a.cu", "Permission is granted")
        self.write("Makefile", "a: a.cu\n")
        self.assertEqual(self.found(), {"a": ["a.cu"]})

    def test_a_makefile_names_sources_and_headers_of_other_folders(self) -> None:
        self.write("code/main.cu", "int main() {}")
        self.write("code/kernel/part.cu")
        self.write("shared/watch.c")
        self.write("shared/other.c", "int main() {}")
        self.write("code/Makefile", "FLAGS = -I../shared -I/usr/include -I../nowhere\n"
                                    "OBJECTS = ./main.o ../shared/watch.o ../shared/other.o ./kernel/part.o ../shared/gone.o\n")
        self.write("script/main.cu", "int main() {}")
        self.write("script/build.sh", "nvcc -I../shared -I$HOME -o main main.cu\n")
        self.assertEqual(self.found(), {"code/main": ["main.cu", "watch.c", "part.cu"], "script/main": ["main.cu"]})
        for program in find_programs(self.root):
            self.assertEqual([folder.name for folder in program.include_folders], [program.folder.name, "shared"])

    def test_cmake_is_taken_at_its_word(self) -> None:
        self.write("sample/src/main.cu", '#include "own.h"\nint main() {}')
        self.write("sample/src/other.cpp", "void other() {}")
        self.write("sample/src/left_out.cu")
        self.write("sample/headers/own.h", "#include <mpi.h>")
        self.write("Common/helper.h")
        self.write("sample/CMakeLists.txt", "set(FILES src/main.cu)\ninclude_directories(headers)\n"
                                            "add_executable(sample ${FILES} src/other.cpp own.h) # add_executable(no a.cu)\n")
        (program,) = find_programs(self.root)
        self.assertEqual(program.name, "sample")
        self.assertEqual([path.name for path in program.sources], ["main.cu", "other.cpp"])
        self.assertEqual([folder.name for folder in program.include_folders], ["headers", "sample", "Common"])
        self.assertEqual(headers_of(program), {"own.h", "mpi.h"})

    def test_images_that_the_program_loads(self) -> None:
        self.write("cmake/main.cpp", "int main() { cuInit(0); }")
        self.write("cmake/kernel.cu")
        self.write("cmake/CMakeLists.txt",
                   'add_executable(cmake main.cpp)\nset(IMAGE "${CMAKE_CURRENT_BINARY_DIR}/k64.fatbin")\n'
                   "add_custom_command(\n  OUTPUT ${IMAGE}\n"
                   "  COMMAND ${CMAKE_CUDA_COMPILER} ${FLAGS} -o ${IMAGE} -fatbin ${CMAKE_CURRENT_SOURCE_DIR}/kernel.cu\n)\n")
        self.write("make/main.cpp", "int main() { cuInit(0); }")
        self.write("make/kernel.cu")
        self.write("make/Makefile", "FILE := kernel.ptx\n$(FILE): kernel.cu\n\t$(NVCC) $(FLAGS) -o $@ -ptx $<\n"
                                    "main: main.cpp\n\tg++ -o $@ $<\n")
        self.assertEqual({program.name: [(name, path.name) for name, path in program.images] for program in find_programs(self.root)},
                         {"cmake": [("k64.fatbin", "kernel.cu")], "make/main.cpp": [("kernel.ptx", "kernel.cu")]})

    def arguments(self) -> dict[str, tuple[str, ...]]:
        return {program.name: program.arguments for program in find_programs(self.root)}

    def test_a_makefile_a_script_or_a_readme_says_with_which_arguments(self) -> None:
        for name in ("make", "script", "readme", "none"):
            self.write(f"{name}/a.cu", "int main() {}")
        self.write("make/Makefile",
                   "N = 64\nBINARY := a\na: a.cu\n\tnvcc -o a a.cu\nrun: a\n\tmpirun -n 2 ./other 3\n\t./$(BINARY) $(N) data/in.txt\n")
        self.write("script/run.sh", "SIZE=128\n./configure --all\n./run.sh 1\n./test $SIZE 4 &\n")
        self.write("readme/README.md", "Call\n\n    $ ./a <size>\n    $ ./a\n    $ ./a -n 5  > out.txt\n    $ ./a 7\n")
        self.write("none/README.md", "See ./a for more.\nThen ./a, as before.\n")
        self.assertEqual(self.arguments(), {"make/a": ("64", "data/in.txt"), "script/a": ("128", "4"), "readme/a": ("-n", "5"), "none/a": ()})

    def test_arguments_go_to_the_program_that_they_name(self) -> None:
        self.write("a.cu", "int main() {}")
        self.write("b.cu", "int main() {}")
        self.write("README", "./b 3\n./test 4\n")
        self.assertEqual(self.arguments(), {"a": (), "b": ("3",)})

    def test_headers_for_other_systems_do_not_count(self) -> None:
        self.write("a.cu", "#ifdef _WIN32\n#include <windows.h>\n#ifndef X\n#include <x.h>\n#endif\n#else\n#include <unistd.h>\n#endif\n"
                           "#if !defined(_WIN32)\n#include <a.h>\n#elif defined(Y)\n#include <y.h>\n#endif\n"
                           "#if 0\n#include <mpi.h>\n#endif\n#ifdef Z\n#include <z.h>\n#else\n#include <b.h>\n#endif\nint main() {}")
        (program,) = find_programs(self.root)
        self.assertEqual(headers_of(program), {"unistd.h", "a.h", "z.h", "b.h"})

    def test_what_is_not_cuda_is_left_out(self) -> None:
        self.write("host/main.cpp", "int main() { return 0; }")
        self.write("device/main.cpp", "#include <cuda_runtime.h>\nint main() { return 0; }")
        self.assertEqual(self.found(), {"device/main.cpp": ["main.cpp"]})

    def test_a_main_in_a_string_or_a_comment_is_none(self) -> None:
        self.write("a.cu", '/* int main() */\nconst char* text = "//";\nvoid f() {}\n')
        self.assertEqual(self.found(), {})


class Judging(WithRepository):
    def judged(self, note: Note = Note(), limits: public_programs.Limits = public_programs.Limits(60, 20, 8192),
               nvcc: str | None = None) -> public_programs.Outcome:
        (program,) = find_programs(self.root)
        work = self.root.parent / "work"
        work.mkdir(exist_ok=True)
        outcome = public_programs.judge(program, public_programs.Tools(BINARIES, nvcc, work, limits), note)
        self.assertEqual(list(work.glob("*.so")), [])
        return outcome

    def test_right(self) -> None:
        self.write("a.cu", KERNEL % ("", "return 0;"))
        self.assertEqual(self.judged().verdict, "right")

    def test_an_image_is_there_while_the_program_runs(self) -> None:
        self.write("main.cpp", "#include <cuda.h>\n#include <cstdlib>\n#define DO(call) if (call) return __LINE__\n"
                               "int main() {\n  CUcontext context; CUmodule module; CUfunction kernel;\n"
                               "  DO(cuInit(0));\n  DO(cuCtxCreate(&context, 0, 0));\n  DO(cuModuleLoad(&module, \"kernel.ptx\"));\n"
                               "  DO(cuModuleGetFunction(&kernel, module, \"nothing\"));\n"
                               "  DO(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0));\n  return cuCtxSynchronize();\n}\n")
        self.write("kernel.cu", 'extern "C" __global__ void nothing() {}')
        self.write("Makefile", "kernel.ptx: kernel.cu\n\tnvcc -ptx -o $@ $<\nmain: main.cpp\n")
        outcome = self.judged()
        self.assertEqual((outcome.verdict, outcome.why), ("right", ""))
        self.assertFalse((self.root / "kernel.ptx").exists())

    def test_a_finding_waits_for_a_judgement_and_gets_it(self) -> None:
        self.write("a.cu", KERNEL % ("+ 1", "return 0;"))
        outcome = self.judged()
        self.assertEqual(outcome.verdict, "to be judged")
        self.assertIn("out-of-bounds", outcome.why)
        outcome = self.judged(Note(verdict="true diagnosis", why="the last thread writes past the end"))
        self.assertEqual((outcome.verdict, outcome.why), ("true diagnosis", "the last thread writes past the end"))
        self.assertEqual(self.judged(Note(verdict="right")).verdict, "to be judged")

    def test_a_failure_is_unclear(self) -> None:
        self.write("a.cu", KERNEL % ("", 'std::puts("giving up"); return 3;'))
        outcome = self.judged()
        self.assertEqual((outcome.verdict, outcome.why), ("unclear", "status 3: giving up"))

    def test_what_is_said_on_standard_error_counts(self) -> None:
        self.write("a.cu", KERNEL % ("", 'std::fputs("needs 2 GPUs", stderr); return 1;'))
        self.assertEqual(self.judged().verdict, "does not apply")

    def test_a_note_sorts_a_failure_and_never_makes_it_right(self) -> None:
        self.write("a.cu", KERNEL % ("", "return 3;"))
        self.assertEqual(self.judged(Note(verdict="right")).verdict, "unclear")
        self.assertEqual(self.judged(Note(verdict="does not apply", why="it wants a camera")).why, "it wants a camera")

    def test_a_result_that_is_called_wrong_is_not_right(self) -> None:
        self.write("a.cu", KERNEL % ("", 'std::puts("Result = FAIL"); return 0;'))
        self.assertEqual(self.judged().verdict, "unclear")

    def test_what_says_only_how_it_is_called_waits_for_arguments(self) -> None:
        called = "it only says how it is called: give it arguments in the notes"
        for said, returned in (("Usage: a SIZE", 0), ("usage: a SIZE", 1), ("too few arguments", 1)):
            self.write("a.cu", HOST % f'std::puts("{said}"); return {returned};')
            outcome = self.judged()
            self.assertEqual((outcome.verdict, outcome.why), ("unclear", called))
        self.write("a.cu", KERNEL % ("", 'std::puts("Usage: a SIZE (64 is taken)"); return 0;'))
        self.assertEqual(self.judged().verdict, "right")
        self.write("a.cu", KERNEL % ("", 'std::puts("Error text: invalid argument"); return 1;'))
        self.assertEqual(self.judged().why, "status 1: Error text: invalid argument")

    def test_arguments_of_a_makefile_are_given_and_those_of_a_note_come_first(self) -> None:
        self.write("a.cu", HOST % "return count == 2 ? words[1][0] - '7' : 99;")
        self.write("Makefile", "run:\n\t./a 7\n")
        self.assertEqual(self.judged().verdict, "right")
        self.assertEqual(self.judged(Note(arguments=("8",))).why, "status 1: no output")

    def test_a_result_that_does_not_match_is_not_right(self) -> None:
        for said in ("sum 3 does not match 4", "3 mismatches", "Verification FAILED", "Error: a.cu:12, code: 1", "ERROR! code: 2", "1 errors",
                     "CUDA error: invalid argument", "cudaErrorInvalidValue"):
            self.write("a.cu", HOST % f'std::puts("{said}"); return 0;')
            self.assertEqual((said, self.judged().verdict), (said, "unclear"))

    def test_a_count_of_no_failures_is_right(self) -> None:
        for said in ("0 mismatches", "mismatches: 0", "Test Results: 0 Failures", "no mismatch", "Errors = 0", "Error: 0.0", "Error rate: 1e-7",
                     "error = -2.5", "incorrect values: 0", "No errors", "no error"):
            self.write("a.cu", HOST % f'std::puts("{said}"); return 0;')
            self.assertEqual((said, self.judged().verdict), (said, "right"))

    def test_a_note_says_what_a_gpu_has_the_program_say_too(self) -> None:
        self.write("a.cu", HOST % 'std::puts("ERROR! code: 2 (on purpose)"); return 3;')
        self.assertEqual(self.judged(Note(says="ERROR! code")).verdict, "unclear")
        self.assertEqual(self.judged(Note(says="ERROR! code", status="3")).verdict, "right")
        self.write("a.cu", HOST % 'std::puts("ERROR! code: 2 (on purpose)"); return 0;')
        self.assertEqual(self.judged(Note(says="ERROR! code")).verdict, "right")
        self.assertEqual(self.judged(Note(says="another")).verdict, "unclear")

    def test_a_crash_is_unclear(self) -> None:
        self.write("a.cu", KERNEL % ("", "__builtin_trap();"))
        self.assertEqual(self.judged().verdict, "unclear")

    def test_a_second_gpu_and_a_missing_file(self) -> None:
        for said, need in (("this needs at least two GPUs", "a second GPU"), ("this program requires two", "a second GPU"),
                           ("invalid device ordinal", "a second GPU"),
                           ("Two or more GPUs with peer access are required", "a second GPU"), ("more than one device is needed", "a second GPU"),
                           ("Cannot open file lena.pgm", "a file that is not there"), ("failed to read /data/lena.pgm", "a file that is not there")):
            for returned in (0, 2):
                self.write("a.cu", HOST % f'std::puts("{said}"); return {returned};')
                outcome = self.judged()
                self.assertEqual((outcome.verdict, outcome.why), ("does not apply", f"it says that it needs {need}"))

    def test_words_that_are_no_need_excuse_no_failure(self) -> None:
        for said in ("error at /home/multi-gpu/two GPUs/a.cu:12", "error in threads.cu:12", "copying 2 buffers from host to device went wrong",
                     "cannot find the function in libcuda.so.1", "number of devices: 1", "the argument is 3"):
            self.write("a.cu", HOST % f'std::puts("{said}"); return 2;')
            outcome = self.judged()
            self.assertEqual((said, outcome.verdict), (said, "unclear"))

    def test_too_slow(self) -> None:
        self.write("a.cu", KERNEL % ("", "for (volatile int i = 0;; i = 0) {}"))
        outcome = self.judged(limits=public_programs.Limits(60, 1, 8192))
        self.assertEqual(outcome.verdict, "too slow")
        self.assertIn("in code of the host", outcome.why)

    def test_what_was_found_before_the_time_was_over_counts(self) -> None:
        self.write("a.cu", KERNEL % ("+ 1", "for (volatile int i = 0;; i = 0) {}"))
        limits = public_programs.Limits(60, 1, 8192)
        self.assertEqual(self.judged(limits=limits).verdict, "to be judged")
        self.assertEqual(self.judged(Note(verdict="true diagnosis"), limits).verdict, "true diagnosis")

    def test_a_fixed_size_is_replaced_and_the_program_counted_apart(self) -> None:
        text = KERNEL % ("", "return SIZE - 4 + PART;")
        self.write("code/a.cu", '#include "part.h"\n#define SIZE (1 << 24)\n' + text)
        self.write("code/part.h", "#define PART 0\n")
        self.assertEqual(self.judged().verdict, "unclear")
        outcome = self.judged(Note(replace=(("(1 << 24)", "4"),)))
        self.assertEqual((outcome.verdict, outcome.why), ("reduced", "(1 << 24) is 4"))
        self.assertIn("1 << 24", (self.root / "code/a.cu").read_text())
        outcome = self.judged(Note(replace=(("1 << 99", "4"),)))
        self.assertEqual((outcome.verdict, outcome.why), ("unclear", "the note replaces what the program has not: 1 << 99"))

    def test_arguments_that_make_a_program_smaller_are_counted_apart(self) -> None:
        self.write("a.cu", HOST % "return count == 2 ? 0 : 99;")
        outcome = self.judged(Note(arguments=("8",), reduced="8 is in the place of 4096"))
        self.assertEqual((outcome.verdict, outcome.why), ("reduced", "8 is in the place of 4096"))

    def test_arguments_and_options_of_a_note(self) -> None:
        self.write("a.cu", KERNEL % ("", "return count == 3 && words[1][0] == 'x' ? SIZE : 1;"))
        self.assertEqual(self.judged(Note(options=("-DSIZE=0",), arguments=("x", "y"))).verdict, "right")

    def test_a_library_does_not_apply_and_is_named(self) -> None:
        self.write("a.cu", '#include "part.h"\nint main() {}')
        self.write("part.h", "#include <cublas_v2.h>\n")
        outcome = self.judged()
        self.assertEqual(outcome.verdict, "does not apply")
        self.assertIn("cublas_v2.h", outcome.why)

    def test_headers_of_its_own_are_no_library(self) -> None:
        self.write("a.cu", '#include "mpi.h"\n#include "cub/own.h"\n' + HOST % "return VALUE;")
        self.write("mpi.h")
        self.write("cub/own.h", "#define VALUE 0\n")
        self.assertEqual(self.judged().verdict, "right")
        self.write("cub/own.h", "#include <cub/cub.cuh>\n")
        self.assertEqual(self.judged().why, "Thrust or CUB: cub/cub.cuh")

    def test_refusals_are_sentences_and_compilers_words_are_unclear(self) -> None:
        self.write("a.cu", "#include <cuda_fp8.h>\nint main() {}")
        outcome = self.judged()
        self.assertEqual(outcome.verdict, "refused")
        self.assertIn("small floating-point types", outcome.why)
        for text in ("int main() { return thing; }", "struct S {};\nvoid f(S);\nint main() { f(1); }"):
            self.write("a.cu", text)
            self.assertEqual(self.judged().verdict, "unclear")

    def test_what_nvcc_refuses_does_not_apply(self) -> None:
        nvcc = self.write("../nvcc", "#!/bin/sh\necho 'a.cu(1): error: identifier \"thing\" is undefined' >&2\nexit 1\n")
        nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
        self.write("a.cu", "int main() { return thing; }")
        outcome = self.judged(nvcc=str(nvcc))
        self.assertEqual((outcome.verdict, outcome.why),
                         ("does not apply", 'nvcc refuses it, too: identifier "thing" is undefined'))


    def test_nvcc_is_asked_about_host_code(self) -> None:
        nvcc = self.write("../nvcc", "#!/bin/sh\necho 'a.cpp:1: error: __global__ does not name a type' >&2\nexit 1\n")
        nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
        self.write("a.cpp", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }")
        self.assertEqual(self.judged(nvcc=str(nvcc)).verdict, "does not apply")


    def test_nvcc_may_lack_the_headers_of_the_samples(self) -> None:
        nvcc = self.write("../nvcc", "#!/bin/sh\necho 'a.cu:1:10: fatal error: helper_cuda.h: No such file or directory' >&2\nexit 1\n")
        nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
        self.write("a.cu", "#include <helper_cuda.h>\nint main() { return thing; }")
        self.assertEqual(self.judged(nvcc=str(nvcc)).verdict, "unclear")


class WholeCalls(WithRepository):
    def called(self, *options: str) -> str:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(public_programs.main(["--bin", str(BINARIES), *options, str(self.root)]), 0)
        return said.getvalue()

    def test_programs_beside_each_other_and_results_that_stay(self) -> None:
        for name, returned in (("a", "0"), ("b", "3"), ("c", "0")):
            self.write(f"{name}.cu", KERNEL % ("", f"return {returned};"))
        results = self.root.parent / "results.json"
        said = self.called("--jobs", "3", "--results", str(results))
        self.assertIn("| repository | 3 | 3 | 2 | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 s | 2 of 3 (66.7 %) |", said)
        self.assertEqual({key: known["verdict"] for key, known in json.loads(results.read_text()).items()},
                         {"repository/a": "right", "repository/b": "unclear", "repository/c": "right"})
        self.write("b.cu", KERNEL % ("", "return 0;"))
        self.assertIn("2 of 3", self.called("--results", str(results)))  # known, and so not run
        self.assertIn("3 of 3", self.called("--results", str(results), "--again", "/b$"))

    def test_a_sample_is_always_the_same_and_needs_no_library(self) -> None:
        for name in "abcdef":
            self.write(f"{name}.cu", "int main() {}")
            self.write(f"library_{name}.cu", "#include <cufft.h>\nint main() {}")
        listed = self.called("--list", "--sample", "3")
        self.assertEqual(listed.count("\n"), 3)
        self.assertNotIn("library", listed)
        self.write("part.cu", "void part() {}")
        self.assertEqual(self.called("--list", "--sample", "3"), listed)
        self.assertEqual(self.called("--list", "--sample", "30").count("\n"), 6)

    def test_list(self) -> None:
        self.write("a.cu", "int main() {}")
        self.assertEqual(self.called("--list"), "repository/a a.cu\n")


class NotesAndTable(WithRepository):
    def test_notes(self) -> None:
        path = self.write("notes.ini", "[r/p]\noptions = -DN=4 '-DTEXT=a b' ; small\narguments = 3\nmemory = 64\nverdict = true diagnosis\nwhy = so\n"
                                       "says = ERROR!\nstatus = 1\nreduced = 3 of 40\nreplace = N 4096 => N 64\n  a[2] => a[1]\n")
        self.assertEqual(read_notes(path), {"r/p": Note(("-DN=4", "-DTEXT=a b"), ("3",), "64", "true diagnosis", "so", "ERROR!", "1", "3 of 40",
                                                        (("N 4096", "N 64"), ("a[2]", "a[1]")))})
        for text, message in (("verdikt = right", "verdikt is no key"), ("replace = 4096", "4096 has no =>")):
            self.write("notes.ini", f"[r/p]\n{text}\n")
            with self.assertRaisesRegex(ValueError, message):
                read_notes(path)

    def test_table(self) -> None:
        outcome = public_programs.Outcome
        results = {"a": [outcome("x", "right", seconds=1.5), outcome("y", "true diagnosis"), outcome("z", "refused", "Graphs are not simulated")],
                   "b": [outcome("w", "does not apply", "MPI: mpi.h"), outcome("v", "right", seconds=2.0), outcome("u", "reduced")]}
        rows = public_programs.table(results).splitlines()
        self.assertEqual(rows[0].split(" | ")[1:4], ["programs", "apply", "right"])
        self.assertEqual(rows[2:], ["| a | 3 | 3 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 2 s | 2 of 3 (66.7 %) |",
                                    "| b | 3 | 2 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 2 s | 1 of 1 (100.0 %) |",
                                    "| all | 6 | 5 | 2 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 4 s | 3 of 4 (75.0 %) |"])
        self.assertIn("refused | a/z | Graphs are not simulated", public_programs.others(results))


if __name__ == "__main__":
    unittest.main()
