#pragma once
/// What the rubrics of lab 03's tasks share: bodies at random, what the simulator's findings have to do with tiles, and
/// what a call launched.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/grader.hpp"
#include "gravity.hpp"
#include "messages.hpp"

namespace nbody {

/// The number of the TODO that is nearest to this line, in it or not.
inline int todo_near(const std::string& text, unsigned line) {
  for (unsigned off = 0; off < line + 1000; ++off) {
    if (const int todo = todo_around(text, line + off); todo != 0) return todo;
    if (const int todo = off < line ? todo_around(text, line - off) : 0; todo != 0) return todo;
  }
  return 0;
}

/// Whether a finding is about the steps of leapfrog_step, and not about accelerations.
inline bool is_in_a_step(const simt::Finding& finding) {
  if (finding.participants.empty()) return false;
  simt::Symbolizer symbolizer;
  const auto source = source_of(finding.participants.front(), symbolizer);
  return source && todo_near(read_text(context().source_path), source->line) >= 3;
}

/// How many bytes of global memory the lines of TODO(todo) wrote in a call with CallOptions::sites; 0 on a GPU, where
/// writes are not counted.
inline std::uint64_t bytes_written_in(const Reply& reply, int todo) {
  const std::string text = read_text(context().source_path);
  simt::Symbolizer symbolizer;
  std::uint64_t bytes = 0;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    for (const simt::SiteCounters& site : kernel.sites) {
      const auto source = symbolizer.locate(site.where);
      if (source && todo_around(text, source->line) == todo) bytes += site.counters.global_store_bytes;
    }
  }
  return bytes;
}

/// What is said below a finding, and the handout's sections about it.
struct Below {
  Details lines = {};
  std::vector<std::string> sections = {};
  std::string facts = {}; ///< of the message that the lines are
};

inline Below below(const LabMessage& message) {
  return {{message.sentence},
          message.section.empty() ? std::vector<std::string>() : std::vector{message.section},
          message.facts};
}

/// What an access outside of everything has to do with tiles.
inline Below lesson_of_bounds(const simt::Finding& finding) {
  if (finding.space == simt::Space::shared) {
    const auto* outside = finding.get<simt::Outside>();
    if (!outside) return {.sections = {"Tiles"}};
    const std::size_t bodies = outside->array_bytes / sizeof(float4);
    return below(bodies == 0 ? message("/tile-without-bytes")
                             : message("/room-in-tile", bodies == 1, bodies, bodies - 1));
  }
  const bool is_fetch = finding.variable == "bodies" &&
                        finding.participants.front().access == simt::Access::read && !is_in_a_step(finding);
  return below(is_fetch ? message("/fetch-of-a-tile") : message("/no-body-of-its-own"));
}

/// What a finding of the simulator has to do with tiles.
inline Below lesson_of(const simt::Finding& finding) {
  const std::string& id = finding.id;
  if (id == "out-of-bounds") return lesson_of_bounds(finding);
  if (id == "step-budget") return below(message("/endless-loop"));
  if (id == "uninitialised-read") {
    Below said = below(message("/place-without-a-body"));
    said.sections.push_back("Threads without a body");
    return said;
  }
  if (id == "shared-race") return {.sections = {"Two barriers"}};
  if (id == "barrier-divergence" || id == "deadlock") return {.sections = {"Threads without a body"}};
  return {};
}

/// Adds the lessons, each below the first finding that it is about, their sections, and the task where the lines that were named tell
/// none: everything but one pair's pull, and the steps of leapfrog_step, is about the loop over the tiles.
inline void teach(Failure& failure) {
  std::set<std::pair<std::string, std::vector<std::string>>> told;
  for (ToldFinding& finding : failure.findings) {
    Below lesson = lesson_of(finding.finding);
    if (!told.emplace(lesson.facts, lesson.sections).second) continue;
    finding.lessons = lesson.lines;
    for (const std::string& section : lesson.sections) read_on(failure, section);
  }
  const bool endless = is_about(failure, "step-budget"); // it may be seen anywhere in the loop's body
  const bool had_places = !failure.places.empty();
  if (endless) failure.places.clear();
  const std::string text = read_text(context().source_path);
  const bool is_in_a_todo = std::ranges::any_of(
      failure.places, [&](const auto& place) { return todo_around(text, place.second) != 0; });
  if (!is_in_a_todo && (endless || had_places) && !any_finding(failure, is_in_a_step)) point_to(failure, 2);
}

/// n bodies in a cube of side 2, no two alike, of a total mass near 1.
inline Bodies random_bodies(std::size_t n) {
  const std::vector<float> values = random_floats(3 * n);
  const std::vector<float> masses = random_floats(n, 0.5F, 1.5F);
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i)
    bodies[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2], masses[i] / static_cast<float>(n)};
  return bodies;
}

/// Whether this is the simulator, where work is counted and dear.
inline bool on_sim() { return submission().backend() == Backend::sim; }

/// Fails the item, in TODO(task), if one or two components are wrong for most bodies, and the others are right for all.
/// `section` is the handout's.
inline void fail_if_some_axes(std::span<const float4> actual, const std::vector<Expected>& wanted, int task,
                              const std::string& section, const Details& details) {
  const std::size_t n = actual.size();
  std::string bad, good;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
      wrong += near(component(actual[i], axis), wanted[i].value[axis], wanted[i].tolerance[axis]) ? 0 : 1;
    if (wrong == 0)
      good += axes[axis];
    else if (2 * wrong > n)
      bad += axes[axis];
  }
  if (good.empty() || bad.empty() || good.size() + bad.size() != 3) return;
  Failure why =
      failure_of(message("one-component", bad.size() == 1, bad.substr(0, 1), bad.substr(1), good), details);
  read_on(why, section);
  why.todos = {task};
  fail(std::move(why));
}

/// What the kernels that use shared memory launched; the others (padding, adding up) do not count here.
struct Launched {
  std::size_t blocks = 0;
  std::size_t threads = 0;
  std::size_t shared_bodies = 0;     ///< that fit into a block's shared memory, in the smallest such kernel
  std::size_t threads_per_block = 0; ///< of the last such kernel
};

inline Launched launched(const Reply& reply) {
  Launched sum;
  for (const simt::KernelRecord& kernel : reply.kernels()) {
    if (kernel.shared_bytes == 0) continue;
    const std::size_t blocks = volume(kernel.grid);
    sum.threads_per_block = volume(kernel.block);
    sum.blocks += blocks;
    sum.threads += blocks * sum.threads_per_block;
    const std::size_t bodies = kernel.shared_bytes / sizeof(float4);
    sum.shared_bodies = sum.shared_bodies == 0 ? bodies : std::min(sum.shared_bodies, bodies);
  }
  return sum;
}

/// Calls accelerations() and requires the right result; grade_1_accelerations.cpp. `n_typical`: the call is at a
/// size at which sums that are all zero mean that the task is still open.
Reply accelerate_and_check(const Bodies& bodies, float softening, Schedule schedule, bool n_typical = false);

} // namespace nbody
