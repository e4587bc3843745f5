#include "grader/items.hpp"

#include "grader/context.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace warpbook {
namespace {

using Place = std::pair<std::string, unsigned>;

// Decorators run before main(), in any order of files.
std::map<Place, Item>& decorated() {
  static std::map<Place, Item> items;
  return items;
}

std::map<std::string, std::vector<int>>& todos_of_functions() {
  static std::map<std::string, std::vector<int>> todos;
  return todos;
}

std::string running_item;

Item& item_of(const doctest::detail::TestCase& test) {
  Item& item = decorated()[{test.m_file.c_str(), test.m_line}];
  item.name = test.m_name != nullptr ? test.m_name : "";
  item.file = test.m_file.c_str();
  item.line = test.m_line;
  return item;
}

} // namespace

void points::fill(doctest::detail::TestCase& test) const { item_of(test).points = value; }
void tests::fill(doctest::detail::TestCase& test) const { item_of(test).functions = functions; }
void todo::fill(doctest::detail::TestCase& test) const { item_of(test).todo = number; }
void label::fill(doctest::detail::TestCase& test) const { item_of(test).labels.push_back(text); }
void sim_only::fill(doctest::detail::TestCase& test) const { item_of(test).on_cuda = false; }
void cuda_only::fill(doctest::detail::TestCase& test) const { item_of(test).on_sim = false; }
void needs_capability::fill(doctest::detail::TestCase& test) const {
  item_of(test).capability_major = major;
  item_of(test).capability_minor = minor;
}

void shows::fill(doctest::detail::TestCase& test) const {
  Item& scene = item_of(test);
  scene.functions = {function};
  scene.shown_size = size;
  scene.on_cuda = false;
}

namespace {

std::vector<Item> all_cases(bool scenes) {
  std::vector<Item> cases;
  for (const auto& [place, item] : decorated())
    if ((item.shown_size != 0) == scenes) cases.push_back(item);
  for (Item& item : cases)
    for (const std::string& function : item.functions)
      for (const int todo : todos_of_functions()[function])
        if (!can_fail_for(item, todo)) item.further_todos.push_back(todo);
  return cases;
}

} // namespace

RunsThrough::RunsThrough(std::initializer_list<std::string> functions, std::vector<int> todos) {
  for (const std::string& function : functions) todos_of_functions()[function] = todos;
}

bool can_fail_for(const Item& item, int todo) {
  return item.todo == todo || std::ranges::find(item.further_todos, todo) != item.further_todos.end();
}

std::vector<Item> all_items() { return all_cases(false); }
std::vector<Item> all_scenes() { return all_cases(true); }

bool is_first_to_judge(const Item& item) {
  std::vector<std::string> unjudged = item.functions;
  for (const Item& earlier : all_items()) {
    if (earlier.name == item.name) break;
    if (earlier.on_sim && earlier.on_cuda)
      for (const std::string& function : earlier.functions) std::erase(unjudged, function);
  }
  return !unjudged.empty();
}

std::size_t size_to_see() {
  return context().size_to_see != 0 ? context().size_to_see : current_item().shown_size;
}

void set_current_item(const std::string& name) { running_item = name; }

const Item& current_item() {
  for (const auto& [place, item] : decorated()) {
    if (item.name == running_item) return item;
  }
  throw std::logic_error("no item is running");
}

std::string item_problem(const std::vector<Item>& items) {
  std::vector<std::string> seen;
  for (const Item& item : items) {
    if (item.name.empty())
      return "an item at " + item.file + ":" + std::to_string(item.line) + " has no name";
    if (item.name.find_first_of("[];*?\"\\|\n") != std::string::npos) {
      return "the name of an item holds one of []; * ? | \" \\: " + item.name;
    }
    if (item.points < 0) return "an item has negative points: " + item.name;
    if (!item.on_sim && !item.on_cuda) return "an item is for no backend: " + item.name;
    std::string folded = item.name;
    std::ranges::transform(folded, folded.begin(), [](unsigned char c) { return std::tolower(c); });
    if (std::ranges::find(seen, folded) != seen.end()) return "two items share the name: " + item.name;
    seen.push_back(folded);
  }
  return {};
}

} // namespace warpbook
