// Why something has gone wrong, as a thread's diary shows it: the values of its variables, where they come from, and the comparisons
// that have let it through or turned it away. Facts; evidence_lines() says them.
#pragma once

#include "simt/report/symbolizer.hpp"
#include "simt/report/variables.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace simt {

/// A variable and its value, as text.
using ShownValue = std::pair<std::string, std::string>;

/// A line, and the values of the variables that it names.
struct ShownValues {
  SourceLine line;
  std::vector<ShownValue> values;
};

/// A comparison that a thread has made.
struct ShownComparison {
  SourceLine line;
  std::string code;    ///< "i < n / 2"
  std::string numbers; ///< "5 < 4"
  bool holds = false;
  std::vector<ShownValues> origins =
      {}; ///< of a refusal: lines above that have given values to its variables
};

/// A line, and what a thread has read there.
struct ShownReads {
  SourceLine line;
  std::string elements; ///< "window[0] to window[6]"
};

/// How an access came about.
struct Evidence {
  ShownValues there; ///< at the access
  std::string index; ///< the access's index as it is written, and its value; empty where that is not known
  std::int64_t element = 0;
  std::vector<ShownValues>
      origins; ///< calls of the function, and lines above that have given values to what its index is made of
  std::vector<ShownComparison>
      passed; ///< the last comparisons of such variables before it, one for each place, in their order
  /// Of a write: what the thread has read since the one before, and the heads of loops that it has never entered.
  bool is_write = false;
  std::vector<ShownReads> reads = {};
  std::vector<ShownComparison> not_entered = {};
  std::vector<ShownComparison> refusals = {}; ///< where it has read nothing: what did not hold
  bool lacks_block = false; ///< what its index is made of has threadIdx in it, and no blockIdx
  bool is_empty() const {
    return there.values.empty() && origins.empty() && passed.empty() && reads.empty() && not_entered.empty();
  }
};

class EvidenceReader {
public:
  explicit EvidenceReader(Diaries diaries);

  /// Of the access that the finding's participant has made.
  std::optional<Evidence> of(const Finding& finding, const Participant& participant);

  /// Of the thread's latest write to this element of an array.
  std::optional<Evidence> of_write(std::uint32_t launch, const Extent& block, const Extent& thread,
                                   const std::string& array, const std::vector<std::int64_t>& element);
  /// What the thread has read last before that.
  std::optional<Place> read_last(std::uint32_t launch, const Extent& block, const Extent& thread,
                                 const std::string& array, const std::vector<std::int64_t>& element);

  /// The comparison at which the first thread, which did not come to `line`, went another way than the second, which did.
  std::optional<ShownComparison> refusal(std::uint32_t launch, const std::pair<Extent, Extent>& absent,
                                         const std::pair<Extent, Extent>& present, const SourceLine& line);

  /// The comparison that is this moment of the diary; nothing where it is not sure which one of its line it is.
  std::optional<ShownComparison> comparison(const Diary& diary, const Moment& moment);

private:
  struct Step {
    const Moment* moment = nullptr;
    FunctionScope scope;   ///< the innermost function of the program's own
    std::size_t depth = 0; ///< how many functions of headers run within it
  };
  const Diary* diary(const std::string& kernel, std::uint32_t launch, const Extent& block,
                     const Extent& thread) const;
  std::optional<Step> step(const Moment& moment) const;
  /// The latest write to the element; nothing if there is none.
  static std::optional<std::size_t> write_in(const Diary* diary, const std::string& array,
                                             const std::vector<std::int64_t>& element);
  /// `index`: the element that the access is to, where its place does not say it.
  Evidence at(const Diary& diary, std::size_t moment, std::optional<std::int64_t> index = {});
  /// Lines above that have given values to the variables, and to those that these are made of.
  void add_origins(std::vector<ShownValues>& origins, std::set<std::string>& names, const ShownValues& there,
                   const FunctionScope& scope, const Diary& diary);
  void add_reads(Evidence& evidence, const Diary& diary, std::size_t write);
  std::optional<ShownComparison> comparison(const Diary& diary, const Step& step);
  /// What numbers the names have there, those of constants, macros and threadIdx.x among them. Both have to outlive it.
  std::function<std::optional<std::int64_t>(const std::string&)> known_at(const FunctionScope& scope,
                                                                          const Diary& diary);
  /// A macro or constant of the file, if it is a number.
  std::optional<std::int64_t> constant(const std::string& name, const SourceLine& before);
  std::string text_of(const SourceLine& line) { return symbolizer_.excerpt(line); }

  Diaries diaries_;
  Variables variables_;
  Symbolizer symbolizer_;
};

/// Whether a second run has found the same: what threads did there then explains it.
bool is_found_again(const Finding& finding, const std::vector<Finding>& second_run);

/// What is printed of it, line by line, below an access.
std::vector<std::string> evidence_lines(const Evidence& evidence, Symbolizer& symbolizer);
std::string origin_text(const ShownValues& origin, Symbolizer& symbolizer);
/// "`i < n / 2`: 5 < 4 is false".
std::string comparison_text(const ShownComparison& comparison);

} // namespace simt
