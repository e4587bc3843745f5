// The rubric of TODO(2): a histogram in shared memory for every block.

#include "rubric.hpp"

using namespace cluster_histogram;

static const RunsThrough parts_of_shared({"histogram_shared"}, {1, 2});

TEST_CASE("histogram_shared counts every value in its bin" * points(3) *
          tests("histogram_shared", "histogram_global") * todo(2)) {
  check_sizes(shared(), 1500);
  for (const unsigned nbins : {1u, 2u, 31u, 33u, 1023u, 1025u, 12'288u})
    count_and_check(shared(), in_range(few, nbins));
  for (const Input& input : special_inputs(few, 300)) count_and_check(shared(), input, Schedule::reverse);
  for (const Input& input : out_of_range_inputs(few, 100)) count_and_check(shared(), input, Schedule::random);
  count_and_check(shared(), in_range(on_sim() ? large_on_sim : large, 777), Schedule::random);
  check_real_size(shared(), 4099);
  check_beyond_int(shared(), 10'007);
}

TEST_CASE("histogram_shared takes as many bins as fit into all the shared memory of a block" * points(1) *
          tests("histogram_shared") * todo(2)) {
  const unsigned most = fitting_counters();
  for (const unsigned nbins : {12'289u, most}) // `typical` values tell an unsolved task
    count_and_check(shared(), up_to_the_last_bin(nbins == most ? few : typical, nbins));
}

TEST_CASE("histogram_shared leaves bins alone where it says that they do not fit" * points(1) *
          tests("histogram_shared") * todo(2)) {
  count_and_check(shared(), in_range(typical, 100)); // first, those that do
  check_left_alone(shared(), 4 * counters_of_a_block);
}

TEST_CASE("histogram_shared adds to global memory once for every bin and block" * points(2) *
          tests("histogram_shared") * todo(2) * sim_only()) {
  check_atomics(shared(), 20'011, 64);
}

TEST_CASE("histogram_shared reads every value once and coalesced" * points(1) * tests("histogram_shared") *
          todo(2) * sim_only()) {
  check_reading(shared(), 20'011, 64);
}
