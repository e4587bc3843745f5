#include "module.hpp"
#include "simt/report/symbolizer.hpp"

#include <algorithm>

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

using namespace simtcc_test;

namespace {

/// Everything that is rewritten, spread over 25 lines.
const std::string rewritten = R"(__constant__ float c[4];
__device__ const int table[2] = {1, 2};
extern __shared__ float dynamic[];
template <class T, int N>
__global__ void
__launch_bounds__(256,
                  2)
tiled(T* out)
{
  __shared__ T tile[N]
                   [N],
      other;
  static __shared__
      __align__(16) float4 aligned;
#pragma unroll
  for (int i = 0; i < N; ++i) tile[0][i] = other = T(aligned.x = dynamic[0]);
  auto f = [=] { out[0] = tile[0][0] + c[0]; };
  f();
}
inline void launch(float* p) {
  tiled<float,
        4>
      <<<1,
         dim3(2)>>>(p); tiled<float, 4><<<1, 2>>>(p);
}
)";

} // namespace

TEST_CASE("a compiler error behind many rewrites names the student's line") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", rewritten + "int x = undeclared;\n");
    const Outcome outcome = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"});
    CHECK(outcome.status == 1);
    CHECK(outcome.text.find("lab.cu:26:9: error:") != std::string::npos);
    CHECK(outcome.text.find("undeclared") != std::string::npos);
  }
}

TEST_CASE("a compiler error in a header behind many rewrites names the header's line") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("kernels.hpp", rewritten + "int x = undeclared;\n");
    folder.write("lab.cu", "\n#include \"kernels.hpp\"\nint y = also_undeclared;\n");
    const Outcome outcome = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"});
    CHECK(outcome.status == 1);
    CHECK(outcome.text.find("kernels.hpp:26:9: error:") != std::string::npos);
    CHECK(outcome.text.find("lab.cu:3:9: error:") != std::string::npos);
  }
}

TEST_CASE("a translation has as many lines as its source") {
  const std::string result = translated(rewritten);
  CHECK(std::count(result.begin(), result.end(), '\n') ==
        std::count(rewritten.begin(), rewritten.end(), '\n'));
}

TEST_CASE("a raw string of several lines in what is rewritten keeps its lines") {
  const std::string source = "__global__ __launch_bounds__(sizeof(R\"(a\n\"b\n)\")) void k(int) {}\n"
                             "void launch() {\n  k<<<1, sizeof(R\"x(\n)x\")>>>(3);\n}\n";
  const std::string text = translated(source);
  CHECK(std::count(text.begin(), text.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
  CHECK(text.find("sizeof(\"a\\n\\\"b\\n\")") != std::string::npos);
}

TEST_CASE("a damaged file is translated too, line for line") {
  std::ifstream file(EVERYTHING);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  REQUIRE(whole.size() > 1000);
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::string source = whole;
    for (unsigned damage = random() % 3 + 1; damage > 0; --damage) {
      const std::size_t at = random() % source.size();
      switch (random() % 4) {
      case 0:
        source.erase(at, random() % 40);
        break;
      case 1:
        source.resize(at + 1);
        break;
      case 2:
        source.insert(at, whole.substr(random() % whole.size(), random() % 40));
        break;
      default:
        source[at] = "{}()[]<>;,=&*:\"'"[random() % 16];
      }
    }
    const std::string result = translated(source);
    INFO(source);
    REQUIRE(std::count(result.begin(), result.end(), '\n') == std::count(source.begin(), source.end(), '\n'));
  }
}

TEST_CASE("debug information names the student's line, also in an included file") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("kernels.hpp", rewritten + "extern \"C\" void in_header(int* p) {\n  *p = 1;\n}\n");
    folder.write("lab.cu",
                 "\n#include \"kernels.hpp\"\nextern \"C\" void in_source(int* p) {\n  *p = 1;\n}\n");
    REQUIRE(simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"}).status == 0);
    const std::string symbols = execute(folder, {"nm", "lab.so"}).text;
    const auto place = [&](const std::string& function) {
      const std::size_t end = symbols.find(" T " + function + "\n");
      REQUIRE(end != std::string::npos);
      const std::uint64_t offset = std::stoull(symbols.substr(end - 16, 16), nullptr, 16);
      const auto found = simt::Symbolizer().locate({folder.path("lab.so"), offset});
      return found ? found->file + ":" + std::to_string(found->line) : "nowhere";
    };
    const auto either = [](const std::string& text, const std::string& first, const std::string& second) {
      INFO(text);
      // g++ starts a function at its head, clang++ at its first statement.
      CHECK((text.find(first) != std::string::npos || text.find(second) != std::string::npos));
    };
    either(place("in_header"), "/kernels.hpp:26", "/kernels.hpp:27");
    either(place("in_source"), "/lab.cu:3", "/lab.cu:4");
  }
}

TEST_CASE("the compiler speaks of unmatched brackets, not the translator") {
  const Folder folder;
  folder.write("lab.cu", "__global__ void k() {\n  __shared__ int x = (1;\n}\n");
  const Outcome outcome = simtcc(folder, {"lab.cu", "-o", "lab.so"});
  CHECK(outcome.status == 1);
  CHECK(outcome.text.find("lab.cu:2:") != std::string::npos);
  CHECK(outcome.text.find("__shared__ variable") == std::string::npos);
  CHECK(outcome.text.find("expected") != std::string::npos);
}

TEST_CASE("a compiler error's column and excerpt are those of the student's file") {
  const std::string source =
      "#define SUM(a, b) ((a) + (b))\n"
      "__global__ void k(float* p,   int n) { p[threadIdx.x] = SUM(n,  n) +   missing; }\n"
      "void f(float* p) {\n"
      "  k<<<1,   2>>>(p,   absent);\n"
      "}\n";
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", source);
    const std::string text = simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"}).text;
    INFO(text);
    CHECK(text.find("lab.cu:2:72: error:") != std::string::npos);
    CHECK(text.find(
              "    2 | __global__ void k(float* p,   int n) { p[threadIdx.x] = SUM(n,  n) +   missing; }\n"
              "      |                                                                        ^\n") !=
          std::string::npos);
    CHECK(text.find("lab.cu:4:22: error:") != std::string::npos);
    CHECK(text.find("simt") == std::string::npos);
  }
}

namespace {

/// Three mistakes of which the compiler speaks in words of the simulator's headers.
const std::string mistakes = "__global__ void k(float* p, int n) { p[0] = n; }\n"
                             "void f(float* p) { k<<<1, 2>>>(p); }\n"
                             "__global__ void none() {}\n"
                             "void g() { none<<<1, 2, 3, nullptr, 5>>>(); }\n"
                             "__global__ void unknown(float* p) {\n"
                             "  __shared__ float window[width];\n"
                             "  p[0] = window[0];\n"
                             "}\n";

/// What is said of the mistakes; each compiler is asked once.
const std::string& said_of_mistakes(const std::string& compiler) {
  static std::map<std::string, std::string> said;
  const auto [place, is_new] = said.try_emplace(compiler);
  if (is_new) {
    const Folder folder;
    folder.write("lab.cu", mistakes);
    const Outcome outcome = plain_simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"});
    CHECK(outcome.status == 1);
    CHECK(outcome.text.find("simt") == std::string::npos);
    place->second = outcome.text;
  }
  return place->second;
}

} // namespace

TEST_CASE("arguments that do not fit a kernel are spoken of as a launch") {
  for (const std::string& compiler : compilers()) {
    const std::string& text = said_of_mistakes(compiler);
    INFO(text);
    CHECK(text.find("error: the kernel's parameters are (float") != std::string::npos);
    CHECK(text.find("lab.cu:2:") != std::string::npos);
  }
}

TEST_CASE("a configuration that is none says what a launch takes") {
  for (const std::string& compiler : compilers()) {
    const std::string& text = said_of_mistakes(compiler);
    INFO(text);
    CHECK(text.find("a launch takes <<<grid, block, shared bytes, stream>>>") != std::string::npos);
    CHECK(text.find("LaunchConfig") == std::string::npos);
  }
}

TEST_CASE("a shared array whose size is an unknown name is an error about the name alone") {
  for (const std::string& compiler : compilers()) {
    const std::string& text = said_of_mistakes(compiler);
    INFO(text);
    CHECK(text.find("lab.cu:6:27: error:") != std::string::npos);
    CHECK(text.find("must be a constant") == std::string::npos);
    CHECK(text.find("shared_variable") == std::string::npos);
  }
}

TEST_CASE("a shared array whose size is not constant says what its size may be") {
  for (const std::string& compiler : compilers()) {
    const Folder folder;
    folder.write("lab.cu", "__global__ void k(float* p, int n) {\n"
                           "  __shared__ float window[64 + 2 * n];\n"
                           "  p[0] = window[0];\n"
                           "}\n"
                           "template <class T> __global__ void t(T* p, int n) {\n"
                           "  __shared__ T tile[32][n];\n"
                           "  p[0] = tile[0][0];\n"
                           "}\n"
                           "void f(float* p) { t<<<1, 2>>>(p, 3); }\n");
    const std::string text = plain_simtcc(folder, {"--cxx", compiler, "lab.cu", "-o", "lab.so"}).text;
    INFO(text);
    CHECK(text.find("lab.cu:2:20: error: the size of the __shared__ array window must be a constant") !=
          std::string::npos);
    CHECK(text.find("lab.cu:6:16: error: the size of the __shared__ array tile must be a constant") !=
          std::string::npos);
    CHECK(text.find("write extern __shared__ and window[] without a size") != std::string::npos);
    CHECK(text.find("shared_variable") == std::string::npos);
    CHECK(text.find("variably modified") == std::string::npos);
  }
}
