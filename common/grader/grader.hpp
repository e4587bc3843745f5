#pragma once
/// Everything that a lab's rubric (labs/NN/grade.cpp) needs. Link `warpbook_grader`, which brings
/// main(), and call warpbook_register_lab() in CMake. A whole rubric:
///
///   #include "grader/grader.hpp"
///   #include "lab.hpp"
///   using namespace warpbook;
///
///   TEST_CASE("offset_add_f32 adds one at every offset" * points(2) * tests("offset_add_f32") * todo(1)) {
///     for (Schedule schedule : schedules()) {
///       for (std::size_t n : sizes()) {
///         const auto data = random_floats(n + 3);
///         Reply reply = submission().call(CallOptions{.schedule = schedule}, CONTRACT(offset_add_f32),
///                                         inout(data), 3, n);
///         expect_equal(reply, 0, expected(data, 3, n)); // buffer 0, element by element
///       }
///     }
///   }
///
///   TEST_CASE("offset_add_f32 reads every sector once" * points(1) * tests("offset_add_f32") * sim_only()) {
///     Reply reply = ...;                              // the right result first
///     expect_equal(reply, 0, ...);
///     expect_count("sectors per load request", per(reply.counters().global_load_sectors,
///                  reply.counters().global_load_requests), 4, message("uncoalesced"));
///   }
///
/// A call that crashes, hangs, races, writes out of bounds, ... fails the item by itself (submission.hpp).

#include <doctest/doctest.h>

#include "grader/compare.hpp"
#include "grader/computed_by_host.hpp"
#include "grader/contract.hpp"
#include "grader/failure.hpp"
#include "grader/inputs.hpp"
#include "grader/items.hpp"
#include "grader/lessons.hpp"
#include "grader/mistakes.hpp"
#include "grader/reply.hpp"
#include "grader/smallest.hpp"
#include "grader/source_costs.hpp"
#include "grader/starter.hpp"
#include "grader/submission.hpp"
#include "grader/traffic.hpp"
#include "grader/yardstick.hpp"
