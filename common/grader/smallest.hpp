#pragma once
/// The smallest input at which a mistake shows, so that a student can follow it by hand.

#include <cstddef>
#include <functional>
#include <vector>

namespace warpbook {

/// Runs check(size), which calls the submission on an input of that size and throws ItemFailed if the result
/// is wrong. If it does, the smaller ones of `sizes` are tried in ascending order, and the failure's details
/// say which is the first to fail in the same way and what is said there, or that all of them come out right. Another
/// diagnosis than that of `size`, where mistakes show their shape best, is not reported.
void check_and_shrink(std::size_t size, const std::vector<std::size_t>& sizes,
                      const std::function<void(std::size_t)>& check);

} // namespace warpbook
