#include "simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <numeric>
#include <random>

using namespace simt;

namespace {

std::vector<int> numbers(std::size_t count) {
  std::mt19937 random(7);
  std::vector<int> values(count);
  for (int& value : values) value = static_cast<int>(random() % 1000);
  return values;
}

std::size_t position(const std::vector<int>& log, int value) {
  auto found = std::find(log.begin(), log.end(), value);
  REQUIRE(found != log.end());
  return static_cast<std::size_t>(found - log.begin());
}

Counters children_of(const Report& report) {
  Counters sum;
  for (const KernelRecord& kernel : report.kernels)
    if (kernel.depth > 0) sum += kernel.counters;
  return sum;
}

unsigned depth_of(const Report& report) {
  unsigned depth = 0;
  for (const KernelRecord& kernel : report.kernels) depth = std::max(depth, kernel.depth);
  return depth;
}

} // namespace

TEST_CASE("nested reduction: every block recurses over its own part, under every schedule") {
  for (Schedule schedule : all_schedules) {
    constexpr int blocks = 16, per_block = 128;
    std::vector<int> values = numbers(blocks * per_block);
    Buffer<int> data(values), out(blocks);
    Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_nested_sum", data.get(), out.get(), blocks, per_block);
    CHECK(report.diagnostics.empty());
    for (int b = 0; b < blocks; ++b)
      CHECK(out.values()[b] ==
            std::accumulate(values.begin() + b * per_block, values.begin() + (b + 1) * per_block, 0));
    CHECK(total(report).launches == 1);
    CHECK(total(report).child_grids == blocks * 7);
    CHECK(report.kernels[0].counters.default_stream_launches == blocks);
    CHECK(total(report).default_stream_launches == blocks * 7);
    CHECK(total(report).unchecked_launches == blocks * 7); // this kernel never asks
    CHECK(depth_of(report) == 7);
    CHECK(report.kernels.size() == 8); // one record per shape and depth
  }
}

TEST_CASE("reduction by level with tail launches, under every schedule") {
  for (Schedule schedule : all_schedules) {
    std::vector<int> values = numbers(4096);
    Buffer<int> data(values);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_level_sum", data.get(), 4096);
    CHECK(report.diagnostics.empty());
    CHECK(data.values()[0] == std::accumulate(values.begin(), values.end(), 0));
    CHECK(total(report).tail_launches == 11);
    CHECK(depth_of(report) == 11);
  }
}

TEST_CASE("quicksort with fire-and-forget children sorts, under every schedule") {
  for (Schedule schedule : all_schedules) {
    std::vector<int> values = numbers(3000);
    Buffer<int> data(values);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_quick_sort", data.get(), 3000);
    CHECK(report.diagnostics.empty());
    std::sort(values.begin(), values.end());
    CHECK(data.values() == values);
    CHECK(total(report).fire_and_forget_launches == children_of(report).child_grids);
    CHECK(total(report).unchecked_launches == 0);
    CHECK(children_of(report).child_grids > 300);
  }
}

TEST_CASE("Mariani-Silver gives the flat picture with fewer pixels computed") {
  constexpr int size = 128, limit = 64;
  Buffer<int> flat(size * size), flat_computed(1);
  SIMT_RUN("run_flat_mandelbrot", flat.get(), size, limit, flat_computed.get());
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(size * size), computed(1);
    Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_mandelbrot", out.get(), size, limit, computed.get());
    CHECK(report.diagnostics.empty());
    CHECK(out.values() == flat.values());
    CHECK(computed.values()[0] < flat_computed.values()[0]);
    CHECK(children_of(report).child_grids > 16);
  }
}

TEST_CASE("the default stream of a block is in order, and tail launches come last and in order") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> log(10), used(1);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_streams_in_order", log.get(), used.get());
    CHECK(report.diagnostics.empty());
    std::vector<int> order = log.values();
    CHECK(used.values()[0] == 10);
    for (int base : {0, 10}) {
      CHECK(position(order, base) < position(order, base + 1));
      CHECK(position(order, base + 1) < position(order, base + 2));
      CHECK(position(order, 100 + base) >= 6);
      CHECK(position(order, 100 + base) < position(order, 101 + base));
    }
  }
}

TEST_CASE("streams created in a kernel are in order, each for itself") {
  std::vector<std::vector<int>> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Options options = with_schedule(Schedule::random);
    options.seed = seed;
    Buffer<int> log(6), used(1);
    Report report = SIMT_RUN_WITH(options, "run_named_streams", log.get(), used.get());
    CHECK(report.diagnostics.empty());
    std::vector<int> order = log.values();
    CHECK(position(order, 0) < position(order, 1));
    CHECK(position(order, 10) < position(order, 11));
    CHECK(report.kernels[0].counters.named_stream_launches == 4);
    CHECK(report.kernels[0].counters.fire_and_forget_launches == 2);
    orders.push_back(order);
  }
  std::sort(orders.begin(), orders.end());
  CHECK(std::unique(orders.begin(), orders.end()) - orders.begin() > 5);
}

TEST_CASE("a tail launch is complete with its own children and tail launches before the next one starts") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> log(5), used(1);
    SIMT_RUN_WITH(with_schedule(schedule), "run_tail_of_tail", log.get(), used.get());
    CHECK(log.values() == std::vector<int>{1, 2, 3, 4, 5});
  }
}

TEST_CASE("schedules differ in when a child starts: at the first stop, later, after its parent") {
  auto seen_under = [](const Options& options) {
    Buffer<int> phase(1), seen(1);
    SIMT_RUN_WITH(options, "run_launch_look", phase.get(), seen.get());
    return seen.values()[0];
  };
  CHECK(seen_under(with_schedule(Schedule::forward)) == 0);
  CHECK(seen_under(with_schedule(Schedule::reverse)) == 8);
  std::vector<int> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Options options = with_schedule(Schedule::random);
    options.seed = seed;
    seen.push_back(seen_under(options));
  }
  CHECK(std::any_of(seen.begin(), seen.end(), [](int s) { return s > 0 && s < 8; }));
}

TEST_CASE("recursion may be deep: children that stand still do not fill the simulator's own stack") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(1);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_deep", out.get(), 1000);
    CHECK(report.diagnostics.empty());
    CHECK(out.values()[0] == 1000);
    cudaMemset(out.get(), 0, 4);
    SIMT_RUN_WITH(with_schedule(schedule), "run_tail_chain", out.get(), 20000);
    CHECK(out.values()[0] == 20000);
    cudaMemset(out.get(), 0, 4);
    SIMT_RUN_WITH(with_schedule(schedule), "run_two_per_grid", out.get(), 12);
    CHECK(out.values()[0] == 4095);
  }
}

TEST_CASE("children get copies of their arguments at the launch") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(1);
    SIMT_RUN_WITH(with_schedule(schedule), "run_arguments_by_value", out.get());
    CHECK(out.values()[0] == 10 * (1 + 1 + 101));
  }
}

// The codes are those of CUDA 13 on an H200, whose device runtime differs from the host's here.
TEST_CASE("a launch that the device refuses leaves an error with its thread") {
  FreshDevice fresh;
  for (int what : {0, 1, 2, 3, 4}) {
    CAPTURE(what);
    Buffer<int> errors(5);
    Report report = SIMT_RUN("run_bounded_launches", errors.get(), what, 0x12345678ull);
    CHECK(report.diagnostics.empty());
    int error = what == 4 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
    CHECK(errors.values() == std::vector<int>{error, error, 0, 0, 1});
    CHECK(report.kernels[0].counters.failed_device_launches == 1);
    CHECK(report.kernels[0].counters.unchecked_launches == 0);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
}

TEST_CASE("2048 launches may be pending, one more fails, and the host can raise the limit") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules)
    for (int kind : {0, 1, 2}) {
      Buffer<int> out(1), errors(2);
      SIMT_RUN_WITH(with_schedule(schedule), "run_launch_each", out.get(), errors.get(), 2048, kind);
      CHECK(out.values()[0] == 2048);
      CHECK(errors.values()[0] == 0);
      cudaMemset(out.get(), 0, 4);
      Report report =
          SIMT_RUN_WITH(with_schedule(schedule), "run_launch_each", out.get(), errors.get(), 2049, kind);
      CHECK(report.diagnostics.empty());
      CHECK(out.values()[0] == 2048);
      CHECK(errors.values() == std::vector<int>{1, cudaErrorLaunchPendingCountExceeded});
    }
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 3000) == cudaSuccess);
  std::size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
  CHECK(limit == 3000);
  Buffer<int> out(1), errors(2);
  SIMT_RUN("run_launch_each", out.get(), errors.get(), 2049, 0);
  CHECK(errors.values()[0] == 0);
  cudaDeviceReset();
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
  CHECK(limit == 2048);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4) == cudaErrorUnsupportedLimit);
  CHECK(cudaDeviceGetLimit(&limit, static_cast<cudaLimit>(77)) == cudaErrorInvalidValue);
}

TEST_CASE("of a grid that the host launches the last block alone can be run, with all that it launches") {
  for (Schedule schedule : all_schedules) {
    constexpr int blocks = 16, per_block = 128;
    std::vector<int> values = numbers(blocks * per_block);
    Buffer<int> data(values), out(blocks);
    cudaMemset(out.get(), 0, blocks * sizeof(int));
    Options options = with_schedule(schedule);
    options.last_block_only = true;
    Report report = SIMT_RUN_WITH(options, "run_nested_sum", data.get(), out.get(), blocks, per_block);
    std::vector<int> wanted(blocks);
    wanted.back() = std::accumulate(values.end() - per_block, values.end(), 0);
    CHECK(out.values() == wanted);
    CHECK(total(report).child_grids == 7);
  }
}

TEST_CASE("a device with little room refuses launches until the host asks for more") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Options scarce = with_schedule(schedule);
    scarce.launch_room = 4;
    Buffer<int> out(1), errors(2);
    SIMT_RUN_WITH(scarce, "run_launch_each", out.get(), errors.get(), 7, 0);
    CHECK(out.values()[0] == 4);
    CHECK(errors.values() == std::vector<int>{3, cudaErrorLaunchPendingCountExceeded});
    scarce.launch_room_from = 1; // the host's own grid has as much room as ever
    cudaMemset(errors.get(), 0, 8);
    SIMT_RUN_WITH(scarce, "run_launch_each", out.get(), errors.get(), 7, 0);
    CHECK(errors.values()[0] == 0);
    std::size_t limit = 0;
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
    CHECK(limit == 4);
    scarce.launch_room_from = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 7) == cudaSuccess);
    SIMT_RUN_WITH(scarce, "run_launch_each", out.get(), errors.get(), 7, 0);
    CHECK(errors.values()[0] == 0);
    cudaDeviceReset();
  }
}

TEST_CASE("a failed launch whose error is not asked for is diagnosed with its line") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Finding d = the_only(SIMT_RUN("run_unchecked_launch", out.get()), "unchecked-launch");
  CHECK(message_of(d).find("cudaErrorInvalidConfiguration") != std::string::npos);
  CHECK(message_of(d).find("2000 threads") != std::string::npos);
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("launches.cu", "unchecked")});
  CHECK(d.count == 2);
}

TEST_CASE("a trap behind a launch that was refused says why it was") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Finding d = the_only(SIMT_RUN("run_traps_on_refusal", out.get(), 0u), "trap");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("launches.cu", "gives up")});
  REQUIRE(notes_of(d).size() == 1);
  CHECK(notes_of(d)[0].find("cudaErrorInvalidConfiguration") != std::string::npos);
  CHECK(d.kind == "after-refusal");
  CHECK(cure_of(d).find("takes this path") == std::string::npos);
  cudaDeviceReset();
  Buffer<int> again(1);
  CHECK(SIMT_RUN("run_traps_on_refusal", again.get(), 1u).diagnostics.empty());
}

TEST_CASE("a chain of launches without an end is named") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Finding d = the_only(SIMT_RUN("run_endless", out.get()), "step-budget");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("launches.cu", "endless")});
}

TEST_CASE("a recursion without an end is named, and soon: a tail launch may follow another for longer") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<int> out(1);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_endless_recursion", out.get());
    Finding d = the_only(report, "step-budget");
    CHECK(lines_of(d) == std::vector<unsigned>{marked_line("launches.cu", "again and again")});
    CHECK(total(report).child_grids <= 1500);
  }
}

TEST_CASE("pointers to shared and to local memory cannot go to a child") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Finding d = the_only(SIMT_RUN("run_passes_shared", out.get()), "private-pointer-to-child");
  CHECK(d.variable == "value");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("launches.cu", "shared pointer")});
  CHECK(cudaDeviceSynchronize() == cudaErrorInvalidAddressSpace);
  cudaDeviceReset();
  d = the_only(SIMT_RUN("run_passes_local", out.get()), "private-pointer-to-child");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("launches.cu", "local pointer")});
}

TEST_CASE("a child that breaks ends everything, and the next launch starts clean") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<int> out(1);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_launches_broken", out.get());
    the_only(report, "out-of-bounds");
    cudaDeviceReset();
    Buffer<int> again(1);
    SIMT_RUN_WITH(with_schedule(schedule), "run_deep", again.get(), 3);
    CHECK(again.values()[0] == 3);
  }
}

TEST_CASE("a parent that waits for its child may wait for ever, also where it has not") {
  FreshDevice fresh;
  Buffer<int> flag(1);
  for (Schedule schedule : {Schedule::forward, Schedule::reverse}) {
    cudaMemset(flag.get(), 0, 4);
    const Finding found = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_waits_for_child", flag.get()),
                                   "waits-for-child");
    CHECK(mentions(cure_of(found), "cudaStreamTailLaunch"));
  }
}

// Races between grids are found under every schedule, whatever the result is.
TEST_CASE("a launch without a barrier before it races with what other threads wrote") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(numbers(256)), out(1);
    Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_nested_sum_without_barrier", data.get(), out.get(), 256);
    // With the child, and where it is lucky with its own children, too.
    REQUIRE(!report.diagnostics.empty());
    for (const Finding& d : report.diagnostics) {
      CHECK(d.id == "global-race");
      std::vector<unsigned> lines = lines_of(d);
      CHECK(std::find(lines.begin(), lines.end(), marked_line("launches.cu", "half is written")) !=
            lines.end());
      CHECK(message_of(d).find("nested_sum_without_barrier and its child grid nested_sum") !=
            std::string::npos);
      CHECK(cure_of(d).find("__syncthreads() before the launch") != std::string::npos);
    }
  }
}

TEST_CASE("a level that is launched while other blocks still reduce races with them") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> data(numbers(4096));
    Finding d = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_level_sum_too_early", data.get(), 4096),
                         "global-race");
    CHECK(lines_of(d)[0] == marked_line("launches.cu", "level is written"));
    CHECK(cure_of(d).find("cudaStreamTailLaunch") != std::string::npos);
  }
}

TEST_CASE(
    "parents race with their children after the launch, and children with each other without an order") {
  for (Schedule schedule : all_schedules) {
    Options options = with_schedule(schedule);
    Buffer<int> data(1), out(2);
    Finding d =
        the_only(SIMT_RUN_WITH(options, "run_writes_after_launch", data.get(), out.get()), "global-race");
    std::vector<unsigned> lines = lines_of(d);
    CHECK(std::find(lines.begin(), lines.end(), marked_line("launches.cu", "too late")) != lines.end());
    d = the_only(SIMT_RUN_WITH(options, "run_reads_result", data.get(), out.get()), "global-race");
    lines = lines_of(d);
    CHECK(std::find(lines.begin(), lines.end(), marked_line("launches.cu", "not yet there")) != lines.end());
    the_only(SIMT_RUN_WITH(options, "run_unordered_siblings", data.get()), "global-race");
    CHECK(SIMT_RUN_WITH(options, "run_ordered_siblings", data.get(), out.get()).diagnostics.empty());
    CHECK(out.values() == std::vector<int>{5, 6});
  }
}

namespace {

enum : int { right, without_fence, without_wait, never_comes };

struct EarlyLaunch {
  static constexpr unsigned parents = 32;
  unsigned children;
  Buffer<int> data, out;
  Buffer<unsigned> count{1};

  explicit EarlyLaunch(unsigned blocks) : children(blocks), data(blocks * 64, false), out(blocks * 64) {}
  Report run(Schedule schedule, int mistake) {
    return SIMT_RUN_WITH(with_schedule(schedule), "run_launches_early", data.get(), out.get(), count.get(),
                         parents, children, mistake);
  }
};

} // namespace

TEST_CASE("a child that is launched early waits for what its parent has yet to write, under every schedule") {
  for (unsigned children : {1u, 32u, 132u, 300u}) { // more than are alive at once
    for (Schedule schedule : all_schedules) {
      FreshDevice fresh;
      EarlyLaunch early(children);
      Report report = early.run(schedule, right);
      CHECK(report.diagnostics.empty());
      const unsigned per_block = children * 64 / EarlyLaunch::parents;
      std::vector<int> expected(children * 64);
      for (unsigned i = 0; i < expected.size(); ++i)
        expected[i] = static_cast<int>(i / per_block + i % per_block % 32);
      CHECK(early.out.values() == expected);
      CHECK(total(report).child_grids == 1);
      CHECK(total(report).threads == (children + EarlyLaunch::parents) * 64);
    }
  }
}

TEST_CASE("a child that does not wait, or whose parent has no fence, races with it under every schedule") {
  for (int mistake : {without_wait, without_fence}) {
    for (Schedule schedule : all_schedules) {
      FreshDevice fresh;
      EarlyLaunch early(32);
      Report report = early.run(schedule, mistake);
      if (mistake == without_wait && schedule != Schedule::reverse) {
        // It reads what no one has written yet, and that is found, too.
        CHECK(
            std::ranges::any_of(report.diagnostics, [](const Finding& d) { return d.id == "global-race"; }));
        continue;
      }
      Finding d = the_only(report, "global-race");
      CHECK(sorted_lines(d) == marked_lines("launches.cu", "is read early", "is written meanwhile"));
    }
  }
}

TEST_CASE("a child that waits for what never comes is a deadlock, under every schedule") {
  for (unsigned children : {1u, 132u}) {
    for (Schedule schedule : all_schedules) {
      FreshDevice fresh;
      EarlyLaunch early(children);
      Finding d = the_only(early.run(schedule, never_comes), "deadlock");
      CHECK(d.kind == "waiting-loop");
      CHECK(d.kernel.find("adds_up_early") != std::string::npos);
      CHECK(lines_of(d)[0] == marked_line("launches.cu", "asks for the count"));
      // The next launch finds nothing of it.
      EarlyLaunch next(children);
      CHECK(next.run(schedule, right).diagnostics.empty());
    }
  }
}

TEST_CASE("a grid and its child ask and answer in turns") {
  for (Schedule schedule : {Schedule::forward, Schedule::random}) {
    FreshDevice fresh;
    Buffer<int> turn(1);
    for (const Finding& found :
         SIMT_RUN_WITH(with_schedule(schedule), "run_asks", turn.get(), 20).diagnostics)
      CHECK(found.id == "waits-for-child");
    CHECK(turn.values()[0] == 40);
  }
  // No one promises that the child starts.
  FreshDevice fresh;
  Buffer<int> turn(1);
  the_only(SIMT_RUN_WITH(with_schedule(Schedule::reverse), "run_asks", turn.get(), 20), "waits-for-child");
}

TEST_CASE("a child waits for another one, whichever starts first") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<unsigned> flag(1);
    Buffer<int> out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_launches_two", flag.get(), out.get())
              .diagnostics.empty());
    CHECK(out.values()[0] == 1);
  }
}

TEST_CASE("a child goes on as soon as its answer is there, while its parent still runs") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<unsigned> count(1), out(1);
    SIMT_RUN_WITH(with_schedule(schedule), "run_counts_blocks", count.get(), out.get());
    const unsigned seen = out.values()[0];
    if (schedule == Schedule::forward) CHECK(seen == 4);
    if (schedule == Schedule::reverse) CHECK(seen == 32); // it starts when the parent has finished
    CHECK((seen >= 4 && seen <= 32));
  }
}

TEST_CASE("more children wait than there is room for") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<unsigned> flag(1);
    Buffer<int> out(1);
    SIMT_RUN_WITH(with_schedule(schedule), "run_launches_many", flag.get(), out.get(), 1500);
    CHECK(out.values()[0] == 6000);
  }
}

TEST_CASE("a child that counts its attempts gives up by itself") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<unsigned> flag(1);
    Buffer<int> out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_launches_try", flag.get(), out.get())
              .diagnostics.empty());
    CHECK(out.values()[0] == 500);
  }
}

TEST_CASE("a parent that waits for its child sees what that wrote before its fence") {
  for (bool fence : {true, false}) {
    FreshDevice fresh;
    Buffer<int> data(64), out(1);
    Buffer<unsigned> flag(1);
    Report report = SIMT_RUN_WITH(with_schedule(Schedule::forward), "run_takes_value", data.get(), flag.get(),
                                  out.get(), fence);
    if (fence) {
      CHECK(report.diagnostics.empty());
      CHECK(out.values()[0] == 5);
    } else {
      CHECK(sorted_lines(the_only(report, "global-race")) ==
            marked_lines("launches.cu", "left by the child", "taken by the parent"));
    }
  }
}
