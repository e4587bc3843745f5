#include "simt/translate/device_symbols.hpp"

#include "simt/elf/symbols.hpp"
#include "simt/translate/process.hpp"
#include "text/demangle.hpp"
#include "text/pattern.hpp"

#include <filesystem>
#include <map>

namespace simt::compiler {
namespace {

struct ObjectSymbols {
  std::set<std::string> defined; ///< global, and not to be merged with others of their name
  std::set<std::string> wanted;
};

ObjectSymbols symbols_of(const std::string& object) {
  ObjectSymbols result;
  for (const ElfSymbol& symbol : read_symbols(object, SymbolTable::all).value_or(std::vector<ElfSymbol>()))
    if (symbol.is_global) (symbol.is_defined ? result.defined : result.wanted).insert(symbol.name);
  return result;
}

/// "twice" from "_Z5twicef", and from "_ZN2ns5twiceEf".
std::string plain_name(const std::string& symbol) {
  std::string name = warpbook::demangled(symbol);
  name = name.substr(0, name.find_first_of("(<["));
  const std::size_t scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

} // namespace

void separate_device_symbols(const std::vector<std::string>& objects,
                             const std::set<std::string>& device_names) {
  if (objects.size() < 2 || device_names.empty()) return;
  std::vector<ObjectSymbols> tables;
  std::map<std::string, int> definitions;
  for (const std::string& object : objects) {
    tables.push_back(symbols_of(object));
    for (const std::string& name : tables.back().defined) ++definitions[name];
  }
  std::set<std::string> separate;
  for (const auto& [symbol, count] : definitions) {
    if (count < 2 || !device_names.contains(plain_name(symbol))) continue;
    bool asked_for = false;
    for (const ObjectSymbols& table : tables) asked_for |= table.wanted.contains(symbol);
    if (!asked_for) separate.insert(symbol);
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::vector<std::string> command = {"objcopy"};
    for (const std::string& symbol : separate)
      if (tables[i].defined.contains(symbol)) command.push_back("--localize-symbol=" + symbol);
    if (command.size() == 1) continue;
    command.push_back(objects[i]);
    if (run(command) != 0) throw EnvironmentError{"objcopy could not change " + objects[i] + "."};
  }
}

std::string multiple_definitions(const std::string& linker_output) {
  if (linker_output.empty()) return "";
  // "FILE:LINE: multiple definition of `twice(float)'; OBJECT:FILE:LINE: first defined here"
  static const warpbook::Pattern pattern(
      "(\\S+:\\d+): multiple definition of [`'](.*)'; .*?:(\\S+:\\d+): first defined here");
  std::string text;
  std::set<std::string> told;
  for (auto match = pattern.search(linker_output); match;
       match = pattern.search(linker_output, match->position + match->length)) {
    if (!told.insert((*match)[2]).second) continue;
    const std::string here = std::filesystem::current_path().string() + "/";
    std::string place = (*match)[1], first = (*match)[3];
    if (place.starts_with(here)) place.erase(0, here.size());
    if (first.starts_with(here)) first.erase(0, here.size());
    text += place + ": error: " + (*match)[2] + " is defined in several files" +
            (first == place ? ", each of which includes this line" : ", first at " + first) +
            "; define it in one and declare it in the others, or make it static or inline\n";
  }
  return text;
}

} // namespace simt::compiler
