// From code addresses to source lines, by the modules' debug information.
#pragma once

#include "simt/report/report.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace simt {

struct SourceLine {
  std::string file;
  unsigned line = 0;
};

/// Looks up source lines and reads excerpts. Answers are cached, those about addresses for the whole process:
/// module files are taken not to change while it runs. Where no answer can be had (no
/// debug information, file gone) the result is empty: a missing line never hides a diagnostic.
class Symbolizer {
public:
  /// The innermost line of the student's own code at `address`: inlined frames of the simulator's and the
  /// system's headers are skipped.
  std::optional<SourceLine> locate(const CodeAddress& address);

  /// All such lines at `address`, from the innermost outwards through inlined calls.
  std::vector<SourceLine> lines(const CodeAddress& address);

  /// The lines whose stores the instruction at `address`, which writes, is: mostly the one that locate() gives. Behind it
  /// come those of which the compiler has made one store with it, in the arms of an `if` or a `switch`.
  std::vector<SourceLine> stores(const CodeAddress& address);

  /// From here on these files, and those of earlier calls, are quoted in the whole process, and no others: it is a module's
  /// own word what its sources are called.
  static void quote_only(const std::vector<std::string>& files);

  /// The text of one source line without its indentation; empty if it cannot be read.
  std::string excerpt(const SourceLine& where);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// Where a participant was; nothing if that is not known.
std::optional<SourceLine> source_of(const Participant& participant, Symbolizer& symbolizer);

/// The line as it is quoted: "file.cu:8 | its text".
std::string quoted(const SourceLine& line, Symbolizer& symbolizer);

/// Under a store's lines, if they are several: that it is one store.
std::string one_store(const std::vector<SourceLine>& lines);

/// Merges diagnostics of one id and kernel at the same source lines: a compiler that copies code (inlining,
/// unrolling) makes several code addresses of one line.
void merge_by_line(std::vector<Finding>& diagnostics, Symbolizer& symbolizer);

/// Merges races for one variable in a kernel that threads of the same reach have, reads of one variable that is not written, and
/// accesses beyond one array that one comparison has let through: mostly one mistake in several lines, as in a reduction that is
/// unrolled. The first one then has the lines of the others, too.
void merge_by_variable(std::vector<Finding>& diagnostics, Symbolizer& symbolizer);

/// Merges what several kernels have at the same lines, as the instances of one template, and reads of one array that none has written
/// to and accesses beyond the end of one array. The first one then names the other kernels.
void merge_by_kernel(std::vector<Finding>& diagnostics, Symbolizer& symbolizer);

/// What is reported of a diagnostic.
struct Telling {
  bool message = true;                     ///< not where it has been said already
  std::optional<std::string> advice = {};  ///< in the place of the diagnostic's own; empty: none
  std::optional<SourceLine> asked_at = {}; ///< from where its kernel was launched, if that is to be reported
  bool element = true;                     ///< not where another element would be the same mistake
  std::vector<std::vector<std::string>> evidence = {}; ///< lines below each participant
  bool lacks_block = false;     ///< the indices of all of them are made of threadIdx alone
  bool memory_is_given = false; ///< the array is as large as it should be: no advice on how it is allocated
};

/// A line of what is reported, and what it is.
struct ReportLine {
  enum class Kind { finding, source, evidence, advice };
  Kind kind;
  std::string text;
  SourceLine place = {}; ///< of a line that is quoted
};

/// A diagnostic as text for the student: what happened, who took part and on which source lines, and one fix.
std::vector<ReportLine> report_lines(const Finding& diagnostic, Symbolizer& symbolizer,
                                     const Telling& telling = {});
/// The same in one text.
std::string render(const Finding& diagnostic, Symbolizer& symbolizer, const Telling& telling = {});

/// Of a race in a block: whether a barrier stands between its two lines, so that they are not of one turn of a
/// loop. A block's barrier says nothing about another block's threads.
bool barrier_between(const Finding& diagnostic, Symbolizer& symbolizer);

/// Of an access beyond an array: the nearest comparison that the thread has passed, in the access's own line or above it.
std::optional<SourceLine> comparison_before(const Finding& diagnostic, Symbolizer& symbolizer);

/// "thread (3,0,0) of block (1,0,0), warp 0 lane 3".
std::string describe(const ThreadId& thread);

} // namespace simt
