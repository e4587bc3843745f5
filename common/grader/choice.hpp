#pragma once

#include <string>
#include <vector>

#include "grader/items.hpp"
#include "grader/submission.hpp"

namespace warpbook {

/// Whether the item is graded on this backend at all.
bool runs_on(const Item& item, Backend backend);

/// Whether the item measures a time.
bool is_speed_item(const Item& item);

/// The items of the rubric that are graded of a submission of `kind` with this source on this backend, in the rubric's
/// order with those that measure a time behind the others. A step or peer may implement a part of the contract, and is
/// graded on that part; what it is for is time, so that no item asks for that.
std::vector<Item> items_for(const std::string& kind, const std::string& source_text, Backend backend);

} // namespace warpbook
