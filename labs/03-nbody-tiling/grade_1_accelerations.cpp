// The rubric of TODO(1): the accelerations themselves, at any n, for any softening and for bodies at one place.

#include "rubric.hpp"

using namespace nbody;

namespace {

/// Several tiles, and a tail: what goes wrong there is told first.
constexpr std::size_t typical = 1061;
/// Whole tiles of any usual size: what is right only with a tail fails here.
constexpr std::size_t whole_tiles = 1024;

constexpr const char* pair_section = "One pair";
constexpr const char* tile_section = "Tiles";

/// A mistake that the rubric knows: what it is called, how it is told, and what it computes for body i.
struct Mistake {
  const char* id;
  std::string sentence;
  const char* section;
  std::function<Pull(std::size_t)> pull_on;
};

Vector difference(const float4& me, const float4& other) {
  return {static_cast<double>(other.x) - me.x, static_cast<double>(other.y) - me.y,
          static_cast<double>(other.z) - me.z};
}

/// Newton's law with another power of the distance.
Law with_power(double exponent) {
  return [exponent](const float4& me, const float4& other, double softening) -> Vector {
    const Vector d = difference(me, other);
    const double r2 = dot(d, d) + softening * softening;
    return r2 == 0 ? Vector{} : other.w * std::pow(r2, -exponent) * d;
  };
}

/// Mistakes about one pair: another law for all pairs.
std::vector<Mistake> mistakes_of_law(const Bodies& bodies, double softening) {
  const auto all = [&bodies, softening](Law law) {
    return [&bodies, softening, law = std::move(law)](std::size_t i) {
      Pull pull;
      for (const float4& other : bodies) add(pull, law, bodies[i], other, softening);
      return pull;
    };
  };
  return {
      {"pushed-apart",
       "Every acceleration points the wrong way: bodies pull each other, and d is the other's position minus "
       "mine.",
       pair_section,
       all([](const float4& me, const float4& other, double s) { return -1.0 * newton(me, other, s); })},
      {"own-mass", "Every pull is multiplied by the wrong mass: it is the other body's that pulls.",
       pair_section, all([](const float4& me, const float4& other, double s) {
         return (static_cast<double>(me.w) / other.w) * newton(me, other, s);
       })},
      {"mass-forgotten",
       "The pulls do not know how heavy the other body is: its mass is the fourth component, w.",
       pair_section, all([](const float4& me, const float4& other, double s) {
         return (1.0 / other.w) * newton(me, other, s);
       })},
      {"power-mistaken",
       "The pulls fall with the wrong power of the distance: d / r^2 was computed. The force falls with r^2, "
       "and d, "
       "which gives it its direction, has the length r itself: so d / r^3.",
       pair_section, all(with_power(1))},
      {"power-mistaken",
       "The pulls fall with the wrong power of the distance: d / r was computed, a direction without a "
       "strength. It is "
       "d / r^3.",
       pair_section, all(with_power(0.5))},
      {"power-mistaken",
       "The pulls fall with the wrong power of the distance: d / r^6 was computed. The reciprocal root is "
       "already that of "
       "the squared distance; its third power is 1 / r^3.",
       pair_section, all(with_power(3))},
      {"root-not-reciprocal",
       "The pulls grow with the distance: they were multiplied by the root's third power, where its "
       "reciprocal is wanted: "
       "rsqrtf(x) is 1 / sqrtf(x).",
       pair_section, all(with_power(-1.5))},
      {"softening-not-squared",
       "The softening was added as it is. It is a length, and what it is added to is a square: softening * "
       "softening.",
       "Softening",
       all([](const float4& me, const float4& other, double s) { return newton(me, other, std::sqrt(s)); })},
      {"softening-forgotten", "The pulls are those without softening: its square belongs under the root.",
       "Softening", all([](const float4& me, const float4& other, double) { return newton(me, other, 0); })},
  };
}

/// Mistakes about the tiles of `size` bodies: some bodies missing, or there twice.
std::vector<Mistake> mistakes_of_tiles(const Bodies& bodies, double softening, std::size_t size) {
  const std::size_t n = bodies.size();
  const std::size_t whole = n / size * size; // bodies in whole tiles
  const std::string tiles = " (tiles of " + number(size) + " bodies)";
  const auto range = [&bodies, softening](std::size_t i, std::size_t first, std::size_t last,
                                          Pull pull = {}) {
    for (std::size_t j = first; j < std::min(last, bodies.size()); ++j)
      add(pull, newton, bodies[i], bodies[j], softening);
    return pull;
  };
  std::vector<Mistake> list = {
      {"own-tile-only",
       "Every body is pulled by the bodies of its own block alone" + tiles +
           ": the loop over the tiles is missing.",
       tile_section, [=](std::size_t i) { return range(i, i / size * size, i / size * size + size); }},
      {"same-tile-again",
       "Every body meets the bodies of its own block again and again" + tiles +
           ": which body a thread fetches depends on the tile, not on the body it works for.",
       tile_section,
       [=](std::size_t i) {
         Pull pull;
         for (std::size_t t = 0; t < (n + size - 1) / size; ++t)
           pull = range(i, i / size * size, i / size * size + size, pull);
         return pull;
       }},
      {"same-tile-again",
       "Every body meets the first bodies again and again" + tiles +
           ": a tile begins where the one before ends, and the fetching thread has to add that.",
       tile_section, [=](std::size_t i) {
         Pull pull;
         for (std::size_t t = 0; t < (n + size - 1) / size; ++t) pull = range(i, 0, size, pull);
         return pull;
       }}};
  list.push_back({"last-tile-only",
                  "Every body is pulled by the bodies of the last tile alone" + tiles +
                      ": the sum has to begin before the first tile, and to go on through all of them.",
                  tile_section, [=](std::size_t i) { return range(i, (n - 1) / size * size, n); }});
  for (std::size_t part = 32; part < size; part *= 2) {
    list.push_back({"tile-partly-used",
                    "Of every tile of " + number(size) + " bodies only the first " + number(part) +
                        " pull: the inner loop has to go through all places that were filled.",
                    tile_section, [=](std::size_t i) {
                      Pull pull;
                      for (std::size_t first = 0; first < n; first += size)
                        pull = range(i, first, first + part, pull);
                      return pull;
                    }});
  }
  if (whole != n) {
    if (whole != 0) {
      list.push_back({"last-tile-left-out",
                      "The bodies from number " + number(whole) + " on pull nobody (n = " + number(n) +
                          "): n / tile rounds down, and what is left over needs a tile of its own.",
                      "The last tile", [=](std::size_t i) { return range(i, 0, whole); }});
      list.push_back({"tail-not-padded",
                      "Some bodies pull twice: the last tile is not full, its other places still hold bodies "
                      "of the tile "
                      "before, and these were added again" +
                          tiles + ". Places without a body need one that pulls nobody.",
                      "The last tile", [=](std::size_t i) {
                        return range(i, whole - size + (n - whole), whole, range(i, 0, n));
                      }});
    }
    list.push_back({"tail-not-padded",
                    "The last body pulls more than once: it was taken for the places of the last tile that "
                    "have no body" +
                        tiles + ". A place without a body needs one that pulls nobody.",
                    "The last tile", [=](std::size_t i) {
                      Pull pull = range(i, 0, n);
                      for (std::size_t k = n; k < whole + size; ++k)
                        add(pull, newton, bodies[i], bodies[n - 1], softening);
                      return pull;
                    }});
    list.push_back({"tail-not-padded",
                    "Bodies at the origin pull that are not there: the places of the last tile without a "
                    "body have a mass" +
                        tiles + ".",
                    "The last tile", [=](std::size_t i) {
                      Pull pull = range(i, 0, n);
                      for (std::size_t k = n; k < whole + size; ++k)
                        add(pull, newton, bodies[i], float4{0, 0, 0, 1}, softening);
                      return pull;
                    }});
  }
  return list;
}

/// Whether these are the accelerations that the mistake leads to.
bool explains(const Mistake& mistake, std::span<const float4> acc) {
  for (std::size_t i = 0; i < acc.size(); ++i) {
    const Pull pull = mistake.pull_on(i);
    if (!near(acc[i], pull.sum, 2 * tolerance(pull, acc.size()))) return false;
  }
  return true;
}

bool is_nan(const float4& a) { return std::isnan(a.x) || std::isnan(a.y) || std::isnan(a.z); }

/// Fails the item if the shape of wrong accelerations is known; returns if it is not.
void recognise(std::span<const float4> acc, const Bodies& bodies, float softening,
               const std::vector<Pull>& wanted, const std::vector<std::string>& details) {
  const std::size_t n = bodies.size();
  const auto told = [&details](const char* section) {
    std::vector<std::string> lines = details;
    lines.push_back(handout(section));
    return lines;
  };
  const auto nans = static_cast<std::size_t>(std::count_if(acc.begin(), acc.end(), is_nan));
  if (nans != 0) {
    std::vector<std::string> lines = told(softening == 0 ? "Softening" : pair_section);
    lines.insert(lines.begin(), "NaN: " + number(nans) + " of " + number(n) + " accelerations.");
    if (softening == 0) {
      fail("nan-at-distance-zero",
           "Accelerations are NaN (not a number). At distance zero and without softening the reciprocal root "
           "is "
           "infinite, and 0 * infinity is NaN: a body also meets itself.",
           lines);
    }
    fail(
        "sum-not-initialised",
        "Accelerations are NaN (not a number), although softening keeps every term finite. What does the sum "
        "begin with?",
        lines);
  }
  std::vector<Mistake> mistakes = mistakes_of_law(bodies, softening);
  for (const std::size_t size : {32, 64, 128, 256, 512, 1024}) {
    for (Mistake& mistake : mistakes_of_tiles(bodies, softening, size))
      mistakes.push_back(std::move(mistake));
  }
  for (const Mistake& mistake : mistakes) {
    if (n > 1 && explains(mistake, acc)) fail(mistake.id, mistake.sentence, told(mistake.section));
  }
  fail_if_one_axis(
      n,
      [&](std::size_t i, std::size_t axis) {
        return !near(component(acc[i], axis), wanted[i].sum[axis], tolerance(wanted[i], n)[axis]);
      },
      told(pair_section));
  for (const std::size_t size : {32, 64, 128, 256, 512, 1024}) {
    const std::size_t whole = n / size * size;
    std::size_t first = 0;
    while (near(acc[first], wanted[first].sum, tolerance(wanted[first], n))) ++first; // one of them is wrong
    if (first != whole || whole == 0) continue;
    fail("last-block-wrong",
         "The first " + number(whole) + " bodies are right, and those of the last block are not (blocks of " +
             number(size) + " threads, n = " + number(n) +
             "). Some of its threads have no body: do they fetch for the others all the same, and wait with "
             "them?",
         told("Threads without a body"));
  }
  // Right to the three digits of half precision, seen from the largest pull there is.
  const double half_roundoff = 0x1p-11;
  for (std::size_t i = 0; i < n; ++i) {
    if (!near(acc[i], wanted[i].sum, 28 * half_roundoff * wanted[i].magnitude)) return;
  }
  fail("low-precision",
       "The accelerations are right to about three digits and wrong after them: somewhere a float became a "
       "shorter "
       "number, or digits were lost in a difference of large numbers.",
       told(pair_section));
}

/// `count` bodies that a mistake finds hard: what they are called, and what they are.
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
  return with_lesson([&] {
    return submission().call(CallOptions{.schedule = schedule, .sites = true}, CONTRACT(accelerations),
                             out<float4>(bodies.size()), in(bodies), bodies.size(), softening);
  });
}

/// Every acceleration is 0 where none should be: nobody pulls, or nobody was asked.
[[noreturn]] void no_pulls(const Reply& reply, std::size_t n) {
  const std::vector<std::string> details = {"In the call " + reply.call_text() + "."};
  const auto with = [&details](std::vector<std::string> lines, const char* to_read) {
    lines.insert(lines.end(), details.begin(), details.end());
    lines.push_back(handout(to_read));
    return lines;
  };
  const simt::Counters& c = reply.counters();
  const std::uint64_t reads = c.global_load_lanes + c.shared_load_lanes;
  if (on_sim() && reads < n * n / 64) { // a thread may have many bodies, and pass on what it has read
    fail("bodies-not-read",
         "Every acceleration is 0, and hardly any body was read. TODO(2) replaces the loop over all bodies "
         "by one "
         "over tiles: does it run, and the one through the tile as well?",
         with({counted(reads, "read") + " of global and shared memory by single threads for " + number(n) +
               " bodies"},
              tile_section));
  }
  const std::string first = "Every acceleration is 0, as if no body pulled another: TODO(1) ";
  fail("unsolved",
       first + (current_item().todo == 1 ? "is still to be written." : "comes first, then TODO(2)."),
       with({}, "The tasks"));
}

} // namespace

Reply nbody::accelerate_and_check(const Bodies& bodies, float softening, Schedule schedule, bool n_typical) {
  const std::size_t n = bodies.size();
  Reply reply = accelerate(bodies, softening, schedule);
  const std::span<const float4> acc = reply.values<float4>(0);
  std::vector<Pull> wanted(n);
  std::size_t wrong = n;
  bool all_zero = true;
  for (std::size_t i = 0; i < n; ++i) {
    wanted[i] = pull_on(i, bodies, softening);
    if (wrong == n && !near(acc[i], wanted[i].sum, tolerance(wanted[i], n))) wrong = i;
    all_zero = all_zero && acc[i].x == 0 && acc[i].y == 0 && acc[i].z == 0;
  }
  if (wrong == n) {
    for (std::size_t i = 0; i < n; ++i) {
      if (acc[i].w == 0) continue;
      fail("fourth-component",
           "acc[" + number(i) + "].w is " + to_text(acc[i].w) + "; the contract wants 0 there.",
           {"In the call " + reply.call_text() + ".", handout("The tasks")});
    }
    return reply;
  }
  if (n_typical) {
    require_solved(reply);
    if (all_zero) no_pulls(reply, n);
  }
  std::size_t axis = 0;
  const Vector allowed = tolerance(wanted[wrong], n);
  while (axis < 2 && near(component(acc[wrong], axis), wanted[wrong].sum[axis], allowed[axis])) ++axis;
  const std::string first =
      off("acc", wrong, axis, component(acc[wrong], axis), wanted[wrong].sum[axis], allowed[axis]);
  const std::vector<std::string> details = {first + ".", "In the call " + reply.call_text() + "."};
  if (reply.unwritten(0, wrong)) {
    fail(Failure{{"wrong-result", "output-unwritten"},
                 "acc[" + number(wrong) +
                     "] was never written: does every body have a thread that works for it?",
                 {details[1], handout("Tiles")}});
  }
  recognise(acc, bodies, softening, wanted, details);
  fail("wrong-result", first + ".", {details[1], handout(pair_section)});
}

TEST_CASE("accelerations are the sums of all pulls at any n" * points(4) * tests("accelerations") * todo(1)) {
  const auto check = [](std::size_t several) {
    check_and_shrink(several, {2, 3, 4, 31, 32, 33, 255, 256, 257}, [&](std::size_t n) {
      accelerate_and_check(random_bodies(n), 0.1F, schedules().front(), n == several);
    });
  };
  try {
    check(typical);
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
    accelerate_and_check(close_pairs(64), 0x1p-20F, schedule); // as small as it may be
    accelerate_and_check(on_eight_places(131), 0.25F, schedule);
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
