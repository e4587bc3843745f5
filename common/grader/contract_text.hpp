#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpbook {

/// The names of `function`'s parameters as they stand in the text of a contract (lab.hpp). A
/// parameter without a name becomes "argument 2". Where the function is not declared, all `count` do.
std::vector<std::string> parameter_names(const std::string& contract_text, const std::string& function,
                                         std::size_t count);

/// A function's declaration up to its parameters, as it is written.
struct Signature {
  std::string text;  ///< on one line
  unsigned line = 0; ///< of the function's name
  bool is_definition = false;
};

/// Where `function` is declared or defined in a C++ text, in this order; of what is no definition some may be calls.
std::vector<Signature> signatures_of(const std::string& text, const std::string& function);

/// The text without comments; line ends stay.
std::string without_comments(const std::string& text);

/// The line (from 1) of the first `TODO(number)` in a source text, or 0.
unsigned todo_line(const std::string& source_text, int number);

/// The number of the TODO in whose region (`TODO(2)` to `END TODO(2)`) this line lies; 0: in none.
int todo_around(const std::string& source_text, unsigned line);

/// What the compiler sees of the region of TODO(number), without spaces. Nothing if there is no such region.
std::optional<std::string> code_in_todo(const std::string& source_text, int number);

/// Whole contents of a file, or an empty string.
std::string read_text(const std::string& path);

} // namespace warpbook
