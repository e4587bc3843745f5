#pragma once

#include <string>
#include <vector>

#include "grader/items.hpp"

namespace warpbook {

/// Sets what current_item() means.
void set_current_item(const std::string& name);

/// What is wrong with the items of a rubric, or an empty string: names that CTest or doctest would
/// misread, or that are not unique ignoring case.
std::string item_problem(const std::vector<Item>& items);

} // namespace warpbook
