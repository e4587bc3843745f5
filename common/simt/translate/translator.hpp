#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

struct TranslationOptions {
  /// Headers below this folder are the simulator's own: nothing in them is an error.
  std::string shim_folder;
};

/// Something that the simulator cannot express, at a place in the student's file.
struct TranslationError {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0; ///< from 1; 0 where it is not known
  std::string text;         ///< what is wrong, and what to write instead
};

struct Translation {
  std::string text; ///< what the compiler gets; has the same linemarkers and line breaks as the input
  std::vector<TranslationError> errors;
  std::vector<std::string> files; ///< every file entered that is no system header, first the main file
  /// Functions and variables of the device alone, by their names without scope. Unlike those of the host each
  /// file may have its own, unless another file asks for it.
  std::set<std::string> device_names;
  /// Brackets match. Where they do not, the compiler's own messages say more than ours.
  bool balanced = true;
};

/// Turns the output of `CXX -E` for a CUDA source into plain C++ for the simulator's headers:
/// launches, `__shared__`, `__device__` and `__constant__` variables, kernel attributes.
/// Lines are kept, so that compiler errors and debug information name the student's file.
Translation translate(std::string_view preprocessed, const TranslationOptions& options = {});

/// `file:line:column: error: text`, as compilers write it.
std::string to_string(const TranslationError& error);

} // namespace simt::compiler
