#pragma once
/// What the grader says of a wrong sum of everything, be it dot_f32's, dot_f64's or dot_deterministic_f32's, and the TODO
/// that it sends the student to.

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vectors.hpp"
#include "wrong_sums.hpp"

namespace dot_product {

/// How a sum is asked for.
struct How {
  Schedule schedule = Schedule::forward;
  std::size_t shift_a = 0, shift_b = 0; ///< bytes past a 256-byte boundary
  int repetitions = 1;
  bool was_right = false; ///< an earlier call of the same runner gave the right sum
};

/// A function that adds up by a last block, and not by atomics: these count blocks.
inline bool has_last_block(const std::string& function) { return function == "dot_deterministic_f32"; }

inline bool is_on_sim() { return submission().backend() == Backend::sim; }

/// Digits of a sum, as many as its type has.
inline std::string shown(double value, bool is_float = true) {
  return is_float ? significant(value, 9) : to_text(value);
}

/// Whether these sums are off as those of a shorter type are: some by more than is allowed, and none by more than such
/// numbers lose.
template <typename T>
bool are_low_precision(std::span<const T> sums, const std::vector<Exact>& wanted) {
  const double short_unit =
      sizeof(T) == sizeof(float) ? 0x1p-11 : 0x1p-24; // u of half precision, and of float
  bool is_wrong = false;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    // Roundings of many products have both signs, and add up as a random walk does: to their magnitude over the root
    // of their number. More than that is another mistake.
    const double steps = std::sqrt(static_cast<double>(std::max<std::size_t>(wanted[k].count, 1)));
    if (!near(sums[k], wanted[k].sum, std::min(4.0, 16 / steps) * short_unit * wanted[k].magnitude))
      return false;
    is_wrong = is_wrong || !near(sums[k], wanted[k].sum, tolerance<T>(wanted[k]));
  }
  return is_wrong;
}

/// What a call left as the sum of everything, and what a wrong one is recognised by.
struct Outcome : Sum {
  const Reply& reply;
  std::string what;
  bool is_small, was_right;
  std::size_t additions = 0, blocks = 0; ///< to the result, as far as they were counted: none on a GPU

  template <typename T>
  Outcome(const Reply& of, const Vectors<T>& v, const Exact& right, const How& how)
      : Sum(v, right, static_cast<double>(of.values<T>(0)[0]), has_last_block(of.function())), reply(of),
        what(v.what), is_small(v.small), was_right(how.was_right), blocks(grid_of(of).blocks) {
    if (!by_last_block) additions = of.counters().global_atomic_lanes;
    if (is_on_sim()) products_read = of.counters().global_load_bytes / (2 * sizeof(T)) / how.repetitions;
  }

  bool has_too_many_additions() const { return additions > blocks; }
  std::string text(double sum) const { return shown(sum, is_float); }
  std::string factor_text(double factor) const {
    return is_float ? to_text(static_cast<float>(factor)) : to_text(factor);
  }
  Details lines() const {
    return {say("*result is {actual}, and {right} is right{has_tolerance?, within {tolerance}} ({what})",
                text(value), text(wanted.sum), allowed() > 0, significant(allowed()), what),
            reply.in_call()};
  }
  [[noreturn]] void fail(LabMessage says) const { warpbook::fail(std::move(says), lines()); }
  /// Fails for what any of the parts can have done.
  [[noreturn]] void fail_parts(LabMessage says) const {
    says.todos = {2, 3, writer()};
    fail(std::move(says));
  }
};

/// Nothing was written: the starter, or a function whose pieces are still open.
inline void recognise_unwritten(const Outcome& call) {
  if (!call.reply.unwritten(0, 0)) return;
  const std::string& function = call.reply.function();
  const auto fail_writer = [&](LabMessage says) {
    fail(call.at_writer(std::move(says)), {"n = " + number(call.n), call.reply.in_call()});
  };
  if (call.was_right) fail_writer(message("works-once"));
  const simt::Counters& c = call.reply.counters();
  if (c.global_atomic_lanes > 0) {
    // Each block leaves its sum; what is written or read besides is the last one's work.
    const bool has_last =
        c.global_store_lanes > call.blocks || c.global_load_lanes == 2 * call.n + call.blocks;
    if (call.by_last_block && has_last)
      fail(message("output-unwritten/by-last", c.global_atomic_lanes),
           {"n = " + number(call.n), call.reply.in_call()});
    fail_writer(message("nobody-is-last", c.global_atomic_lanes));
  }
  if (call.n >= typical) { // the item's TODO: it waits for all parts
    Failure unsolved = failure_of(call.by_last_block ? message("unsolved/repetition", function, is_begun(5))
                                                     : message("unsolved/parts", function, is_begun(4)));
    unsolved.diagnoses.push_back("output-unwritten");
    fail(std::move(unsolved));
  }
  fail_writer(message("output-unwritten", function, call.n == 0, call.text(call.wanted.sum)));
}

/// Fails the item if the result is a multiple of the right one. Where additions are counted and there are too many, their
/// number has to be the multiple, too.
inline void recognise_multiple(const Outcome& call) {
  const double allowed = call.allowed();
  if (!(std::abs(call.wanted.sum) > 16 * allowed)) return;
  for (const std::size_t times : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    // Within an eighth of the bound, and that far below the sum itself: other sums seldom come so close to a multiple.
    const auto factor = static_cast<double>(times);
    if (!near(call.value, factor * call.wanted.sum, factor * allowed / 8)) continue;
    if (!call.has_too_many_additions()) {
      call.fail(call.at_writer(
          message("added-more-than-once/uncounted", times, call.additions > 0, call.additions, call.blocks)));
    }
    if (call.additions == times * call.blocks)
      call.fail(call.at_writer(message("added-more-than-once/counted", times, call.additions, call.blocks)));
  }
}

/// Fails the item if lanes took values from others that had returned, or never came.
inline void recognise_absent_lanes(const Outcome& call) {
  for (const simt::Finding& finding : call.reply.diagnostics()) {
    if (finding.id != "lanes-missing") continue;
    if (finding.kind == "source")
      call.fail(call.at_writer(message("lanes-alone", finding.participants.front().line)));
    if (finding.kind != "source-returned") continue;
    const simt::Participant& gone = finding.participants.back();
    Failure why = failure_of(message("lanes-returned", gone.line), call.lines());
    why.places.emplace_back(gone.file, gone.line);
    fail(std::move(why));
  }
}

/// Fails the item if the shape of a wrong sum is known; returns if it is not.
inline void recognise(const Outcome& call) {
  recognise_absent_lanes(call);
  if (std::isnan(call.value)) {
    LabMessage says = call.at_writer(message("sum-not-initialised"));
    says.section = call.writing();
    call.fail(says);
  }
  if (call.n == 0) return;
  if (call.is_small) call.fail_parts(message("small-values-lost"));
  if (call.value == 0 && is_on_sim() && call.reply.counters().global_load_bytes == 0)
    call.fail(message("nothing-added/nothing-read"));
  if (call.value == 0 && call.reply.counters().shuffles > 0)
    call.fail(call.at_writer(message("nothing-added/exchanged", call.writer())));
  if (call.value == 0) call.fail_parts(message("nothing-added/lost", call.writer()));
  const auto fail_if_known = [&](const std::optional<LabMessage>& made) {
    if (made) call.fail(*made);
  };
  if (call.has_too_many_additions()) recognise_multiple(call); // counted, which says more than any shape
  for (const simt::KernelRecord& kernel : call.reply.kernels()) {
    const Shape shape{volume(kernel.grid), volume(kernel.block)};
    fail_if_known(known_by_grid(call, shape));
    if (!is_todo_empty(3)) continue;
    if (const std::optional<LabMessage> made = call.made_by(walks_of_first_threads(call, shape))) {
      Failure why = failure_of(*made, call.lines());
      add_cause(why, message("/lanes-open").sentence);
      fail(std::move(why));
    }
  }
  if (call.n > 1) fail_if_known(call.made_by(whole_products(call)));
  fail_if_known(call.made_by(missing_parts(call)));
  if (!call.has_too_many_additions()) recognise_multiple(call);
  if (call.n > 1) fail_if_known(call.made_by(other_numbers(call)));
  const bool is_low = call.is_float ? are_low_precision(call.reply.values<float>(0), {call.wanted})
                                    : are_low_precision(call.reply.values<double>(0), {call.wanted});
  if (is_low) call.fail_parts(message("low-precision", call.is_float));
  if (call.has_too_many_additions()) {
    Failure why = failure_of(
        call.at_writer(message("added-more-than-once/threads", call.additions, call.blocks)), call.lines());
    why.diagnoses.push_back("atomics-not-needed");
    fail(std::move(why));
  }
}

/// The starter's block_sum is for one number of threads: what a kernel was launched with instead, if it was.
inline Details told_by_block() {
  constexpr std::size_t threads_of_starter = 256;
  for (const simt::KernelRecord& kernel : submission().last_kernels()) {
    const std::size_t threads = volume(kernel.block);
    if (threads != threads_of_starter) return {message("/block-size", threads).sentence};
  }
  return {};
}

/// Fails the item for a wrong sum of no known shape. Of the first question the sentence is the same whatever the type, so
/// that a terminal tells it once; the numbers are below it.
[[noreturn]] inline void fail_unknown(const Outcome& call) {
  const double off = std::abs(call.value - call.wanted.sum);
  const std::string value = call.text(call.value), wanted = call.text(call.wanted.sum);
  if (call.n == 0) call.fail(call.at_writer(message("wrong-result/empty", value, call.by_last_block)));
  if (call.n > 1 && off <= 4 * call.allowed())
    call.fail_parts(message("wrong-result/roundings", call.n, rounded(off / call.allowed())));
  const auto [a, b] = call.factors(0);
  LabMessage says = call.n == 1         ? message("wrong-result/one-product", value, call.factor_text(a),
                                                  call.factor_text(b), wanted)
                    : call.n == typical ? message("wrong-result/by-far", call.n)
                                        : message("wrong-result", call.n, value, wanted, call.what);
  says.todos = {2, 3, call.writer()};
  Failure why = failure_of(says, followed_by(call.lines(), told_by_block()));
  if (is_todo_empty(3)) add_cause(why, message("/lanes-open-besides").sentence);
  fail(std::move(why));
}

} // namespace dot_product
