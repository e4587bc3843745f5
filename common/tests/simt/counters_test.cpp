#include "simulation.hpp"

#include <doctest/doctest.h>
#include <set>

using namespace simt;

namespace {

/// Distinct 32-byte chunks of 32 lanes' elements, by the definition.
std::uint64_t sectors(int offset, int stride, std::size_t size) {
  std::set<std::size_t> chunks;
  for (int lane = 0; lane < 32; ++lane)
    for (std::size_t byte = 0; byte < size; ++byte)
      chunks.insert((static_cast<std::size_t>(offset + lane * stride) * size + byte) / 32);
  return chunks.size();
}

Counters counters_of(const Report& report) {
  REQUIRE(report.kernels.size() == 1);
  for (const Finding& diagnostic : report.diagnostics)
    FAIL_CHECK(diagnostic.id << ": " << message_of(diagnostic));
  return report.kernels[0].counters;
}

template <class T>
void check_loads(const char* function, unsigned components) {
  Buffer<T> in(8192 * components), out(32 * components);
  const std::size_t size = sizeof(T) * components;
  for (int stride : {0, 1, 2, 3, 5, 8, 32, 33})
    for (int offset = 0; offset <= 32; ++offset) {
      CAPTURE(stride);
      CAPTURE(offset);
      Counters c = counters_of(SIMT_RUN(function, in.get(), out.get(), offset, stride));
      CHECK(c.global_load_requests == 1);
      CHECK(c.global_load_sectors == sectors(offset, stride, size));
      CHECK(c.global_load_bytes == 32 * size);
      CHECK(c.global_load_lanes == 32);
    }
}

/// Passes of 32 lanes over 32 banks with 4-byte words `stride` apart.
std::uint64_t bank_passes(int stride) {
  std::uint64_t most = 0;
  for (int bank = 0; bank < 32; ++bank) {
    std::set<int> words;
    for (int lane = 0; lane < 32; ++lane)
      if (lane * stride % 32 == bank) words.insert(lane * stride);
    most = std::max<std::uint64_t>(most, words.size());
  }
  return most;
}

const SiteCounters& site_at_line(const Report& report, unsigned line) {
  static Symbolizer symbolizer;
  for (const SiteCounters& site : report.kernels[0].sites) {
    auto source = symbolizer.locate(site.where);
    if (source && source->line == line) return site;
  }
  throw std::runtime_error("no site at line " + std::to_string(line));
}

} // namespace

TEST_CASE("loads of 1, 4, 8 and 16 bytes touch the sectors that their addresses say") {
  check_loads<char>("load_char", 1);
  check_loads<float>("load_float", 1);
  check_loads<double>("load_double", 1);
  check_loads<float>("load_float2", 2);
  check_loads<float>("load_float4", 4);
}

TEST_CASE("a union with a vector is read as a whole") {
  if (std::string(module_under_test()).ends_with("-clang.so")) return; // it reads the members
  check_loads<float>("load_union", 4);
  check_loads<float>("load_part_of_union", 4);
}

TEST_CASE("stores are counted like loads, and a vector store is one request") {
  Buffer<float> out(8192);
  for (int stride : {1, 5}) {
    Counters c = counters_of(SIMT_RUN("store_float", out.get(), 3, stride));
    CHECK(c.global_store_requests == 1);
    CHECK(c.global_store_sectors == sectors(3, stride, 4));
    CHECK(c.global_load_requests == 0);
  }
  Counters c = counters_of(SIMT_RUN("store_float4", static_cast<void*>(out.get()), 0, 1));
  CHECK(c.global_store_requests == 1);
  CHECK(c.global_store_sectors == 16);
  CHECK(c.global_store_bytes == 512);
}

TEST_CASE("4-byte shared accesses take one wavefront per word that the fullest bank delivers") {
  for (int stride = 0; stride <= 33; ++stride) {
    CAPTURE(stride);
    Counters c = counters_of(SIMT_RUN("shared_float", stride));
    CHECK(c.shared_load_requests == 1);
    CHECK(c.shared_load_ideal_wavefronts == 1);
    CHECK(c.shared_load_wavefronts == bank_passes(stride));
    // The filling loop stores 33 times without conflicts, then the strided store comes on top.
    CHECK(c.shared_store_wavefronts == 33 + bank_passes(stride));
  }
}

TEST_CASE("8-byte shared accesses go in two halves of the warp") {
  Counters dense = counters_of(SIMT_RUN("shared_double", 1));
  CHECK(dense.shared_load_ideal_wavefronts == 2);
  CHECK(dense.shared_load_wavefronts == 2);
  Counters strided = counters_of(SIMT_RUN("shared_double", 2));
  CHECK(strided.shared_load_ideal_wavefronts == 2);
  CHECK(strided.shared_load_wavefronts == 4);
  Counters padded = counters_of(SIMT_RUN("shared_double", 33));
  CHECK(padded.shared_load_wavefronts == 2);
}

TEST_CASE("only active lanes count") {
  Buffer<float> in(32), out(32);
  Counters c = counters_of(SIMT_RUN("run_some_lanes", in.get(), out.get(), 0x000100ffu));
  CHECK(c.global_load_lanes == 9);
  CHECK(c.global_load_bytes == 36);
  CHECK(c.global_load_sectors == 2);
  CHECK(c.threads == 32);
}

TEST_CASE("lanes that leave a loop early share the requests of the rounds they take part in") {
  Buffer<float> in(32 * 32), out(32);
  for (Schedule schedule : all_schedules) {
    Counters c =
        counters_of(SIMT_RUN_WITH(with_schedule(schedule), "run_different_trip_counts", in.get(), out.get()));
    CHECK(c.global_load_requests == 32);
    CHECK(c.global_load_lanes == 32 * 33 / 2);
    CHECK(c.global_store_requests == 1);
    CHECK(c.global_store_lanes == 32);
    CHECK(c.approximate == 0);
  }
}

TEST_CASE("lanes that skip a branch meet the others again after it") {
  Buffer<float> in(256), out(32);
  for (Schedule schedule : all_schedules) {
    Counters c =
        counters_of(SIMT_RUN_WITH(with_schedule(schedule), "run_access_after_branch", in.get(), out.get()));
    CHECK(c.global_load_requests == 3);
    CHECK(c.global_load_lanes == 32 + 11 + 32);
    CHECK(c.global_store_requests == 1);
    CHECK(c.approximate == 0);
  }
}

TEST_CASE("a branch that lanes take in different rounds makes the count approximate, and it says so") {
  Buffer<float> in(256), out(32);
  Counters c = counters_of(SIMT_RUN("run_branch_in_loop", in.get(), out.get(), 4));
  CHECK(c.global_load_lanes == 4 * 32 + 2 * 32);
  CHECK(c.approximate > 0);
}

TEST_CASE("a loop longer than the log keeps its lanes in step") {
  constexpr int rounds = 5000;
  Buffer<float> in(32 * rounds), out(32);
  for (Schedule schedule : all_schedules) {
    Counters c =
        counters_of(SIMT_RUN_WITH(with_schedule(schedule), "run_long_loop", in.get(), out.get(), rounds));
    CHECK(c.global_load_requests == rounds);
    CHECK(c.global_load_sectors == 4 * rounds);
    CHECK(c.approximate == 0);
  }
}

TEST_CASE("a grid-stride loop over any length has exact counts") {
  constexpr int n = 1000;
  Buffer<float> in(n), out(n);
  for (Schedule schedule : all_schedules) {
    Counters c =
        counters_of(SIMT_RUN_WITH(with_schedule(schedule), "run_grid_stride", in.get(), out.get(), n));
    CHECK(c.global_load_requests == 32);
    CHECK(c.global_load_sectors == 125);
    CHECK(c.global_load_bytes == 4 * n);
    CHECK(c.global_store_bytes == 4 * n);
    CHECK(c.approximate == 0);
  }
}

TEST_CASE("global atomics on one address cost a sector for every lane") {
  Buffer<int> sums(32);
  Counters same = counters_of(SIMT_RUN("run_add_to_one", sums.get()));
  CHECK(same.global_atomic_requests == 1);
  CHECK(same.global_atomic_sectors == 32);
  CHECK(same.global_load_requests == 0);
  Counters each = counters_of(SIMT_RUN("run_add_to_each", sums.get()));
  CHECK(each.global_atomic_sectors == 4);
  CHECK(sums.values()[0] == 33);
}

TEST_CASE("shared atomics are counted apart from loads and stores") {
  Buffer<int> out(32);
  Counters c = counters_of(SIMT_RUN("run_add_in_shared", out.get()));
  CHECK(c.shared_atomic_requests == 1);
  CHECK(c.shared_atomic_lanes == 32);
  CHECK(c.shared_store_requests == 1);
  CHECK(c.shared_load_requests == 1);
  CHECK(c.barriers == 2);
  CHECK(out.values()[15] == 2);
}

TEST_CASE("copying a structure moves its members word by word") {
  Buffer<float> in(32 * 6), out(32 * 6);
  Counters c = counters_of(SIMT_RUN("run_copy_particles", in.get(), out.get()));
  CHECK(c.global_load_requests == 6);
  CHECK(c.global_load_bytes == 32 * 24);
  CHECK(c.global_load_sectors == 6 * 24);
  CHECK(c.global_store_requests == 6);
}

TEST_CASE("barriers count once per block, warp operations once per warp") {
  Buffer<int> out(3);
  Counters c = counters_of(SIMT_RUN("run_barriers_and_shuffles", out.get()));
  CHECK(c.barriers == 6);
  CHECK(c.shuffles == 3 * 2 * 5);
  CHECK(c.warp_syncs == 3 * 2);
  CHECK(out.values() == std::vector<int>{496, 496, 496});
}

TEST_CASE("counters per site add up to the kernel's and name its lines") {
  Buffer<float> in(256), out(32);
  Report report = SIMT_RUN("run_access_after_branch", in.get(), out.get());
  Counters sum;
  for (const SiteCounters& site : report.kernels[0].sites) sum += site.counters;
  CHECK(sum.global_load_requests == 3);
  CHECK(sum.global_store_requests == 1);
  unsigned first = marked_line("counters.cu", "first load");
  CHECK(site_at_line(report, first).counters.global_load_lanes == 32);
  CHECK(site_at_line(report, first + 1).counters.global_load_lanes == 11);
}
