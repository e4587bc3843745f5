#pragma once

#include <string>
#include <string_view>

namespace simt::compiler {

/// A compiler's messages about translated text, as they should be about the student's: columns and excerpts
/// are those of the file on disk, launches are spoken of as launches, and notes that point into the
/// simulator's headers are left out. Expects messages without excerpts.
std::string restore_messages(std::string_view messages, std::string_view translated,
                             const std::string& shim_folder);

/// One line about a header of the CUDA toolkit that the preprocessor's `messages` miss and the simulator does
/// not have; empty if that is not what is wrong.
std::string missing_header_hint(std::string_view messages);

} // namespace simt::compiler
