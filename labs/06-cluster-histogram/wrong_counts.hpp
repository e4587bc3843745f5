#pragma once
/// What the shape of wrong counts tells: which values were left out, counted twice, or put into another bin.

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"

namespace cluster_histogram {

/// A finished call, what it was given and what it should have left.
struct Outcome {
  const Reply& reply;
  const Counter& counter;
  const Input& input;
  const std::vector<unsigned>& before;
  const std::vector<unsigned>& wanted;

  unsigned nbins() const { return input.nbins; }
  std::span<const unsigned> bins() const { return reply.values<unsigned>(1); }
  bool is_right() const { return std::ranges::equal(bins(), wanted); }

  /// A failure that tells the first bin that is wrong, and sends the student to the section about the function if the
  /// message names none.
  Failure failure_of(LabMessage message, Details lines = {}) const {
    const auto b = static_cast<std::size_t>(std::ranges::mismatch(bins(), wanted).in1 - bins().begin());
    if (b < nbins()) {
      lines.push_back(say("bins[{bin}] is {actual}, and {right} is expected ({what})", b, bins()[b],
                          wanted[b], input.what));
    }
    lines.push_back(reply.in_call());
    if (message.section.empty()) message.section = counter.section;
    return warpbook::failure_of(message, std::move(lines));
  }
  [[noreturn]] void fail(LabMessage message, Details lines = {}) const {
    warpbook::fail(failure_of(std::move(message), std::move(lines)));
  }
};

using Mistakes = std::vector<Mistake<unsigned>>;

/// A mistake, and the counts of all bins to which it leads. They are made when the first of them is asked for.
inline Mistake<unsigned> leading_to(LabMessage says, std::function<std::vector<unsigned>()> counts) {
  return {std::move(says),
          [counts = std::move(counts), made = std::vector<unsigned>()](std::size_t b) mutable {
            if (made.empty()) made = counts();
            return made[b];
          }};
}

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// A mistake by which value i, which is v, counts in bin_of_value(i, v); a number of nbins and more is no bin.
template <typename Bin>
Mistake<unsigned> counting_in(const Outcome& call, LabMessage says, const Bin& bin_of_value) {
  return leading_to(std::move(says), [&call, bin_of_value] {
    std::vector<unsigned> bins(call.nbins());
    for (std::size_t i = 0; i < call.input.size(); ++i)
      if (const std::size_t b = bin_of_value(i, call.input.values[i]); b < call.nbins()) ++bins[b];
    return bins;
  });
}

/// Adds a mistake by which value i, of this bin, only counts if is_in(i, bin).
template <typename IsIn>
void add_partial(Mistakes& list, const Outcome& call, LabMessage says, const IsIn& is_in) {
  list.push_back(counting_in(call, std::move(says), [nbins = call.nbins(), is_in](std::size_t i, int v) {
    const std::size_t bin = bin_of(v, nbins);
    return is_in(i, bin) ? bin : nowhere;
  }));
}

/// A mistake by which the counts of bin b arrive in bin place_of(b).
template <typename Place>
Mistake<unsigned> arriving_in(const Outcome& call, LabMessage says, const Place& place_of) {
  return leading_to(std::move(says), [&call, place_of] {
    std::vector<unsigned> bins(call.nbins());
    for (unsigned b = 0; b < call.nbins(); ++b)
      if (const unsigned place = place_of(b); place < call.nbins()) bins[place] += call.wanted[b];
    return bins;
  });
}

/// Fails the item for the first of these mistakes that leads to the bins of the call.
inline void recognise(const Outcome& call, const Mistakes& mistakes) {
  const auto is = [](auto bins) { return [=](std::size_t b, unsigned count) { return bins[b] == count; }; };
  const Mistake<unsigned>* made =
      mistake_made(mistakes, call.nbins(), is(call.bins()), is(std::span(call.wanted)), Several::first);
  if (made != nullptr) call.fail(made->message);
}

/// Counts that are right but for values out of range.
inline Mistakes mistakes_of_range(const Outcome& call) {
  const unsigned nbins = call.nbins(), last = nbins - 1;
  const auto in = [&](LabMessage says, auto bin) {
    return counting_in(call, std::move(says), [bin](std::size_t, int v) -> std::size_t { return bin(v); });
  };
  const auto mask = [=](int v) { return static_cast<unsigned>(v) & last; };
  const LabMessage masked = message("masked", nbins, std::has_single_bit(nbins));
  Mistakes list = {
      in(message("out-of-range-left-out/below"), [=](int v) { return v < 0 ? nowhere : bin_of(v, nbins); }),
      in(message("out-of-range-left-out/above"),
         [=](int v) { return v > last_bin(nbins) ? nowhere : bin_of(v, nbins); }),
      in(message("out-of-range-left-out"),
         [](int v) { return v < 0 ? nowhere : static_cast<std::size_t>(v); }),
      in(message("negative-taken-for-large"), [=](int v) { return v < 0 ? last : bin_of(v, nbins); }),
      in(message("wrapped-around"), [=](int v) { return static_cast<unsigned>(v) % nbins; }),
      in(message("wrapped-around"), [=](int v) { return (std::int64_t{v} % nbins + nbins) % nbins; }),
      in(masked, mask),
      in(masked, [=](int v) { return v < 0 ? 0 : mask(v); }),
      in(masked, [=](int v) { return bin_of(v, nbins) & last; })};
  for (unsigned bits = 8; bits < 31; ++bits) {
    list.push_back(in(message("value-cut-off", bits), [=](int v) {
      return v < 0 ? 0 : std::min(static_cast<unsigned>(v) & ((1u << bits) - 1), last);
    }));
  }
  return list;
}

/// How often value i is counted where each of `threads` threads begins with the value of its own number and goes on by `step`.
inline std::size_t readers_of(std::size_t i, std::size_t step, std::size_t threads) {
  const std::size_t first = i % step, last = std::min(i, threads - 1);
  return last < first ? 0 : (last - first) / step + 1;
}

/// Counts to which each part of a grid, a block or a cluster, has added 1 for every bin of its values, and not their number.
/// Thread i % threads of the grid reads value i, and `part` threads are one part.
inline std::vector<unsigned> ones_of_parts(const Outcome& call, std::size_t threads, std::size_t part) {
  const std::size_t nbins = call.nbins();
  std::vector<unsigned> bins(nbins);
  std::vector<bool> is_in(threads / part * nbins);
  for (std::size_t i = 0; i < call.input.size(); ++i) {
    const std::size_t bin = bin_of(call.input.values[i], call.nbins());
    const std::size_t place = i % threads / part * nbins + bin;
    if (!is_in[place]) ++bins[bin];
    is_in[place] = true;
  }
  return bins;
}

/// Counts that lack the values of certain blocks of this launch, or that show how its threads and blocks went on.
inline Mistakes mistakes_of_blocks(const Outcome& call, const simt::KernelRecord& kernel) {
  const std::size_t block = volume(kernel.block), blocks = volume(kernel.grid), threads = block * blocks;
  const std::size_t size = volume(kernel.cluster), n = call.input.size();
  Mistakes list;
  for (const std::size_t step : {std::size_t{1}, blocks, block}) {
    if (step >= threads) continue;
    list.push_back(leading_to(message("step-too-small", step, threads), [=, &call] {
      std::vector<unsigned> bins(call.nbins());
      for (std::size_t i = 0; i < n; ++i)
        bins[bin_of(call.input.values[i], call.nbins())] +=
            static_cast<unsigned>(readers_of(i, step, threads));
      return bins;
    }));
  }
  if (shared_atomics(call.reply) != 0) {
    const LabMessage ones = message("one-for-a-counter", size > 1);
    list.push_back(leading_to(ones, [=, &call] { return ones_of_parts(call, threads, size * block); }));
    const auto parts = static_cast<unsigned>(blocks / size); // each adds 1 also for a counter that is 0
    list.push_back({ones, [parts](std::size_t) { return parts; }});
  }
  // Thread i % threads of the grid reads value i.
  add_partial(list, call, message("tail-left-out/one-value-each", threads, n, n - threads),
              [=](std::size_t i, std::size_t) { return i < threads; });
  if (size == 1) {
    add_partial(list, call, message("first-block-only", blocks - 1, call.counter.says_whether()),
                [=](std::size_t i, std::size_t) { return i % threads < block; });
    add_partial(list, call, message("other-counters-per-block", block - 1),
                [=](std::size_t i, std::size_t bin) { return bin % threads / block == i % threads / block; });
  } else if (call.counter.cluster_size == size) {
    const std::size_t share = even_share(call.nbins(), call.counter.cluster_size);
    add_partial(list, call, message("first-cluster-only", blocks / size - 1),
                [=](std::size_t i, std::size_t) { return i % threads < size * block; });
    const std::size_t owners = (call.nbins() + share - 1) / share; // blocks of a cluster that own bins
    if (owners < size) {
      add_partial(list, call, message("blocks-without-bins", owners),
                  [=](std::size_t i, std::size_t) { return i % threads / block % size < owners; });
    }
    if (n > block) {
      add_partial(list, call, message("own-bins-only"),
                  [=](std::size_t i, std::size_t bin) { return bin / share == i % threads / block % size; });
    }
  }
  return list;
}

/// Counts that are in other bins: in the first one, or where a cluster has put them.
inline Mistakes mistakes_of_places(const Outcome& call) {
  const unsigned size = call.counter.cluster_size, share = even_share(call.nbins(), size);
  if (size < 2)
    return {arriving_in(call, message("all-in-one-bin", call.input.size(), call.counter.todo == 1),
                        [](unsigned) { return 0; })};
  return {arriving_in(call, message("merged-into-first-bins", share), [=](unsigned b) { return b % share; }),
          arriving_in(call, message("all-in-first-counters", share),
                      [=](unsigned b) { return b / share * share; }),
          arriving_in(call, message("first-bin-is-rank", share),
                      [=](unsigned b) { return b / share + b % share; }),
          // Owner and place of a bin found one way, its number found back another way.
          arriving_in(call, message("bins-interleaved/counted"),
                      [=](unsigned b) { return b % size * share + b / size; }),
          arriving_in(call, message("bins-interleaved/added"),
                      [=](unsigned b) { return b / share + b % share * size; })};
}

/// Fails the item if bins from some place on were never written, or got what belongs elsewhere.
inline void recognise_places(const Outcome& call) {
  const std::span<const unsigned> bins = call.bins();
  const unsigned nbins = call.nbins(), size = call.counter.cluster_size, share = even_share(nbins, size);
  if (size > 1 && share > 1) {
    std::vector<unsigned> places(share), wanted(share);
    for (unsigned b = 0; b < nbins; ++b) places[b % share] += bins[b], wanted[b % share] += call.wanted[b];
    if (places == wanted) call.fail(message("wrong-block"));
  }
  const auto end = static_cast<unsigned>(std::ranges::mismatch(bins, call.wanted).in1 - bins.begin());
  unsigned missing = 0;
  for (unsigned b = end; b < nbins; ++b) {
    if (bins[b] != 0 && bins[b] != call.before[b]) return;
    missing += call.wanted[b];
  }
  if (missing < 2 || end == 0) return;
  const unsigned rounded_down = size < 2 ? nbins : nbins / size * size;
  Details lines;
  if (size > 1 && end >= rounded_down)
    lines = {message("/division-rounds-down", nbins, size, nbins / size, rounded_down).sentence};
  call.fail(message("last-bins-left-out", end, missing), lines);
}

/// Counts that lack values, or have some more than once, and it shows which.
inline Mistakes mistakes_of_values(const Outcome& call, std::size_t total) {
  Mistakes list;
  const std::size_t n = call.input.size();
  if (total > 0 && total < n)
    add_partial(list, call, message("tail-left-out", total, n - total, call.counter.says_whether()),
                [=](std::size_t i, std::size_t) { return i < total; });
  for (std::size_t width = 32; width <= 1024 && total < n && width < n; width *= 2)
    add_partial(list, call, message("one-thread-of-many", width),
                [=](std::size_t i, std::size_t) { return i % width == 0; });
  // Of one value any number is the multiple.
  if (n >= 31 && total % n == 0 && total / n >= 2 && total / n <= 1024) {
    const auto times = static_cast<unsigned>(total / n);
    list.push_back({message("counted-more-than-once/all", times),
                    [=, &call](std::size_t b) { return times * call.wanted[b]; }});
  }
  for (const unsigned bits : {8u, 16u}) {
    const unsigned end = 1u << bits;
    list.push_back({message("counter-overflow", end - 1, bits),
                    [=, &call](std::size_t b) { return call.wanted[b] % end; }});
  }
  return list;
}

/// Fails the item if values are missing or too many, and no bin has it the other way round.
inline void recognise_losses(const Outcome& call, std::size_t total) {
  const std::size_t n = call.input.size();
  if (total < n && std::ranges::equal(call.bins(), call.wanted, std::less_equal())) {
    // More atomics than values are those of who clears or reads his counters by an atomic, too.
    const std::size_t atomics = shared_atomics(call.reply);
    call.fail(atomics >= n ? message("counts-lost/while-adding-up", n - total, n, atomics, atomics == n)
                           : message("counts-lost", n - total, n));
  }
  if (total > n && total < 8 * n && std::ranges::equal(call.bins(), call.wanted, std::greater_equal()))
    call.fail(message("counted-more-than-once", total - n, n));
}

/// Whether `value` is `before` with none, all, or the first few of its four bytes set to zero.
inline bool is_partly_cleared(unsigned value, unsigned before) {
  for (unsigned bits = 0; bits < 32; bits += 8)
    if (value == (before & (~0u << bits))) return true;
  return value == 0;
}

/// No value was counted, and all bins are 0 or only some: in an unsolved task that is all that shows.
[[noreturn]] inline void fail_not_counted(const Outcome& call, std::size_t zeros) {
  const std::string& function = call.reply.function();
  const int todo = current_item().todo;
  const bool is_whole = zeros == call.nbins();
  Failure failure = call.failure_of(is_whole ? message("unsolved/nothing-counted", function, todo, todo == 4)
                                             : message("unsolved/half-cleared", function, zeros, call.nbins(),
                                                       todo == 4, todo > 1 && todo != 4, todo));
  failure.diagnoses.push_back(is_whole ? "nothing-counted" : "bins-not-zeroed");
  fail(std::move(failure));
}

/// Fails the item: with what the shape of the wrong counts tells, or else with the first that differs.
[[noreturn]] inline void fail_counts(const Outcome& call) {
  const std::span<const unsigned> bins = call.bins();
  const std::size_t n = call.input.size();
  const bool is_typical = n >= typical;
  const Rule about = about_wrong(call.reply, 1, [&](std::size_t b) { return bins[b] == call.wanted[b]; });
  if (call.reply.untouched()) {
    if (is_typical) unsolved(call.reply);
    call.fail(call.counter.says_regime() && n != 0 ? message("bins-not-overwritten/no-function", call.nbins())
                                                   : message("bins-not-overwritten", n == 0));
  }
  const auto zeros = static_cast<std::size_t>(std::ranges::count(bins, 0u));
  if (zeros == call.nbins()) {
    const bool counted_in_shared = shared_atomics(call.reply) != 0;
    if (const std::size_t atomics = call.reply.counters().global_atomic_lanes; atomics != 0)
      call.fail(message("cleared-after-counting", atomics, counted_in_shared));
    if (counted_in_shared) call.fail(message("counters-not-added"));
    if (!is_typical) call.fail(message("nothing-counted", call.reply.function()));
  }
  const auto are_partly_cleared = [&](auto left) { // what is left of the bins besides that was there before
    return all_hold(call.nbins(), [&](std::size_t b) { return is_partly_cleared(left(b), call.before[b]); });
  };
  if (is_typical && zeros != 0 && are_partly_cleared([&](std::size_t b) { return bins[b]; }))
    fail_not_counted(call, zeros);
  if (are_partly_cleared([&](std::size_t b) { return bins[b] - call.wanted[b]; })) {
    Failure failure = call.failure_of(message("bins-not-zeroed"));
    if (current_item().todo > 1) { // the starter has one function for it
      failure.details.push_back(message("/clear-is-of-todo-1").sentence);
      point_to(failure, 1);
    }
    fail(std::move(failure));
  }
  recognise(call, mistakes_of_range(call));
  const auto is_large = [](const simt::KernelRecord& kernel) { return volume(kernel.grid) != 1; };
  const auto& kernels = call.reply.kernels();        // of the simulator
  if (std::ranges::count_if(kernels, is_large) == 1) // the one that counts
    recognise(call, mistakes_of_blocks(call, *std::ranges::find_if(kernels, is_large)));
  recognise(call, mistakes_of_places(call));
  recognise_places(call);
  const std::size_t total = std::accumulate(bins.begin(), bins.end(), std::size_t{0});
  recognise(call, mistakes_of_values(call, total));
  recognise_losses(call, total);
  expect_equal(call.reply, 1, call.wanted);
  throw std::logic_error("fail_counts() was called with the right counts");
}

} // namespace cluster_histogram
