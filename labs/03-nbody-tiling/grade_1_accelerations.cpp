// The rubric of TODO(1): the accelerations themselves, at any n, for any softening and for bodies at one place.

#include "mistakes.hpp"

using namespace nbody;

namespace {

const RunsThrough parts_of_accelerations({"accelerations"}, {1, 2});

/// Several tiles, and a tail: what goes wrong there is reported first.
std::size_t typical() { return on_sim() ? 773 : 1061; }
/// Whole tiles of any usual size: what is right only with a tail fails here.
constexpr std::size_t whole_tiles = 1024;
/// More than a submission's shared array for "all bodies" has places, if it was made for the sizes above. One call of them is
/// as much work as all calls with about a thousand; a GPU gets far more.
constexpr std::size_t many_on_sim = 2053;

bool is_nan(const float4& a) { return std::isnan(a.x) || std::isnan(a.y) || std::isnan(a.z); }

/// Fails the item if any acceleration is no number. As long as nothing is written, it is none.
void expect_numbers(const Reply& reply, float softening, const Details& details) {
  const std::span<const float4> acc = reply.values<float4>(0);
  std::size_t nans = 0, unwritten = 0, first = acc.size();
  for (std::size_t i = acc.size(); i-- > 0;) {
    if (!is_nan(acc[i])) continue;
    ++nans;
    if (!reply.unwritten(0, i)) continue;
    ++unwritten;
    first = i;
  }
  if (nans == 0) return;
  if (unwritten == nans && nans < acc.size() && first < acc.size() / 32 * 32) // not just the last bodies
    fail(message("returns-in-the-loop", unwritten, acc.size(), first), details);
  fail(softening == 0 ? message("nan-at-distance-zero") : message("sum-not-initialised"),
       followed_by({"NaN: " + number(nans) + " of " + number(acc.size()) + " accelerations."}, details));
}

/// Whether the simulator has seen that no body came from shared memory.
bool has_no_tiles(const Reply& reply) { return on_sim() && reply.counters().shared_load_requests == 0; }

/// Fails the item if blocks wait for each other at barriers, or go through part of the bodies only, and have nothing
/// in shared memory that could be worth it. Asked only after a wrong result.
void expect_tile_is_shared(const Reply& reply, const Details& details) {
  const simt::Counters& c = reply.counters();
  if (!has_no_tiles(reply) || c.barriers == 0 || c.shared_store_requests != 0) return;
  fail(message("tile-not-shared"),
       followed_by({say("{count:barrier}, and no access to shared memory", c.barriers)}, details));
}

/// How many bodies a tile of this call may have, the likeliest first; none where no shared memory was read.
std::vector<std::size_t> tile_sizes(const Reply& reply) {
  if (!on_sim()) return usual_tile_sizes; // nothing is counted there
  if (has_no_tiles(reply)) return {};
  const Launched seen = launched(reply);
  std::vector<std::size_t> sizes = {seen.shared_bodies};
  if (seen.threads_per_block != seen.shared_bodies) sizes.push_back(seen.threads_per_block);
  std::erase(sizes, std::size_t{0});
  return sizes;
}

/// Random bodies, changed by change(i, body). Each kind below is hard for some mistake.
template <typename Change>
Bodies changed_bodies(std::size_t n, const Change& change) {
  Bodies bodies = random_bodies(n);
  for (std::size_t i = 0; i < n; ++i) change(i, bodies[i]);
  return bodies;
}

/// Two close groups far from the origin and from each other: the digits of a coordinate that make the difference
/// are its last ones.
Bodies two_far_groups(std::size_t n) {
  return changed_bodies(n, [](std::size_t i, float4& b) {
    const float side = i % 2 == 0 ? 600.0F : -600.0F;
    b = {side + b.x, side - b.y, side + b.z / 8, b.w};
  });
}

/// Masses from 2^-20 to 2^20, and every fourth is 0.
Bodies unequal_masses(std::size_t n) {
  return changed_bodies(n, [](std::size_t i, float4& b) {
    b.w = i % 4 == 3 ? 0 : std::ldexp(1.0F, static_cast<int>(i * 7 % 41) - 20);
  });
}

/// On a line, in ascending order, ever closer to each other.
Bodies sorted_on_a_line(std::size_t n) {
  Bodies bodies = changed_bodies(n, [](std::size_t, float4& b) { b.y = b.z = 0; });
  std::ranges::sort(bodies, {}, &float4::x);
  return bodies;
}

/// Bodies on the corners of a cube, many at each: of every sum whole terms vanish, and others cancel.
Bodies on_eight_places(std::size_t n) {
  return changed_bodies(n, [](std::size_t, float4& b) {
    b = {b.x < 0 ? -1.0F : 1.0F, b.y < 0 ? -1.0F : 1.0F, b.z < 0 ? -1.0F : 1.0F, b.w};
  });
}

/// Pairs, ever closer down to the least distance of the contract; the members of a pair come one after the other.
Bodies close_pairs(std::size_t n) {
  const auto to_grid = [](float x) { return std::ldexp(std::round(std::ldexp(x, 20)), -20); };
  Bodies bodies = random_bodies(n);
  for (std::size_t i = 1; i < n; i += 2) {
    const float apart = std::ldexp(1.0F, -5 - static_cast<int>(i / 2 % 16));
    float4& b = bodies[i - 1];
    b = {to_grid(b.x), to_grid(b.y), to_grid(b.z), b.w}; // distances are exact
    bodies[i] = {b.x + apart, b.y - apart, b.z + apart, bodies[i].w};
  }
  return bodies;
}

Reply accelerate(const Bodies& bodies, float softening, Schedule schedule) {
  return changing(
      [&] {
        const Sources all_bodies = all_of({1}, bodies.size());
        return submission().call(CallOptions{.schedule = schedule, .sites = true, .sources = all_bodies},
                                 CONTRACT(accelerations), out<float4>(bodies.size()), in(bodies),
                                 bodies.size(), softening);
      },
      teach);
}

bool all_zero(std::span<const float4> acc) {
  return std::ranges::all_of(acc, [](const float4& a) { return a.x == 0 && a.y == 0 && a.z == 0; });
}

/// Every acceleration is 0 where none should be: no body pulls, or none was read.
[[noreturn]] void no_pulls(const Reply& reply, const Bodies& bodies, float softening, Schedule schedule) {
  const std::size_t n = bodies.size();
  const Details details = {reply.in_call()};
  expect_tile_is_shared(reply, details);
  const simt::Counters& c = reply.counters();
  const std::uint64_t reads = c.global_load_lanes + c.shared_load_lanes;
  if (on_sim() && reads < n * n / 64) { // a thread may have many bodies, and pass on what it has read
    fail(message("bodies-not-read"),
         followed_by({say("{count:read} of global and shared memory by single threads for {bodies} bodies",
                          reads, n)},
                     details));
  }
  if (softening == 0 && !all_zero(accelerate(bodies, 0.1F, schedule).values<float4>(0)))
    fail(message("nothing-without-softening"), details);
  if (n % whole_tiles != 0 && !has_no_tiles(reply)) {
    // Whoever keeps only the last place's pull has 0 where that place has no body; whole tiles have no such places.
    const Bodies whole = random_bodies(whole_tiles);
    if (!all_zero(accelerate(whole, 0.1F, schedule).values<float4>(0)))
      accelerate_and_check(whole, 0.1F, schedule);
  }
  const int todo = current_item().todo;
  const bool has_tiles = on_sim() && c.shared_load_requests != 0;
  fail(message("unsolved/no-pulls", is_begun(1), todo == 1, todo == 2, has_tiles), details);
}

/// The task whose mistake an unknown wrong acceleration of body `i` is: TODO(2) if the body and the one that pulls it
/// most come out right when they are alone, so that a pair is right; 0 if nothing can be said.
int task_of(std::size_t i, const Bodies& bodies, float softening, Schedule schedule, const Reply& reply) {
  if (bodies.size() <= 2 || has_no_tiles(reply)) return 0;
  const float4& strongest = *std::ranges::max_element(bodies, {}, [&](const float4& other) {
    const Vector pull = newton(bodies[i], other, softening);
    return dot(pull, pull);
  });
  const Bodies two = {bodies[i], strongest};
  const std::optional<Reply> alone = reply_if_any([&] { return accelerate(two, softening, schedule); });
  if (!alone) return 2; // what the simulator finds with two bodies is about places of the tile
  if (all_zero(alone->values<float4>(0)))
    return 2; // more bodies do pull: it is the loop that leaves these two out
  return near(alone->values<float4>(0)[0], right_accelerations(two, softening)[0]) ? 2 : 1;
}

/// Fails the item if body i is pulled where it is alone, although a pair comes out right: then a place of the tile without a
/// body pulls, less than roundings of other bodies' pulls.
void expect_alone_unpulled(const float4& body, float softening, Schedule schedule, const Reply& reply,
                           const Details& details) {
  if (has_no_tiles(reply)) return;
  const Bodies pair = {{0.25F, -0.5F, 0.75F, 0.5F}, {-0.5F, 0.25F, -0.25F, 0.75F}};
  std::optional<Off> off;
  bool is_right_in_pairs = false; // where one of the calls fails it is another mistake
  failure_in([&] {
    const Reply alone = accelerate({body}, softening, schedule);
    off = first_off(alone, {body}, softening);
    if (!off || is_nan(alone.values<float4>(0)[0])) return;
    is_right_in_pairs = !first_off(accelerate(pair, softening, schedule), pair, softening);
  });
  if (!is_right_in_pairs) return;
  Details lines;
  if (reply.values<float4>(0).size() > 1) lines.push_back(say("With this body alone {what}.", off->text));
  fail(message("padding-pulls"), followed_by(lines, details));
}

/// "body 0 at (0, 1, 0) with mass 2": for sums that can be followed by hand.
std::string body_text(const Bodies& bodies, std::size_t i) {
  const float4& b = bodies[i];
  return say("body {number} at ({x}, {y}, {z}) with mass {mass}", i, to_text(b.x), to_text(b.y), to_text(b.z),
             to_text(b.w));
}

} // namespace

Reply nbody::accelerate_and_check(const Bodies& bodies, float softening, Schedule schedule, bool n_typical) {
  const std::size_t n = bodies.size();
  Reply reply = accelerate(bodies, softening, schedule);
  const std::span<const float4> acc = reply.values<float4>(0);
  const std::vector<Expected> wanted = right_accelerations(bodies, softening);
  const std::optional<Off> off = first_off("acc", acc, wanted);
  if (!off) {
    for (std::size_t i = 0; i < n; ++i)
      if (acc[i].w != 0)
        fail(message("fourth-component/acceleration", i, to_text(acc[i].w)), {reply.in_call()});
    return reply;
  }
  const Rule about = about_wrong(reply, 0, [&](std::size_t i) { return near(acc[i], wanted[i]); });
  if (n_typical) {
    require_solved(reply);
    if (all_zero(acc)) no_pulls(reply, bodies, softening, schedule);
  }
  const std::size_t wrong = off->body;
  if (reply.unwritten(0, wrong)) {
    Failure why = failure_of(message("wrong-result/unwritten", wrong), {reply.in_call()});
    why.diagnoses.push_back("output-unwritten");
    fail(std::move(why));
  }
  const Details details = {off->text + ".", reply.in_call()};
  expect_tile_is_shared(reply, details);
  expect_numbers(reply, softening, details);
  recognise(acc, bodies, softening, wanted, tile_sizes(reply), details);
  expect_alone_unpulled(bodies[wrong], softening, schedule, reply, details);
  const int task = task_of(wrong, bodies, softening, schedule, reply);
  Failure why = failure_of(message("wrong-result/acceleration", off->text, n == 2, body_text(bodies, 0),
                                   body_text(bodies, n - 1), to_text(softening)),
                           {reply.in_call()});
  read_on(why, task == 2 ? "Tiles" : "One pair");
  // Nothing is known: then it is the task of the item, which a step's are not.
  why.todos = {task != 0 ? task : current_item().todo > 2 ? 1 : current_item().todo};
  fail(std::move(why));
}

/// Only what the simulator finds there, and a wrong result, count. Its patience may end within so much work, as where every
/// pair takes several exchanges between lanes; that the loops end was seen at the sizes before.
static void check_many_on_sim() {
  std::optional<Failure> failed =
      failure_in([] { accelerate_and_check(random_bodies(many_on_sim), 0.05F, schedules().front()); });
  if (failed && !is_about(*failed, "step-budget")) pass_on(std::move(*failed));
}

TEST_CASE("accelerations are the sums of all pulls at any n" * points(4) * tests("accelerations") * todo(1)) {
  const auto check = [](std::size_t several) {
    check_and_shrink(several, {2, 3, 4, 31, 32, 33, 255, 256, 257}, [&](std::size_t n) {
      accelerate_and_check(random_bodies(n), 0.1F, schedules().front(), n == several);
    });
  };
  if (std::optional<Failure> failed = failure_in([&] { check(typical()); })) {
    // Of a wrong law even a place without a body may pull, which hides the law: whole tiles have no such places.
    if (is_about(*failed, "wrong-result")) check(whole_tiles);
    pass_on(std::move(*failed));
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
  for (Bodies (*const bodies)(std::size_t) : {random_bodies, on_eight_places, close_pairs}) {
    check_and_shrink(257, {1, 2, 3, 4, 31, 33}, [&](std::size_t n) {
      accelerate_and_check(bodies(n), 0, schedules().front(), n == 257);
    });
  }
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
    const std::pair<Bodies, float> systems[] = {{two_far_groups(n), 0.01F},
                                                {unequal_masses(n), 0.01F},
                                                {sorted_on_a_line(n), 0.001F},
                                                {random_bodies(n), 100.0F}}; // softening above all distances
    for (const auto& [bodies, softening] : systems)
      accelerate_and_check(bodies, softening, schedules().back());
  }
}
