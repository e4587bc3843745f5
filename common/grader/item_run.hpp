#pragma once

#include "grader/items.hpp"
#include "grader/result.hpp"
#include "grader/submission.hpp"

namespace warpbook {

/// Runs exactly the one test case that `item` is, and says what became of it. A test case that did
/// not start, ran with others, made no call, or threw anything but ItemFailed gives Status::error.
///
/// Calls go to a runner of the item's own. Those to `kept`, where there is one, find what earlier items left behind;
/// so an item that fails there is asked again in a fresh runner, and the fresh one's verdict is the one that counts.
/// Where the two differ the result says so.
ItemResult run_item(const Item& item, const SubmissionOptions& options, KeptRunner* kept = nullptr);

/// The same in a runner of its own, on the simulator, with calls traced. ItemResult::traced is the last one, or one of
/// `wanted`.
ItemResult run_traced(const Item& item, const SubmissionOptions& options,
                      std::vector<std::string> wanted = {});

} // namespace warpbook
