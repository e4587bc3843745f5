#pragma once

#include "simt/translate/command_line.hpp"
#include "simt/translate/supervise.hpp"
#include "simt/translate/toolchain.hpp"

#include <string>
#include <vector>

namespace simt::compiler {

/// Precompiled headers that a file may need. Another process makes them for a submission, whose own build may not write where
/// they are kept.
struct HeadersInFront {
  bool cooperative_groups = false;
  bool algorithm = false;
  bool special_functions = false;
  bool architecture = false; ///< the file asks for __CUDA_ARCH__
};
char letter_of(const HeadersInFront& headers);
/// A source that has simtcc make them. Any letter has one.
std::string source_that_needs(char letter);

/// What the preprocessor left, and what it had to say.
struct Preprocessed {
  int status;
  std::string text;
  std::string said;
};

/// The option under which a file is preprocessed as for the device.
inline constexpr const char* device_pass = "-D__CUDA_ARCH__=900";

/// Preprocesses sources. With a folder for precompiled headers, g++ reads the headers in front of a CUDA file once for
/// all files: later ones get the macros that they define, and their text is put in front of what comes out.
class Preprocessor {
public:
  /// With `ask`, headers are not read for others from here: a letter (letter_of()) has that done.
  Preprocessor(const CommandLine& command, const Toolchain& toolchain, const std::string& shim_folder,
               Ask ask = {})
      : command_(command), toolchain_(toolchain), shim_(shim_folder), ask_(std::move(ask)) {}

  Preprocessed run(const std::string& input, const std::string& standard,
                   const std::vector<std::string>& options, Language language) const;

  /// The headers with which the text of a CUDA file begins: the simulator's, and of others that take compilers long
  /// those that the file itself begins with.
  std::vector<std::string> headers_in_front(const std::string& input) const;

  /// The same for another process to make.
  HeadersInFront wanted(const std::string& input) const;

private:
  bool keeps_headers() const {
    return !command_.precompiled_folder.empty() && toolchain_.family() == Family::gcc;
  }

  const CommandLine& command_;
  const Toolchain& toolchain_;
  const std::string& shim_;
  Ask ask_;
};

} // namespace simt::compiler
