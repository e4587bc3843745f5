// A rubric over the toy contract, with items that go wrong in every way a rubric can.
#include "grader/grader.hpp"

#include <cstdlib>
#include <stdexcept>

#include "toy.hpp"

using namespace warpbook;

namespace {

Reply increment(Schedule schedule, const std::vector<int>& data) {
  return submission().call(CallOptions{.schedule = schedule}, CONTRACT(toy_increment), inout(data),
                           data.size());
}

Reply double_masses(std::size_t bodies) {
  return submission().call(CONTRACT(toy_bodies), in(std::vector<ToyBody>(bodies, {1, 2, 5})),
                           out<ToyBody>(bodies), bodies);
}

void expect_mass(const Reply& reply, float mass) {
  for (const ToyBody& body : reply.values<ToyBody>(1))
    if (body.mass != mass) fail("wrong-result", "The mass is " + to_text(body.mass) + ".", {reply.in_call()});
}

} // namespace

static const RunsThrough parts_of_increment({"toy_increment"}, {1, 4});

TEST_CASE("increment adds one, at any length" * points(3) * tests("toy_increment") * todo(1) *
          label("correctness")) {
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes()) {
      const std::vector<int> data = random_integers<int>(n, -1000, 1000);
      std::vector<int> wanted = data;
      for (int& value : wanted) ++value;
      expect_equal(increment(schedule, data), 0, wanted);
    }
  }
}

TEST_CASE("increment adds one, asked again" * points(3) * tests("toy_increment") * todo(1)) {
  for (int turn = 0; turn < 30; ++turn)
    expect_equal(increment(Schedule::forward, {1, 2, 3}), 0, std::vector{2, 3, 4});
}

TEST_CASE("an item for the simulator" * points(1) * tests("toy_increment") * sim_only()) {
  increment(Schedule::forward, {1, 2, 3});
  try { // a call beyond its array, to see it fail
    submission().call(CONTRACT(toy_increment), inout(std::vector<int>(1)), std::size_t{2});
  } catch (const ItemFailed&) {
    return;
  }
  throw std::logic_error("the call beyond its array did not fail");
}

TEST_CASE("an item for a GPU" * points(2) * tests("toy_increment") * cuda_only() * needs_capability(9)) {
  increment(Schedule::forward, {1, 2, 3});
}

TEST_CASE("the masses of as many bodies double as the host may see" * points(1) * tests("toy_bodies")) {
  expect_mass(double_masses(10), 10);
}

TEST_CASE("the masses of one body more double" * points(1) * tests("toy_bodies")) {
  expect_mass(double_masses(11), 10);
}

TEST_CASE("the masses of one body more grow by half" * points(1) * tests("toy_bodies")) {
  expect_mass(double_masses(11), 7.5f);
}

TEST_CASE("an item about a function that is missing" * points(1) * tests("toy_missing")) {
  submission().call(CONTRACT(toy_missing), out<int>(1));
}

TEST_CASE("an item that fails for another task" * points(1) * tests("toy_bodies") * todo(3)) {
  double_masses(10);
  Failure failure{{"wrong-result"}, "It is another's.", {}};
  failure.todos = {2};
  fail(std::move(failure));
}

TEST_CASE("a rubric that calls nothing" * points(1)) { expect_count("anything", 1, 1, {"none", "None."}); }

TEST_CASE("a rubric that ends the process" * points(1)) {
  increment(Schedule::forward, {1});
  std::exit(0);
}

TEST_CASE("a rubric that throws" * points(1)) {
  increment(Schedule::forward, {1});
  throw std::runtime_error("the rubric is broken");
}

TEST_CASE("a rubric on a machine that is too busy" * points(1)) {
  increment(Schedule::forward, {1});
  throw ItemUndecided("this machine is too busy");
}

TEST_CASE("a rubric with a failed check" * points(1)) {
  const Reply reply = increment(Schedule::forward, {1});
  CHECK(reply.values<int>(0)[0] == 1);
}

TEST_CASE("a rubric that divides by a count of zero" * points(1)) {
  increment(Schedule::forward, {1});
  expect_count("sectors per request", per(0, 0), 4, {"uncoalesced", "Never said."});
}
