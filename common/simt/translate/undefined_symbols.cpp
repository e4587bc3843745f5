#include "simt/translate/undefined_symbols.hpp"

#include "simt/elf/symbols.hpp"
#include "simt/translate/process.hpp"
#include "text/demangle.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fnmatch.h>

namespace simt::compiler {
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
  if (patterns.empty()) patterns = {"__tsan_*", "__simt_*", "__wrap_*", "cuda*"};
  return patterns;
}

namespace {

std::vector<ElfSymbol> dynamic_symbols(const std::string& module) {
  if (auto symbols = read_symbols(module, SymbolTable::dynamic)) return std::move(*symbols);
  throw EnvironmentError{"The linker left no 64-bit ELF module as " + module + "."};
}

} // namespace

bool defines_function(const std::string& module, const std::string& name) {
  return std::ranges::any_of(dynamic_symbols(module), [&](const ElfSymbol& symbol) {
    return symbol.is_defined && symbol.is_function && symbol.name == name;
  });
}

std::vector<std::string> reserved_symbols(const std::string& object,
                                          const std::vector<std::string>& exports) {
  std::vector<std::string> found;
  for (const ElfSymbol& symbol : read_symbols(object, SymbolTable::all).value_or(std::vector<ElfSymbol>())) {
    const std::string name = symbol.name.substr(0, symbol.name.find('@')); // a version may follow
    const bool is_reserved = std::ranges::any_of(exports, [&](const std::string& pattern) {
      const bool may_be_variable =
          !pattern.starts_with("__"); // such names a program may give to its variables
      return (symbol.may_be_function || !may_be_variable) && ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
    if (symbol.is_defined && is_reserved) found.push_back(name);
  }
  return found;
}

std::vector<std::string> private_allocators(const std::string& object) {
  std::vector<std::string> found;
  for (const ElfSymbol& symbol : read_symbols(object, SymbolTable::all).value_or(std::vector<ElfSymbol>())) {
    const std::string name = symbol.name.substr(0, symbol.name.find('@'));
    const auto is_like = [&](const char* pattern) { return ::fnmatch(pattern, name.c_str(), 0) == 0; };
    if (!symbol.is_defined && std::ranges::any_of(std::array{"__libc_*alloc", "__libc_memalign", "__mmap*",
                                                             "__mremap", "__sbrk", "__brk"},
                                                  is_like))
      found.push_back(name);
  }
  return found;
}

UndefinedSymbols undefined_symbols(const std::string& module, const std::vector<std::string>& exports) {
  UndefinedSymbols found;
  for (const ElfSymbol& symbol : dynamic_symbols(module)) {
    if (symbol.is_defined || !symbol.is_global || symbol.is_of_library) continue;
    const bool provided = std::ranges::any_of(exports, [&](const std::string& pattern) {
      return ::fnmatch(pattern.c_str(), symbol.name.c_str(), 0) == 0;
    });
    (provided ? found.provided : found.missing).push_back(symbol.name);
  }
  return found;
}

std::string place_of_use(const std::string& symbol, const std::string& linker_output) {
  const std::string end = ": undefined reference to `" + warpbook::demangled(symbol) + "'";
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

} // namespace simt::compiler
