#include "simt/report/catalogue.hpp"
#include "simulation.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>

using namespace simt;

namespace {

constexpr const char* barriers_source = "cpp_barriers.cu";

bool has_race(const Report& report, const std::vector<unsigned>& lines) {
  return std::ranges::any_of(report.diagnostics, [&](const Finding& finding) {
    return finding.id == "shared-race" && sorted_lines(finding) == lines;
  });
}

} // namespace

TEST_CASE("threads that arrive and wait see what the others wrote before their arrival") {
  for (Schedule schedule : all_schedules) {
    for (bool split : {false, true}) {
      Buffer<int> out(96);
      Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_exchange", out.get(), split, false, false);
      CHECK(report.diagnostics.empty());
      CHECK(out.values()[0] == 95 + 2);
      CHECK(report.kernels.at(0).counters.barriers == 1); // __syncthreads()
      CHECK(report.kernels.at(0).counters.shared_atomic_requests == 0);
    }
  }
}

TEST_CASE("what a thread does between arrival and wait is not ordered for the others") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(96);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_exchange", out.get(), true, true, false);
    CHECK(has_race(report, marked_lines(barriers_source, "behind arrival", "behind wait")));
    report = SIMT_RUN_WITH(with_schedule(schedule), "run_exchange", out.get(), true, false, true);
    CHECK(has_race(report, marked_lines(barriers_source, "before arrival", "before wait")));
  }
}

TEST_CASE("a barrier in shared memory orders global memory, too") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(128), out(128);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_global_memory", data.get(), out.get())
              .diagnostics.empty());
    CHECK(out.values()[64] == 63);
  }
}

TEST_CASE("producers and consumers hand buffers back and forth, and race where one hands back too early") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(32);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_produce_and_consume", out.get(), 7, false)
              .diagnostics.empty());
    CHECK(out.values()[0] == 2100 + 7 * 31);
  }
  Buffer<int> out(32);
  for (Schedule schedule : all_schedules) {
    const Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_produce_and_consume", out.get(), 4, true);
    CHECK(has_race(report, marked_lines(barriers_source, "fills", "empties")));
  }
}

TEST_CASE("a thread that drops out is not waited for any more") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_drop_out", out.get()).diagnostics.empty());
    CHECK(out.values()[0] == 4);
  }
}

TEST_CASE("the completion function runs once in a phase, before any thread goes on") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(3);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_with_completion", out.get(), 3).diagnostics.empty());
    CHECK(out.values() == std::vector<int>{1, 3, 5});
  }
}

TEST_CASE("a wait for a parity, and a question whether a phase has ended, order as wait() does") {
  for (Schedule schedule : all_schedules) {
    for (bool parity : {false, true}) {
      Buffer<int> out(1);
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_poll", out.get(), parity).diagnostics.empty());
      CHECK(out.values()[0] == 5);
    }
  }
}

TEST_CASE("a phase that lacks arrivals is a deadlock, which says how many") {
  FreshDevice device;
  for (Schedule schedule : all_schedules) {
    cudaDeviceReset();
    const Finding found = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_one_too_few", 61), "deadlock");
    CHECK(found.kind == "phase");
    CHECK(found.variable == "barrier");
    CHECK(found.has(fact::Amount{3}));
    CHECK(found.has(fact::Limit{64}));
    CHECK(lines_of(found)[0] == marked_line(barriers_source, "waits for ever"));
    CHECK(message_of(found).find("3 arrivals of the 64 that init() has asked for never arrive") !=
          std::string::npos);
  }
}

TEST_CASE("a barrier that was never set up is named") {
  FreshDevice device;
  for (Schedule schedule : all_schedules) {
    cudaDeviceReset();
    const Finding found =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_not_initialised"), "barrier-not-initialised");
    CHECK(found.variable == "barrier");
    CHECK(lines_of(found) == std::vector<unsigned>{marked_line(barriers_source, "no init")});
  }
  cudaDeviceReset();
  CHECK(sorted_lines(the_only(SIMT_RUN("run_no_barrier_behind_init"), "shared-race")) ==
        marked_lines(barriers_source, "init", "too early"));
  cudaDeviceReset();
  CHECK(the_only(SIMT_RUN_WITH(with_schedule(Schedule::reverse), "run_no_barrier_behind_init"),
                 "barrier-not-initialised")
            .variable == "barrier");
}

TEST_CASE("more arrivals than a phase waits for are a mistake") {
  FreshDevice device;
  const Finding found = the_only(SIMT_RUN("run_too_many"), "barrier-overrun");
  CHECK(lines_of(found) == std::vector<unsigned>{marked_line(barriers_source, "three of two")});
}

TEST_CASE("threads at a cuda::barrier and threads at __syncthreads() wait for each other for ever") {
  FreshDevice device;
  for (Schedule schedule : all_schedules) {
    cudaDeviceReset();
    const Finding found =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_beside_syncthreads"), "deadlock");
    CHECK(found.kind == "phase");
    CHECK(sorted_lines(found) == marked_lines(barriers_source, "one half here", "the other half there"));
  }
}

TEST_CASE("a barrier in global memory joins blocks, as many as there are") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(100), out(100);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_meet", data.get(), out.get(), 100).diagnostics.empty());
    CHECK(out.values()[41] == 5050);
  }
}

TEST_CASE("copies that are bound to a barrier are there when its phase has ended, and not before") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> in(counted(256)), out(256);
    Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_copy_with_barrier", in.get(), out.get(), true);
    CHECK(report.diagnostics.empty());
    CHECK(out.values()[3] == 252);
    CHECK(report.kernels.at(0).counters.global_load_requests == 2); // of 16 bytes, by the first 64 threads
    CHECK(report.kernels.at(0).counters.global_load_sectors == 32);
    report = SIMT_RUN_WITH(with_schedule(schedule), "run_copy_with_barrier", in.get(), out.get(), false);
    CHECK(std::ranges::any_of(report.diagnostics,
                              [](const Finding& found) { return found.id == "uninitialised-read"; }));
  }
}

TEST_CASE("the stages of a pipeline are read when they are full, and filled when they have been read") {
  for (Schedule schedule : all_schedules) {
    for (const char* function : {"run_copy_in_stages", "run_copy_in_three_stages"}) {
      Buffer<int> in(counted(64 * 8)), out(64);
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), function, in.get(), out.get(), 8, true, true)
                .diagnostics.empty());
      CHECK(out.values()[10] == 8 * 11 + 64 * 28);
      CHECK(has_race(SIMT_RUN_WITH(with_schedule(schedule), function, in.get(), out.get(), 8, false, true),
                     marked_lines(barriers_source, "fills stage", "reads stage")));
    }
  }
}

TEST_CASE("pipelines with roles, and of a thread alone") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> in(counted(64 * 6)), out(64);
    for (bool by_count : {false, true}) {
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_copy_by_roles", in.get(), out.get(), 6, by_count)
                .diagnostics.empty());
      CHECK(out.values()[0] == 6 * 31 + 32 * 15);
    }
    CHECK(
        SIMT_RUN_WITH(with_schedule(schedule), "run_copy_alone", in.get(), out.get(), 6).diagnostics.empty());
    CHECK(out.values()[5] == 6 * 5 + 64 * 15);
  }
}

TEST_CASE("a tile of several warps orders its own threads, and no others") {
  FreshDevice device;
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(256);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_share_in_tiles", out.get(), false, false);
    CHECK(report.diagnostics.empty());
    CHECK(out.values()[200] == (200 ^ 64));
    CHECK(report.kernels.at(0).counters.barriers == 0);
    report = SIMT_RUN_WITH(with_schedule(schedule), "run_share_in_tiles", out.get(), true, false);
    CHECK(has_race(report, marked_lines(barriers_source, "own value", "another's value")));
  }
  Buffer<int> out(256);
  const Finding found = the_only(SIMT_RUN("run_share_in_tiles", out.get(), false, true), "deadlock");
  CHECK(found.kind == "tile");
  CHECK(found.has(fact::Amount{1}));
  CHECK(found.has(fact::Limit{128}));
  CHECK(lines_of(found)[0] == marked_line(barriers_source, "of the tile"));
}

TEST_CASE("latches and semaphores order what they let pass") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(64);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_wait_for_latch", out.get()).diagnostics.empty());
    CHECK(out.values()[20] == 43);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_take_turns", out.get(), 3).diagnostics.empty());
    CHECK(out.values()[0] == 192);
  }
}
