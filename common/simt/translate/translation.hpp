// What goes into a translation, and what comes out of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace simt::compiler {

struct TranslationOptions {
  /// Headers below this folder are the simulator's own: nothing in them is an error.
  std::string shim_folder;
  /// What would hide memory accesses from the simulator is an error.
  bool is_submission = false;
  /// `__shfl` and its kin without a mask are there; else they are an error.
  bool legacy_warp_functions = false;
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
  std::vector<TranslationError> warnings; ///< what is no error, and cannot be meant so
  std::vector<std::string> files; ///< every file entered that is no system header, first the main file
  /// Functions and variables of the device alone, by their names without scope. Unlike those of the host each
  /// file may have its own, unless another file asks for it.
  std::set<std::string> device_names;
  /// Brackets match. Where they do not, the compiler's own messages say more than ours.
  bool balanced = true;
};

} // namespace simt::compiler
