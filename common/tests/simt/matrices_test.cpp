#include "diagnosis.hpp"

#include <cstdint>

using namespace simt;

namespace {

constexpr const char* source_file = "matrices.cu";

/// Whole numbers from 0 as halves.
std::vector<std::uint16_t> halves(unsigned count) {
  std::vector<std::uint16_t> bits;
  for (unsigned i = 0; i < count; ++i) {
    unsigned exponent = 0;
    while (i >> exponent > 1) ++exponent;
    bits.push_back(
        i == 0 ? 0 : static_cast<std::uint16_t>((exponent + 15) << 10 | ((i << 10 >> exponent) & 0x3ff)));
  }
  return bits;
}

} // namespace

TEST_CASE("a fragment is loaded and stored along the lines of memory, with 4 bytes of halves and 8 of floats "
          "per lane") {
  for (const Schedule schedule : all_schedules) {
    const Buffer<std::uint16_t> from(256);
    const Buffer<float> to(256);
    const Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_load_and_store", from.get(), to.get(), 16);
    REQUIRE(report.diagnostics.empty());
    const Counters& counters = report.kernels.at(0).counters;
    // Each of the four requests of a matrix has half of 8 lines, which is a part of 8 sectors.
    CHECK(counters.global_load_requests == 8);
    CHECK(counters.global_load_sectors == 64);
    CHECK(counters.global_load_bytes == 2 * 512);
    CHECK(counters.global_store_requests == 4);
    CHECK(counters.global_store_sectors == 32);
    CHECK(counters.global_store_bytes == 1024);
    CHECK(counters.shuffles == 0);
  }
}

TEST_CASE("lanes hold what the PTX ISA says of mma.sync") {
  FreshDevice fresh;
  const Buffer<float> sums(256), of_a(512), of_b(512);
  const Buffer<std::uint16_t> numbers(halves(256));
  REQUIRE(SIMT_RUN("run_owners", sums.get(), numbers.get(), of_a.get(), of_b.get()).diagnostics.empty());
  const std::vector<float> sum = sums.values(), a = of_a.values(), b = of_b.values();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned group = lane / 4, member = lane % 4;
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned row = group + (i % 4 >= 2 ? 8 : 0), column = 2 * member + i % 2 + (i >= 4 ? 8 : 0);
      CHECK(sum[row * 16 + column] == 100.0f * static_cast<float>(lane) + static_cast<float>(i));
      // The same places of a matrix by rows; halves are there twice.
      CHECK(a[16 * lane + i] == static_cast<float>(row * 16 + column));
      CHECK(a[16 * lane + i + 8] == a[16 * lane + i]);
      const unsigned inner = 2 * member + i % 2 + (i % 4 >= 2 ? 8 : 0), line = group + (i >= 4 ? 8 : 0);
      CHECK(b[16 * lane + i] == static_cast<float>(line * 16 + inner));
    }
  }
}

TEST_CASE("lanes-missing where a warp is not whole, or does not come to a matrix as a whole") {
  const auto found = [](const char* function) {
    FreshDevice fresh;
    const Buffer<float> to(256);
    return the_only(SIMT_RUN(function, to.get()), "lanes-missing");
  };
  const Finding half = found("run_half_a_warp");
  CHECK(mentions(message_of(half), "its 32 lanes hold a matrix together, and lanes 16 to 31 never arrive at "
                                   "store_matrix_sync()"));
  CHECK(lines_of(half) == std::vector<unsigned>{marked_line(source_file, "half a warp")});
  const Finding branch = found("run_some_lanes");
  CHECK(mentions(message_of(branch), "and lane 5 never arrives at store_matrix_sync()"));
  CHECK(mentions(cure_of(branch), "block sizes are multiples of 32"));
  CHECK(lines_of(branch).at(0) == marked_line(source_file, "all but one"));
}

TEST_CASE("misaligned-access where a matrix has rows that begin between multiples of 16 bytes") {
  FreshDevice fresh;
  const Buffer<std::uint16_t> from(512);
  const Buffer<float> to(512);
  const Report report = SIMT_RUN("run_load_and_store", from.get(), to.get(), 18);
  REQUIRE(report.diagnostics.size() == 3);
  for (const Finding& finding : report.diagnostics) {
    CHECK(finding.id == "misaligned-access");
    CHECK(mentions(message_of(finding), "begins in memory at an address that is not a multiple of 16"));
    CHECK(mentions(cure_of(finding), "make the stride a multiple of 16 bytes"));
  }
  CHECK(lines_of(report.diagnostics[0]).at(0) == marked_line(source_file, "rows"));
}

TEST_CASE("a matrix that ends too early is out of bounds, and one that was not written is uninitialised") {
  FreshDevice fresh;
  const Buffer<std::uint16_t> from(250), unwritten(256, false);
  const Buffer<float> to(256);
  describe_allocation(unwritten.get(), 0, 512, false, "unwritten", 2);
  const Report beyond = SIMT_RUN("run_load_and_store", from.get(), to.get(), 16);
  REQUIRE(beyond.diagnostics.size() == 2);
  CHECK(beyond.diagnostics[0].id == "out-of-bounds");
  CHECK(lines_of(beyond.diagnostics[0]).at(0) == marked_line(source_file, "rows"));
  CHECK(lines_of(beyond.diagnostics[1]).at(0) == marked_line(source_file, "columns"));
  const Report poisoned = SIMT_RUN("run_load_and_store", unwritten.get(), to.get(), 16);
  REQUIRE(poisoned.diagnostics.size() == 2);
  CHECK(poisoned.diagnostics[0].id == "uninitialised-read");
}

TEST_CASE("shared-race between a matrix that one warp stores and another loads") {
  FreshDevice fresh;
  const Buffer<float> out(64);
  Report report = SIMT_RUN("run_without_barrier", out.get());
  std::erase_if(report.diagnostics,
                [](const Finding& finding) { return finding.id == "uninitialised-read"; });
  REQUIRE(report.diagnostics.size() == 1);
  CHECK(report.diagnostics[0].id == "shared-race");
  CHECK(sorted_lines(report.diagnostics[0]) == marked_lines(source_file, "first warp", "second warp"));
}
