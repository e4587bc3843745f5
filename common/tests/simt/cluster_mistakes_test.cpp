#include "simulation.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace simt;

namespace {

unsigned line(const char* mark) { return marked_line("cluster_mistakes.cu", mark); }

/// Runs a function that takes an output buffer, which must find exactly one thing.
Finding mistake(Schedule schedule, const char* name, const char* id) {
  FreshDevice fresh;
  Buffer<int> out(256);
  return the_only(SIMT_RUN_WITH(with_schedule(schedule), name, out.get()), id);
}

/// All findings of a run, by id.
std::vector<Finding> findings(Schedule schedule, const char* name) {
  FreshDevice fresh;
  Buffer<int> out(256);
  return SIMT_RUN_WITH(with_schedule(schedule), name, out.get()).diagnostics;
}

} // namespace

TEST_CASE("using another block's shared memory before that block is known to run is found") {
  for (Schedule schedule : all_schedules) {
    std::vector<Finding> found = findings(schedule, "run_too_early");
    REQUIRE(!found.empty());
    Finding d = found[0];
    CHECK(d.id == "cluster-not-started");
    CHECK(d.variable == "value");
    CHECK(lines_of(d) == std::vector<unsigned>{line("early access")});
    CHECK(mentions(message_of(d), "atomically updates 4 bytes of value"));
    CHECK(mentions(message_of(d), "they do not start at the same moment"));
    CHECK(mentions(cure_of(d), "cluster.sync() before the first access"));
  }
}

TEST_CASE("a block that may end while another still uses its shared memory is found, in every schedule") {
  for (Schedule schedule : all_schedules) {
    Finding d = mistake(schedule, "run_too_late", "cluster-left-early");
    CHECK(d.variable == "value");
    REQUIRE(d.participants.size() == 2);
    CHECK(lines_of(d)[0] == line("late access"));
    CHECK(d.participants[0].thread->block != d.participants[1].thread->block);
    CHECK(mentions(message_of(d), "may end while another block of its cluster still uses value"));
    CHECK(mentions(cure_of(d), "cluster.sync() after the last access"));
  }
}

TEST_CASE("an access to a block that has ended ends the kernel, as on the device") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<int> out(32);
    Finding d = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_returns_early", out.get()),
                         "cluster-left-early");
    CHECK(lines_of(d) ==
          std::vector<unsigned>{line("access to a block that has ended"), line("leaves before the others")});
    CHECK(mentions(message_of(d), "Threads of block (1,0,0) return while"));
    CHECK(d.participants[1].thread->block == std::array<unsigned, 3>{1, 0, 0});
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure); // measured on an H200
  }
}

TEST_CASE("a rank that the cluster does not have ends the kernel") {
  FreshDevice fresh;
  Buffer<int> out(32);
  Finding d = the_only(SIMT_RUN("run_bad_rank", out.get()), "cluster-rank");
  CHECK(lines_of(d) == std::vector<unsigned>{line("bad rank")});
  CHECK(mentions(message_of(d), "block rank 2, and its cluster has 2 blocks. Ranks go from 0 to 1."));
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure); // measured on an H200
  cudaDeviceReset();
  d = mistake(Schedule::forward, "run_bad_rank_alone", "cluster-rank");
  CHECK(mentions(message_of(d), "its cluster has 1 block (the launch gives no cluster size)."));
  CHECK(mentions(cure_of(d), "__cluster_dims__"));
}

TEST_CASE("only addresses of shared memory can be mapped") {
  Finding d = mistake(Schedule::forward, "run_bad_address", "cluster-address");
  CHECK(lines_of(d) == std::vector<unsigned>{line("bad address")});
  CHECK(mentions(message_of(d), "map_shared_rank() an address that is not in shared memory"));
}

TEST_CASE("__syncthreads() does not order blocks of a cluster") {
  for (Schedule schedule : all_schedules) {
    std::vector<Finding> found = findings(schedule, "run_unsynchronised_write");
    auto race = std::find_if(found.begin(), found.end(), [](auto& d) { return d.id == "shared-race"; });
    REQUIRE(race != found.end());
    CHECK(race == found.begin());
    std::vector<unsigned> lines = lines_of(*race);
    std::sort(lines.begin(), lines.end());
    CHECK(lines == std::vector<unsigned>{line("remote write"), line("local read")});
    CHECK(race->participants[0].thread->block != race->participants[1].thread->block);
    CHECK(mentions(cure_of(*race), "cluster.sync() between the two accesses"));
    for (const Finding& d : found) CHECK((d.id == "shared-race" || d.id == "uninitialised-read"));
  }
}

TEST_CASE("what comes between arrival and wait is not ordered before the other blocks") {
  for (Schedule schedule : all_schedules) {
    Finding d = mistake(schedule, "run_unsynchronised_atomics", "shared-race");
    std::vector<unsigned> lines = lines_of(d);
    std::sort(lines.begin(), lines.end());
    CHECK(lines == std::vector<unsigned>{line("second zero"), line("remote count")});
    CHECK(mentions(notes_of(d).at(0), "atomic update is safe only against other atomic updates"));
  }
}

TEST_CASE("an uninitialised read says whose shared memory it is") {
  for (Schedule schedule : all_schedules) {
    Finding d = mistake(schedule, "run_unwritten", "uninitialised-read");
    CHECK(lines_of(d) == std::vector<unsigned>{line("unwritten")});
    CHECK(d.count == 64);
  }
  Finding d = mistake(Schedule::forward, "run_unwritten", "uninitialised-read");
  CHECK(mentions(message_of(d), "value[0] of block (1,0,0), which no thread has written"));
  CHECK(mentions(cure_of(d), "call cluster.sync() before any other block reads it"));
  CHECK(d.kernel == "unwritten");
}

TEST_CASE("an access past the end of another block's variable is out of bounds") {
  Finding d = mistake(Schedule::forward, "run_past_the_end", "out-of-bounds");
  CHECK(lines_of(d) == std::vector<unsigned>{line("past the end")});
  CHECK(mentions(message_of(d), "just past the end of the shared variable value of block (1,0,0)"));
}

TEST_CASE("a cluster's barrier that threads of it never reach is a deadlock that names both places") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<int> out(64);
    Finding d = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_other_barrier", out.get()), "deadlock");
    CHECK(lines_of(d) == std::vector<unsigned>{line("some wait here"), line("others here")});
    CHECK(
        mentions(message_of(d), "cluster.sync(): 32 unfinished threads of the cluster never arrive there."));
    CHECK(d.participants[1].thread->block == std::array<unsigned, 3>{1, 0, 0});
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  }
}

TEST_CASE("in a cluster of one block, the report of two cluster.sync() names that call") {
  for (Schedule schedule : all_schedules) {
    FreshDevice fresh;
    Buffer<int> out(64);
    const Finding d = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_uneven_loop_alone", out.get()),
                               "barrier-divergence");
    CHECK(lines_of(d) == std::vector<unsigned>{line("in the loop"), line("behind the loop")});
    CHECK(mentions(message_of(d), "thread 0 twice so far, thread 6 once"));
    CHECK(mentions(cure_of(d), "an `if` inside of the loop is around cluster.sync()"));
  }
}

TEST_CASE("arriving twice without a wait is found, also in a cluster of one block") {
  for (const char* name : {"run_arrives_twice", "run_arrives_twice_alone"}) {
    Finding d = mistake(Schedule::forward, name, "barrier-arrive-without-wait");
    CHECK(lines_of(d) == std::vector<unsigned>{line("first arrival"), line("second arrival")});
    CHECK(mentions(cure_of(d), "cluster.sync() does both"));
  }
}

TEST_CASE("an arrival that no thread waits for is found when its thread ends") {
  for (Schedule schedule : all_schedules) {
    Finding d = mistake(schedule, "run_never_waits", "barrier-arrive-without-wait");
    CHECK(lines_of(d) == std::vector<unsigned>{line("lonely arrival")});
    CHECK(d.count == 64);
    CHECK(mentions(message_of(d), "ends without having waited"));
  }
}

TEST_CASE("a wait without an arrival is found") {
  Finding d = mistake(Schedule::forward, "run_never_arrives", "barrier-wait-without-arrive");
  CHECK(lines_of(d) == std::vector<unsigned>{line("lonely wait")});
  CHECK(mentions(message_of(d), "without having arrived there"));
}
