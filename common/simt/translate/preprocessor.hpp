#pragma once

#include "simt/translate/command_line.hpp"
#include "simt/translate/toolchain.hpp"

#include <string>
#include <vector>

namespace simt::compiler {

/// What the preprocessor left, and what it had to say.
struct Preprocessed {
  int status;
  std::string text;
  std::string said;
};

/// Preprocesses sources. With a folder for precompiled headers, g++ reads the headers in front of a CUDA file once for
/// all files: later ones get the macros that they define, and their text is put in front of what comes out.
class Preprocessor {
public:
  Preprocessor(const CommandLine& command, const Toolchain& toolchain, const std::string& shim_folder)
      : command_(command), toolchain_(toolchain), shim_(shim_folder) {}

  Preprocessed run(const std::string& input, const std::string& standard,
                   const std::vector<std::string>& options, Language language) const;

  /// The headers with which the text of a CUDA file begins: the simulator's, and of others that take compilers long
  /// those that the file itself begins with.
  std::vector<std::string> headers_in_front(const std::string& input) const;

private:
  bool keeps_headers() const {
    return !command_.precompiled_folder.empty() && toolchain_.family() == Family::gcc;
  }

  const CommandLine& command_;
  const Toolchain& toolchain_;
  const std::string& shim_;
};

} // namespace simt::compiler
