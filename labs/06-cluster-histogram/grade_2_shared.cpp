// The rubric of TODO(2): a histogram in shared memory for every block.

#include "rubric.hpp"

using namespace cluster_histogram;

TEST_CASE("histogram_shared counts every value in its bin" * points(3) * tests("histogram_shared") *
          todo(2)) {
  for (const Schedule schedule : schedules()) check_sizes(shared(), 1500, schedule);
  for (const unsigned nbins : {1u, 2u, 31u, 33u, 1023u, 1025u, 12'288u})
    count_and_check(shared(), in_range(1009, nbins), nbins, Schedule::forward);
  for (const Integers& input : special_inputs(1009, 300))
    count_and_check(shared(), input, 300, Schedule::reverse);
  for (const Integers& input : out_of_range_inputs(1009, 100))
    count_and_check(shared(), input, 100, Schedule::random);
  count_and_check(shared(), in_range(on_sim() ? large_on_sim : large, 777), 777, Schedule::random);
  if (!has_room_for(real * sizeof(int))) return;
  check_real_size(shared(), 4099);
  check_beyond_int(shared(), 10'007);
}

TEST_CASE("histogram_shared takes as many bins as fit into all the shared memory of a block" * points(1) *
          tests("histogram_shared") * todo(2)) {
  const unsigned most = fitting_counters();
  for (const unsigned nbins : {12'289u, most}) {
    // One value a bin at the end, where a counter is forgotten first; `typical` values tell an unsolved task.
    Integers input = in_range(nbins == most ? 1009 : typical, nbins);
    for (std::size_t i = 0; i < 500; ++i) input.values[i] = last_bin(nbins) - static_cast<int>(i);
    count_and_check(shared(), input, nbins, Schedule::forward);
  }
}

TEST_CASE("histogram_shared leaves bins alone where it says that they do not fit" * points(1) *
          tests("histogram_shared") * todo(2)) {
  count_and_check(shared(), in_range(typical, 100), 100, Schedule::forward); // first, those that do
  const unsigned nbins = 4 * counters_of_a_block;
  const Integers input = in_range(1009, nbins);
  const std::vector<unsigned> before = random_integers<unsigned>(nbins, 1, 2'000'000'000);
  const Reply reply = shared().call(CallOptions{}, input.values, before, nbins);
  expect_left_alone(reply, shared(), input, nbins, before);
}

TEST_CASE("histogram_shared adds to global memory once for every bin and block" * points(2) *
          tests("histogram_shared") * todo(2) * sim_only()) {
  constexpr std::size_t n = 20'011;
  constexpr unsigned nbins = 64;
  for (const Schedule schedule : schedules()) {
    const Reply reply = count_and_check(shared(), in_range(n, nbins), nbins, schedule);
    expect_few_global_atomics(reply, shared(), n, nbins, schedule);
  }
}

TEST_CASE("histogram_shared reads every value once and coalesced" * points(1) * tests("histogram_shared") *
          todo(2) * sim_only()) {
  check_reading(shared(), 20'011, 64);
}
