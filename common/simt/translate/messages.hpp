#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace simt::compiler {

/// `FILE:LINE:COLUMN: ` at the start of a compiler's message.
struct MessagePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string_view rest; ///< what follows, from the severity on
};

/// Reads one; false for a line that does not begin with a place.
bool read_place(std::string_view text, MessagePlace& place);

/// A line of a source with its number, and a mark below the column (from 1), as compilers show them.
std::string excerpt(const std::string& line, std::uint32_t number, std::uint32_t column);

/// A compiler's messages about translated text, as they should be about the student's: columns and excerpts
/// are those of the file on disk, launches are spoken of as launches, and notes that point into the
/// simulator's headers are left out. Expects messages without excerpts.
std::string restore_messages(std::string_view messages, std::string_view translated,
                             const std::string& shim_folder);

/// The error for a header of the CUDA toolkit that the preprocessor's `messages` miss and the simulator does not
/// have: what it is for, and what to do. Empty if that is not what is wrong.
std::string explain_missing_header(std::string_view messages);

/// The same for a header that was found, in an installed toolkit, and is of no use here: the first one that a file
/// of the program includes.
std::string explain_toolkit_header(std::string_view preprocessed, const std::string& shim_folder);

} // namespace simt::compiler
