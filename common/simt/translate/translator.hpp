#pragma once

#include "simt/translate/translation.hpp"

#include <string>
#include <string_view>

namespace simt::compiler {

/// Turns the output of `CXX -E` for a CUDA source into plain C++ for the simulator's headers:
/// launches, `__shared__`, `__device__` and `__constant__` variables, kernel attributes.
/// Lines are kept, so that compiler errors and debug information name the student's file.
Translation translate(std::string_view preprocessed, const TranslationOptions& options = {});

/// `file:line:column: error: text`, as compilers write it.
std::string to_string(const TranslationError& error, const char* severity = "error");

} // namespace simt::compiler
