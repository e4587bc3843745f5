#pragma once

#include <string>
#include <vector>

namespace simt::compiler {

/// Glob patterns (`__tsan_*`) of a linker's dynamic list. An unreadable file gives the patterns that
/// every runner provides.
std::vector<std::string> read_exports(const std::string& path);

/// What a module calls and none of its libraries defines, as in the symbol table (mangled).
struct UndefinedSymbols {
  std::vector<std::string> provided; ///< the runner has them
  std::vector<std::string> missing;
};

/// Throws EnvironmentError if the module cannot be read.
UndefinedSymbols undefined_symbols(const std::string& module, const std::vector<std::string>& exports);

/// What an object defines, even for itself alone, by names of what the runner provides.
std::vector<std::string> reserved_symbols(const std::string& object, const std::vector<std::string>& exports);

/// The functions that an object calls which give memory of the C library's past malloc.
std::vector<std::string> private_allocators(const std::string& object);

/// Whether the module itself has the function `name` (mangled). Throws EnvironmentError as above.
bool defines_function(const std::string& module, const std::string& name);

/// `FILE:LINE` where `symbol` is used, from the output of a linker that refused it; empty if that does not
/// tell.
std::string place_of_use(const std::string& symbol, const std::string& linker_output);

} // namespace simt::compiler
