#include "module.hpp"

#include "simt/translate/header_links.hpp"
#include "simt/translate/header_rule.hpp"
#include "simt/translate/undefined_symbols.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace simtcc_test;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool contains(const Outcome& outcome, const std::string& text) {
  return outcome.text.find(text) != std::string::npos;
}

/// Files below `folder` apart from the log of the last run.
std::vector<std::string> files(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != "execute.log")
      names.push_back(entry.path().filename());
  return names;
}

/// The headers that g++ compiled, among the files below `folder`.
std::vector<fs::path> compiled_headers(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".gch") found.push_back(entry.path());
  return found;
}

} // namespace

TEST_CASE("a compiler that is not installed is a sentence and status 2") {
  const Folder folder;
  folder.write("lab.cu", "int x;");
  const Outcome outcome = simtcc(folder, {"--cxx", "g++-99", "lab.cu", "-o", "lab.so"});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome, "simtcc: The compiler g++-99 is not installed. Install it"));
}

TEST_CASE("warp functions without a mask are there with an option, which the refusal of a program names") {
  const Folder folder;
  folder.write("old.cu", "__global__ void k(int* p) { *p = __shfl_down(*p, 1) + __any(*p); }");
  const Outcome refused = plain_simtcc(folder, {"--translate", "old.cu"});
  CHECK(refused.status == 1);
  CHECK(contains(
      refused, "write __shfl_down_sync(0xffffffff, value, distance), or build with --legacy-warp-functions"));
  CHECK(contains(refused, "write __any_sync(0xffffffff, predicate), or build with"));
  CHECK(plain_simtcc(folder, {"--legacy-warp-functions", "old.cu", "-o", "old.so"}).status == 0);

  // A submission's build has no such option, and its refusal names none.
  const Outcome of_lab = plain_simtcc(folder, {"--submission", "old.cu", "-o", "lab.so"});
  CHECK(of_lab.status == 3);
  CHECK(contains(of_lab, "write __shfl_down_sync(0xffffffff, value, distance)\n"));
  const Outcome asked =
      plain_simtcc(folder, {"--submission", "--legacy-warp-functions", "old.cu", "-o", "lab.so"});
  CHECK(asked.status == 2);
  CHECK(contains(asked, "--legacy-warp-functions is for programs"));
}

TEST_CASE("a compiler under another name is known by what its link leads to, or by what it says") {
  const Folder folder;
  folder.write("lab.cu", "int x;");
  for (const std::string& compiler : compilers()) {
    CAPTURE(compiler);
    for (const char* name : {"link", "script"}) fs::remove(folder.path(name));
    const Outcome found = execute(folder, {"sh", "-c", "ln -s \"$(command -v " + compiler + ")\" link"});
    REQUIRE(found.status == 0);
    fs::permissions(folder.write("script", "#!/bin/sh\nexec " + compiler + " \"$@\"\n"),
                    fs::perms::owner_all);
    for (const char* name : {"./link", "./script"}) {
      CAPTURE(name);
      const Outcome built = simtcc(folder, {"--cxx", name, "lab.cu", "-o", "lab.so"});
      CHECK(built.status == 0);
      CHECK(built.text == ""); // g++'s options are warnings to clang++, and the other way round
    }
  }
}

TEST_CASE("a missing, empty or unreadable input is a sentence and status 2") {
  const Folder folder;
  folder.write("empty.cu", " \n");
  CHECK(contains(simtcc(folder, {"none.cu", "-o", "lab.so"}), "none.cu is missing"));
  CHECK(contains(simtcc(folder, {"empty.cu", "-o", "lab.so"}), "empty.cu is empty"));
  CHECK(contains(simtcc(folder, {".", "-o", "lab.so"}), ". is a folder"));
  CHECK(simtcc(folder, {"none.cu", "-o", "lab.so"}).status == 2);
}

TEST_CASE("a command line that makes no sense says why") {
  const Folder folder;
  folder.write("lab.cu", "int x;");
  CHECK(contains(simtcc(folder, {"lab.cu"}), "-o OUT.so is missing"));
  CHECK(contains(simtcc(folder, {"-o", "lab.so"}), "no input file"));
  CHECK(contains(simtcc(folder, {"--frobnicate", "lab.cu", "-o", "lab.so"}), "unknown option --frobnicate"));
  CHECK(contains(simtcc(folder, {"lab.cu", "-o"}), "-o needs a value"));
  CHECK(simtcc(folder, {"lab.cu"}).status == 2);
}

TEST_CASE("an output folder that is missing is a sentence and status 2") {
  const Folder folder;
  folder.write("lab.cu", "int x;");
  const Outcome outcome = simtcc(folder, {"lab.cu", "-o", "none/lab.so"});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome, "The folder none of the output is missing"));
}

TEST_CASE("a full disk is a sentence and status 2") {
  const Folder folder;
  folder.write("lab.cu", "int x;");
  const Outcome outcome = simtcc(folder, {"lab.cu", "-o", "lab.so", "-MF", "/dev/full"});
  CHECK(outcome.status == 2);
  CHECK(contains(outcome, "/dev/full could not be written: No space left on device."));
}

TEST_CASE("a failed build leaves the old module and no other file") {
  const Folder folder;
  folder.write("lab.cu", "int x = y;");
  folder.write("lab.so", "old");
  CHECK(simtcc(folder, {"lab.cu", "-o", "lab.so"}).status == 1);
  CHECK(read(folder.path("lab.so")) == "old");
  CHECK(files(folder.path("")).size() == 2);
}

TEST_CASE("temporary files are removed, after success and after failure") {
  const Folder folder;
  folder.write("good.cu", "int x;");
  folder.write("bad.cu", "int x = y;");
  fs::create_directory(folder.path("temporary"));
  for (const char* input : {"good.cu", "bad.cu"})
    execute(folder, {"env", "TMPDIR=" + folder.path("temporary").string(), SIMTCC, "--simt-include",
                     FAKE_HEADERS, input, "-o", "lab.so"});
  CHECK(fs::exists(folder.path("lab.so")));
  CHECK(fs::is_empty(folder.path("temporary")));
}

TEST_CASE("the depfile lists the sources and headers that are no system headers") {
  const Folder folder;
  folder.write("contract folder/lab.hpp", "#pragma once\n#include \"empty.hpp\"\n");
  folder.write("contract folder/empty.hpp", "");
  folder.write("lab.cu", "#include <stddef.h>\nint x;");
  REQUIRE(simtcc(folder, {"-I", "contract folder", "-include", "lab.hpp", "lab.cu", "-o", "lab.so", "-MF",
                          "lab.d", "-MT", "out/lab.so"})
              .status == 0);
  const std::string text = read(folder.path("lab.d"));
  CHECK(text.find("out/lab.so:") == 0);
  CHECK(text.find("lab.cu") != std::string::npos);
  CHECK(text.find("contract\\ folder/lab.hpp") != std::string::npos);
  CHECK(text.find("contract\\ folder/empty.hpp") != std::string::npos);
  CHECK(text.find("fake/cuda_runtime.h") != std::string::npos);
  CHECK(text.find("stddef.h") == std::string::npos);
  CHECK(text.find('<') == std::string::npos);
}

TEST_CASE("the place of an undefined function is read from what old and new linkers say") {
  using simt::compiler::place_of_use;
  CHECK(place_of_use("_Z1fv", "/usr/bin/ld: lab.cu:4: undefined reference to `f()'\n") == "lab.cu:4");
  CHECK(place_of_use("_Z1fv",
                     "/usr/bin/ld: /tmp/0.o: in function `k':\nlab.cu:4:(.text+0x13): undefined reference to "
                     "`f()'\n") == "lab.cu:4");
  CHECK(place_of_use("_Z1fv", "/usr/bin/ld: /tmp/0.o:(.text+0x13): undefined reference to `f()'\n") == "");
  CHECK(place_of_use("_Z1fv", "/usr/bin/ld: lab.cu:4: undefined reference to `g()'\n") == "");
}

TEST_CASE("a function that is never defined is named") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write(
        "lab.cu",
        "extern \"C\" __device__ float sinf(float);\nextern \"C\" __device__ int puts(const char*);\n"
        "namespace n { __device__ float helper(float, int); }\n"
        "__global__ void k(float* p) { p[0] = n::helper(sinf(p[1]), puts(\"\")); }\n");
    const Outcome outcome = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"});
    CHECK(outcome.status == 1);
    CHECK(contains(outcome, "lab.cu:4: error: n::helper(float, int) is declared and used but never defined"));
    CHECK(!contains(outcome, "sinf"));
    CHECK(!contains(outcome, "__tsan"));
    CHECK(!fs::exists(folder.path("lab.so")));
  }
}

TEST_CASE("the list of the runner's symbols decides what may stay undefined") {
  const Folder folder;
  folder.write("exports.list", "/* comment; */ {\n  __tsan_*;\n  \"quoted\";\n  provided_?;\n};\n");
  folder.write("lab.cu",
               "extern \"C\" void provided_1(), provided_22();\nvoid f() { provided_1(); provided_22(); }\n");
  const Outcome outcome = plain_simtcc(
      folder, {"--simt-include", FAKE_HEADERS, "--simt-exports", "exports.list", "lab.cu", "-o", "lab.so"});
  CHECK(outcome.status == 1);
  CHECK(contains(outcome, "provided_22"));
  CHECK(!contains(outcome, "provided_1 "));
}

TEST_CASE("memory of the C library past malloc is refused") {
  const Folder folder;
  folder.write("cuda_lab.cu",
               "int a;\nextern \"C\" void* __libc_malloc(unsigned long);\n"
               "void* f() { return __libc_malloc(8); }\nvoid* g() { return __builtin_malloc(8); }\n");
  const Outcome outcome = plain_simtcc(folder, {"-O0", "cuda_lab.cu", "-o", "lab.so"});
  CHECK(outcome.status == 1);
  CHECK(contains(outcome,
                 "cuda_lab.cu:2:18: error: __libc_malloc is the C library's own; call malloc, new or mmap"));
  CHECK(!fs::exists(folder.path("lab.so")));
}

TEST_CASE("what the runner provides is defined by no module, but programs may have such names") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    const auto build = [&](const std::string& text, const std::vector<std::string>& options = {}) {
      folder.write("cuda_lab.cu", text);
      std::vector<std::string> words = {"--cxx", compiler, "-O0", "cuda_lab.cu", "-o", "lab.so"};
      words.insert(words.end(), options.begin(), options.end());
      return plain_simtcc(folder, words);
    };
    const std::string own = " is defined here, and functions of this name are the simulator's own";
    for (const char* text :
         {"extern \"C\" void __tsan_read4(void*) {}\n",
          "extern \"C\" __attribute__((weak, visibility(\"hidden\"))) void __tsan_read4(void*) {}\n",
          "extern \"C\" { static __attribute__((used)) void __tsan_read4(void*) {} }\n",
          "extern \"C\" { namespace n { __attribute__((used)) int __tsan_read4; } }\n",
          "void f() { asm(\".set __tsan_read4, 0\"); }\n",
          "extern \"C\" void mine(void*) {}\nvoid g(void*) asm(\"__tsan_read4\");\n"
          "__attribute__((alias(\"mine\"))) void g(void*);\n"}) {
      CAPTURE(text);
      const Outcome outcome = build(text);
      CHECK(outcome.status == 1);
      CHECK(contains(outcome, "error: __tsan_read4" + own));
      CHECK(!fs::exists(folder.path("lab.so")));
    }
    for (const char* name : {"__simt_mine", "__wrap_memcpy", "dlopen", "cudaMine", "cuMine"}) {
      const Outcome outcome = build("int a;\nextern \"C\" void " + std::string(name) + "(int, char) {}\n");
      CHECK(contains(outcome, "cuda_lab.cu:2:17: error: " + (name + own)));
    }
    const std::string variables =
        "float* cudaRows;\nthread_local int cuRows;\nint cudaCount() { static int cudaDone; "
        "return ++cudaDone + cuRows; }\n";
    CHECK(build(variables).text == "");
    CHECK(
        build("extern \"C\" int cudaRows() { return 1; }\nint main() { return cudaRows(); }\n", {"--program"})
            .text == "");
  }
}

TEST_CASE("digraphs, names of operators and numbers of characters mean what they stand for") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", "template <class T> struct S <% T* p; %>; struct X; S<::X> s; S<::S<::X>> t;\n"
                           "%:define TWO 2\n__global__ void k\u00e9(float* a, int n) <%\n"
                           "  __shared__ float t<:32:>;\n"
                           "  if (n and not (n bitand 1)) <% t<:n:> = a<:n:>; a<:n:> = t<:n:> * TWO; %>\n%>\n"
                           "void f(float* a) <% ké<<<1, 32>>>(a, 32); %>\n");
    CHECK(simtcc(folder, {"--cxx", compiler, "-O0", "lab.cu", "-o", "lab.so"}).text == "");
    folder.write("wrong.cu", "__global__ void k(int* é) <%\n  é<:0:> = é<:1:> bitand nothing;\n%>\n");
    CHECK(contains(simtcc(folder, {"--cxx", compiler, "-O0", "wrong.cu", "-o", "lab.so"}),
                   "wrong.cu:2:28: error: "));
  }
}

TEST_CASE("several sources make one module") {
  const Folder folder;
  folder.write("a.cu", "int f();\nint g() { return f(); }");
  folder.write("b.cu", "int f() { return 1; }");
  CHECK(simtcc(folder, {"a.cu", "b.cu", "-o", "lab.so"}).status == 0);
}

TEST_CASE("definitions, include folders, standards and warnings reach the compiler") {
  const Folder folder;
  folder.write("include/given.hpp", "constexpr int given = 1;\n");
  folder.write("lab.cu",
               "#include <given.hpp>\nstatic_assert(given + A + B == 6 && __cplusplus == 201703L);\n"
               "#ifdef REMOVED\n#error\n#endif\nvoid f() { int unused; }\n");
  const Outcome outcome = simtcc(folder, {"-Iinclude", "-D", "A=2", "-DB=3", "-DREMOVED", "-UREMOVED",
                                          "-std=c++17", "-Wall", "lab.cu", "-o", "lab.so"});
  CHECK(outcome.status == 0);
  CHECK(contains(outcome, "unused"));
}

TEST_CASE("libstdc++ and the keywords __noinline__ and __forceinline__ go together") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", "#include <memory>\n__noinline__ __device__ int f() { return 1; }\n"
                           "__forceinline__ __device__ int g() { return 2; }\n");
    const Outcome outcome = simtcc(folder, {"--cxx", compiler, "-O0", "lab.cu", "-o", "lab.so"});
    INFO(outcome.text);
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("the text that the compiler gets can be kept and printed") {
  const Folder folder;
  folder.write("lab.cu", "__global__ void k() {}\n");
  CHECK(simtcc(folder, {"--keep", "kept", "lab.cu", "-o", "lab.so"}).status == 0);
  CHECK(read(folder.path("kept/lab.preprocessed.cpp")).find("__global__ void k() {}") != std::string::npos);
  const Outcome printed = simtcc(folder, {"--translate", "lab.cu"});
  CHECK(printed.status == 0);
  CHECK(contains(printed, "__attribute__((noinline)) void k() {}"));
  CHECK(read(folder.path("kept/lab.translated.cpp")) == printed.text);
}

TEST_CASE("a header of the CUDA toolkit that the simulator lacks is named as such") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", "#include <cub/cub.cuh>\n");
    folder.write("own.cu", "#include \"mine.hpp\"\n");
    const Outcome toolkit = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"});
    CHECK(toolkit.status == 1);
    CHECK(contains(toolkit, "lab.cu:1:10: error: cub/cub.cuh: Thrust and CUB are not simulated"));
    const Outcome own = simtcc(folder, {"--cxx", compiler, "own.cu", "-o", "lab.so"});
    CHECK(contains(own, "own.cu:1:10: fatal error"));
    CHECK(!contains(own, "simulated"));
  }
}

TEST_CASE("a program's own header is no part of the toolkit, whatever it is called and wherever it lies") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    std::filesystem::create_directories(folder.path("cuda-code/include"));
    folder.write("cuda-code/include/cuda_mine.h", "#include \"device_parts.h\"\n");
    folder.write("cuda-code/include/device_parts.h", "inline int parts() { return 1; }\n");
    folder.write("lab.cu", "#include <cuda_mine.h>\nint f() { return parts(); }\n");
    const Outcome own = simtcc(folder, {"--cxx", compiler, "-Icuda-code/include", "lab.cu", "-o", "lab.so"});
    CHECK(own.text == "");
    CHECK(own.status == 0);
    folder.write("cuda-code/include/cuda_runtime_api.h", ""); // now it is a toolkit's
    const Outcome toolkit =
        simtcc(folder, {"--cxx", compiler, "-Icuda-code/include", "lab.cu", "-o", "lab.so"});
    CHECK(contains(toolkit, "lab.cu:1:10: error: cuda_mine.h: This header of the CUDA toolkit is not there"));
  }
}

TEST_CASE("everything the translator knows builds with the simulator's own headers, precompiled ones change "
          "nothing") {
  for (const std::string& compiler : compilers()) {
    INFO(compiler);
    const Folder folder;
    const auto build = [&](const std::string& module, std::vector<std::string> options) {
      options.insert(options.end(), {"--cxx", compiler, EVERYTHING, "-o", module});
      const Outcome outcome = plain_simtcc(folder, options);
      CHECK(outcome.text == "");
      CHECK(outcome.status == 0);
    };
    build("without.so", {});
    CHECK(!fs::exists(folder.path("new")));
    if (compiler != "g++") continue; // no other compiler has precompiled headers
    build("first.so", {"--precompiled", "new/headers"});
    REQUIRE(compiled_headers(folder.path("new")).size() == 1);
    const auto made = fs::last_write_time(compiled_headers(folder.path("new")).front());
    build("next.so", {"--precompiled", "new/headers"});
    REQUIRE(compiled_headers(folder.path("new")).size() == 1);
    CHECK(fs::last_write_time(compiled_headers(folder.path("new")).front()) == made);
    for (const char* module : {"without.so", "first.so", "next.so"})
      CHECK(execute(folder, {"strip", "-g", module}).status == 0);
    const std::string without = read(folder.path("without.so"));
    CHECK(!without.empty());
    CHECK(read(folder.path("first.so")) == without);
    CHECK(read(folder.path("next.so")) == without);
  }
}

TEST_CASE("a compiler's words on built-in indices have CUDA's names") {
  const Folder folder;
  folder.write("lab.cu", "__global__ void k(int* p) {\n  p[blockIdx * blockDim + threadIdx] = 1;\n}\n");
  for (const std::string compiler : {"g++", "clang++"}) {
    if (execute(folder, {compiler, "--version"}).status != 0) continue;
    const Outcome outcome = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"});
    CHECK(contains(outcome, "uint3 is three numbers, x, y and z: write which, as in blockIdx.x"));
    CHECK_FALSE(contains(outcome, "simt::"));
  }
}

TEST_CASE("the error says why a union with a vector cannot be copied") {
  const Folder folder;
  if (execute(folder, {"g++", "--version"}).status != 0) return;
  const auto said = [&](const std::string& member) {
    folder.write("lab.cu", "template <class T> union U {\n  " + member +
                               "\n};\n__global__ void k(U<float4>* p) { p[1] = p[0]; }\n");
    return plain_simtcc(folder, {"--cxx", "g++", "lab.cu", "-o", "lab.so"});
  };
  CHECK(contains(
      said("T v;"),
      "lab.cu:2:5: error: a union is copied as a whole only if its vectors are members of a type that "
      "is spelt out, as in float4 v; write float4 there"));
  CHECK(said("float4 v; T* p;").text == "");
}

TEST_CASE("simtcc warns of a variable that never gets a first value, and not of one that has it on some paths") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    const auto said = [&](const std::string& body) {
      folder.write("lab.cu", "__global__ void k(const int* v, int* o, int n) {\n" + body + "\n}\n");
      return plain_simtcc(folder, {"--cxx", compiler, "-O1", "lab.cu", "-o", "lab.so"}).text;
    };
    for (const char* body : {"  int sum;\n  for (int i = 0; i < n; ++i) sum += v[i];\n  *o = sum;",
                             "  int sum;\n  sum += v[threadIdx.x];\n  *o = sum;",
                             "  int sum;\n  if (threadIdx.x < n) sum++;\n  o[threadIdx.x] = sum;",
                             "  int sum;\n  for (int i = 0; i < n; ++i) sum = v[i] + sum;\n  *o = sum;"}) {
      CAPTURE(body);
      if (compiler != "g++") continue; // clang++ has a rule of its own for such
      const std::string text = said(body);
      CHECK(text.find("used uninitialized") != std::string::npos);
      CHECK(text.find("lab.cu:2:7: note:") != std::string::npos);
    }
    for (const char* body : {"  int last;\n  for (int i = 0; i < n; ++i) last = v[i];\n  *o = last;",
                             "  int x;\n  if (n > 3) x = v[0];\n  __syncthreads();\n  if (n > 3) *o = x;",
                             "  int x;\n  if (n > 3) x = 1;\n  else x = 2;\n  x += n;\n  *o = x;"}) {
      CAPTURE(body);
      CHECK(said(body) == "");
    }
  }
}

TEST_CASE("precompiled headers do not change messages, and other options have their own") {
  const Folder folder;
  if (execute(folder, {"g++", "--version"}).status != 0) return;
  folder.write("wrong.cu", "#include <cstdint>\nint f() {\n  int unused;\n  return nothing(1);\n}\n");
  folder.write("warned.cu", "#include <cstdint>\nint f() {\n  int unused;\n  return 1;\n}\n");
  const auto build = [&](const std::string& input, std::vector<std::string> options) {
    options.insert(options.end(), {"--cxx", "g++", input, "-o", "lab.so"});
    return simtcc(folder, options);
  };
  const Outcome wrong = build("wrong.cu", {"--precompiled", "headers"});
  CHECK(wrong.status == 1);
  CHECK(contains(wrong, "wrong.cu:4:"));
  CHECK(wrong.text == build("wrong.cu", {}).text);
  const std::vector<fs::path> first = compiled_headers(folder.path("headers"));
  REQUIRE(first.size() == 1);
  const auto made = fs::last_write_time(first.front());
  const Outcome warned = build("warned.cu", {"-Wall", "--precompiled", "headers"});
  CHECK(warned.status == 0);
  CHECK(contains(warned, "warned.cu:3:"));
  CHECK(warned.text == build("warned.cu", {"-Wall"}).text);
  CHECK(compiled_headers(folder.path("headers")).size() == 2);
  CHECK(fs::last_write_time(first.front()) == made);
  CHECK(build("warned.cu", {"--precompiled", "headers"}).status == 0);
  const std::string plain = read(folder.path("lab.so"));
  CHECK(build("warned.cu", {"-O2", "--precompiled", "headers"}).status == 0);
  CHECK(compiled_headers(folder.path("headers")).size() == 3);
  CHECK(read(folder.path("lab.so")) != plain);
}

TEST_CASE("precompiled headers that cannot be used or made are done without") {
  const Folder folder;
  folder.write("lab.cu", "int f() { return 1; }\n");
  folder.write("taken", "a file\n");
  const std::vector<std::string> lab = {"--cxx", "g++", "--precompiled", "headers", "lab.cu", "-o", "lab.so"};
  if (execute(folder, {"g++", "--version"}).status != 0) return;
  CHECK(simtcc(folder, lab).text == "");
  REQUIRE(compiled_headers(folder.path("headers")).size() == 1);
  const fs::path file = compiled_headers(folder.path("headers")).front();
  for (const char* content : {"", "no headers\n"}) {
    std::ofstream(file) << content;
    for (const char* build : {"the one that finds out", "the next"}) {
      INFO(build);
      fs::remove(folder.path("lab.so"));
      CHECK(simtcc(folder, lab).text == "");
      CHECK(fs::exists(folder.path("lab.so")));
      CHECK(!fs::exists(file)); // nor is it tried again
    }
  }
  CHECK(simtcc(folder, {"--cxx", "g++", "--precompiled", "taken/headers", "lab.cu", "-o", "lab.so"}).text ==
        "");
}

TEST_CASE("headers in front of a file are read again when one of them changes") {
  const Folder folder;
  if (execute(folder, {"g++", "--version"}).status != 0) return;
  fs::create_directories(folder.path("include/simt_shim"));
  const fs::path rules = fs::path(FAKE_HEADERS) / "../../../simt/include/simt_shim/rules.h";
  fs::copy(rules, folder.path("include/simt_shim"));
  fs::copy(rules.parent_path() / "type_names.h", folder.path("include/simt_shim"));
  std::ifstream fake(fs::path(FAKE_HEADERS) / "cuda_runtime.h");
  std::string text((std::istreambuf_iterator<char>(fake)), {});
  const std::string_view from = "../../../simt/include/";
  text.erase(text.find(from), from.size());
  folder.write("include/cuda_runtime.h", text + "#include \"value.h\"\n");
  const auto set_value = [&](const std::string& value) {
    folder.write("include/value.h", "#ifndef VALUE\n#define VALUE " + value + "\n#endif\n");
  };
  const auto build = [&](const std::string& expected) {
    return plain_simtcc(folder, {"--cxx", "g++", "--simt-include", "include", "--simt-exports", "none",
                                 "--precompiled", "headers", "-O0", "-DEXPECTED=" + expected, "lab.cu", "-o",
                                 "lab.so"});
  };
  folder.write("lab.cu", "#include <cuda_runtime.h>\nstatic_assert(VALUE == EXPECTED);\n");
  set_value("1");
  CHECK(build("1").text == "");
  CHECK(build("1").text == "");
  CHECK(contains(build("2"), "static assertion failed"));
  set_value("12");
  CHECK(build("12").text == "");
  CHECK(contains(build("1"), "static assertion failed"));
  // The macros of this one would not keep it from being read twice.
  folder.write("include/value.h", "#pragma once\nconstexpr int VALUE = 3;\n");
  CHECK(build("3").text == "");
  CHECK(build("3").text == "");
}

TEST_CASE("files that begin with other headers, or change their macros, get them as they are") {
  const Folder folder;
  if (execute(folder, {"g++", "--version"}).status != 0) return;
  const auto build = [&](const std::string& source) {
    folder.write("lab.cu", source);
    return plain_simtcc(folder,
                        {"--cxx", "g++", "--precompiled", "headers", "-O0", "lab.cu", "-o", "lab.so"});
  };
  const std::string sorts = "void f(int* p) { std::sort(p, p + 2); }\n";
  CHECK(build("// sorts\n#include <cuda_runtime.h>\n\n#include <algorithm>\n" + sorts).text == "");
  CHECK(compiled_headers(folder.path("headers")).size() == 1);
  CHECK(contains(build(sorts), "lab.cu:1:")); // <algorithm> is not included
  CHECK(compiled_headers(folder.path("headers")).size() == 2);
  const Outcome redefined = build("#define M_PI 3\nstatic_assert(M_PI == 3);\n");
  CHECK(redefined.status == 0);
  CHECK(contains(redefined, "lab.cu:1:")); // some compilers add the column
  CHECK(contains(redefined, "\"M_PI\" redefined"));
  CHECK(contains(redefined, "math.h:"));
  CHECK(!contains(redefined, "headers/"));
  CHECK(build("double f() { return std::beta(1.0, 2.0) + std::sqrt(2.0); }\n").text == "");
}

TEST_CASE("the tables of variables and types are there where -g asks for them") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu",
                 "int f(int argument) {\n  int spelt_out = argument * 3;\n  return spelt_out / 2;\n}\n");
    CHECK(simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lines.so"}).text == "");
    CHECK(simtcc(folder, {"--cxx", compiler, "-g", "lab.cu", "-o", "all.so"}).text == "");
    CHECK(read(folder.path("lines.so")).find("spelt_out") == std::string::npos);
    CHECK(read(folder.path("all.so")).find("spelt_out") != std::string::npos);
  }
}

TEST_CASE("what a module needs of the libraries of C and C++ is found, and nothing else is linked") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("none.cu",
                 "extern \"C\" float sqrtf(float);\nfloat f(float x) { return *new float(sqrtf(x)); }\n");
    folder.write("some.cu", "int f() { throw 1; }\n");
    CHECK(simtcc(folder, {"--cxx", compiler, "-O0", "none.cu", "-o", "none.so"}).text == "");
    CHECK(read(folder.path("none.so")).find("libm.so") != std::string::npos);
    CHECK(read(folder.path("none.so")).find("libstdc++.so") == std::string::npos);
    CHECK(simtcc(folder, {"--cxx", compiler, "-O0", "some.cu", "-o", "some.so"}).text == "");
    CHECK(read(folder.path("some.so")).find("libstdc++.so") != std::string::npos);
  }
}

TEST_CASE("a kernel's parameter that is a reference to a value is refused, as nvcc refuses it") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", "__global__ void k(int&& x) { x = 1; }\nvoid f(int y) { k<<<1, 1>>>(2 * y); }\n");
    const Outcome outcome = plain_simtcc(folder, {"--cxx", compiler, "-O0", "lab.cu", "-o", "lab.so"});
    CHECK(outcome.status == 1);
    CHECK(contains(outcome, "a kernel's parameters cannot be references to values (&&); pass the value"));
    CHECK(contains(outcome, "lab.cu:2:"));
  }
}

TEST_CASE("names in depfiles may hold blanks, number signs and dollars") {
  const Folder folder;
  const auto depfile =
      folder.write("m.d", "module: a.cu /usr/in\\ clude/b.h \\\n  c\\#d.h e$$f.h\n\n/usr/b.h:\n");
  CHECK(simt::compiler::read_dependencies(depfile) ==
        std::vector<std::string>{"a.cu", "/usr/in clude/b.h", "c#d.h", "e$f.h"});
  CHECK(simt::compiler::read_dependencies(folder.path("none")).empty());
}

TEST_CASE("a header is allowed by its real path") {
  const Folder folder;
  fs::create_directory(folder.path("allowed"));
  folder.write("allowed/a.h", "");
  folder.write("allowed_not.h", "");
  const auto contract = folder.write("lab.hpp", "");
  fs::create_symlink("../allowed_not.h", folder.path("allowed/link.h"));
  const fs::path linked = fs::canonical(folder.write("linked.h", ""));
  const simt::compiler::HeaderRule rule({contract, folder.path("allowed"), folder.path("none")}, {linked});
  CHECK(rule.allows(linked));
  CHECK(rule.allows(contract));
  CHECK(rule.allows(folder.path("allowed/../lab.hpp")));
  CHECK(rule.allows(folder.path("allowed/a.h")));
  CHECK_FALSE(rule.allows(folder.path("allowed_not.h")));
  CHECK_FALSE(rule.allows(folder.path("allowed/link.h")));
  CHECK_FALSE(rule.allows(folder.path("allowed/none.h")));
  CHECK_FALSE(rule.allows(folder.path("none")));
}

namespace {

/// Folders of headers as distributions make them, below a folder that counts as the system's.
struct System {
  System() {
    for (const char* name : {"include/sub", "headers/asm", "others", "way"})
      fs::create_directories(folder.path(name));
    for (const char* name : {"headers/asm/types.h", "headers/one.h", "others/file.h"}) folder.write(name, "");
  }
  ~System() { ::umask(mask); }

  void link(const std::string& target, const std::string& name) const {
    fs::create_symlink(target, folder.path(name));
  }

  /// What the links in `include` lead to, from here.
  std::vector<std::string> targets() const {
    std::vector<std::string> names;
    for (const std::string& target : links().targets) {
      CHECK(target.starts_with(top + "/"));
      names.push_back(target.substr(top.size() + 1));
    }
    return names;
  }

  simt::compiler::HeaderLinks links() const {
    return simt::compiler::header_links({top + "/include"}, {owner, top});
  }

  mode_t mask = ::umask(022);
  Folder folder;
  std::string top = fs::canonical(folder.path(""));
  uid_t owner = ::geteuid();
};

using Names = std::vector<std::string>;

} // namespace

TEST_CASE(
    "links in a folder of headers lead to the files and folders that they name, and these to further ones") {
  const System system;
  CHECK(system.targets().empty());
  system.link("../headers/asm", "include/asm");
  system.link("../../headers/one.h", "include/sub/one.h");
  system.link("missing.h", "include/missing.h");
  system.link("sub", "include/same");
  system.link("loop", "include/loop");
  CHECK(system.targets() == Names{"headers/asm", "headers/one.h"});
  system.link("../../include/../others", "headers/asm/more"); // also within what links lead to
  CHECK(system.targets() == Names{"headers/asm", "headers/one.h", "others"});
  for (const char* name : {"include", "include/sub", "headers/asm", "others"}) {
    CAPTURE(name);
    const std::vector<std::string> searched = system.links().folders;
    CHECK(std::ranges::find(searched, system.top + "/" + name) != searched.end());
  }
}

TEST_CASE("a link counts only if no one else can change it, what it leads to, or anything on the way") {
  const auto with = [](const std::string& changed, auto change) {
    System system;
    system.link("../headers/asm", "way/asm");
    system.link("../../way/asm", "include/sub/asm");
    CHECK(system.targets() == Names{"headers/asm"});
    change(system, system.folder.path(changed));
    return system.targets();
  };
  const auto writable = [](System&, const std::string& path) {
    fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  };
  const auto writable_by_group = [](System&, const std::string& path) {
    fs::permissions(path, fs::perms::group_write, fs::perm_options::add);
  };
  for (const char* name : {"include", "include/sub", "way", "headers", "headers/asm"}) {
    CAPTURE(name);
    CHECK(with(name, writable).empty());
    CHECK(with(name, writable_by_group).empty());
  }
  CHECK(with("others", writable) == Names{"headers/asm"});
  // A folder below, in which someone else could make links.
  CHECK(with("headers/asm", [](System&, const std::string& path) {
          fs::create_directory(path + "/below");
          fs::permissions(path + "/below", fs::perms::all);
        }).empty());
  // A file that someone else could write.
  System system;
  system.link("../headers/one.h", "include/one.h");
  writable(system, system.folder.path("headers/one.h"));
  CHECK(system.targets().empty());
  CHECK(with("include", [](System& other, const std::string&) { ++other.owner; }).empty());
  if (::geteuid() == 0)
    for (const char* name : {"include/sub/asm", "include/sub", "way/asm", "way", "headers/asm"}) {
      CAPTURE(name);
      const auto given_away = [](System&, const std::string& path) {
        REQUIRE(::lchown(path.c_str(), 65534, 65534) == 0);
      };
      CHECK(with(name, given_away).empty());
    }
}

TEST_CASE("a link to a folder around the headers does not count") {
  const System system;
  system.link("..", "include/up");
  system.link(system.top, "include/top");
  system.link("/", "include/all");
  system.link("../..", "include/sub/up");
  CHECK(system.targets().empty());
}

TEST_CASE("a line that names a file is refused however it is spelt, and not within a comment") {
  const Folder folder;
  const auto refused = [&](const std::string& text) {
    return !simt::compiler::refused_directive(folder.write("lab.cu", text), {}).empty();
  };
  for (const char* text :
       {"#line 1 \"a\"\n", "  # line 1 \"a\"\n", "# 1 \"a\"\n", "#define A \"a\"\n# 1 A\n",
        "%:line 1 \"a\"\n", "#\\\nline 1 \"a\"\n", "#\\ \r\nline 1 \"a\"\n", "\xEF\xBB\xBF#line 1 \"a\"\n",
        "/* */ # /* \n */ 1 \"a\"\n", "/*\n*/ #line 1 \"a\"\n", "int a;\r#line 1 \"a\"\r",
        "int a; /*\n#line 1 \"a\"\n*/\n", "auto a = R\"(\n/*\n)\";\n#line 1 \"a\"\n// */\n"}) {
    CAPTURE(text);
    CHECK(refused(text));
  }
  for (const char* text :
       {"int line = 1;\n", "#define line 1\n", "/*\n # 1 first\n # 2 second\n#line up\n*/\nint a;\n",
        "// #line 1 \"a\"\n", "const char* a = \"# 1 b\";\n", "#if 1\n#endif\n", "# 1\n"}) {
    CAPTURE(text);
    CHECK_FALSE(refused(text));
  }
}

TEST_CASE("simtcc's options for submissions say what they want") {
  const Folder folder;
  folder.write("lab.cu", "int x;");
  CHECK(contains(simtcc(folder, {"--submission", "--program", "lab.cu", "-o", "a.so"}),
                 "is one file, and no program"));
  CHECK(contains(simtcc(folder, {"--submission", "lab.cu", "lab.cu", "-o", "a.so"}),
                 "is one file, and no program"));
  CHECK(contains(simtcc(folder, {"--part", "b.cu", "lab.cu", "-o", "a.so"}), "belong to --submission"));
  CHECK(contains(simtcc(folder, {"--submission", "--memory-mib", "much", "lab.cu", "-o", "a.so"}),
                 "--memory-mib takes a number, and much is none"));
}

TEST_CASE("a file whose lines end as on Windows is built like any other") {
  const Folder folder;
  std::string text;
  for (const char c : std::string(
           "#define TWICE(a) \\\n  (a + \\\n   a)\n__device__ int f(int i) {\n  return TWICE(i);\n}\n"
           "__global__ void k(int* p) {\n  __shared__ int s[4]; // one\n  s[threadIdx.x] = f(3);\n"
           "  p[0] = s[0];\n}\nconst char* raw = R\"(a\nb)\";\nvoid g(int* p) { k<<<1, 1>>>(p); }\n")) {
    if (c == '\n') text += '\r';
    text += c;
  }
  folder.write("lab.cu", text);
  for (const std::string& compiler : compilers()) {
    const Outcome outcome = simtcc(folder, {"lab.cu", "--cxx", compiler, "-o", "lab.so"});
    CHECK(outcome.status == 0);
    CHECK(outcome.text == "");
  }
}
