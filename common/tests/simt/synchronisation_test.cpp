#include "simulation.hpp"

#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>

using namespace simt;

namespace {

} // namespace

TEST_CASE("threads at different barriers are reported with both lines, and the kernel goes on") {
  FreshDevice fresh;
  Buffer<int> out(64);
  for (Schedule schedule : all_schedules) {
    Finding d = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_divergent_barrier", out.get()),
                         "barrier-divergence");
    CHECK(lines_of(d) == std::vector<unsigned>{marked_line("synchronisation.cu", "first barrier"),
                                               marked_line("synchronisation.cu", "second barrier")});
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
}

TEST_CASE("barriers with a predicate combine it over the block") {
  FreshDevice fresh;
  Buffer<int> out(64);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_reduce_barriers", out.get()).diagnostics.empty());
    CHECK(out.values() == std::vector<int>(64, 22 * 1000 + 100 + 10));
  }
}

TEST_CASE("a lane that a mask names and that never arrives ends the kernel with a sentence") {
  FreshDevice fresh;
  Buffer<int> out(32);
  Finding d = the_only(SIMT_RUN("run_missing_lane", out.get()), "lanes-missing");
  CHECK(message_of(d).find("lane 5") != std::string::npos);
  CHECK(lines_of(d)[0] == marked_line("synchronisation.cu", "incomplete"));
  CHECK(cudaDeviceSynchronize() != cudaSuccess);
}

TEST_CASE("where lanes have returned before a shuffle or without a write, their return is named") {
  FreshDevice fresh;
  Buffer<int> out(32);
  for (Schedule schedule : all_schedules) {
    const Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_lanes_return", out.get());
    for (const char* id : {"lanes-missing", "uninitialised-read"}) {
      const auto found = std::ranges::find(report.diagnostics, id, &Finding::id);
      REQUIRE(found != report.diagnostics.end());
      REQUIRE(found->participants.size() == 2);
      CHECK(found->participants[1].thread->thread[0] >= 20);
      CHECK(lines_of(*found)[1] == marked_line("synchronisation.cu", "no work for this thread"));
      CHECK(message_of(*found).find("returned before") != std::string::npos);
    }
  }
}

TEST_CASE("shuffles read from the lane that the guide names") {
  FreshDevice fresh;
  Buffer<int> out(7 * 64);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_shuffles", out.get()).diagnostics.empty());
    std::vector<int> values = out.values();
    for (int thread = 0; thread < 64; ++thread) {
      int lane = thread % 32;
      auto value = [&](int row) { return values[static_cast<std::size_t>(row * 64 + thread)]; };
      CHECK(value(0) == 3);
      CHECK(value(1) == (lane < 2 ? lane : lane - 2));
      CHECK(value(2) == (lane > 29 ? lane : lane + 2));
      CHECK(value(3) == (lane ^ 1));
      CHECK(value(4) == lane / 8 * 8 + 1);
      CHECK(value(5) == (lane % 8 < 5 ? lane + 3 : lane));
      CHECK(value(6) == (lane ^ 4));
    }
  }
}

TEST_CASE("votes and matches see the lanes of their mask") {
  FreshDevice fresh;
  Buffer<unsigned> out(160);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_votes", out.get()).diagnostics.empty());
    std::vector<unsigned> values = out.values();
    CHECK(values[7] == 0xaaaaaaaau);
    CHECK(values[32 + 20] == 0x00000f00u);
    CHECK(values[64] == 2);
    CHECK(values[96 + 1] == 0x22222222u);
    CHECK(values[128 + 2] == 0xfu);
    CHECK(values[128 + 4] == 0u);
  }
}

TEST_CASE("a block may wait for another one that has not started yet") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Buffer<int> flag(1), out(2);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_wait_for_other_block", flag.get(), out.get())
              .diagnostics.empty());
    CHECK(out.values() == std::vector<int>{1, 1});
  }
}

TEST_CASE("a lock taken with atomicCAS lets every thread through once") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Buffer<int> lock(1), sum(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_spin_lock", lock.get(), sum.get()).diagnostics.empty());
    CHECK(sum.values()[0] == 192);
  }
}

TEST_CASE("waiting for a value that no thread writes is a deadlock with its line") {
  FreshDevice fresh;
  Buffer<int> flag(1);
  Finding d = the_only(SIMT_RUN("run_wait_for_ever", flag.get()), "deadlock");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("synchronisation.cu", "hopeless")});
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
}

TEST_CASE("a loop without an end uses up the step budget") {
  FreshDevice fresh;
  Buffer<int> out(4);
  Options options;
  options.step_budget = 100'000;
  the_only(SIMT_RUN_WITH(options, "run_endless", out.get()), "step-budget");
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
}

TEST_CASE("the report names the exchange or the barrier in a loop that does not end") {
  Options options;
  options.step_budget = 100'000;
  for (const auto& [kernel, mark] : {std::pair{"run_endless_exchange", "without end"},
                                     std::pair{"run_endless_rounds", "round after round"}}) {
    CAPTURE(kernel);
    FreshDevice fresh;
    Buffer<int> out(64);
    const Finding d = the_only(SIMT_RUN_WITH(options, kernel, out.get()), "step-budget");
    CHECK(lines_of(d) == std::vector<unsigned>{marked_line("synchronisation.cu", mark)});
  }
}

TEST_CASE("progress is shared while kernels run, many times in a long one") {
  FreshDevice fresh;
  std::atomic<std::uint64_t> progress = 0;
  Buffer<int> out(8 * 64), endless(4);
  share_progress(&progress);
  CHECK(SIMT_RUN("run_shuffles", out.get()).diagnostics.empty());
  const std::uint64_t after_one = progress;
  CHECK(after_one > 0);
  out.values();
  CHECK(progress == after_one);
  Options options;
  options.step_budget = 100'000;
  the_only(SIMT_RUN_WITH(options, "run_endless", endless.get()), "step-budget");
  CHECK(progress > after_one + 50);
  const std::uint64_t after_all = progress;
  share_progress(nullptr);
  cudaDeviceReset();
  Buffer<int> again(8 * 64);
  CHECK(SIMT_RUN("run_shuffles", again.get()).diagnostics.empty());
  CHECK(progress == after_all);
}

TEST_CASE("exactly one block is the last to take a ticket") {
  FreshDevice fresh;
  Buffer<unsigned> count(1);
  Buffer<int> last(1);
  for (Schedule schedule : all_schedules)
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_ticket", count.get(), last.get()).diagnostics.empty());
  CHECK(last.values()[0] == 3);
  CHECK(count.values()[0] == 0);
}

TEST_CASE("the same seed gives the same report, bit for bit") {
  FreshDevice fresh;
  Buffer<int> lock(1), sum(1);
  Report first = SIMT_RUN_WITH(with_schedule(Schedule::random), "run_spin_lock", lock.get(), sum.get());
  Report second = SIMT_RUN_WITH(with_schedule(Schedule::random), "run_spin_lock", lock.get(), sum.get());
  CHECK(first.kernels[0].counters == second.kernels[0].counters);
}
