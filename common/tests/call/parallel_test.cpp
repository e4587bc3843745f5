#include "call/parallel.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("a loop reaches every element once, whatever the number of threads") {
  const std::size_t usual = warpbook::loop_threads();
  CHECK(usual >= 1);
  for (const std::size_t threads : {0, 1, 5}) {
    warpbook::set_loop_threads(threads);
    CHECK(warpbook::loop_threads() == std::max<std::size_t>(1, threads));
    std::vector<int> visits(10'001);
    warpbook::for_each_piece(
        visits.size(),
        [&](std::size_t, std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) ++visits[i];
        },
        1000);
    CHECK(std::ranges::all_of(visits, [](int count) { return count == 1; }));
  }
  warpbook::set_loop_threads(usual);
}
