#pragma once

#include "simt/translate/command_line.hpp"
#include "simt/translate/header_rule.hpp"
#include "simt/translate/supervise.hpp"
#include "simt/translate/witness.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace simt::compiler {

/// What build() has of a submission beyond the command line.
struct Confines {
  const HeaderRule& rule;
  Ask ask; ///< for precompiled headers, with a letter from letter_of()
  const Witness& witness;
  bool quotes_files = true; ///< whether a compiler can read what the text calls its file: it quotes lines
};

/// What simtcc itself finds a submission not to be allowed: lines that begin with the place.
struct Refused {
  std::string lines;
};

/// Does what the command line asks for. Returns 0, or 1 if the source has errors (which have been
/// printed). Throws EnvironmentError for everything that is not the source's fault; of a submission LimitReached and Refused.
int build(const CommandLine& command, const Confines* confines = nullptr);

/// The simulator's headers: next to an installed simtcc, else where it was built from.
std::string find_shim_folder(const CommandLine& command);
/// Where NVIDIA's libcu++ is: as the command line says, or the toolkit's. Empty if there is none, and for what is no
/// program.
std::string find_cccl_folder(const CommandLine& command);
/// The list of symbols that the runner provides.
std::string exports_file(const CommandLine& command);

/// A depfile as make and ninja read it.
std::string depfile(const std::string& target, const std::set<std::string>& files);

} // namespace simt::compiler
