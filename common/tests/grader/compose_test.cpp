// What is compiled for a mutant: its regions in place of the solution's, and nothing that they do not need.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fixture.hpp"
#include "grader/compose.hpp"
#include "grader/contract_text.hpp"
#include "toy.hpp"

using namespace warpbook;

namespace {

const SourceFile solution{"/s/toy.cu", R"(#include <cuda_runtime.h>

namespace {

constexpr unsigned threads = 128; // in a block

// One thread for one element.
__global__ void add_kernel(float* data, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  // TODO(1): add one
  if (i < n) data[i] += 1;
  // END TODO(1)
}

std::size_t blocks_for(std::size_t n) { return (n + threads - 1) / threads; }

__global__ void other_kernel(float* data) {
  // TODO(2): say so
  data[0] = 2;
  // END TODO(2)
}

} // namespace

void toy_kernel_increment(float* data, std::size_t n, bool) {
  add_kernel<<<static_cast<unsigned>(blocks_for(n)), threads>>>(data, n);
}

void toy_kernel_half_a_shuffle(float* data) { other_kernel<<<1, 1>>>(data); }
)"};

SourceFile mutant(const std::string& text) {
  return {"/m/off.cu", "// mutant: off\n// item: adds\n\n" + text};
}

std::string composed(const std::string& text, const std::vector<std::string>& functions = {}) {
  return compose(mutant(text), solution, functions);
}

std::string misfit(const std::string& text) {
  try {
    composed(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  FAIL("composed what does not fit");
  return {};
}

/// A folder with a mutant, the solution and what is made of them; gone at the end of the test.
struct Folder {
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path + "/" + name) << text;
    return path + "/" + name;
  }
  /// Compiles the composition; what simtcc says. The module is toy.so.
  std::string compile(const std::string& text) const {
    const SourceFile theirs{write("solution.cu", solution.text), solution.text};
    const SourceFile ours{write("off.cu", mutant(text).text), mutant(text).text};
    const std::string source = write("composed.cu", compose(ours, theirs, {"toy_kernel_increment"}));
    const std::string command = std::string(SIMTCC) + " -include " + TOY_SOURCES + "/toy.hpp " + source +
                                " -o " + path + "/toy.so 2> " + path + "/said";
    const bool is_built = std::system(command.c_str()) == 0;
    const std::string said = read_text(path + "/said");
    CHECK_MESSAGE(is_built == said.empty(), said);
    return said;
  }
  std::string path =
      (std::filesystem::temp_directory_path() / ("warpbook-compose-" + std::to_string(::getpid()))).string();
};

} // namespace

TEST_CASE("a mutant's region takes the place of the solution's, and each line says where it comes from") {
  const std::string text = composed("  // TODO(1)\n  if (i <= n) data[i] += 1;\n  // END TODO(1)\n");
  CHECK(contains(text, "#line 9 \"/s/toy.cu\"\n  const std::size_t i") ==
        false); // it goes on from the line before
  CHECK(contains(text, "#line 8 \"/s/toy.cu\"\n__global__ void add_kernel("));
  CHECK(contains(text, "#line 5 \"/m/off.cu\"\n  if (i <= n) data[i] += 1;\n#line 12 \"/s/toy.cu\"\n"));
  CHECK_FALSE(contains(text, "if (i < n)"));
  CHECK(text.starts_with("#include <cuda_runtime.h>\n")); // simtcc looks for headers in front
}

TEST_CASE("a definition that the student was given can be replaced too, with what else it needs") {
  const std::string text =
      composed("// GIVEN(blocks_for)\nconstexpr int few = 2;\n\n"
               "std::size_t blocks_for(std::size_t) { return few; }\n// END GIVEN(blocks_for)\n");
  CHECK(contains(text, "#line 5 \"/m/off.cu\"\nconstexpr int few = 2;\n"));
  CHECK(contains(text, "return few; }"));
  CHECK_FALSE(contains(text, "(n + threads - 1)"));
  CHECK(contains(composed("// GIVEN(threads)\nconstexpr unsigned threads = 100;\n// END GIVEN(threads)\n"),
                 "threads = 100;"));
}

TEST_CASE("what neither the item's functions nor the mutant's lines use is left out") {
  const std::string changed = "// TODO(1)\n// END TODO(1)\n";
  const std::string text = composed(changed, {"toy_kernel_increment"});
  CHECK(contains(text, "void toy_kernel_increment("));
  CHECK(contains(text, "blocks_for(std::size_t n)"));
  CHECK_FALSE(contains(text, "toy_kernel_half_a_shuffle"));
  CHECK_FALSE(contains(text, "other_kernel"));
  CHECK(contains(composed(changed), "toy_kernel_half_a_shuffle")); // without an item all functions are kept
  // The mutant's own lines are compiled even where its item does not need them.
  CHECK(contains(composed("// TODO(2)\ndata[0] = 3;\n// END TODO(2)\n", {"toy_kernel_increment"}),
                 "data[0] = 3;"));
}

TEST_CASE("a mutant with code of its own before any region is a whole file") {
  CHECK(composed("#include <cuda_runtime.h>\n// TODO(1)\n// END TODO(1)\n") ==
        "#include <cuda_runtime.h>\n#include \"/m/off.cu\"\n");
  CHECK(composed("int x;\n") == "#include \"/m/off.cu\"\n");
}

TEST_CASE("a mutant that does not fit gets a sentence with its place") {
  CHECK(misfit("// TODO(3)\n// END TODO(3)\n") == "/m/off.cu:4: error: /s/toy.cu has no TODO(3).");
  CHECK(misfit("// GIVEN(unknown)\n// END GIVEN(unknown)\n") ==
        "/m/off.cu:4: error: /s/toy.cu has no GIVEN(unknown).");
  CHECK(misfit("// TODO(1)\nint x;\n") == "/m/off.cu:4: error: TODO(1) has no end.");
  CHECK(misfit("// TODO(1)\n// END TODO(2)\n") == "/m/off.cu:5: error: END TODO(2) closes nothing.");
  CHECK(misfit("// TODO(1)\n// TODO(2)\n") == "/m/off.cu:5: error: TODO(2) begins inside TODO(1).");
  CHECK(misfit("// TODO(1)\n// END TODO(1)\n// TODO(1)\n") == "/m/off.cu:6: error: TODO(1) is there twice.");
  CHECK(misfit("// TODO(1)\n// END TODO(1)\nint x;\n") ==
        "/m/off.cu:6: error: code outside of the regions, which is composed with nothing.");
  CHECK(misfit("// GIVEN(add_kernel)\n// END GIVEN(add_kernel)\n// TODO(1)\n// END TODO(1)\n") ==
        "/m/off.cu:6: error: TODO(1) lies inside GIVEN(add_kernel), which is replaced too.");
}

TEST_CASE("without a solution a mutant of regions cannot be composed, and a whole one can") {
  const SourceFile gone{"/s/toy.cu", ""};
  CHECK_THROWS_WITH_AS(compose(mutant("// TODO(1)\n// END TODO(1)\n"), gone, {}),
                       "/m/off.cu:4: error: there is no /s/toy.cu to compose TODO(1) with.",
                       std::invalid_argument);
  CHECK(compose(mutant("int x;\n"), gone, {}) == "#include \"/m/off.cu\"\n");
}

TEST_CASE("a compiler's error in a region names the mutant's file and line, one elsewhere the solution's") {
  const Folder folder;
  CHECK(contains(folder.compile("// TODO(1)\n  if (i < n)\n    undeclared = 1;\n// END TODO(1)\n"),
                 "/off.cu:6:5: error: "));
  CHECK(contains(folder.compile("// GIVEN(blocks_for)\n// END GIVEN(blocks_for)\n"), "/solution.cu:26:"));
}

TEST_CASE("what the simulator finds in a region is placed in the mutant's file, and in its TODO") {
  const Folder folder;
  CHECK(folder.compile("// TODO(1)\n\n  if (i <= n) data[i] += 1;\n// END TODO(1)\n") == "");
  SubmissionOptions options = toy_options("kernels");
  options.module_path = folder.path + "/toy.so";
  options.source_path = folder.path + "/off.cu";
  Submission toy(options);
  const std::vector<float> data(100);
  const Failure failure =
      failure_of([&] { toy.call(CONTRACT(toy_kernel_increment), inout(data), data.size(), false); });
  CHECK(failure.diagnoses.front() == "out-of-bounds");
  CHECK(contains(text_of(failure), "off.cu:6 | if (i <= n) data[i] += 1;"));
  REQUIRE(!failure.places.empty());
  CHECK(failure.places.front() == std::pair(options.source_path, 6u));
  CHECK(todo_around(read_text(options.source_path), 6) == 1);
}

TEST_CASE("composing again writes only what has changed, and reports all that do not fit") {
  const Folder folder;
  const std::string theirs = folder.write("solution.cu", solution.text);
  const std::string one = folder.write("one.cu", mutant("// TODO(1)\nint one;\n// END TODO(1)\n").text);
  const std::string two = folder.write("two.cu", mutant("// TODO(2)\nint two;\n// END TODO(2)\n").text);
  const std::string out = folder.path + "/out";
  CHECK(compose_into(out, theirs, {one, two}, Kept::functions_of_item) == "");
  const auto long_ago = std::filesystem::last_write_time(out + "/one.cu") - std::chrono::hours(1);
  std::filesystem::last_write_time(out + "/one.cu", long_ago);
  std::filesystem::last_write_time(out + "/two.cu", long_ago);
  folder.write("two.cu", mutant("// TODO(2)\nint three;\n// END TODO(2)\n").text);
  const std::string bad = folder.write("bad.cu", mutant("// TODO(9)\n// END TODO(9)\n").text);
  CHECK(contains(compose_into(out, theirs, {bad, one, two}, Kept::functions_of_item), "bad.cu:4: error: "));
  CHECK(std::filesystem::last_write_time(out + "/one.cu") == long_ago);
  CHECK(contains(read_text(out + "/two.cu"), "int three;"));
  CHECK_FALSE(std::filesystem::exists(out + "/bad.cu"));
}
