// Tables of mistakes: which one a wrong result is, and where nothing may be claimed.
#include <doctest/doctest.h>

#include "fixture.hpp"
#include "grader/contract.hpp"
#include "grader/inputs.hpp"
#include "grader/mistakes.hpp"
#include "toy.hpp"

using namespace warpbook;

namespace {

/// The table's mistake that made `result` where `right` was wanted; "nothing" if none is reported.
std::string made(const std::vector<Mistake<int>>& table, const std::vector<int>& result,
                 const std::vector<int>& right, Several several = Several::untold) {
  const auto is_in = [](const std::vector<int>& values) {
    return [&values](std::size_t i, int value) { return values[i] == value; };
  };
  const Mistake<int>* found = mistake_made(table, result.size(), is_in(result), is_in(right), several);
  return found == nullptr ? "nothing" : found->message.sentence.to_print();
}

const Mistake<int> doubled{{"doubled", "Doubled."}, [](std::size_t i) { return static_cast<int>(2 * i); }};
const Mistake<int> summed{{"summed", "Summed."}, [](std::size_t i) { return static_cast<int>(i + i); }};
const Mistake<int> zeros{{"zero", "Zeros."}, [](std::size_t) { return 0; }};

/// A reply whose first buffer is `values`.
Reply copy_of(const std::vector<float>& values) {
  Submission toy(toy_options("kernels"));
  return toy.call(CONTRACT(toy_kernel_copy), out<float>(values.size()), in(values), values.size(), 128U,
                  std::size_t{1}, 0U, false);
}

} // namespace

TEST_CASE("a mistake is named whose result it is, element by element") {
  CHECK(made({zeros, doubled}, {0, 2, 4}, {0, 1, 2}) == "Doubled.");
  CHECK(made({zeros, doubled}, {0, 2, 5}, {0, 1, 2}) == "nothing");
}

TEST_CASE("a mistake that leads to the right result proves nothing") {
  CHECK(made({zeros}, {0, 0}, {0, 0}) == "nothing");
}

TEST_CASE("of two mistakes that lead to the same result neither is named, and of two of one name the first") {
  CHECK(made({doubled, summed}, {0, 2, 4}, {0, 1, 2}) == "nothing");
  Mistake<int> again = doubled;
  again.message.sentence = "Doubled again.";
  CHECK(made({doubled, again}, {0, 2, 4}, {0, 1, 2}) == "Doubled.");
}

TEST_CASE(
    "of two mistakes that lead to the same result the first is named where the table's order is meant") {
  CHECK(made({summed, doubled}, {0, 2, 4}, {0, 1, 2}, Several::first) == "Summed.");
  CHECK(made({zeros, summed, doubled}, {0, 2, 4}, {0, 1, 2}, Several::first) == "Summed.");
  CHECK(made({zeros, doubled}, {0, 0, 0}, {0, 0, 0}, Several::first) == "nothing");
}

TEST_CASE("a mistake may be about the first elements only") {
  Mistake<int> first_two = doubled;
  first_two.count = 2;
  CHECK(made({first_two}, {0, 2, 7}, {0, 1, 2}) == "Doubled.");
}

TEST_CASE("a mistake's failure has its words, section and TODOs") {
  const Mistake<int> mistake{{"doubled", "Doubled.", "What to double", {2, 3}},
                             [](std::size_t i) { return static_cast<int>(2 * i); }};
  const auto is_doubled = [](std::size_t i, int value) { return value == static_cast<int>(2 * i); };
  const auto is_right = [](std::size_t i, int value) { return value == static_cast<int>(i); };
  const Failure failure =
      failure_of([&] { fail_if_made<int>({mistake}, 3, is_doubled, is_right, {"n = 3"}); });
  CHECK(failure.diagnoses == std::vector<std::string>{"doubled"});
  CHECK(failure.sentence.to_print() == "Doubled.");
  CHECK(texts_of(told_lines(failure)) == std::vector<std::string>{"n = 3"});
  CHECK(failure.sections == std::vector<std::string>{"What to double"});
  CHECK(failure.todos == std::vector{2, 3});
}

TEST_CASE("elements that were left out are reported if they are a run, and all others right") {
  const auto left_of = [](const std::string& text) { // r: right, w: wrong, _: left out
    return left_out(
        text.size(), [&](std::size_t i) { return text[i] == '_'; },
        [&](std::size_t i) { return text[i] == 'r'; });
  };
  REQUIRE(left_of("rr__r").has_value());
  CHECK(left_of("rr__r")->first == 2);
  CHECK(left_of("rr__r")->count == 2);
  CHECK_FALSE(left_of("__").has_value());
  CHECK_FALSE(left_of("r_r_").has_value());
  CHECK_FALSE(left_of("rw_").has_value());
  CHECK_FALSE(left_of("rr").has_value());
}

TEST_CASE("elements that were moved elsewhere are reported with where they come from") {
  const std::vector<float> values = {1, 2, 3, 4};
  const Reply reply = copy_of(values);
  const Moved<float> kept{reply, values, [](std::size_t i) { return i; }};
  CHECK(kept.first_wrong() == 4);
  const Moved<float> reversed{reply, values, [](std::size_t i) { return 3 - i; }};
  CHECK(reversed.first_wrong() == 0);
  const Mistake<Origin> copied{{"copied", "Copied."}, [](std::size_t i) { return i; }};
  const Mistake<Origin> ends_copied{{"ends-copied", "Ends copied."},
                                    [](std::size_t i) { return i == 1 ? any_origin : i; }};
  const Mistake<Origin> outside{{"outside", "Outside."}, [](std::size_t i) { return i + 1; }};
  const auto told = [&](const Mistake<Origin>& mistake) {
    return failure_of([&] { reversed.fail_if_made({outside, mistake}, {}); }).diagnoses.front();
  };
  CHECK(told(copied) == "copied");
  CHECK(told(ends_copied) == "ends-copied");
  CHECK_NOTHROW(reversed.fail_if_made({outside}, {}));
  const Failure failure = failure_of([&] { reversed.fail_wrong(1, "the third, ", {"n = 4"}); });
  CHECK(failure.sentence.to_print() == "toy_kernel_copy wrote out[1] = 2; right is the third, in[2] = 3.");
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result"});
  CHECK(failure.details.back().text.to_print() == "n = 4");
}

TEST_CASE("values that a runner would make are known by their places") {
  const Drawn<float> drawn{uniform(5, 6)};
  const std::vector<float> values = drawn.values(3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(values[i] == drawn[i]);
  CHECK(drawn.buffer(3).buffer.count == 3);
  CHECK(Drawn<float>{}.seed != Drawn<float>{}.seed);
}

TEST_CASE("special inputs are constant, sorted, and extreme values over and over") {
  const auto list = special_inputs<int>({3, 1, 2}, {7, 8});
  CHECK(list == std::vector<std::vector<int>>{{3, 3, 3}, {1, 2, 3}, {7, 8, 7}});
}
