// What a rubric says: values in the places of a message, and which values fit which message.
#include <doctest/doctest.h>

#include "grader/failure.hpp"

using namespace warpbook;

namespace {

constexpr MessageText messages[] = {
    {"plain", "", "Nothing to fill.", "The task", {}},
    {"counted/some", "count:,name", "{count:sum} of {name} and {count}.", "", {2, 3}},
    {"choice", "is_one?,deep?,n", "A{is_one?, one|, {n} with {deep?a {n}|none}}{deep?!}", "", {}},
    {"/advice", "", "Look again.", "", {4}},
};

/// Whether a message takes values of these types: what a rubric's call compiles with.
template <typename... Values>
constexpr bool takes(std::string_view parameters) {
  bool all = true;
  [[maybe_unused]] const auto next = [&]<typename T>(std::type_identity<T>) {
    const std::size_t end = parameters.find(',');
    all = all && fits<T>(parameters.substr(0, end));
    parameters = end == parameters.npos ? std::string_view() : parameters.substr(end + 1);
  };
  (next(std::type_identity<Values>()), ...);
  return all;
}

template <typename... Values>
LabMessage told(std::type_identity_t<MessageKey<messages, Values...>> key, const Values&... values) {
  return filled(*key.text, {MessageValue(values)...});
}

Failure failed() { return Failure{{"out-of-bounds"}, "It failed.", {"a detail"}}; }

} // namespace

TEST_CASE("a message has its id, its sentence with the values, its section and its TODOs") {
  const LabMessage plain = told("plain");
  CHECK(plain.id == "plain");
  CHECK(plain.sentence.to_print() == "Nothing to fill.");
  CHECK(plain.section == "The task");
  CHECK(plain.todos.empty());
  const LabMessage one = told("counted/some", 1, std::string("x")), many = told("counted/some", 20u, "y");
  CHECK(one.id == "counted");
  CHECK(one.sentence.to_print() == "1 sum of x and 1.");
  CHECK(many.sentence.to_print() == "20 sums of y and 20.");
  CHECK(one.todos == std::vector{2, 3});
  CHECK(told("/advice").id.empty());
}

TEST_CASE("of two texts the condition chooses one, and places inside of it are filled") {
  CHECK(told("choice", true, false, 7).sentence.to_print() == "A, one");
  CHECK(told("choice", false, true, 7).sentence.to_print() == "A, 7 with a 7!");
  CHECK(told("choice", false, false, -7).sentence.to_print() == "A, -7 with none");
}

TEST_CASE("a condition takes a bool alone, a number of something an integer, and the rest no bool") {
  CHECK(takes<int, std::string>("count:,name"));
  CHECK(takes<std::size_t, const char*>("count:,name"));
  CHECK(!takes<std::string>("count:"));
  CHECK(!takes<bool>("count:"));
  CHECK(!takes<bool>("name"));
  CHECK(!takes<int>("deep?"));
  CHECK(takes<bool>("deep?"));
  CHECK(!takes<double>("name")); // how many digits? rounded() and significant() say it
}

TEST_CASE("a failure is put by a message: its words, its section, and its TODOs") {
  const Failure made = failure_of(told("counted/some", 2, "x"), {"n = 2"});
  CHECK(made.diagnoses == std::vector<std::string>{"counted"});
  CHECK(made.todos == std::vector{2, 3});
  CHECK(texts_of(made.details) == std::vector<std::string>{"n = 2"});
  CHECK_THROWS_AS(fail(told("plain")), ItemFailed);

  Failure again = failed();
  again.places = {{"a.cu", 3}};
  retell(again, told("counted/some", 2, "x"));
  CHECK(again.diagnoses == std::vector<std::string>{"counted", "out-of-bounds"});
  CHECK(texts_of(again.causes) == std::vector<std::string>{"It failed."});
  CHECK(again.todos == std::vector{2, 3});
  CHECK(again.places.empty());
}

TEST_CASE("an advice leaves the sentence, and its id comes last, if it has one") {
  Failure advised = failed();
  advise(advised, told("plain"));
  CHECK(advised.sentence.to_print() == "It failed.");
  CHECK(advised.diagnoses == std::vector<std::string>{"out-of-bounds", "plain"});
  CHECK(advised.sections == std::vector<std::string>{"The task"});
  Failure unnamed = failed();
  advise(unnamed, told("/advice"));
  CHECK(unnamed.diagnoses == std::vector<std::string>{"out-of-bounds"});
  CHECK(unnamed.details.back().text.to_print() == "Look again.");
}
