#pragma once

#include <string>
#include <string_view>

namespace simt::compiler {

/// Translated text in two: the simulator's headers, with which every .cu file begins, and what comes behind them.
struct SplitText {
  std::string_view name;    ///< the first line, which says what file it is
  std::string_view headers; ///< empty if the text does not begin with them
  std::string_view rest;
};

/// Splits at the end of the first `count` headers that the command line, and not the file, includes.
SplitText split_behind_headers(std::string_view translated, std::size_t count = 1);

/// `text`, to be compiled where g++ has made the file `precompiled` of its headers.
std::string with_precompiled(const SplitText& text, const std::string& precompiled);

/// 16 digits for the name of a file that belongs to `text`.
std::string hashed(std::string_view text);

/// The file in `folder` for these headers, compiled by this command: other headers or another command have another one.
std::string precompiled_name(const std::string& folder, std::string_view headers, std::string_view command);

} // namespace simt::compiler
