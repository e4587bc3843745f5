#include "grader/choice.hpp"

#include <algorithm>
#include <cctype>

#include "grader/contract_text.hpp"

namespace warpbook {
namespace {

// Whether `name` stands in `source` as a word of its own: a contract may have `reduce` and `reduce_nested`.
bool has_word(const std::string& source, const std::string& name) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = source.find(name); at != std::string::npos; at = source.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_letter(source[at - 1])) && (end == source.size() || !is_letter(source[end])))
      return true;
  }
  return false;
}

} // namespace

bool runs_on(const Item& item, Backend backend) {
  return backend == Backend::sim ? item.on_sim : item.on_cuda;
}

bool is_speed_item(const Item& item) { return std::ranges::find(item.labels, "speed") != item.labels.end(); }

std::vector<Item> items_for(const std::string& kind, const std::string& source_text, Backend backend) {
  const bool is_partial = kind == "step" || kind == "peer";
  const std::string source = is_partial ? without_comments(source_text) : std::string();
  std::vector<Item> chosen;
  for (const Item& item : all_items()) {
    if (!runs_on(item, backend)) continue;
    if (is_partial) {
      if (is_speed_item(item)) continue;
      if (!std::ranges::all_of(item.functions,
                               [&](const std::string& function) { return has_word(source, function); }))
        continue;
    }
    chosen.push_back(item);
  }
  std::ranges::stable_partition(chosen, [](const Item& item) { return !is_speed_item(item); });
  return chosen;
}

} // namespace warpbook
