#include "simulation.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace simt;

namespace {

constexpr const char* atomics_source = "cpp_atomics.cu";
constexpr int relaxed = __ATOMIC_RELAXED, acquire = __ATOMIC_ACQUIRE, release = __ATOMIC_RELEASE,
              sequential = __ATOMIC_SEQ_CST;
enum Scope { system_scope, device_scope, block_scope, thread_scope };

template <class T>
void check_all_operations(const char* function) {
  Buffer<T> results(12);
  CHECK(SIMT_RUN(function, results.get()).diagnostics.empty());
  const std::vector<T> expected = {7, 0, 10, 15, 12, 4, 22, 21, 21, 1, 50, 7};
  CHECK(results.values() == expected);
}

/// Who hands data on with these orders, between blocks or within one: the diagnostics, and that the data came.
Report hand_on(const char* function, Schedule schedule, int stores, int loads) {
  Buffer<int> data(1), flag(1), out(1);
  Report report =
      SIMT_RUN_WITH(with_schedule(schedule), function, data.get(), flag.get(), out.get(), stores, loads);
  CHECK(out.values()[0] == 42);
  return report;
}

} // namespace

TEST_CASE("atomics of all numbers do what libcu++ says, and return the old value or the new one") {
  check_all_operations<int>("run_all_ints");
  check_all_operations<long long>("run_all_longs");
  check_all_operations<unsigned char>("run_all_bytes");
  check_all_operations<short>("run_all_shorts");
  check_all_operations<float>("run_all_floats");
  check_all_operations<double>("run_all_doubles");
}

TEST_CASE("atomics of a thread's own have all operations on bits, and need no other thread") {
  Buffer<unsigned> out(10);
  CHECK(SIMT_RUN("run_bit_operations", out.get()).diagnostics.empty());
  CHECK(out.values() ==
        std::vector<unsigned>{0xf0, 0x30, 0x33, 0xcc, 0xcd, 0xcd, 0xcd, 0xcd, 12, 13 + 9 + 1});
}

TEST_CASE("pointers move by elements, and structures of 8 bytes are compared and exchanged as a whole") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> values(64);
    Buffer<long> out(34);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_pointers_and_structures", values.get(), out.get())
              .diagnostics.empty());
    std::vector<long> found = out.values();
    CHECK(found[32] == 33);
    CHECK(found[33] == 1l << 33);
    std::sort(found.begin(), found.begin() + 32);
    for (long i = 0; i < 32; ++i) CHECK(found[static_cast<std::size_t>(i)] == 2 * i);
  }
}

TEST_CASE("cuda::std::atomic and atomic_flag are atomics of the whole system") {
  cudaDeviceReset();
  Buffer<int> out(2);
  CHECK(SIMT_RUN("run_standard_atomics", out.get()).diagnostics.empty());
  CHECK(out.values() == std::vector<int>{5 + 64 + 100, 1});
}

TEST_CASE("on the host atomics are those of the host") { CHECK(call<int>("count_on_host") == 4207); }

TEST_CASE("atomic loads and stores count as loads and stores, updates as atomics") {
  Buffer<int> data(32), out(32);
  Report report = SIMT_RUN("run_one_of_each", data.get(), out.get());
  CHECK(report.diagnostics.empty());
  const Counters& counters = report.kernels.at(0).counters;
  CHECK(counters.global_load_requests == 1);
  CHECK(counters.global_load_sectors == 4);
  CHECK(counters.global_store_requests == 2);
  CHECK(counters.global_atomic_requests == 1);
  CHECK(counters.global_atomic_lanes == 32);
  CHECK(counters.approximate == 0);
}

TEST_CASE("in shared memory atomics count as atomicAdd does there") {
  Buffer<int> out(32);
  Report report = SIMT_RUN("run_count_in_shared", out.get());
  CHECK(report.diagnostics.empty());
  const Counters& counters = report.kernels.at(0).counters;
  CHECK(counters.shared_store_requests == 1);
  CHECK(counters.shared_load_requests == 1);
  CHECK(counters.shared_atomic_requests == 1);
  CHECK(counters.shared_atomic_wavefronts == 1); // the constant 1 is added
  CHECK(out.values()[7] == 32);
}

TEST_CASE("a release and an acquire hand data on, and relaxed orders do not") {
  for (Schedule schedule : all_schedules) {
    for (const char* function : {"run_between_blocks", "run_between_blocks_of_system", "run_within_block"}) {
      CAPTURE(function);
      CHECK(hand_on(function, schedule, release, acquire).diagnostics.empty());
      CHECK(hand_on(function, schedule, sequential, sequential).diagnostics.empty());
      for (auto [stores, loads] : {std::pair(relaxed, acquire), std::pair(release, relaxed)}) {
        const Finding race = the_only(hand_on(function, schedule, stores, loads), "global-race");
        CHECK(race.kind.empty());
        CHECK(sorted_lines(race) == marked_lines(atomics_source, "handed on", "taken"));
      }
    }
  }
}

TEST_CASE("in shared memory a release and an acquire hand data on, too") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_in_shared", out.get(), release, acquire)
              .diagnostics.empty());
    CHECK(out.values()[0] == 42);
    for (auto [stores, loads] : {std::pair(relaxed, acquire), std::pair(release, relaxed)}) {
      const Finding race = the_only(
          SIMT_RUN_WITH(with_schedule(schedule), "run_in_shared", out.get(), stores, loads), "shared-race");
      CHECK(sorted_lines(race) == marked_lines(atomics_source, "handed on", "taken"));
    }
  }
}

TEST_CASE("fences around relaxed operations hand data on, if both are there") {
  for (Schedule schedule : all_schedules) {
    for (bool releases : {false, true}) {
      for (bool acquires : {false, true}) {
        Buffer<int> data(1), flag(1), out(1);
        Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_with_fences", data.get(), flag.get(),
                                      out.get(), releases, acquires);
        if (releases && acquires)
          CHECK(report.diagnostics.empty());
        else
          CHECK(sorted_lines(the_only(report, "global-race")) ==
                marked_lines(atomics_source, "before the fence", "behind the fence"));
      }
    }
  }
}

TEST_CASE("order is passed on through a chain of flags in shared memory, and through a lock") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_chain_in_shared", out.get()).diagnostics.empty());
    CHECK(out.values()[0] == 8);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_lock_in_shared", out.get(), 5).diagnostics.empty());
    CHECK(out.values()[0] == 96 * 5);
  }
}

TEST_CASE("what comes behind a release is not handed on by it") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(2);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_write_behind_release", out.get());
    std::erase_if(report.diagnostics, [](const Finding& found) { return found.id == "uninitialised-read"; });
    CHECK(sorted_lines(the_only(report, "shared-race")) ==
          marked_lines(atomics_source, "behind the release", "not handed on"));
  }
}

TEST_CASE("a scope must hold all threads that use the variable") {
  for (Schedule schedule : all_schedules) {
    for (Scope scope : {system_scope, device_scope}) {
      Buffer<int> count(1);
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_count_in_scope", count.get(), static_cast<int>(scope))
                .diagnostics.empty());
      CHECK(count.values()[0] == 128);
    }
    Buffer<int> count(1), out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_count_in_one_block", count.get()).diagnostics.empty());
    Finding race = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_count_in_scope", count.get(),
                                          static_cast<int>(block_scope)),
                            "global-race");
    CHECK(race.kind == "scope");
    CHECK(sorted_lines(race) == marked_lines(atomics_source, "counts in scope", "counts in scope"));
    race =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_count_by_function", count.get()), "global-race");
    CHECK(race.kind == "scope");
    CHECK(sorted_lines(race) == marked_lines(atomics_source, "counts in block", "counts in block"));
    race = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_store_and_load", count.get(), out.get()),
                    "global-race");
    CHECK(race.kind == "scope");
    CHECK(sorted_lines(race) == marked_lines(atomics_source, "stores in block", "loads in block"));
  }
}

TEST_CASE("an atomic of thread scope is a plain variable to other threads") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> count(1);
    const Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_count_in_scope", count.get(),
                                        static_cast<int>(thread_scope));
    REQUIRE(!report.diagnostics.empty());
    CHECK(report.diagnostics[0].id == "global-race");
    CHECK(report.diagnostics[0].kind.empty());
  }
}

TEST_CASE("an atomic and a plain access to one variable race") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> count(1), out(1);
    const Finding race =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_plain_beside_atomic", count.get(), out.get()),
                 "global-race");
    CHECK(race.kind.empty());
    CHECK(sorted_lines(race) == marked_lines(atomics_source, "atomic", "plain"));
  }
}

TEST_CASE("wait() goes on when another thread has stored a value, and a wait without an end is a deadlock") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> flag(1), out(1);
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_wait_for_store", flag.get(), out.get())
              .diagnostics.empty());
    CHECK(out.values()[0] == 3);
  }
  Buffer<int> flag(1);
  CHECK(the_only(SIMT_RUN("run_wait_for_ever", flag.get()), "deadlock").kind == "waiting-loop");
}
