#pragma once
/// Loops over large arrays, by several threads.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace warpbook {

/// Elements that one thread takes at a time: fewer are not worth a thread.
constexpr std::size_t parallel_piece = std::size_t{1} << 16;

/// Pieces of `count` elements. Their number depends on no machine, nor does what is computed for each.
constexpr std::size_t pieces_of(std::size_t count, std::size_t length = parallel_piece) {
  return (count + length - 1) / length;
}

/// Threads that a loop of this process uses: all processors of the machine, unless it was given fewer.
std::size_t loop_threads();

/// For a process that shares the machine with others of its kind; at least 1.
void set_loop_threads(std::size_t threads);

/// Calls work(piece, first, last) for all pieces of [0, count), in any order and several at the same time. `work`
/// must not throw.
template <typename Work>
void for_each_piece(std::size_t count, const Work& work, std::size_t length = parallel_piece) {
  const std::size_t pieces = pieces_of(count, length);
  std::atomic<std::size_t> next = 0;
  const auto take_pieces = [&] {
    for (std::size_t piece = next++; piece < pieces; piece = next++)
      work(piece, piece * length, std::min(count, (piece + 1) * length));
  };
  std::vector<std::jthread> helpers;
  if (pieces > 1) {
    for (std::size_t i = 1; i < std::min(loop_threads(), pieces); ++i) helpers.emplace_back(take_pieces);
  }
  take_pieces();
}

/// The same for every index.
template <typename Work>
void for_each_index(std::size_t count, const Work& work) {
  for_each_piece(count, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) work(i);
  });
}

/// Whether holds(i) for every i below `count`; ends soon where it does not.
template <typename Predicate>
bool all_hold(std::size_t count, const Predicate& holds) {
  std::atomic<bool> all = true;
  for_each_piece(count, [&](std::size_t, std::size_t first, std::size_t last) {
    if (!all) return;
    for (std::size_t i = first; i < last; ++i) {
      if (!holds(i)) {
        all = false;
        return;
      }
    }
  });
  return all;
}

} // namespace warpbook
