#include "process/installed.hpp"
#include "simt/translate/build.hpp"
#include "simt/translate/command_line.hpp"

namespace simt::compiler {

std::string find_shim_folder(const CommandLine& command) {
  if (!command.shim_folder.empty()) return command.shim_folder;
  return warpbook::installed(SIMTCC_INCLUDE, "include/simt");
}

std::string exports_file(const CommandLine& command) {
  return command.exports_file.empty() ? warpbook::installed(SIMTCC_EXPORTS, "exports.list")
                                      : command.exports_file;
}

} // namespace simt::compiler
