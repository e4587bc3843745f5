#pragma once
/// What the grader says of a wrong sum of everything, be it dot_f32's, dot_f64's or dot_deterministic_f32's, and the TODO
/// that it sends the student to.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vectors.hpp"
#include "wrong_sums.hpp"

namespace dot_product {

/// Digits of a sum, as many as its type has.
template <typename T>
std::string shown(double value) {
  return sizeof(T) == sizeof(float) ? significant(value, 9) : to_text(value);
}

/// Whether these sums are off as those of a shorter type are: some by more than is allowed, and none by more than such
/// numbers lose.
template <typename T>
bool are_low_precision(std::span<const T> sums, const std::vector<Exact>& wanted) {
  const double short_unit =
      sizeof(T) == sizeof(float) ? 0x1p-11 : 0x1p-24; // u of half precision, and of float
  bool is_wrong = false;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const double off = std::abs(static_cast<double>(sums[k]) - wanted[k].sum);
    // Roundings of many products have both signs, and add up as a random walk does: to their magnitude over the root
    // of their number. More than that is another mistake.
    const double steps = std::sqrt(static_cast<double>(std::max<std::size_t>(wanted[k].count, 1)));
    if (!(off <= std::min(4.0, 16 / steps) * short_unit * wanted[k].magnitude)) return false;
    is_wrong = is_wrong || off > tolerance<T>(wanted[k]);
  }
  return is_wrong;
}
template <typename T>
std::string low_precision_sentence() {
  const bool is_float = sizeof(T) == sizeof(float);
  return std::string("The sum is right to ") + (is_float ? "three" : "seven") +
         " digits and wrong after them: somewhere a " + (is_float ? "float" : "double") +
         " became a shorter number.";
}

/// Of small values that come out wrong where larger ones came out right.
inline const char* small_values_sentence() {
  return "The sum of small values is wrong; that of the same kind of values, 2^40 times as large, came out "
         "right. A floating-point number has as many digits below 1 as above: is something compared with a "
         "fixed number, or rounded to a fixed step?";
}

/// What a wrong sum of everything is recognised by.
template <typename T>
struct Outcome {
  const Reply& reply;
  const Vectors<T>& vectors;
  const Exact& wanted;
  bool was_right = false; ///< an earlier call of the same runner gave the right sum
  int repetitions = 1;    ///< of the call, whose counters are of all of them

  bool is_deterministic() const { return reply.function() == "dot_deterministic_f32"; }
  int writer() const { return is_deterministic() ? 5 : 4; } ///< the TODO that writes the result
  double value() const { return static_cast<double>(reply.template values<T>(0)[0]); }
  double allowed() const { return tolerance<T>(wanted, vectors.exact); }
  std::vector<std::string> lines(std::vector<std::string> further = {}) const {
    std::vector<std::string> all = {
        "*result is " + shown<T>(value()) + ", and " + shown<T>(wanted.sum) + " is expected" +
            (allowed() > 0 ? ", within " + significant(allowed()) : "") + " (" + vectors.what + ")",
        reply.in_call()};
    all.insert(all.end(), further.begin(), further.end());
    return all;
  }
};

/// Nothing was written: the starter, or a function whose pieces are still open.
template <typename T>
void recognise_unwritten(const Outcome<T>& call, const std::string& todos) {
  if (!call.reply.unwritten(0, 0)) return;
  const std::vector<std::string> details = {"n = " + number(call.vectors.size()), call.reply.in_call()};
  if (call.was_right) {
    fail_at({call.writer()}, "works-once",
            "The first call wrote the right sum, and a further one wrote nothing: what does the function "
            "leave behind that the next call finds?",
            details);
  }
  if (const std::uint64_t atomics = call.reply.counters().global_atomic_lanes; atomics > 0) {
    fail_at(
        {call.writer()}, "nobody-is-last",
        "Nobody wrote *result, although the blocks counted themselves (" +
            counted(atomics, "atomic operation") +
            "): none found that it is the last. What does atomicAdd return to the block that counts last?",
        details);
  }
  if (call.vectors.size() >= typical) { // the item's TODO: it waits for all parts
    fail(Failure{{"unsolved", "output-unwritten"},
                 call.reply.function() + " left *result exactly as it was. " + todos,
                 {}});
  }
  const std::string nothing = call.vectors.size() == 0
                                  ? "; the sum of no products is 0, and somebody has to write that, too."
                                  : "; the sum is " + shown<T>(call.wanted.sum) + ".";
  fail_at({call.writer()}, "output-unwritten", call.reply.function() + " never wrote *result" + nothing,
          details);
}

// ---- grids -----------------------------------------------------------------------------------------------

/// Of each kernel; none on a GPU.
inline std::vector<Shape> shapes_of(const Reply& reply) {
  std::vector<Shape> shapes;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    shapes.push_back({volume(kernel.grid), volume(kernel.block)});
  }
  return shapes;
}

/// How often something was added to the result, as far as it was counted: none on a GPU, and none in
/// dot_deterministic_f32, whose atomics count blocks.
struct Additions {
  std::size_t made = 0, blocks = 0;
  bool are_too_many() const { return made > blocks; }
  std::string text() const {
    return counted(made, "atomic addition") + (made == 1 ? " was" : " were") + " made by " +
           counted(blocks, "block");
  }
};
inline Additions additions_of(const Reply& reply) {
  if (reply.function() == "dot_deterministic_f32") return {};
  return {reply.counters().global_atomic_lanes, grid_of(reply).blocks};
}

// ---- all together ----------------------------------------------------------------------------------------

/// Fails the item if the result is a multiple of the right one. Where additions are counted and there are too many, their
/// number has to be the multiple, too.
template <typename T>
void recognise_multiple(const Outcome<T>& call) {
  const double allowed = call.allowed();
  const Additions additions = additions_of(call.reply);
  if (!(std::abs(call.wanted.sum) > 16 * allowed)) return;
  for (const std::size_t times : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    // Within an eighth of the bound, and that far below the sum itself: other sums seldom come so close to a multiple.
    const auto factor = static_cast<double>(times);
    if (!near(call.value(), factor * call.wanted.sum, factor * allowed / 8)) continue;
    const std::string multiple = "The result is " + number(times) + " times the right one";
    if (additions.are_too_many()) {
      if (additions.made != times * additions.blocks) continue;
      fail_at({call.writer()}, "added-more-than-once",
              multiple + ": the same sum was added " + number(times) + " times (" + additions.text() +
                  "). Who adds, and how often?",
              call.lines({handout("One addition a block")}));
    }
    fail_at({3, call.writer()}, "added-more-than-once",
            multiple +
                (additions.made > 0
                     ? ", although there were no more additions than blocks (" + additions.text() + ")"
                     : "") +
                ". Either the same sum is added by several threads, or it is doubled in the exchanges, where "
                "a lane with nobody `distance` further on gets its own value back.",
            call.lines({handout("Lanes tell each other")}));
  }
}

/// Fails the item if the shape of a wrong sum is known; returns if it is not.
template <typename T>
void recognise(const Outcome<T>& call) {
  const Vectors<T>& v = call.vectors;
  const std::size_t n = v.size();
  const double value = call.value();
  const int writer = call.writer();
  const std::string writing = call.is_deterministic() ? "The last block" : "One addition a block";
  const auto with = [&](const std::string& section) { return call.lines({handout(section)}); };
  if (std::isnan(value)) {
    fail_at({writer}, "sum-not-initialised",
            "The result is NaN (not a number): something was added to what happened to be in memory before. "
            "*result and shared memory hold nothing of use until somebody writes there.",
            with(writing));
  }
  if (n == 0) return;
  if (v.small)
    fail_at({2, 3, writer}, "small-values-lost", small_values_sentence(), with("How far the sum may be off"));
  if (value == 0) {
    const bool nothing_read =
        submission().backend() == Backend::sim && call.reply.counters().global_load_bytes == 0;
    fail_at(nothing_read ? std::vector{2} : std::vector{2, 3, writer}, "nothing-added",
            nothing_read
                ? "The result is 0, and no thread read anything from the arrays: thread_sum, TODO(2), gives "
                  "every thread the sum of its own products."
                : "The result is 0: no product has come through to it. Either the threads' sums stay 0 "
                  "(thread_sum, TODO(2)), or lane 0 loses its own on the way (warp_sum, TODO(3): is what the "
                  "lane got added to its value?), or they are left out in the end (TODO(" +
                      number(static_cast<std::size_t>(writer)) + ")).",
            with(nothing_read ? "One thread, many products" : "Lanes tell each other"));
  }
  const Additions additions = additions_of(call.reply);
  if (additions.are_too_many()) recognise_multiple(call); // counted, which says more than any shape
  Sum<T> sum{v, call.wanted, value, call.is_deterministic()};
  if (submission().backend() == Backend::sim)
    sum.products_read = call.reply.counters().global_load_bytes / (2 * sizeof(T)) / call.repetitions;
  const auto fail_if_known = [&](const std::optional<WrongSum>& made) {
    if (made) fail_for(made->id, made->sentence, call.lines(), made->section, made->todos);
  };
  for (const Shape shape : shapes_of(call.reply)) fail_if_known(known_by_grid(sum, shape));
  fail_if_known(sum.made_by(missing_parts(sum)));
  if (!additions.are_too_many()) recognise_multiple(call);
  if (n > 1) fail_if_known(sum.made_by(other_numbers(sum)));
  const auto values = call.reply.template values<T>(0);
  if (are_low_precision<T>(values, {call.wanted}))
    fail_at({2, 3, writer}, "low-precision", low_precision_sentence<T>(), with("How far the sum may be off"));
  if (additions.are_too_many()) {
    fail(Failure{{"added-more-than-once", "atomics-not-needed"},
                 "The result is wrong, and " + additions.text() +
                     ". block_sum gives the block's sum to thread 0 alone; what the other threads get from "
                     "it is no part of the result. Which threads of a block add?",
                 with("One addition a block"),
                 {},
                 {writer}});
  }
}

/// The starter's block_sum is for one number of threads: what a kernel was launched with instead, if it was.
inline std::vector<std::string> told_by_block() {
  constexpr std::size_t threads_of_starter = 256;
  for (const simt::KernelRecord& kernel : submission().last_kernels()) {
    const std::size_t threads = volume(kernel.block);
    if (threads == threads_of_starter) continue;
    return {"The kernel was launched with " + counted(threads, "thread") +
            " a block; block_sum as the starter has it is for 256."};
  }
  return {};
}

/// Fails the item for a wrong sum of no known shape. Of the first question the sentence is the same whatever the type, so
/// that a terminal tells it once; the numbers are below it.
template <typename T>
[[noreturn]] void fail_unknown(const Outcome<T>& call) {
  const Vectors<T>& v = call.vectors;
  const double allowed = call.allowed(), off = std::abs(call.value() - call.wanted.sum);
  const std::string became = "became " + shown<T>(call.value()) + "; ", wanted = shown<T>(call.wanted.sum);
  std::vector<int> todos = {2, 3, call.writer()};
  std::vector<std::string> lines = call.lines(told_by_block());
  std::string what = became + "right is " + wanted + " (" + v.what + ").";
  if (v.size() == 0) {
    todos = {call.writer()};
    lines = call.lines();
    what = became + "the sum of no products is 0. " +
           (call.is_deterministic()
                ? "Something of an earlier call was added: how many partial sums has this one?"
                : "What is in *result before the first addition?");
  } else if (v.size() == 1) {
    what =
        became + "right is a[0] * b[0] = " + to_text(v.a[0]) + " * " + to_text(v.b[0]) + " = " + wanted + ".";
  } else if (off <= 4 * allowed) {
    lines = call.lines({handout("How far the sum may be off")});
    what = "is off by " + rounded(off / allowed) + " times what the contract allows.";
  } else if (v.size() == typical) {
    what = "is wrong, by far more than roundings can make it.";
  }
  fail_at(todos, "wrong-result", "With n = " + number(v.size()) + " *result " + what, lines);
}

} // namespace dot_product
