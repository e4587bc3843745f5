#pragma once

#include "simt/translate/command_line.hpp"

namespace simt::compiler {

/// Does what the command line asks for. Returns 0, or 1 if the source has errors (which have been
/// printed). Throws EnvironmentError for everything that is not the source's fault.
int build(const CommandLine& command);

} // namespace simt::compiler
