#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

/// Headers as one preprocessor run left them: their text, and the macros that they define. Files preprocessed with the
/// macros alone, and put behind the text, are what they would be with the headers themselves.
struct ReadHeaders {
  std::string text;
  std::string macros; ///< directives, each behind a line that tells where it comes from
};

/// From what `CXX -E -dD` printed of an empty file that the command line includes `count` headers into.
ReadHeaders read_headers(std::string_view printed, std::size_t count);

/// Whether preprocessed text has lines that are neither empty nor linemarkers.
bool has_code(std::string_view preprocessed);

/// The headers of `candidates` that a file includes with `<>` at its beginning, before all but comments, blank lines
/// and other headers; in the order of `candidates`.
std::vector<std::string> leading_headers(const std::string& file, const std::vector<std::string>& candidates);

/// Headers kept in a folder, for as long as no file that they were read from changes.
class KeptHeaders {
public:
  /// `key` tells what headers, and with what compiler and options they are read.
  KeptHeaders(const std::string& folder, std::string_view key);

  /// The file that defines the macros.
  const std::string& macro_file() const { return macro_file_; }
  /// The text, empty if the headers are to be read with every file; nothing if nothing is kept or a file has changed.
  std::optional<std::string> text() const;

  /// What cannot be written is not kept: the next run reads the headers again.
  void keep_macros(const std::string& macros) const;
  void keep_text(const std::string& text, const std::vector<std::string>& files) const;

private:
  std::string macro_file_;
  std::string text_file_;
};

} // namespace simt::compiler
