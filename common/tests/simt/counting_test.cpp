// The arithmetic of requests, on addresses made by hand.
#include "simt/runtime/counting.hpp"

#include <doctest/doctest.h>

using namespace simt;

namespace {

struct Addresses {
  std::uintptr_t of[32];
  template <class Rule>
  explicit Addresses(Rule rule) {
    for (unsigned lane = 0; lane < 32; ++lane) of[lane] = 4096 + static_cast<std::uintptr_t>(rule(lane));
  }
};

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

TEST_CASE("a broadcast is one wavefront, and a column of a 32-wide array is 32") {
  Addresses same([](unsigned) { return 8; });
  CHECK(count_wavefronts(same.of, ~0u, 4).actual == 1);
  Addresses column([](unsigned lane) { return lane * 128; });
  CHECK(count_wavefronts(column.of, ~0u, 4).actual == 32);
  CHECK(count_wavefronts(column.of, 0x0000000fu, 4).actual == 4);
}

TEST_CASE("bytes of one word share a bank's delivery") {
  Addresses bytes([](unsigned lane) { return lane; });
  CHECK(count_wavefronts(bytes.of, ~0u, 1).actual == 1);
}

TEST_CASE("wide accesses are ideal with one pass per group of lanes") {
  Addresses doubles([](unsigned lane) { return lane * 8; });
  Wavefronts w8 = count_wavefronts(doubles.of, ~0u, 8);
  CHECK(w8.actual == 2);
  CHECK(w8.ideal == 2);
  Addresses quads([](unsigned lane) { return lane * 16; });
  Wavefronts w16 = count_wavefronts(quads.of, ~0u, 16);
  CHECK(w16.actual == 4);
  CHECK(w16.ideal == 4);
  CHECK(count_wavefronts(quads.of, 0x000000ffu, 16).ideal == 1);
  Addresses conflicting([](unsigned lane) { return lane * 32; });
  CHECK(count_wavefronts(conflicting.of, ~0u, 16).actual == 8);
}
