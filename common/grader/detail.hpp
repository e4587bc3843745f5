#pragma once
/// The lines below a failure's sentence.

#include "simt/report/symbolizer.hpp"
#include "text/sentence.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpbook {

/// A line below a failure's sentence, and what it is.
struct Detail {
  enum class Kind {
    note,
    cause,    ///< how it came about
    evidence, ///< what threads did, with the numbers
    finding,  ///< what the simulator objects to
    source,   ///< a line of the submission, quoted
    advice,   ///< what helps
    call,     ///< the call that the failure is about
    example,  ///< a smaller call at which it can be followed
    printed,  ///< by the submission
  };
  Detail() = default;
  template <std::convertible_to<Sentence> Text>
  Detail(Text&& text, Kind kind = Kind::note, std::string id = {})
      : kind(kind), text(std::forward<Text>(text)), id(std::move(id)) {}
  Detail(Sentence text, Kind kind, simt::SourceLine place)
      : kind(kind), text(std::move(text)), place(std::move(place)) {}

  Kind kind = Kind::note;
  Sentence text;
  std::string id = {}; ///< of a call and an example the call; else what tells the line from others
  std::optional<simt::SourceLine> place = {}; ///< that is quoted
};
using Details = std::vector<Detail>;

/// The texts of lines, to print them.
std::vector<std::string> texts_of(const Details& details);

/// Some lines, and more behind them.
Details followed_by(Details lines, const Details& more);

/// A line of the simulator's report.
Detail detail_of(const simt::ReportLine& line);

} // namespace warpbook
