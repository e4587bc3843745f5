#include "grader/starter.hpp"

#include <filesystem>

#include "grader/context.hpp"
#include "grader/contract_text.hpp"

namespace warpbook {
namespace {

/// The starter that the command keeps beside the contract (./warpbook reset); empty if there is none.
std::string starter_text() {
  std::error_code none;
  const auto folder = std::filesystem::path(context().contract_path).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".starter") return read_text(entry.path().string());
  return {};
}

} // namespace

bool differ_in_todo(const std::string& one, const std::string& other, int number) {
  const std::optional<std::string> first = code_in_todo(one, number), second = code_in_todo(other, number);
  return first && second && *first != *second;
}

bool is_begun(int todo) { return differ_in_todo(read_text(context().source_path), starter_text(), todo); }

} // namespace warpbook
