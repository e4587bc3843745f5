// A fact of each type, none of which is as it would be if it were not known.
#pragma once

#include "simt/report/report.hpp"

#include <vector>

namespace simt {

inline std::vector<fact::Any> known_facts(fact::Set set) {
  std::vector<fact::Any> facts = {
      Outside{Outside::Side::across, 4, 400, 8, true},
      Refused{
          "dynamic-shared-memory", "cudaErrorInvalidValue", 50'000, 49'152, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}},
      Spread{true, true, false},
      Texels{Texels::Shape::layered_2d, {64, 48, 3}, Texels::Kind::unsigned_integers, 4, 8, true},
      fact::Alike{true},
      fact::Amount{12'345},
      fact::Crowded{true},
      fact::Error{"cudaErrorInvalidValue"},
      fact::Group{"cluster"},
      fact::IndexBits{16},
      fact::Lanes{0xffff0000},
      fact::Limit{2 << 20},
      fact::Other{"keys"},
      fact::Rank{{4, 2}},
      fact::Subject{"map_shared_rank()"},
      fact::Used{1 << 20},
      fact::Written{{{7, 8}}}};
  std::erase_if(facts, [&](const fact::Any& fact) { return (set >> fact.index() & 1) == 0; });
  return facts;
}

} // namespace simt
