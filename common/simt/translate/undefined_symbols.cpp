#include "simt/translate/undefined_symbols.hpp"

#include "simt/translate/process.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fnmatch.h>
#include <memory>
#include <span>

namespace simt::compiler {
namespace {

/// One table of a 64-bit ELF file; empty if it would reach beyond the file's end.
template <typename T>
std::span<const T> table(const std::string& file, const Elf64_Shdr& section) {
  if (section.sh_offset > file.size() || section.sh_size > file.size() - section.sh_offset) return {};
  return {reinterpret_cast<const T*>(file.data() + section.sh_offset), section.sh_size / sizeof(T)};
}

} // namespace

std::vector<std::string> read_exports(const std::string& path) {
  const std::string text = read_file(path);
  std::vector<std::string> patterns;
  std::string word;
  bool comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (comment) {
      comment = text.compare(i, 2, "*/") != 0;
    } else if (text.compare(i, 2, "/*") == 0) {
      comment = true;
    } else if (text[i] == '/' || text[i] == '{' || text[i] == '}' || text[i] == '"') {
      word.clear();
    } else if (text[i] == ';') {
      if (!word.empty()) patterns.push_back(word);
      word.clear();
    } else if (!std::isspace(static_cast<unsigned char>(text[i]))) {
      word += text[i];
    }
  }
  if (patterns.empty()) patterns = {"__tsan_*", "__simt_*", "__wrap_mem*", "cuda*"};
  return patterns;
}

namespace {

/// The dynamic symbols of a module.
struct Symbols {
  std::string file; ///< what the rest points into
  std::span<const Elf64_Sym> symbols;
  std::span<const char> names;
  std::span<const Elf64_Half> versions;
};

void read_symbols(const std::string& module, Symbols& result) {
  auto& [file, symbols, names, versions] = result;
  file = read_file(module);
  Elf64_Ehdr header{};
  if (file.size() >= sizeof header) std::memcpy(&header, file.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    throw EnvironmentError{"The linker left no 64-bit ELF module as " + module + "."};
  Elf64_Shdr all{};
  all.sh_offset = header.e_shoff;
  all.sh_size = std::size_t{header.e_shnum} * sizeof(Elf64_Shdr);
  const auto sections = table<Elf64_Shdr>(file, all);

  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_DYNSYM && section.sh_link < sections.size()) {
      symbols = table<Elf64_Sym>(file, section);
      names = table<char>(file, sections[section.sh_link]);
    } else if (section.sh_type == SHT_GNU_versym) {
      versions = table<Elf64_Half>(file, section);
    }
  }
}

} // namespace

bool defines_function(const std::string& module, const std::string& name) {
  Symbols table;
  read_symbols(module, table);
  return std::any_of(table.symbols.begin(), table.symbols.end(), [&](const Elf64_Sym& symbol) {
    return symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
           symbol.st_name < table.names.size() && name == table.names.data() + symbol.st_name;
  });
}

UndefinedSymbols undefined_symbols(const std::string& module, const std::vector<std::string>& exports) {
  Symbols read;
  read_symbols(module, read);
  const auto& [file, symbols, names, versions] = read;
  UndefinedSymbols found;
  for (std::size_t i = 1; i < symbols.size(); ++i) {
    const Elf64_Sym& symbol = symbols[i];
    const bool wanted = symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL;
    // What the linker found in a system library carries that library's version.
    const bool in_library = i < versions.size() && (versions[i] & 0x7fff) > VER_NDX_GLOBAL;
    if (!wanted || in_library || symbol.st_name >= names.size()) continue;
    const std::string name = names.data() + symbol.st_name;
    const bool provided = std::any_of(exports.begin(), exports.end(), [&](const std::string& pattern) {
      return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
    (provided ? found.provided : found.missing).push_back(name);
  }
  return found;
}

std::string place_of_use(const std::string& symbol, const std::string& linker_output) {
  const std::string end = ": undefined reference to `" + demangle(symbol) + "'";
  for (std::size_t at = linker_output.find(end); at != std::string::npos;
       at = linker_output.find(end, at + 1)) {
    const std::size_t begin = linker_output.rfind('\n', at) + 1;
    std::string place = linker_output.substr(begin, at - begin);
    // "/usr/bin/ld: " may stand before it; "x.o:(.text+0x1)" tells nothing.
    if (const std::size_t program = place.rfind(": "); program != std::string::npos)
      place.erase(0, program + 2);
    // binutils 2.42 and later add the section: "lab.cu:4:(.text+0x1)".
    if (const std::size_t section = place.rfind(":("); section != std::string::npos && place.back() == ')')
      place.erase(section);
    if (!place.empty() && std::isdigit(static_cast<unsigned char>(place.back()))) return place;
  }
  return "";
}

std::string demangle(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : symbol;
}

} // namespace simt::compiler
