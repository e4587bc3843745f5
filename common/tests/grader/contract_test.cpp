// What the compiler refuses, and what is read from a contract's text.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/failure.hpp"
#include "grader/result.hpp"
#include "grader/submission.hpp"
#include "toy.hpp"

using namespace warpbook;

namespace {

template <typename F, typename... Args>
concept CanCall = requires(Submission& s, F f, const Args&... arguments) {
  s.call(f, arguments...);
};

using Increment = decltype(CONTRACT(toy_increment));
using Buffers = decltype(CONTRACT(toy_buffers));
using Ints = std::vector<int>;
template <typename T>
using In = BufferValue<T, Role::in>;
template <typename T>
using InOut = BufferValue<T, Role::inout>;
template <typename T>
using Out = BufferValue<T, Role::out>;
template <typename T>
using Generated = BufferValue<T, Role::generated>;

template <typename... Ps>
using Takes = Function<void(Ps...)>;

static_assert(CanCall<Increment, InOut<int>, std::size_t>);
static_assert(CanCall<Increment, Out<int>, std::size_t>);
static_assert(CanCall<Increment, Generated<int>, std::size_t>);
static_assert(CanCall<Increment, InOut<int>, int>,
              "integers of other types are checked for range at run time");
static_assert(!CanCall<Increment, In<int>, std::size_t>, "in() for a pointer to mutable");
static_assert(!CanCall<Increment, InOut<float>, std::size_t>, "another element type");
static_assert(!CanCall<Increment, InOut<unsigned>, std::size_t>, "another element type of the same size");
static_assert(!CanCall<Increment, std::size_t, InOut<int>>, "another order");
static_assert(!CanCall<Increment, InOut<int>>, "too few");
static_assert(!CanCall<Increment, InOut<int>, std::size_t, int>, "too many");
static_assert(!CanCall<Increment, InOut<int>, double>, "a fraction for an integer");
static_assert(!CanCall<Increment, InOut<int>, bool>, "a truth value for a number");
static_assert(!CanCall<Increment, Ints, std::size_t>, "a vector without in(), inout() or out()");
static_assert(CanCall<Buffers, In<float>, InOut<float>, Out<float>, Out<double>, std::size_t>);
static_assert(CanCall<Buffers, Generated<float>, InOut<float>, Out<float>, Out<double>, std::size_t>);
static_assert(!CanCall<Buffers, InOut<float>, InOut<float>, Out<float>, Out<double>, std::size_t>,
              "inout() for a pointer to const");
static_assert(!CanCall<Buffers, Out<float>, InOut<float>, Out<float>, Out<double>, std::size_t>,
              "out() for a pointer to const");
static_assert(CanCall<Takes<double>, float>);
static_assert(!CanCall<Takes<float>, double>, "a double for a float");
static_assert(!CanCall<Takes<float>, int>, "an integer for a float");
static_assert(!CanCall<Takes<bool>, int>, "a number for a truth value");
static_assert(CanCall<Takes<ToyMode>, ToyMode>);
static_assert(!CanCall<Takes<ToyMode>, int>, "a number for an enumeration");
static_assert(!CanCall<Takes<int>, ToyMode>, "an enumeration for a number");
static_assert(CanCall<Function<int()>>);

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("parameter names are read from the contract's text") {
  const std::string text =
      "/// old_f(int wrong)\nextern \"C\" void f(const float* data, /* f(x) */ std::size_t n,\n"
      "       float scale = 1.0f, // the factor\n       unsigned char flag);\nvoid ff(int other);";
  CHECK(parameter_names(text, "f", 4) == Names{"data", "n", "scale", "flag"});
  CHECK(parameter_names(text, "ff", 1) == Names{"other"});
}

TEST_CASE("parameters without a name are counted") {
  CHECK(parameter_names("void f(const float*, int, std::size_t n);", "f", 3) ==
        Names{"argument 1", "argument 2", "n"});
  CHECK(parameter_names("", "f", 2) == Names{"argument 1", "argument 2"});
}

TEST_CASE("a function's signatures are read with their lines, and definitions told from calls") {
  const auto text = [](const std::string& source) {
    std::string found;
    for (const Signature& one : signatures_of(source, "f"))
      found += std::to_string(one.line) + (one.is_definition ? " defines " : " has ") + one.text + "\n";
    return found;
  };
  CHECK(text("#include <x>\n#define g(x) \\\n  f(x)\n// f(1)\nvoid f(float* a, // in\n       int n) {\n  "
             "ff(n);\n  if "
             "(n > 0) f(a, n - 1);\n}\n") ==
        "5 defines void f(float* a, int n)\n8 has if (n > 0) f(a, n - 1)\n");
  CHECK(text("extern \"C\" {\nint f(int n);\n}\ntemplate <class T>\nvoid f(T n)\n{}\n") ==
        "2 has int f(int n)\n5 defines template <class T> void f(T n)\n");
  CHECK(text("void f") == "");
}

TEST_CASE("a missing function is no TODO's") {
  ItemResult result;
  result.judged.todo = 1;
  result.failure.diagnoses = {"missing-function"};
  CHECK(todos_of(result, {}).empty());
}

TEST_CASE("the line of a TODO is found by its number") {
  const std::string source = "// TODO(12): late\n\n// TODO (1): first\n// TODO(2)\n";
  CHECK(todo_line(source, 1) == 3);
  CHECK(todo_line(source, 2) == 4);
  CHECK(todo_line(source, 12) == 1);
  CHECK(todo_line(source, 3) == 0);
}

TEST_CASE("the TODO around a line is found by its region") {
  const std::string source =
      "int a;\n// TODO(1): sum\n// as in TODO(2)\na();\n// END TODO(1)\nb();\n  // TODO(2): x\nc();\n";
  const int around[] = {0, 0, 1, 1, 1, 0, 0, 2, 2, 2};
  for (unsigned line = 1; line <= 8; ++line) {
    CAPTURE(line);
    CHECK(todo_around(source, line) == around[line]);
  }
  CHECK(todo_around("", 3) == 0);
}

TEST_CASE("the code in a TODO is compared without comments and spaces") {
  const std::string source = "// of TODO(1) nothing\n// TODO(1): sum\n// as below\n\n// END TODO(1)\n"
                             "// TODO(2): b\n  b( 1 ); // TODO(1)\n// END TODO(2)\n"
                             "// TODO(3): more\n/* a\n b */\n  // END TODO(3)\nc();\n";
  CHECK(code_in_todo(source, 1) == "");
  CHECK(code_in_todo(source, 2) == "b(1);");
  CHECK(code_in_todo(source, 3) == "");
  CHECK(code_in_todo(source, 4) == std::nullopt);
  CHECK(code_in_todo("", 1) == std::nullopt);
}

TEST_CASE("a failure with lines is one of the task around them, not of the item's") {
  const std::string path = "contract_test_source.cu";
  std::ofstream(path) << "// TODO(1): a\n// END TODO(1)\n// TODO(2): b\nb();\n// END TODO(2)\n";
  SubmissionOptions submission;
  submission.source_path = path;
  ItemResult result;
  result.status = ItemResult::Status::failed;
  result.judged.todo = 1;
  const auto todo = [&] { return nlohmann::json::parse(to_json(record_of(result, submission))).at("todo"); };
  CHECK(todo().at("number") == 1);
  result.failure.places = {{"elsewhere.cu", 4}, {path, 9}};
  CHECK(todo().at("number") == 1);
  result.failure.places = {{path, 4}};
  CHECK(todo().at("number") == 2);
  CHECK(todo().at("line") == 3);
  CHECK(to_report(record_of(result, submission)).find("the task: TODO(2)") != std::string::npos);
  result.failure.places = {{path, 4}, {path, 1}}; // in both: the item's own
  CHECK(todo().at("number") == 1);
  CHECK_FALSE(todo().contains("numbers"));
  std::filesystem::remove(path);
}

TEST_CASE("a rubric that knows the task better than the item does names it, or several; lines know it best") {
  const std::string path = "contract_test_tasks.cu";
  std::ofstream(path) << "// TODO(1): a\na();\n// END TODO(1)\n// TODO(2): b\nb();\n// END TODO(2)\n";
  SubmissionOptions submission;
  submission.source_path = path;
  ItemResult result;
  result.status = ItemResult::Status::failed;
  result.failure.todos = {2};
  CHECK(todos_of(result, submission).empty()); // an item of no task
  result.judged.todo = 1;
  CHECK(todos_of(result, submission) == std::vector{2});
  result.failure.todos = {2, 1};
  const auto todo = nlohmann::json::parse(to_json(record_of(result, submission))).at("todo");
  CHECK(todo.at("number") == 2);
  CHECK(todo.at("line") == 4);
  CHECK(todo.at("numbers") == std::vector{2, 1});
  CHECK(to_report(record_of(result, submission)).find("the task: TODO(2) or TODO(1) in ") != std::string::npos);
  result.failure.places = {{path, 2}};
  CHECK(todos_of(result, submission) == std::vector{1});
  std::filesystem::remove(path);
}

TEST_CASE("a failure points to a task of the file, and not to one that the file does not have") {
  const std::string path = "contract_test_point.cu";
  std::ofstream(path) << "// TODO(1): a\na();\n// END TODO(1)\n// TODO(2): b\nb();\n// END TODO(2)\n";
  const std::string before = std::exchange(context().source_path, path);
  Failure failure{{"wrong-result", "off-by-one"}, "no", {}};
  failure.places = {{path, 2}};
  point_to(failure, 3);
  CHECK(failure.places.size() == 1);
  CHECK(failure.todos.empty());
  point_to(failure, 2);
  CHECK(failure.places.empty());
  CHECK(failure.todos == std::vector{2});
  CHECK(has_diagnosis(failure, "off-by-one"));
  CHECK_FALSE(has_diagnosis(failure, "off-by"));
  context().source_path = before;
  std::filesystem::remove(path);
}

TEST_CASE("comments are removed and lines are kept") {
  CHECK(without_comments("a // b\nc /* d\ne */ f\n") == "a \nc \n  f\n");
}
