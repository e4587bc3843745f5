#include "simulation.hpp"

#include <doctest/doctest.h>
#include <numeric>

using namespace simt;

namespace {

template <class... Arguments>
int call_afresh(const char* name, Arguments... arguments) {
  cudaGetLastError();
  configure(Options{});
  take_report();
  return call<int>(name, arguments...);
}

} // namespace

TEST_CASE("a cooperative grid reduces in one kernel, with every schedule") {
  FreshDevice fresh;
  std::vector<int> values(10'000);
  std::iota(values.begin(), values.end(), -100);
  int expected = std::accumulate(values.begin(), values.end(), 0);
  Buffer<int> in(values);
  for (int blocks : {1, 7, 200, 1056}) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> partial(1056), out(1);
      Report report = clean_run(schedule, "run_grid_sum", static_cast<const int*>(in.get()), 10'000,
                                partial.get(), out.get(), blocks);
      CHECK(out.values()[0] == expected);
      CHECK(report.kernels[0].name == "grid_sum");
      CHECK(report.kernels[0].counters.grid_barriers == 1);
      CHECK(report.kernels[0].counters.barriers == 2u * static_cast<unsigned>(blocks));
    }
  }
}

TEST_CASE("values wander through a grid, one barrier per step") {
  FreshDevice fresh;
  std::vector<int> start(12);
  std::iota(start.begin(), start.end(), 0);
  for (Schedule schedule : all_schedules) {
    Buffer<int> values(start);
    Report report = clean_run(schedule, "run_wave", values.get(), 5);
    for (int i = 0; i < 12; ++i) CHECK(values.values()[static_cast<std::size_t>(i)] == (i + 5) % 12);
    CHECK(report.kernels[0].counters.grid_barriers == 10);
  }
}

TEST_CASE("a grid's barrier can be arrived at and waited for apart") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Buffer<int> values(10), out(10);
    clean_run(schedule, "run_split", values.get(), out.get());
    for (int i = 0; i < 10; ++i) CHECK(out.values()[static_cast<std::size_t>(i)] == i * 100 + 10 - i);
  }
}

TEST_CASE("a cooperative grid may consist of clusters") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(16);
    clean_run(schedule, "run_clusters_in_grid", out.get());
    for (int i = 0; i < 16; ++i) CHECK(out.values()[static_cast<std::size_t>(i)] == i / 4 * 4 + 3 - i % 4);
  }
}

TEST_CASE("a kernel can ask whether its launch was cooperative") {
  FreshDevice fresh;
  Buffer<int> out(1);
  clean_run(Schedule::forward, "run_is_valid", out.get(), true);
  CHECK(out.values()[0] == 1);
  clean_run(Schedule::forward, "run_is_valid", out.get(), false);
  CHECK(out.values()[0] == 0);
}

TEST_CASE("grid.sync() in an ordinary launch ends the kernel with a sentence") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Finding d = the_only(SIMT_RUN("run_ordinary", out.get()), "grid-sync-not-cooperative");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("cooperative.cu", "ordinary launch")});
  CHECK(mentions(message_of(d), "launched the ordinary way"));
  CHECK(mentions(cure_of(d), "cudaLaunchCooperativeKernel"));
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure); // measured on an H200
}

TEST_CASE("a block that leaves before the grid's barrier makes the others wait for ever") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<int> out(1);
    Finding d =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_one_block_leaves", out.get()), "deadlock");
    CHECK(lines_of(d) == std::vector<unsigned>{marked_line("cooperative.cu", "never complete"),
                                               marked_line("cooperative.cu", "leaves before the barrier")});
    CHECK(mentions(message_of(d), "grid.sync(): 32 threads of the grid ended without arriving there."));
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  }
}

TEST_CASE("a cooperative grid is as large as an H200 holds, and not larger") {
  FreshDevice fresh;
  CHECK(call_afresh("run_cooperative", 132 * 2, 1024) == cudaSuccess);
  CHECK(call_afresh("run_cooperative", 132 * 2 + 1, 1024) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(call_afresh("run_cooperative", 132 * 8, 256) == cudaSuccess);
  CHECK(call_afresh("run_cooperative", 132 * 8 + 1, 256) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(call_afresh("run_cooperative", 132 * 32, 32) == cudaSuccess);
  CHECK(call_afresh("run_cooperative", 132 * 32 + 1, 32) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  Finding d = the_only(take_report(), "invalid-launch");
  CHECK(mentions(message_of(d), "of its 4225 blocks the device holds 4224"));
  CHECK(call_afresh("run_cooperative", 0, 32) == cudaErrorInvalidValue);
  CHECK(call_afresh("run_cooperative", 4, 2048) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("a kernel behind a pointer without a type is known by its address") {
  FreshDevice fresh;
  CHECK(call_afresh("run_untyped", 1) == cudaErrorInvalidValue); // it lacks its arguments
  cudaGetLastError();
}
