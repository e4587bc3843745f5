#include "simulation.hpp"

#include <doctest/doctest.h>
#include <numeric>

using namespace simt;

namespace {

/// The report of a run, which must be clean.
constexpr int cluster_sizes[] = {1, 2, 4, 8, 16};

} // namespace

TEST_CASE("a histogram over distributed shared memory counts right, with every cluster size and schedule") {
  FreshDevice fresh;
  std::vector<int> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * i % 97);
  std::vector<int> expected(64);
  for (int value : values) ++expected[static_cast<std::size_t>(value % 64)];
  Buffer<int> in(values);
  for (int size : cluster_sizes) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> out(64);
      Report report =
          clean_run(schedule, "run_histogram", static_cast<const int*>(in.get()), 5000, out.get(), size);
      CHECK(out.values() == expected);
      const Counters& counters = report.kernels[0].counters;
      // Each value is counted once, at home or elsewhere.
      CHECK(counters.shared_atomic_lanes + counters.remote_shared_atomics == 5000);
      CHECK((counters.remote_shared_atomics == 0) == (size == 1));
      CHECK(counters.cluster_barriers == (size == 1 ? 0u : 2u * 32 / static_cast<unsigned>(size)));
      CHECK(report.kernels[0].cluster[0] == static_cast<unsigned>(size));
    }
  }
}

TEST_CASE("blocks pass values round a ring") {
  FreshDevice fresh;
  for (int size : cluster_sizes) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> out(16 * 32);
      clean_run(schedule, "run_ring", out.get(), 3, size);
      std::vector<int> values = out.values();
      for (int block = 0; block < 16; ++block) {
        int from = block / size * size + (block % size + 3) % size;
        CHECK(values[static_cast<std::size_t>(block * 32 + 7)] == from * 100 + 7);
      }
    }
  }
}

TEST_CASE("one block sums what the others hold") {
  FreshDevice fresh;
  std::vector<int> values(16 * 64);
  std::iota(values.begin(), values.end(), 1);
  Buffer<int> in(values);
  for (int size : cluster_sizes) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> out(16);
      clean_run(schedule, "run_cluster_sum", static_cast<const int*>(in.get()), out.get(), size);
      std::vector<int> sums = out.values();
      for (int cluster = 0; cluster < 16 / size; ++cluster) {
        auto begin = values.begin() + cluster * size * 64;
        CHECK(sums[static_cast<std::size_t>(cluster)] == std::accumulate(begin, begin + size * 64, 0));
      }
    }
  }
}

TEST_CASE("arriving and waiting apart order what came before the arrival") {
  FreshDevice fresh;
  for (int size : cluster_sizes) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> out(16 * 64);
      clean_run(schedule, "run_split_barrier", out.get(), size);
      std::vector<int> values = out.values();
      for (int block = 0; block < 16; ++block) {
        int rank = block % size, next = (rank + 1) % size;
        CHECK(values[static_cast<std::size_t>(block * 64 + 5)] == (rank * 64 + 5) * 1000 + next * 64 + 58);
      }
    }
  }
}

TEST_CASE("a block's barrier passes on what one of its threads has waited for") {
  FreshDevice fresh;
  for (int size : {2, 8}) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> out(16 * 64);
      clean_run(schedule, "run_one_waits_for_all", out.get(), size);
      for (int block = 0; block < 16; ++block)
        CHECK(out.values()[static_cast<std::size_t>(block * 64 + 40)] == size - 1 - block % size + 5);
    }
  }
}

TEST_CASE("the cluster's barrier orders global memory, too") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Buffer<int> values(16), out(16 * 32);
    clean_run(schedule, "run_exchange_global", values.get(), out.get(), true);
    for (int block = 0; block < 16; ++block)
      CHECK(out.values()[static_cast<std::size_t>(block * 32 + 9)] == (block / 4 * 4 + (block + 1) % 4) * 3);
    Finding d = the_only(
        SIMT_RUN_WITH(with_schedule(schedule), "run_exchange_global", values.get(), out.get(), false),
        "global-race");
    CHECK(d.participants[0].thread->block != d.participants[1].thread->block);
  }
}

TEST_CASE("ranks and extents are those that an H200 gives") {
  FreshDevice fresh;
  Buffer<unsigned> out(19);
  clean_run(Schedule::forward, "run_ranks", out.get());
  CHECK(out.values() ==
        std::vector<unsigned>{8, 5, 163, 256, 4, 2, 1, 1, 128, 2, 35, 1, 256, 5, 2, 2, 2, 1, 0});
}

TEST_CASE("single bytes of another block's shared memory are told apart") {
  FreshDevice fresh;
  for (int size : {2, 16}) {
    for (Schedule schedule : all_schedules) {
      Buffer<unsigned char> out(16 * 16);
      clean_run(schedule, "run_bytes", out.get(), size);
      for (int block = 0; block < 16; ++block)
        for (int rank = 0; rank < std::min(size, 4); ++rank)
          CHECK(out.values()[static_cast<std::size_t>(block * 16 + rank)] == rank);
    }
  }
}

TEST_CASE("a kernel's own cluster size holds for an ordinary launch, of templates too") {
  FreshDevice fresh;
  Buffer<unsigned> out(8);
  CHECK(clean_run(Schedule::forward, "run_four_blocks", out.get()).kernels[0].cluster[0] == 4);
  CHECK(out.values() == std::vector<unsigned>{40, 41, 42, 43, 40, 41, 42, 43});
  CHECK(clean_run(Schedule::forward, "run_template_blocks_by_name", out.get()).kernels[0].cluster[0] == 8);
  CHECK(out.values() == std::vector<unsigned>{80, 81, 82, 83, 84, 85, 86, 87});
}

TEST_CASE("attributes of one kernel template in an unnamed namespace do not hold for another") {
  FreshDevice fresh;
  Buffer<unsigned> out(4);
  clean_run(Schedule::forward, "run_nameless_pairs", out.get());
  CHECK(out.values() == std::vector<unsigned>(4, 2));
  clean_run(Schedule::forward, "run_nameless_blocks", out.get());
  clean_run(Schedule::forward, "run_nameless_with_room", out.get());
  CHECK(out.values()[0] == 1);
}

TEST_CASE("an instance of a kernel template keeps what it is allowed when another one is allowed less") {
  FreshDevice fresh;
  Buffer<unsigned> out(4);
  clean_run(Schedule::forward, "run_nameless_instances", out.get());
  CHECK(out.values()[0] == 1);
}

TEST_CASE("accesses to other blocks are counted apart from those at home") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(4 * 32);
    Counters counters = clean_run(schedule, "run_count_remote", out.get()).kernels[0].counters;
    CHECK(out.values() == std::vector<int>(4 * 32, 8));
    // As ncu counts on an H200: a mapped pointer into the block's own memory is local.
    CHECK(counters.remote_shared_load_requests == 4);
    CHECK(counters.remote_shared_store_requests == 4);
    CHECK(counters.remote_shared_atomic_requests == 4);
    CHECK(counters.remote_shared_loads == 4 * 32);
    CHECK(counters.remote_shared_stores == 4 * 32);
    CHECK(counters.remote_shared_atomics == 4 * 32);
    CHECK(counters.shared_atomic_requests == 4);
    CHECK(counters.shared_atomic_lanes == 4 * 32);
    CHECK(counters.shared_store_requests == 8);
    CHECK(counters.shared_load_requests == 4);
    CHECK(counters.cluster_barriers == 4);
    CHECK(counters.barriers == 0);
  }
}

TEST_CASE("lanes of one request are counted where they go") {
  FreshDevice fresh;
  Buffer<int> out(2 * 32);
  Counters counters = clean_run(Schedule::forward, "run_count_mixed", out.get()).kernels[0].counters;
  CHECK(counters.shared_atomic_requests == 2);
  CHECK(counters.shared_atomic_lanes == 32);
  CHECK(counters.remote_shared_atomic_requests == 2);
  CHECK(counters.remote_shared_atomics == 32);
}

TEST_CASE("a launch with an array of arguments names its kernel") {
  FreshDevice fresh;
  Buffer<int> out(16 * 32);
  CHECK(clean_run(Schedule::forward, "run_ex_c", out.get(), 1).kernels[0].name == "ring");
  CHECK(out.values()[3 * 32] == 0);
  CHECK(out.values()[0] == 100);
}
