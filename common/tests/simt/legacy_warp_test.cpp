#include "simulation.hpp"

#include <doctest/doctest.h>
#include <numeric>

using namespace simt;

TEST_CASE("a sum without masks is that of the whole block") {
  for (Schedule schedule : all_schedules) {
    std::vector<int> values(256);
    std::iota(values.begin(), values.end(), 1);
    Buffer<int> in(values), out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_sum", in.get(), out.get()).diagnostics.empty());
    CHECK(out.values()[0] == 256 * 257 / 2);
  }
}

TEST_CASE("without a mask the lanes of a branch are among themselves, and all are together behind it") {
  for (Schedule schedule : all_schedules) {
    Buffer<unsigned> out(128);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_branches", out.get()).diagnostics.empty());
    const std::vector<unsigned> values = out.values();
    for (unsigned lane = 0; lane < 32; ++lane) {
      CAPTURE(lane);
      const unsigned* row = &values[lane * 4];
      CHECK(row[0] == (lane % 2 == 0 ? 0x55u : 0));
      CHECK(row[1] == 0xffu);
      CHECK(row[2] == (lane < 4 ? lane ^ 1 : 6));
      CHECK(row[3] == 31);
    }
  }
}

TEST_CASE("without a mask lanes that have left a loop wait for those in it") {
  for (Schedule schedule : all_schedules) {
    Buffer<unsigned> out(32);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_loops", out.get()).diagnostics.empty());
    const std::vector<unsigned> values = out.values();
    for (unsigned lane = 0; lane < 32; ++lane) CHECK(values[lane] == 0xffffffffu + lane / 8);
  }
}

TEST_CASE("shuffles without a mask take all types that those with one do") {
  Buffer<double> out(128);
  Report report = SIMT_RUN("run_types", out.get());
  // Lane 31 reads from a lane that is not there, which gives its own value.
  const std::vector<double> values = out.values();
  for (int lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    const double* row = &values[static_cast<std::size_t>(lane) * 4];
    CHECK(row[0] == 1.5);
    CHECK(row[1] == static_cast<double>((lane % 8 == 0 ? lane : lane - 1ll) << 40));
    CHECK(row[2] == -1.5 * (lane ^ 2));
    CHECK(row[3] == 0.25 * (lane == 31 ? 31 : lane + 1));
  }
  CHECK(report.diagnostics.empty());
}
