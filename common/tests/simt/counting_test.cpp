// The arithmetic of requests, on addresses made by hand.
#include "simt/runtime/machine/counting.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <string>

using namespace simt;

namespace {

struct Addresses {
  std::uintptr_t of[32];
  template <class Rule>
  explicit Addresses(Rule rule) {
    for (unsigned lane = 0; lane < 32; ++lane) of[lane] = 4096 + static_cast<std::uintptr_t>(rule(lane));
  }
};

/// What Nsight Compute 2025.3 counted for one warp whose lanes use element `index` of an array (-1: not
/// active).
struct Measured {
  int index[32];
  unsigned load4, load8, load16, store8, store16; ///< shared wavefronts by element size
  unsigned atomic4;                               ///< shared wavefronts of atomicAdd on int
  unsigned global_atomic_sectors;                 ///< of atomicAdd on int and on float
};

// clang-format off
const Measured measured[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
     1, 1, 2, 2, 4, 32, 32},
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     1, 2, 4, 2, 4, 2, 4},
    {{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15},
     1, 1, 2, 2, 4, 2, 4},
    {{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7},
     1, 1, 2, 2, 4, 4, 4},
    {{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7},
     1, 2, 4, 2, 4, 4, 4},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
     1, 1, 2, 2, 4, 16, 16},
    {{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
     1, 1, 2, 2, 4, 16, 16},
    {{0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 63, 66, 69, 72, 75, 78, 81, 84, 87, 90, 93},
     1, 2, 4, 2, 4, 1, 12},
    {{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62},
     2, 4, 8, 4, 8, 2, 8},
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
     1, 1, 2, 1, 2, 1, 2},
    {{0, -1, 2, -1, 4, -1, 6, -1, 8, -1, 10, -1, 12, -1, 14, -1, 16, -1, 18, -1, 20, -1, 22, -1, 24, -1, 26, -1, 28, -1, 30, -1},
     1, 2, 4, 2, 4, 1, 4},
    {{0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
     1, 1, 1, 1, 1, 1, 1},
    {{0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13, 16, 17, 16, 17, 20, 21, 20, 21, 24, 25, 24, 25, 28, 29, 28, 29},
     1, 2, 4, 2, 4, 2, 8},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
     1, 2, 2, 2, 4, 16, 32},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32},
     2, 2, 2, 2, 4, 32, 32},
    {{7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24},
     1, 2, 4, 2, 4, 1, 4},
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, -1, -1, -1, -1, -1, -1, -1, -1},
     1, 2, 3, 2, 3, 1, 3},
    {{0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24, 0, 8, 16, 24},
     1, 4, 16, 4, 16, 8, 32},
    {{5, 3, 3, 7, 5, 3, 2, 1, 0, 1, 3, 1, 3, 6, 1, 0, 2, 2, 2, 0, 0, 3, 4, 0, 5, 4, 1, 0, 1, 6, 5, 6},
     1, 2, 4, 2, 4, 6, 6},
    {{2, -1, 3, 1, 1, 5, -1, -1, 1, -1, -1, -1, 5, -1, -1, 5, -1, -1, -1, -1, -1, -1, 2, -1, -1, 4, -1, 6, 7, -1, 3, -1},
     1, 2, 4, 2, 4, 3, 3},
    {{2, 4, 3, 5, 7, 0, 2, 6, 3, 4, 7, 5, 2, 6, 0, 6, 1, 4, 5, 6, 1, 3, 0, 0, 1, 1, 0, 4, 7, 2, 6, 1},
     1, 2, 4, 2, 4, 5, 5},
    {{-1, 30, -1, 1, -1, 7, -1, 14, 8, 23, 30, -1, -1, -1, 2, -1, -1, -1, 23, -1, -1, 15, 18, -1, -1, -1, -1, -1, 0, 25, 4, -1},
     1, 3, 6, 3, 6, 2, 6},
    {{21, 24, 5, 12, 26, 10, 31, 8, 23, 15, 4, 10, 13, 14, 5, 25, 15, 6, 4, 16, 5, 23, 12, 5, 25, 5, 8, 30, 13, 31, 13, 2},
     1, 4, 8, 4, 8, 5, 12},
    {{24, 18, 15, 18, 29, 14, 26, 20, 29, 30, 30, 10, 12, 3, 4, 27, 10, 8, 12, 15, 31, 24, 21, 25, 29, 29, 23, 10, 28, 4, 12, 20},
     1, 4, 10, 4, 10, 4, 11},
    {{-1, 103, -1, -1, -1, 114, 234, 40, 126, 132, -1, -1, 150, 243, -1, -1, 187, -1, 47, -1, 13, -1, 52, -1, 216, 17, 9, -1, 86, 17, 255, 82},
     2, 3, 7, 3, 7, 2, 16},
    {{198, 207, 159, 246, 21, 236, 165, 34, 170, 1, 26, 223, 133, 6, 146, 93, 118, 163, 225, 127, 139, 14, 30, 225, 46, 47, 233, 46, 232, 59, 232, 174},
     3, 7, 10, 7, 10, 4, 25},
    {{11, 136, 164, 32, 116, 74, 67, 30, 75, 93, 253, 209, 99, 143, 46, 217, 50, 16, 88, 189, 30, 118, 158, 77, 165, 136, 123, 141, 195, 99, 60, 206},
     3, 5, 10, 5, 10, 4, 25},
};

struct MeasuredWide {
  int index[32];
  unsigned load8, load16;
  unsigned atomic8;               ///< shared wavefronts of atomicExch on unsigned long long
  unsigned global_atomic8_sectors; ///< of atomicAdd on unsigned long long
};

const MeasuredWide measured_wide[] = {
    {{0, -1, 1, -1, 2, -1, 3, -1, 4, -1, 5, -1, 6, -1, 7, -1, 8, -1, 9, -1, 10, -1, 11, -1, 12, -1, 13, -1, 14, -1, 15, -1},
     1, 2, 2, 4},
    {{0, 0, -1, -1, 1, 1, -1, -1, 2, 2, -1, -1, 3, 3, -1, -1, 4, 4, -1, -1, 5, 5, -1, -1, 6, 6, -1, -1, 7, 7, -1, -1},
     1, 2, 4, 4},
    {{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
     2, 4, 3, 8},
    {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23},
     2, 4, 3, 8},
    {{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9},
     2, 4, 10, 12},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
     2, 4, 20, 20},
    {{0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1, 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1},
     1, 2, 2, 3},
    {{-1, -1, -1, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
     1, 2, 2, 1},
    {{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
     1, 1, 16, 16},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
     2, 4, 31, 31},
    {{0, 0, 1, 1, 2, -1, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15},
     1, 2, 4, 8},
    {{-1, 0, 0, -1, -1, 1, 1, -1, -1, 2, 2, -1, -1, 3, 3, -1, -1, 4, 4, -1, -1, 5, 5, -1, -1, 6, 6, -1, -1, 7, 7, -1},
     1, 2, 4, 4},
    {{2, 3, -1, 0, -1, -1, -1, -1, 2, 1, 1, -1, -1, 1, -1, 1, 2, -1, 1, 0, -1, 1, 2, -1, 0, -1, 1, 1, -1, 0, 1, 3},
     2, 4, 9, 9},
};
// clang-format on

std::uint32_t active_lanes(const int (&index)[32]) {
  std::uint32_t mask = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (index[lane] >= 0) mask |= 1u << lane;
  return mask;
}

std::string text_of(const int (&index)[32]) {
  std::string text;
  for (int i : index) text += std::to_string(i) + " ";
  return text;
}

} // namespace

TEST_CASE("an access across a sector's border touches both") {
  Addresses a([](unsigned) { return 30; });
  CHECK(count_sectors(a.of, 1, 4) == 2);
  CHECK(count_sectors(a.of, 1, 2) == 1);
}

TEST_CASE("sectors are counted whatever the order of the lanes") {
  Addresses scattered([](unsigned lane) { return (lane * 13 % 32) * 4; });
  CHECK(count_sectors(scattered.of, ~0u, 4) == 4);
  Addresses repeated([](unsigned lane) { return lane % 3 * 4096; });
  CHECK(count_sectors(repeated.of, ~0u, 4) == 3);
}

TEST_CASE("atomics serve one lane per address at a time") {
  Addresses pairs([](unsigned lane) { return lane / 2 * 4; });
  CHECK(count_atomic_sectors(pairs.of, ~0u, 4) == 2 * 2);
  Addresses same([](unsigned) { return 0; });
  CHECK(count_atomic_sectors(same.of, 0xffu, 4) == 8);
}

TEST_CASE("wavefronts and atomic sectors are those that an H200 counted") {
  for (const Measured& row : measured) {
    std::uint32_t mask = active_lanes(row.index);
    std::string pattern = text_of(row.index);
    CAPTURE(pattern);
    auto wavefronts = [&](unsigned size, Access access) {
      Addresses a([&](unsigned lane) { return row.index[lane] * static_cast<int>(size); });
      Wavefronts w = count_wavefronts(a.of, mask, size, access);
      CHECK(w.ideal <= w.actual);
      return w.actual;
    };
    CHECK(wavefronts(4, Access::read) == row.load4);
    CHECK(wavefronts(8, Access::read) == row.load8);
    CHECK(wavefronts(16, Access::read) == row.load16);
    CHECK(wavefronts(8, Access::write) == row.store8);
    CHECK(wavefronts(16, Access::write) == row.store16);
    CHECK(wavefronts(4, Access::atomic) == row.atomic4);
    Addresses words([&](unsigned lane) { return row.index[lane] * 4; });
    CHECK(count_atomic_sectors(words.of, mask, 4) == row.global_atomic_sectors);
  }
}

TEST_CASE("groups of wide loads merge where an H200 merges them, and those of atomics never do") {
  for (const MeasuredWide& row : measured_wide) {
    std::uint32_t mask = active_lanes(row.index);
    std::string pattern = text_of(row.index);
    CAPTURE(pattern);
    Addresses eight([&](unsigned lane) { return row.index[lane] * 8; });
    Addresses sixteen([&](unsigned lane) { return row.index[lane] * 16; });
    CHECK(count_wavefronts(eight.of, mask, 8, Access::read).actual == row.load8);
    CHECK(count_wavefronts(sixteen.of, mask, 16, Access::read).actual == row.load16);
    CHECK(count_wavefronts(eight.of, mask, 8, Access::atomic).actual == row.atomic8);
    CHECK(count_atomic_sectors(eight.of, mask, 8) == row.global_atomic8_sectors);
  }
}

TEST_CASE("a broadcast is one wavefront, and a column of a 32-wide array is 32") {
  Addresses same([](unsigned) { return 8; });
  CHECK(count_wavefronts(same.of, ~0u, 4, Access::read).actual == 1);
  Addresses column([](unsigned lane) { return lane * 128; });
  CHECK(count_wavefronts(column.of, ~0u, 4, Access::read).actual == 32);
  CHECK(count_wavefronts(column.of, 0x0000000fu, 4, Access::read).actual == 4);
}

TEST_CASE("even steps need as many wavefronts as the same words in another order of the lanes") {
  for (const Access access : {Access::read, Access::write, Access::atomic})
    for (int step = -70; step <= 70; ++step) {
      CAPTURE(step);
      const auto address = [step](unsigned lane) { return 16384 + static_cast<int>(lane) * step * 4; };
      const Addresses even(address), exchanged([&](unsigned lane) { return address(lane ^ (lane < 2)); });
      CHECK(count_wavefronts(even.of, ~0u, 4, access).actual ==
            count_wavefronts(exchanged.of, ~0u, 4, access).actual);
    }
}

TEST_CASE("halves of a warp in even steps need what their banks deliver, word by word") {
  for (const Access access : {Access::read, Access::write, Access::atomic})
    for (int step = -34; step <= 34; ++step)
      for (int distance = -600; distance <= 600; ++distance) {
        const Addresses halves([=](unsigned lane) {
          return 16384 + (static_cast<int>(lane % 16) * step + (lane < 16 ? 0 : distance)) * 4;
        });
        std::set<std::uintptr_t> words;
        unsigned in_bank[32] = {}, most = 0;
        for (const std::uintptr_t address : halves.of)
          if (words.insert(address).second || access == Access::atomic)
            most = std::max(most, ++in_bank[address / 4 % 32]);
        CAPTURE(step);
        CAPTURE(distance);
        REQUIRE(count_wavefronts(halves.of, ~0u, 4, access).actual == most);
      }
}

TEST_CASE("bytes of one word share a bank's delivery") {
  Addresses bytes([](unsigned lane) { return lane; });
  CHECK(count_wavefronts(bytes.of, ~0u, 1, Access::read).actual == 1);
}

TEST_CASE("wide accesses are ideal with one pass per group of lanes") {
  Addresses doubles([](unsigned lane) { return lane * 8; });
  Wavefronts w8 = count_wavefronts(doubles.of, ~0u, 8, Access::read);
  CHECK(w8.actual == 2);
  CHECK(w8.ideal == 2);
  Addresses quads([](unsigned lane) { return lane * 16; });
  Wavefronts w16 = count_wavefronts(quads.of, ~0u, 16, Access::read);
  CHECK(w16.actual == 4);
  CHECK(w16.ideal == 4);
  CHECK(count_wavefronts(quads.of, 0x000000ffu, 16, Access::read).ideal == 1);
  Addresses conflicting([](unsigned lane) { return lane * 32; });
  CHECK(count_wavefronts(conflicting.of, ~0u, 16, Access::read).actual == 8);
}
