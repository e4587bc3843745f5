#pragma once

#include "simt/translate/translation.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

/// What else becomes of a compiler's messages.
struct JudgeOptions {
  bool drops_warnings = false;   ///< -w
  bool drops_deprecated = false; ///< -Wno-deprecated-declarations
};

struct Judged {
  std::vector<TranslationError> errors; ///< code of one side uses what only the other side has
  std::string said;                     ///< the messages that are about something else
};

/// Reads what a compiler said of the marks in translated text (sides.hpp): which use of a function or variable is an
/// error depends on the code around it, which `preprocessed`, the text before the translation, tells.
Judged judge(std::string_view said, std::string_view preprocessed, const Translation& translation,
             const TranslationOptions& options, const JudgeOptions& further);

/// The compiler's options for warnings with which it tells of all marks.
std::vector<std::string> with_marks_told(const std::vector<std::string>& warnings);

} // namespace simt::compiler
