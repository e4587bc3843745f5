#include "simulation.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <set>

using namespace simt;

namespace {

std::vector<int> some_values(std::size_t count) {
  std::vector<int> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<int>(i * 37 % 101) - 30;
  return values;
}

} // namespace

TEST_CASE("tiles of every size reduce and scan") {
  FreshDevice fresh;
  std::vector<int> values = some_values(64);
  Buffer<int> in(values);
  for (int size : {1, 2, 4, 8, 16, 32}) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> out(64 * 8);
      clean_run(schedule, "run_reduce_tiles", static_cast<const int*>(in.get()), out.get(), size);
      std::vector<int> found = out.values();
      for (int thread = 0; thread < 64; ++thread) {
        auto begin = values.begin() + thread / size * size, end = begin + size,
             self = values.begin() + thread;
        auto fold = [&](auto op) { return std::accumulate(begin + 1, end, *begin, op); };
        const int* row = &found[static_cast<std::size_t>(thread * 8)];
        CHECK(row[0] == std::accumulate(begin, end, 0));
        CHECK(row[1] == *std::min_element(begin, end));
        CHECK(row[2] == *std::max_element(begin, end));
        CHECK(row[3] == fold(std::bit_xor<int>()));
        CHECK(row[4] == fold(std::bit_and<int>()));
        CHECK(row[5] == std::accumulate(begin, self + 1, 0));
        CHECK(row[6] == std::accumulate(begin, self, 0));
        CHECK(row[7] == thread / size * 1000 + 64 / size);
      }
    }
  }
}

TEST_CASE("a tile's functions speak of ranks in the tile") {
  FreshDevice fresh;
  Buffer<int> out(64 * 16);
  for (Schedule schedule : all_schedules) {
    clean_run(schedule, "run_tile_functions", out.get());
    std::vector<int> found = out.values();
    for (int lane = 0; lane < 64; ++lane) {
      int base = lane / 8 * 8, rank = lane % 8;
      const int* row = &found[static_cast<std::size_t>(lane * 16)];
      CHECK(row[0] == base + 3);
      CHECK(row[1] == (rank < 2 ? lane : lane - 2));
      CHECK(row[2] == (rank > 5 ? lane : lane + 2));
      CHECK(row[3] == base + (rank ^ 5));
      CHECK(row[4] == 0xaa);
      CHECK(row[5] == 2);
      CHECK(row[6] == (rank < 3 ? 0x07 : rank < 6 ? 0x38 : 0xc0));
      CHECK(row[7] == 0xff * 10 + 1);
      CHECK(row[8] == (base + 2) * 3);
      CHECK(row[9] == -(base + 1));
      CHECK(row[10] == base + 7);
      CHECK(row[11] == 400 + rank / 4 * 10 + 2);
      CHECK(row[12] == lane / 4 * 4);
      CHECK(row[13] == (base + 4) * 2 + 1);
      CHECK(row[14] * 5 % 8 == 7);
      CHECK(row[15] == base);
    }
  }
}

TEST_CASE("threads that run together form a group with ranks of its own") {
  FreshDevice fresh;
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(32 * 12);
    clean_run(schedule, "run_coalesced", out.get());
    std::vector<int> found = out.values();
    for (int rank = 0; rank < 11; ++rank) {
      int lane = rank * 3;
      const int* row = &found[static_cast<std::size_t>(lane * 12)];
      CHECK(row[0] == 11);
      CHECK(row[1] == rank);
      CHECK(row[2] == 12);
      CHECK(row[3] == (rank == 0 ? 0 : lane - 3));
      CHECK(row[4] == (rank > 8 ? lane : lane + 6));
      CHECK(row[5] == 0x2aa);
      CHECK(row[6] == 165);
      CHECK(row[7] == 3 * rank * (rank + 1) / 2);
      CHECK(row[8] == (rank == 0 ? std::numeric_limits<int>::lowest() : lane - 3));
      CHECK(row[9] == (rank < 8 ? 400 : 300) + rank % 4 * 10 + rank / 4);
      CHECK(row[10] == (rank % 2 ? 500 : 600) + rank / 2);
      CHECK(row[11] == (rank < 8 ? 4 : 3));
    }
  }
}

TEST_CASE("an aggregated atomic finds a place for every value") {
  FreshDevice fresh;
  std::vector<int> values(250);
  std::iota(values.begin(), values.end(), 0);
  Buffer<int> in(values);
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(250), count(1);
    Report report = clean_run(schedule, "run_aggregated_increment", static_cast<const int*>(in.get()), 250,
                              out.get(), count.get());
    CHECK(count.values()[0] == 84);
    std::vector<int> found = out.values();
    CHECK(std::set<int>(found.begin(), found.begin() + 84).size() == 84);
    CHECK(std::all_of(found.begin(), found.begin() + 84, [](int value) { return value % 3 == 0; }));
    CHECK(report.kernels[0].counters.global_atomic_lanes == 8);
  }
}

TEST_CASE("a function can take any group") {
  FreshDevice fresh;
  for (unsigned size : {1u, 4u, 32u}) {
    for (Schedule schedule : all_schedules) {
      Buffer<int> out(129);
      clean_run(schedule, "run_any_group", out.get(), size);
      CHECK(out.values()[128] == 128);
      int s = static_cast<int>(size);
      for (int tile = 0; tile < 128 / s; ++tile)
        CHECK(out.values()[static_cast<std::size_t>(tile)] == tile * s * s + s * (s - 1) / 2);
    }
  }
}

TEST_CASE("a block and a grid know their ranks and extents") {
  FreshDevice fresh;
  Buffer<unsigned> out(11);
  clean_run(Schedule::forward, "run_block_functions", out.get());
  CHECK(out.values() == std::vector<unsigned>{32, 32, 3, 1, 4, 8, 1, 39, 3, 7, 3});
}

TEST_CASE("a group copies in the background, and waits") {
  FreshDevice fresh;
  std::vector<int> values = some_values(200);
  Buffer<int> in(values);
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(200);
    clean_run(schedule, "run_copy_ahead", static_cast<const int*>(in.get()), out.get(), true);
    for (std::size_t i = 0; i < 200; ++i) CHECK(out.values()[i] == values[i / 100 * 100 + 99 - i % 100]);
  }
}

TEST_CASE("reading a copy before waiting for it is found") {
  FreshDevice fresh;
  Buffer<int> in(some_values(200)), out(200);
  for (Schedule schedule : all_schedules) {
    Finding d = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_copy_ahead",
                                       static_cast<const int*>(in.get()), out.get(), false),
                         "uninitialised-read");
    CHECK(d.variable == "tile");
    CHECK(lines_of(d) == std::vector<unsigned>{marked_line("groups.cu", "read of the copy")});
  }
}

TEST_CASE("copies of later stages stay behind while the first is used") {
  FreshDevice fresh;
  std::vector<int> values = some_values(256);
  Buffer<int> in(values);
  for (Schedule schedule : all_schedules) {
    Buffer<int> out(256);
    clean_run(schedule, "run_copy_stages", static_cast<const int*>(in.get()), out.get(), 4);
    for (std::size_t i = 0; i < 256; ++i) CHECK(out.values()[i] == values[i / 64 * 64 + 63 - i % 64]);
  }
}
