#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

/// What is in a source file that a text names; empty if it cannot be read, is no ordinary file or has more than 16 MiB. A
/// text can name anything (#line): a pipe is not waited for, and a device not opened.
std::string text_of_source(const std::string& name);

/// The lines of the same, without their ends.
std::vector<std::string> lines_of_source(const std::string& name);

/// One of them, counted from 1; empty if there is none.
std::string line_of_source(const std::string& name, std::size_t number);

/// Whether the file that a text names lies in `folder` or below it; false for the empty folder.
bool lies_below(std::string_view file, std::string_view folder);

} // namespace simt::compiler
