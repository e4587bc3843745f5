// The rubric of TODO(1): the accelerations themselves, at any n, for any softening and for bodies at one place.

#include "mistakes.hpp"

using namespace nbody;

namespace {

/// Several tiles, and a tail: what goes wrong there is told first.
std::size_t typical() { return on_sim() ? 773 : 1061; }
/// Whole tiles of any usual size: what is right only with a tail fails here.
constexpr std::size_t whole_tiles = 1024;
/// More than anybody's shared array for "all bodies" has places, if it was made for the sizes above. One call of them is
/// as much work as all calls with about a thousand; a GPU gets far more.
constexpr std::size_t many_on_sim = 2053;

bool is_nan(const float4& a) { return std::isnan(a.x) || std::isnan(a.y) || std::isnan(a.z); }

/// Fails the item if any acceleration is no number.
void expect_numbers(std::span<const float4> acc, float softening, std::vector<std::string> details) {
  const auto nans = static_cast<std::size_t>(std::count_if(acc.begin(), acc.end(), is_nan));
  if (nans == 0) return;
  details.insert(details.begin(), "NaN: " + number(nans) + " of " + number(acc.size()) + " accelerations.");
  details.push_back(handout(softening == 0 ? softening_section : pair_section));
  if (softening == 0) {
    fail_at({1}, "nan-at-distance-zero",
            "Accelerations are NaN (not a number). At distance zero and without softening the reciprocal "
            "root is infinite, and 0 * infinity is NaN: a body also meets itself.",
            std::move(details));
  }
  fail("sum-not-initialised",
       "Accelerations are NaN (not a number), although softening keeps every term finite. What does the sum "
       "begin with?",
       std::move(details));
}

/// Fails the item if blocks wait for each other at barriers, or go through part of the bodies only, and have nothing
/// in shared memory that could be worth it: told by wrong results only.
void expect_tile_is_shared(const Reply& reply, const std::vector<std::string>& details) {
  const simt::Counters& c = reply.counters();
  if (!on_sim() || c.barriers == 0 || c.shared_load_requests + c.shared_store_requests != 0) return;
  std::vector<std::string> lines = {counted(c.barriers, "barrier") + ", and no access to shared memory"};
  lines.insert(lines.end(), details.begin(), details.end());
  lines.push_back(handout(tile_section));
  fail_at({2}, "tile-not-shared",
          "The blocks wait at barriers, but use no shared memory. Is `__shared__` missing in front of the "
          "tile? Without it every thread has an array of its own, in which only its own place is filled.",
          std::move(lines));
}

/// How many bodies a tile of this call may have, the likeliest first; none where no shared memory was read.
std::vector<std::size_t> tile_sizes(const Reply& reply) {
  if (!on_sim()) return {128, 64, 256, 32, 512, 1024}; // nobody counted
  if (reply.counters().shared_load_requests == 0) return {};
  const Launched seen = launched(reply);
  std::vector<std::size_t> sizes = {seen.shared_bodies, seen.threads_per_block};
  std::erase(sizes, std::size_t{0});
  if (sizes.size() == 2 && sizes[0] == sizes[1]) sizes.pop_back();
  return sizes;
}

/// Bodies that a mistake finds hard: what they are called, and what they are.
struct System {
  std::string what;
  Bodies bodies;
  float softening;
};

/// Two close groups far from the origin and from each other: the digits of a coordinate that make the difference
/// are its last ones.
Bodies two_far_groups(std::size_t n) {
  Bodies bodies = random_bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const float side = i % 2 == 0 ? 600.0F : -600.0F;
    float4& b = bodies[i];
    b = {side + b.x, side - b.y, side + b.z / 8, b.w};
  }
  return bodies;
}

/// Masses from 2^-20 to 2^20, and every fourth is 0.
Bodies unequal_masses(std::size_t n) {
  Bodies bodies = random_bodies(n);
  for (std::size_t i = 0; i < n; ++i)
    bodies[i].w = i % 4 == 3 ? 0 : std::ldexp(1.0F, static_cast<int>(i * 7 % 41) - 20);
  return bodies;
}

/// On a line, in ascending order, ever closer to each other.
Bodies sorted_on_a_line(std::size_t n) {
  Bodies bodies = random_bodies(n);
  std::sort(bodies.begin(), bodies.end(), [](const float4& a, const float4& b) { return a.x < b.x; });
  for (float4& b : bodies) b.y = b.z = 0;
  return bodies;
}

/// Bodies on the corners of a cube, many at each: of every sum whole terms vanish, and others cancel.
Bodies on_eight_places(std::size_t n) {
  Bodies bodies = random_bodies(n);
  for (float4& b : bodies) b = {b.x < 0 ? -1.0F : 1.0F, b.y < 0 ? -1.0F : 1.0F, b.z < 0 ? -1.0F : 1.0F, b.w};
  return bodies;
}

/// Pairs, ever closer down to the least distance of the contract; the members of a pair come one after the other.
Bodies close_pairs(std::size_t n) {
  Bodies bodies = random_bodies(n);
  for (std::size_t i = 1; i < n; i += 2) {
    const float apart = std::ldexp(1.0F, -5 - static_cast<int>(i / 2 % 16));
    const auto to_grid = [](float x) {
      return std::ldexp(std::round(std::ldexp(x, 20)), -20);
    }; // distances are exact
    const float4& b = bodies[i - 1] = {to_grid(bodies[i - 1].x), to_grid(bodies[i - 1].y),
                                       to_grid(bodies[i - 1].z), bodies[i - 1].w};
    bodies[i] = {b.x + apart, b.y - apart, b.z + apart, bodies[i].w};
  }
  return bodies;
}

Reply accelerate(const Bodies& bodies, float softening, Schedule schedule) {
  return changing(
      [&] {
        const Sources everybody = all_of({1}, bodies.size());
        return submission().call(CallOptions{.schedule = schedule, .sites = true, .sources = everybody},
                                 CONTRACT(accelerations), out<float4>(bodies.size()), in(bodies),
                                 bodies.size(), softening);
      },
      teach);
}

bool all_zero(std::span<const float4> acc) {
  return std::ranges::all_of(acc, [](const float4& a) { return a.x == 0 && a.y == 0 && a.z == 0; });
}

/// Every acceleration is 0 where none should be: nobody pulls, or nobody was asked.
[[noreturn]] void no_pulls(const Reply& reply, const Bodies& bodies, float softening, Schedule schedule) {
  const std::size_t n = bodies.size();
  const std::vector<std::string> details = {reply.in_call()};
  const auto with = [&details](std::vector<std::string> lines, const char* to_read) {
    lines.insert(lines.end(), details.begin(), details.end());
    lines.push_back(handout(to_read));
    return lines;
  };
  expect_tile_is_shared(reply, details);
  const simt::Counters& c = reply.counters();
  const std::uint64_t reads = c.global_load_lanes + c.shared_load_lanes;
  if (on_sim() && reads < n * n / 64) { // a thread may have many bodies, and pass on what it has read
    fail_at({2}, "bodies-not-read",
            "Every acceleration is 0, and hardly any body was read. TODO(2) replaces the loop over all "
            "bodies by one over tiles: does it run, and the one through the tile as well?",
            with({counted(reads, "read") + " of global and shared memory by single threads for " + number(n) +
                  " bodies"},
                 tile_section));
  }
  if (softening == 0 && !all_zero(accelerate(bodies, 0.1F, schedule).values<float4>(0))) {
    fail_at({1}, "nothing-without-softening",
            "Without softening every acceleration is 0, and with softening it is not. Only a pair at "
            "distance zero counts as zero: where |d|^2 + softening2 is 0, and not wherever softening2 is.",
            with({}, softening_section));
  }
  if (n % whole_tiles != 0 && (!on_sim() || c.shared_load_requests != 0)) {
    // Whoever keeps only the last place's pull has 0 where that place has no body; whole tiles have no such places.
    const Bodies whole = random_bodies(whole_tiles);
    if (!all_zero(accelerate(whole, 0.1F, schedule).values<float4>(0)))
      accelerate_and_check(whole, 0.1F, schedule);
  }
  const std::string first = "Every acceleration is 0, as if no body pulled another: TODO(1) ";
  const int todo = current_item().todo;
  const char* const rest = todo == 1   ? "is still to be written."
                           : todo == 2 ? "comes first, then TODO(2)."
                                       : "comes first: a step needs the accelerations.";
  fail("unsolved", first + rest, with({}, "The tasks"));
}

/// The task whose mistake an unknown wrong acceleration of body `i` is: TODO(2) if the body and the one that pulls it
/// most come out right when they are alone, so that a pair is right; 0 if nothing can be said.
int task_of(std::size_t i, const Bodies& bodies, float softening, Schedule schedule, const Reply& reply) {
  if (bodies.size() <= 2 || (on_sim() && reply.counters().shared_load_requests == 0)) return 0;
  std::size_t strongest = i;
  double most = 0;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    const Vector pull = newton(bodies[i], bodies[j], softening);
    if (dot(pull, pull) > most) most = dot(pull, pull), strongest = j;
  }
  const Bodies two = {bodies[i], bodies[strongest]};
  try {
    const Reply alone = accelerate(two, softening, schedule);
    const Pull pull = pull_on(0, two, softening);
    return near(alone.values<float4>(0)[0], pull.sum, tolerance(pull, 2)) ? 2 : 1;
  } catch (const ItemFailed&) {
    return 2; // what the simulator finds with two bodies is about places of the tile
  }
}

/// Fails the item if body i is pulled where it is alone, although a pair comes out right: then a place of the tile without a
/// body pulls, less than roundings of other bodies' pulls.
void expect_alone_unpulled(const float4& body, float softening, Schedule schedule, const Reply& reply,
                           const std::vector<std::string>& details) {
  if (on_sim() && reply.counters().shared_load_requests == 0) return;
  const Bodies pair = {{0.25F, -0.5F, 0.75F, 0.5F}, {-0.5F, 0.25F, -0.25F, 0.75F}};
  std::string first;
  try {
    const Reply alone = accelerate({body}, softening, schedule);
    const float4 acc = alone.values<float4>(0)[0];
    for (std::size_t axis = 3; axis-- > 0;) {
      if (component(acc, axis) != 0) first = off("acc", 0, axis, component(acc, axis), 0, 0);
    }
    if (first.empty() || is_nan(acc)) return;
    const Reply two = accelerate(pair, softening, schedule);
    for (std::size_t i = 0; i < 2; ++i) {
      const Pull pull = pull_on(i, pair, softening);
      if (!near(two.values<float4>(0)[i], pull.sum, tolerance(pull, 2))) return;
    }
  } catch (const ItemFailed&) {
    return; // another mistake
  }
  std::vector<std::string> lines = details;
  if (first + "." != lines.front()) lines.insert(lines.begin(), "With this body alone " + first + ".");
  lines.push_back(handout(last_tile_section));
  fail_at({2}, "padding-pulls",
          "A body that is alone is pulled, although two bodies pull each other as they should: so a place of "
          "the tile that has no body pulls, if only a little. What lies there must pull nobody, wherever it "
          "is: which mass makes sure of that?",
          std::move(lines));
}

/// "body 0 at (0, 1, 0) with mass 2": for sums that can be followed by hand.
std::string body_text(const Bodies& bodies, std::size_t i) {
  const float4& b = bodies[i];
  return "body " + number(i) + " at (" + to_text(b.x) + ", " + to_text(b.y) + ", " + to_text(b.z) +
         ") with mass " + to_text(b.w);
}

} // namespace

Reply nbody::accelerate_and_check(const Bodies& bodies, float softening, Schedule schedule, bool n_typical) {
  const std::size_t n = bodies.size();
  Reply reply = accelerate(bodies, softening, schedule);
  const std::span<const float4> acc = reply.values<float4>(0);
  std::vector<Pull> wanted(n);
  for_each_body(n, [&](std::size_t i) { wanted[i] = pull_on(i, bodies, softening); });
  const std::optional<Off> off = first_off("acc", acc, [&](std::size_t i) {
    return Expected{wanted[i].sum, tolerance(wanted[i], n)};
  });
  if (!off) {
    for (std::size_t i = 0; i < n; ++i) {
      if (acc[i].w == 0) continue;
      fail_at({2}, "fourth-component",
              "acc[" + number(i) + "].w is " + to_text(acc[i].w) + "; the contract wants 0 there.",
              {reply.in_call(), handout("The tasks")});
    }
    return reply;
  }
  if (n_typical) {
    require_solved(reply);
    if (all_zero(acc)) no_pulls(reply, bodies, softening, schedule);
  }
  const std::size_t wrong = off->body;
  const std::vector<std::string> details = {off->text + ".", reply.in_call()};
  if (reply.unwritten(0, wrong)) {
    fail(Failure{{"wrong-result", "output-unwritten"},
                 "acc[" + number(wrong) +
                     "] was never written: does every body have a thread that works for it?",
                 {details[1], handout("Tiles")},
                 {},
                 {2}});
  }
  expect_tile_is_shared(reply, details);
  expect_numbers(acc, softening, details);
  recognise(acc, bodies, softening, wanted, tile_sizes(reply), details);
  expect_alone_unpulled(bodies[wrong], softening, schedule, reply, details);
  const int task = task_of(wrong, bodies, softening, schedule, reply);
  const std::string inputs = n == 2 ? " There are " + body_text(bodies, 0) + " and " + body_text(bodies, 1) +
                                          "; softening " + to_text(softening) + "."
                                    : "";
  // Nothing is known: then it is the task of the item, which a step's are not.
  fail_at({task != 0                 ? task
           : current_item().todo > 2 ? 1
                                     : current_item().todo},
          "wrong-result", details[0] + inputs,
          {details[1], handout(task == 2 ? tile_section : pair_section)});
}

/// Only what the simulator finds there, and a wrong result, count. Its patience may end within so much work, as where every
/// pair takes several exchanges between lanes; that the loops end was seen at the sizes before.
static void check_many_on_sim() {
  try {
    accelerate_and_check(random_bodies(many_on_sim), 0.05F, schedules().front());
  } catch (const ItemFailed& failed) {
    if (failed.failure.diagnoses.front() != "step-budget") throw;
  }
}

TEST_CASE("accelerations are the sums of all pulls at any n" * points(4) * tests("accelerations") * todo(1)) {
  const auto check = [](std::size_t several) {
    check_and_shrink(several, {2, 3, 4, 31, 32, 33, 255, 256, 257}, [&](std::size_t n) {
      accelerate_and_check(random_bodies(n), 0.1F, schedules().front(), n == several);
    });
  };
  try {
    check(typical());
  } catch (const ItemFailed& failed) {
    // Of a wrong law even a place without a body may pull, which hides the law: whole tiles have no such places.
    if (failed.failure.diagnoses.front() == "wrong-result") check(whole_tiles);
    throw;
  }
  check(whole_tiles);
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(on_sim() ? 997 : 9973))
      accelerate_and_check(random_bodies(n), 0.05F, schedule);
  }
  if (on_sim()) check_many_on_sim();
}

TEST_CASE("accelerations stay finite without softening and for bodies at one place" * points(3) *
          tests("accelerations") * todo(1)) {
  const auto check = [](const Bodies& bodies, float softening, Schedule schedule) {
    accelerate_and_check(bodies, softening, schedule, bodies.size() == 257);
  };
  check_and_shrink(257, {1, 2, 3, 31, 33},
                   [&](std::size_t n) { check(random_bodies(n), 0, schedules().front()); });
  check_and_shrink(257, {1, 2, 3, 31, 33},
                   [&](std::size_t n) { check(on_eight_places(n), 0, schedules().front()); });
  check_and_shrink(257, {2, 3, 4, 31, 33},
                   [&](std::size_t n) { check(close_pairs(n), 0, schedules().front()); });
  for (const Schedule schedule : schedules()) {
    accelerate_and_check(close_pairs(64), 0, schedule);
    accelerate_and_check(on_eight_places(131), 0.25F, schedule);
    accelerate_and_check(close_pairs(64), 0x1p-20F, schedule); // as small as it may be
    accelerate_and_check(on_eight_places(131), 0, schedule);
    accelerate_and_check(Bodies(70, float4{0.5F, -2, 3, 1}), 0, schedule); // all at one place: no pull at all
    accelerate_and_check(Bodies(1, float4{7, 8, 9, 2}), 0, schedule);
  }
  // At the origin, where a place of a tile without a body may lie as well.
  accelerate_and_check(Bodies(33, float4{0, 0, 0, 1}), 0, schedules().front());
}

TEST_CASE("accelerations are precise far from the origin and for unequal masses" * points(3) *
          tests("accelerations") * todo(1)) {
  accelerate_and_check(random_bodies(257), 0.01F, schedules().front(), true);
  for (const std::size_t n : {2, 3, 33, 257}) {
    for (const System& system : {System{"far from the origin", two_far_groups(n), 0.01F},
                                 System{"unequal masses", unequal_masses(n), 0.01F},
                                 System{"sorted on a line", sorted_on_a_line(n), 0.001F},
                                 System{"softening above all distances", random_bodies(n), 100.0F}})
      accelerate_and_check(system.bodies, system.softening, schedules().back());
  }
}
