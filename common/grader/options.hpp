#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/submission.hpp"

namespace warpbook {

/// The grader's command line.
struct GraderOptions {
  bool list_items = false;
  bool is_mutant = false; ///< succeed if the item named in the source's header fails as it says there
  std::string
      fails_with; ///< succeed if `item` fails with this diagnosis: a teaching step shows what it lacks
  std::vector<int> blames; ///< a mutant: and if these tasks are named for it; empty: any
  bool skip_unavailable = false;
  std::string item;
  std::string result_path;
  SubmissionOptions submission;
};

/// How the grader is used.
extern const char* const grader_usage;

/// Reads the command line. Throws std::invalid_argument with a sentence about what is wrong with it.
GraderOptions parse_options(int argc, const char* const* argv);

/// What a mutant's header comment promises.
struct MutantHeader {
  std::string item;
  std::string diagnosis;
  std::vector<int> todos; ///< that a student is sent to; empty where the header has no such line
};

/// Reads `// item: NAME` and `// diagnosis: ID` (or `// diagnosis[sim]: ID`, which comes first for
/// that backend), and `// todo[sim]: 2 3` where there is one. Throws std::invalid_argument if one of the first two is
/// missing, or if a TODO is no number.
MutantHeader parse_mutant_header(const std::string& source_text, Backend backend);

} // namespace warpbook
