#include "bench/clocks.hpp"

#include <algorithm>
#include <sstream>
#include <system_error>
#include <vector>

#include "process/process.hpp"

namespace warpbook {
namespace {

constexpr const char* unknown = "unknown";

/// What nvidia-smi says; nothing where it is not installed.
std::string ask_driver(std::vector<std::string> further) {
  std::vector<std::string> command = {"nvidia-smi", "--query-gpu=clocks.sm,clocks.mem,temperature.gpu",
                                      "--format=csv,noheader,nounits"};
  command.insert(command.end(), further.begin(), further.end());
  try {
    return output_of(command, false).text;
  } catch (const std::system_error&) {
    return {};
  }
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

} // namespace

std::string clocks_from(const std::string& said) {
  std::istringstream lines(said);
  std::string line, second;
  std::getline(lines, line);
  if (std::getline(lines, second) && !second.empty()) return unknown; // several GPUs, and nothing says which
  std::istringstream cells(line);
  std::string text;
  for (const auto& [before, after] :
       {std::pair{"SM ", " MHz"}, std::pair{"memory ", " MHz"}, std::pair{"", " degrees C"}}) {
    std::string cell;
    std::getline(cells, cell, ',');
    std::erase_if(cell, [](char c) { return c == ' ' || c == '\r'; });
    if (is_number(cell)) text += (text.empty() ? "" : ", ") + (before + cell) + after;
  }
  return text.empty() ? unknown : text;
}

std::string clocks_now(const std::string& pci_address) {
  const std::string found = pci_address.empty() ? unknown : clocks_from(ask_driver({"-i", pci_address}));
  return found != unknown ? found : clocks_from(ask_driver({}));
}

} // namespace warpbook
