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
  /// `__shfl` and the like without a mask are there; else they are an error.
  bool legacy_warp_functions = false;
  /// Its kernels are called where simtcc does not see it: the program loads them by their names, or has files of host code.
  bool registers_kernels = false;
  /// The C++ library is that of C++20: algorithms and the members of std::vector and std::string are constexpr.
  bool has_constexpr_library = false;
  /// What the compiler behind simtcc calls C++20's constinit under all standards.
  std::string constinit_keyword = "__constinit";
};

/// Something that the simulator cannot express, at a place in the student's file.
struct TranslationError {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0; ///< from 1; 0 where it is not known
  std::string text;         ///< what is wrong, and what to write instead
};

/// Where the pieces of an edited text come from.
class TextOrigins {
public:
  /// `length` bytes from `edited` on in the edited text are those from `original` on. Called in the order of the text.
  void add(std::size_t edited, std::size_t original) { pieces_.push_back({edited, original}); }
  /// The place in the original text of what stands at `edited`; of what was inserted, the place where that was done.
  std::size_t original_of(std::size_t edited) const;

private:
  struct Piece {
    std::size_t edited;
    std::size_t original;
  };
  std::vector<Piece> pieces_;
};

struct Translation {
  std::string text; ///< what the compiler gets; has the same linemarkers and line breaks as the input
  std::vector<TranslationError> errors;
  std::vector<TranslationError> warnings; ///< what is no error, and cannot be meant so
  std::vector<std::string> files; ///< every file entered that is no system header, first the main file
  /// Functions and variables of the device alone, by their names without scope. Unlike those of the host each
  /// file may have its own, unless another file asks for it.
  std::set<std::string> device_names;
  TextOrigins origins; ///< of `text` in the preprocessed text
  /// The text has marks by which the compiler reports what the code of one side uses of the other: judge.hpp.
  bool has_marks = false;
  /// Inline PTX has become calls of functions of simt_shim/ptx.h.
  bool uses_ptx = false;
  /// Brackets match. Where they do not, the compiler's own messages say more than ours.
  bool balanced = true;
};

} // namespace simt::compiler
