#pragma once

#include "grader/items.hpp"
#include "grader/result.hpp"
#include "grader/submission.hpp"

namespace warpbook {

/// Runs exactly the one test case that `item` is, and says what became of it. A test case that did
/// not start, ran with others, made no call, or threw anything but ItemFailed gives Status::error.
ItemResult run_item(const Item& item, const SubmissionOptions& options);

} // namespace warpbook
