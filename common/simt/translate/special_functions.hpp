#pragma once

#include <string>
#include <string_view>

namespace simt::compiler {

/// Whether the text may use one of C++17's special mathematical functions, such as std::beta or std::cyl_bessel_j.
bool may_use_special_functions(std::string_view text);

/// Preprocessed headers without those functions, which <cmath> of libstdc++ brings. Compilers instantiate their
/// templates, about a hundred, for every file, called or not: half of the time that an empty file takes.
std::string without_special_functions(std::string_view headers);

} // namespace simt::compiler
