#pragma once

#include "simt/translate/command_line.hpp"
#include "simt/translate/header_rule.hpp"
#include "simt/translate/supervise.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace simt::compiler {

/// What build() has of a submission beyond the command line.
struct Confines {
  const HeaderRule& rule;
  Ask ask;                  ///< for precompiled headers, with a letter from letter_of()
  bool quotes_files = true; ///< whether a compiler can read what the text calls its file: it quotes lines
};

/// How a build ends that is beyond a limit of the process. They are statuses of simtcc's child.
enum class Limit { memory = 4, size = 5, time = 6, depth = 7 };
struct LimitReached {
  Limit limit;
};
/// What a compiler that failed says of the limit that it has reached, if that is why.
std::optional<Limit> limit_in(std::string_view said);

/// Throws EnvironmentError where a compiler says that it cannot reach a part of its own: it cannot be confined as it is
/// installed.
void require_reachable(std::string_view said);

/// Does what the command line asks for. Returns 0, or 1 if the source has errors (which have been
/// printed). Throws EnvironmentError for everything that is not the source's fault, and LimitReached.
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
