// The symbols of an ELF file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simt {

struct ElfSymbol {
  std::string name;
  std::uint64_t value = 0;
  std::uint64_t bytes = 0;
  bool is_function = false;
  bool is_object = false;
  bool may_be_function = false; ///< also one that an assembler, or the program's start, gives
  bool is_global = false;       ///< and not weak
  bool is_defined = false;
  bool is_of_library = false; ///< it carries the version of the library that has it
};

/// Of a file's symbols those that other files can see, or all.
enum class SymbolTable { dynamic, all };

/// The symbols, but for names of sources, of a 64-bit ELF file; nothing if `path` is none.
std::optional<std::vector<ElfSymbol>> read_symbols(const std::string& path, SymbolTable table);

} // namespace simt
