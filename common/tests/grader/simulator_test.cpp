// What the simulator counts and finds reaches the rubric.
#include <doctest/doctest.h>

#include "fixture.hpp"
#include "grader/context.hpp"
#include "toy.hpp"

#include <utility>

using namespace warpbook;

TEST_CASE("kernels are counted, call by call") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> data(256, 1.0f);
  for (int turn = 0; turn < 2; ++turn) {
    const Reply reply = toy.call(CONTRACT(toy_kernel_increment), inout(data), data.size(), false);
    CHECK(reply.values<float>(0)[255] == 2.0f);
    CHECK(reply.counters().global_load_requests == 8);
    CHECK(reply.counters().global_load_sectors == 32);
    REQUIRE(reply.kernels().size() == 1);
    CHECK(reply.kernels()[0].grid[0] == 2);
  }
}

TEST_CASE("what the simulator finds fails the call, with its own diagnosis") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> data(128);
  const Failure failure =
      failure_of([&] { toy.call(CONTRACT(toy_kernel_increment), inout(data), data.size(), true); });
  CHECK(failure.diagnoses.front() == "out-of-bounds");
  CHECK(failure.sentence.to_print().starts_with("toy_kernel_increment: "));
  CHECK(contains(text_of(failure), "data[i] += 1")); // the excerpt of the student's line
  REQUIRE(!failure.places.empty());
  CHECK(failure.places.front().first.ends_with("toys/kernels.cu"));
  CHECK(failure.places.front().second == 6);
}

TEST_CASE("a diagnostic that the rubric allows does not fail the call by itself") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> data(128);
  const Failure failure = failure_of([&] {
    toy.call(CallOptions{.allow = {"out-of-bounds"}}, CONTRACT(toy_kernel_increment), inout(data),
             data.size(), true);
  });
  CHECK(failure.diagnoses.front() == "guard-damaged");
  CHECK(contains(failure.sentence.to_print(), "wrote past the end of `data`, at index 128"));
}

TEST_CASE("a refused launch is to be checked by who has written it, and not where it is given") {
  const SubmissionOptions options = toy_options("kernels");
  const std::string before = std::exchange(context().source_path, options.source_path);
  Submission toy(options);
  const std::vector<float> data(128);
  const Failure given = failure_of(
      [&] { toy.call(CONTRACT(toy_kernel_sum), out<float>(1), in(data), data.size(), 2048u, 1u); });
  CHECK(is_about(given, "invalid-launch"));
  CHECK_FALSE(has_diagnosis(given, "unchecked-launch"));
  const Failure written = failure_of([&] { // in TODO(1)
    toy.call(CONTRACT(toy_kernel_copy), out<float>(128), in(data), data.size(), 2048u, std::size_t{1}, 0u,
             false);
  });
  CHECK(is_about(written, "invalid-launch"));
  CHECK(has_diagnosis(written, "unchecked-launch"));
  context().source_path = before;
}

TEST_CASE("a failure on the simulator tells its schedule") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> data(128);
  const Failure failure = failure_of([&] {
    toy.call(CallOptions{.schedule = Schedule::reverse}, CONTRACT(toy_kernel_increment), inout(data),
             data.size(), true);
  });
  CHECK(contains(text_of(failure), "past_end = true), schedule reverse."));
}

TEST_CASE("what is odd and no mistake is at hand where a result is wrong") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> data(128, 1.0f);
  toy.call(CONTRACT(toy_kernel_half_a_shuffle), inout(data));
  std::string remarks;
  for (const std::string& line : texts_of(toy.last_remarks())) remarks += line + "\n";
  CHECK(contains(remarks, "A shuffle reads from lane 16, which takes no part in it"));
  CHECK(contains(remarks, "from lanes that are not there")); // the line
  toy.call(CONTRACT(toy_kernel_increment), inout(data), data.size(), false);
  CHECK(toy.last_remarks().empty());
}
