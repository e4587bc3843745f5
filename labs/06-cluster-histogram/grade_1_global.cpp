// The rubric of TODO(1): which bin a value counts in, and an atomic in global memory for every value.

#include "rubric.hpp"

using namespace cluster_histogram;

TEST_CASE("histogram_global counts every value in its bin" * points(3) * tests("histogram_global") *
          todo(1)) {
  check_sizes(global(), 1000);
  for (const unsigned nbins : {1u, 2u, 31u, 33u, 257u, 524'288u, on_sim() ? 1'500'007u : 1'000'003u})
    count_and_check(global(), in_range(few, nbins));
  for (const Input& input : special_inputs(few, 300)) count_and_check(global(), input, Schedule::reverse);
  count_and_check(global(), in_range(on_sim() ? large_on_sim : large, 777), Schedule::random);
  check_real_size(global(), 100'003);
  check_beyond_int(global(), 65'537, beyond_int / 8);
}

TEST_CASE("histogram_global counts values out of range in the first and the last bin" * points(2) *
          tests("histogram_global") * todo(1)) {
  count_and_check(global(), around_range(typical, 100));
  for (const unsigned nbins : {1u, 2u, 100u})
    for (const Input& input : out_of_range_inputs(few, nbins))
      for (const Schedule schedule : schedules()) count_and_check(global(), input, schedule);
}

TEST_CASE("histogram_global reads every value once and coalesced" * points(1) * tests("histogram_global") *
          todo(1) * sim_only()) {
  check_reading(global(), 20'011, 64);
}
