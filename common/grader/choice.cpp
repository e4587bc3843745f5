#include "grader/choice.hpp"

#include <algorithm>

#include "grader/contract_text.hpp"
#include "text/words.hpp"

namespace warpbook {

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
      // As words: a contract may have `reduce` and `reduce_nested`.
      if (!std::ranges::all_of(item.functions, [&](const std::string& function) {
            return find_word(source, function) != source.npos;
          }))
        continue;
    }
    chosen.push_back(item);
  }
  std::ranges::stable_partition(chosen, [](const Item& item) { return !is_speed_item(item); });
  return chosen;
}

} // namespace warpbook
