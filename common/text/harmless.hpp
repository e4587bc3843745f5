#pragma once
/// Text that a submission has had a hand in, for terminals, tables and pages.

#include <string>
#include <string_view>

namespace warpbook {

/// `text` with what steers a terminal, or turns the order of letters, written out: "\x1b", "<U+202E>". Stays: tabs, line
/// feeds, and everything that is a letter somewhere. Carriage returns before line feeds are left out. Bytes that are no
/// UTF-8 are written out, too, so that the result is.
std::string harmless(std::string_view text);

} // namespace warpbook
