#pragma once
/// The header comment of a mutant, a step or a peer: what it is expected to fail, and how that is reported.

#include <map>
#include <string>
#include <vector>

#include "grader/submission.hpp"

namespace warpbook {

/// The lines `// NAME: VALUE` and `// NAME[BACKEND]: VALUE` of a source file; this is the one place that reads them.
class Header {
public:
  explicit Header(const std::string& source_text);

  /// The first value of `name` for `backend`: that of `name[backend]` before that of `name`. Empty without one.
  std::string value(const std::string& name, Backend backend) const;
  /// All values of `name`, whatever the backend.
  const std::vector<std::string>& all(const std::string& name) const;
  /// Every field with its values, in alphabetical order; `name[backend]` is a field of its own.
  const std::map<std::string, std::vector<std::string>>& fields() const { return fields_; }

private:
  std::map<std::string, std::vector<std::string>> fields_;
};

/// How an item is expected to fail.
struct ExpectedFailure {
  std::string item;
  std::string diagnosis;
  std::vector<int> todos = {}; ///< that a student is sent to; empty: any
};

/// What a mutant's header promises: `// item: NAME`, `// diagnosis: ID` and perhaps `// todo: 2 3`. Throws
/// std::invalid_argument if one of the first two is missing or there are two items, or if a TODO is no number.
ExpectedFailure mutant_failure(const Header& header, Backend backend);

/// What a step or peer lacks and the next one corrects: its lines `// fails: ITEM: ID`. Throws std::invalid_argument if
/// such a line names no diagnosis.
std::vector<ExpectedFailure> step_failures(const Header& header, Backend backend);

/// Whether a mutant or another file of the workbook is for `backend`: `// backends: sim` leaves out the others.
bool is_for(const Header& header, Backend backend);

} // namespace warpbook
