// The rubric of TODO(3): copy_vectorized at every size and alignment, and its 16-byte accesses counted.

#include <cstdlib>

#include "rubric.hpp"
#include "simt/report/wording.hpp"

using namespace coalescing;

namespace {

constexpr std::size_t width = 4; // floats in 16 bytes

/// How far, in bytes, the two arrays lie past a 256-byte boundary.
struct Shifts {
  std::size_t out = 0, in = 0;
};

/// The elements before the first 16-byte boundary, if `shift` bytes past one: 0 to 3.
constexpr std::size_t head_of(std::size_t shift) { return (16 - shift % 16) % 16 / sizeof(float); }

/// Whether the first n bytes were copied, and not by a kernel. On a GPU this shows in an element of which only some
/// bytes were copied.
bool are_bytes_counted(const Moved<float>& moved) {
  const std::size_t n = moved.after.size(), whole = n / sizeof(float);
  if (n < 8 * width) return false;
  const auto is_left = [&](std::size_t i) { return moved.reply.unwritten(0, i); };
  const bool is_cut = n % sizeof(float) != 0 && !is_left(whole) && !moved.is_right(whole);
  const bool is_by_host = submission().backend() == Backend::sim && moved.reply.kernels().empty();
  if (!is_cut && !is_by_host) return false;
  return all_hold(
      n, [&](std::size_t i) { return i < whole ? moved.is_right(i) : (is_cut && i == whole) || is_left(i); });
}

/// Fails the item if the shape of a wrong copy is known; returns if it is not.
void recognise(const Moved<float>& moved, Shifts shifts) {
  const std::size_t n = moved.after.size();
  const Details where = {say("n = {n}; the first 16-byte boundary is at out[{out}] and at in[{in}]", n,
                             head_of(shifts.out), head_of(shifts.in))};
  if (are_bytes_counted(moved))
    fail(message("bytes-counted-as-elements", n, n * sizeof(float)), {moved.reply.in_call()});
  if (const std::optional<LeftOut> left = left_out(
          n, [&](std::size_t i) { return moved.reply.unwritten(0, i); },
          [&](std::size_t i) { return moved.is_right(i); })) {
    const bool at_end = left->first + left->count == n;
    const bool is_one = left->count == 1;
    if (left->first == 0 && left->count < width) fail(message("head-skipped", is_one, left->count), where);
    const bool is_begun_elsewhere = moved.reply.counters().global_store_bytes == n * sizeof(float);
    if (at_end && left->count < width)
      fail(is_begun_elsewhere ? message("tail-misplaced", is_one, left->count)
                              : message("tail-skipped/vectors", is_one, left->count,
                                        head_of(shifts.out) != 0 || head_of(shifts.in) != 0),
           where);
    if (at_end && left->first <= n / width + width && n > 8 * width)
      fail(message("vectors-counted-as-elements"), where);
  }
  std::vector<Mistake<Origin>> shifted; // elements of the body that belong further behind or further ahead
  for (const std::size_t distance : {1, 2, 3}) {
    for (const bool early : {true, false}) {
      shifted.push_back({message("shifted-copy", distance, early), [=](std::size_t i) {
                           if (n < 8 * width || i < width || i + 2 * width >= n) return any_origin;
                           return early ? i + distance : i - distance;
                         }});
    }
  }
  moved.fail_if_made(shifted, where);
}

/// A launch of the given kernel: so many elements of `each` floats, from one place to another.
struct Part {
  simt::Argument to, from;
  std::size_t count;
  std::size_t each;

  bool ends_within(std::size_t n) const {
    const auto fits = [&](const simt::Argument& first) {
      const auto begin = static_cast<std::size_t>(first.element);
      return begin <= n && count <= (n - begin) / each;
    };
    return fits(to) && fits(from);
  }
};
/// That which a finding is about, as far as it is known.
std::optional<Part> part_of(const simt::Finding& found) {
  if (!found.launch || found.launch->arguments.size() != 3) return {};
  const std::vector<simt::Argument>& arguments = found.launch->arguments;
  const unsigned bytes = found.participants.front().bytes;
  return Part{arguments[0], arguments[1], std::strtoull(arguments[2].value.c_str(), nullptr, 10),
              bytes == width * sizeof(float) ? width : 1};
}

/// Of a call that the simulator stopped. Where both arrays have a head longer than n, that is the cause: larger arrays were
/// right before. Otherwise the cause is a part with a wrong place or length; the given kernel copies what it is called for.
void explain(Failure& why, std::size_t n, Shifts shifts) {
  if (explain_same_element(why)) return;
  const simt::Finding found = *first_finding(why);
  const std::size_t head = head_of(shifts.out);
  const bool is_refused = found.has<simt::Refused>(
      [](const auto& refused) { return refused.rule == "empty-grid" || refused.rule == "grid-size"; });
  const bool is_outside = found.id == "out-of-bounds", is_misaligned = found.id == "misaligned-access";
  const std::optional<Part> part = part_of(found);
  const bool is_wrong = is_outside || is_refused ? part && !part->ends_within(n)
                                                 : is_misaligned || found.id == "uninitialised-read";
  // The head's own call begins with the arrays, and what comes after a head that is too long begins behind them.
  const auto begin = part ? static_cast<std::size_t>(part->from.element) : 0;
  const bool is_of_head = begin == 0 || begin > n;
  if ((is_outside || is_refused) && head == head_of(shifts.in) && n < head && is_of_head) {
    point_to_launch(why);
    retell(why, message("head-longer-than-array", head, n));
  } else if (part && is_wrong && point_to_launch(why) != nullptr) {
    retell(why, message("wrong-part", why.places.front().second, part->count, part->each == width,
                        argument_text(part->from), argument_text(part->to), is_outside, is_misaligned,
                        is_refused));
  }
  read_on(why, is_misaligned ? "Sixteen bytes per access" : "Head, body and tail");
}

/// Calls copy_vectorized with these buffer arguments.
Reply call_copy(Schedule schedule, const auto& out, const auto& in, std::size_t n, Shifts shifts) {
  return explaining(
      [&] {
        return submission().call(CallOptions{.schedule = schedule, .sites = true}, CONTRACT(copy_vectorized),
                                 out.shifted(shifts.out), in.shifted(shifts.in), n);
      },
      [&](Failure& why) { explain(why, n, shifts); });
}

/// Copies `values` and requires every bit of them in its place: a copy computes nothing, so NaNs count too.
Reply copy_and_check(const std::vector<float>& values, Shifts shifts, Schedule schedule) {
  const std::size_t n = values.size();
  const auto moved_by = [&](const Reply& reply) {
    return Moved<float>{reply, values, [](std::size_t i) { return i; }};
  };
  return checked(
      n, [&] { return call_copy(schedule, out<float>(n), in(values), n, shifts); },
      [&](const Reply& reply) { return moved_by(reply).first_wrong() == n; },
      [&](const Reply& reply) {
        const Moved<float> moved = moved_by(reply);
        const Rule about = about_wrong(moved);
        recognise(moved, shifts);
        reading_on("Head, body and tail", [&] { moved.fail_wrong(moved.first_wrong(), "", {}); });
      });
}
Reply copy_and_check(std::size_t n, Shifts shifts, Schedule schedule) {
  return copy_and_check(random_values<float>(n), shifts, schedule);
}

/// On a GPU: arrays beyond its caches, of values that the runner makes.
void check_real_copy(std::size_t n, Shifts shifts) {
  const Drawn<float> values;
  const Schedule schedule = schedules().front();
  const Reply reply =
      call_copy(schedule, poisoned<float>(n).returned(), values.buffer(n).returned(), n, shifts);
  expect_everywhere<float>(
      reply, 0, [&](std::size_t i) { return values[i]; },
      [&] { copy_and_check(values.values(n), shifts, schedule); });
}

/// Numbers whose bits arithmetic, or a way through another type, would not leave alone.
std::vector<float> delicate_values() {
  return {-0.0F,
          std::numeric_limits<float>::denorm_min(),
          std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN(),
          std::numeric_limits<float>::max(),
          std::nextafter(1.0F, 2.0F)};
}

/// Few requests: one for 32 vectors, and as many as head and tail together may take.
/// from_boundary(): whether vectors are used where both arrays begin on a boundary, and this call's do not.
void expect_wide(const Reply& reply, const Way& way, const Need& need, std::size_t most_requests,
                 const auto& from_boundary) {
  const std::uint64_t requests = reply.counters().*way.requests;
  if (requests <= most_requests || reply.counters().*way.bytes > need.most_bytes) return;
  const double bytes = static_cast<double>(need.least_bytes) / static_cast<double>(requests) / 32;
  reading_on(need.section, [&] {
    fail(message("narrow-accesses", requests, most_requests, way.reads(), rounded(bytes), from_boundary()),
         traffic(reply, way, need));
  });
}

} // namespace

TEST_CASE("copy_vectorized copies n floats from any address to any address" * points(3) *
          tests("copy_vectorized") * todo(3)) {
  const auto at_size = [](Shifts shifts) {
    check_and_shrink(typical, {1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 255, 256, 257},
                     [&](std::size_t n) { copy_and_check(n, shifts, schedules().front()); });
  };
  at_size({0, 0}); // no head
  at_size({8, 8}); // a head of 2
  at_size({0, 4}); // no boundary in common
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes(997)) {
      for (const std::size_t shift : {0, 4, 8, 12, 20}) copy_and_check(n, {shift, shift}, schedule);
      for (const Shifts shifts : {Shifts{0, 4}, Shifts{12, 8}, Shifts{4, 16}})
        copy_and_check(n, shifts, schedule);
    }
  }
  for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9}) { // shorter than a head and a tail
    for (const std::size_t to : {0, 4, 8, 12}) {
      for (const std::size_t from : {0, 4, 8, 12}) copy_and_check(n, {to, from}, schedules().back());
    }
  }
  for (const std::vector<float>& input : special_inputs(random_values<float>(1001), delicate_values()))
    copy_and_check(input, {8, 8}, schedules().front());
  copy_and_check(large, {12, 12}, schedules().back());
  if (submission().backend() == Backend::cuda) {
    check_real_copy(real + 3, {4, 20});
    check_real_copy(real + 3, {4, 8});
  }
}

TEST_CASE("copy_vectorized moves 16 bytes per lane where both arrays are aligned" * points(2) *
          tests("copy_vectorized") * todo(3) * sim_only()) {
  constexpr std::size_t n = 1 << 14;
  for (const Schedule schedule : schedules()) {
    const Reply reply = copy_and_check(n, {}, schedule);
    Need need = vector_need(n, 0, 0);
    for (const Way& way : {reading, writing}) {
      // One more for every request of 512 bytes, that is a sixteenth.
      const std::uint64_t sectors = reply.counters().*way.cost;
      if (sectors >= need.most_sectors + need.most_sectors / 32 &&
          sectors <= need.most_sectors + need.most_sectors / 8) {
        need.too_many_id = "head-not-needed";
        need.too_many =
            say("the vectors begin in the middle of a sector, although both arrays begin on a boundary "
                "(how long is the head of such an array?)");
        need.section = "Head, body and tail";
      } else if (sectors < need.most_sectors + 8) {
        need.too_many_id = "vector-left-over";
        need.too_many = say("the elements of a whole vector are copied one by one, although both arrays "
                            "begin on a boundary (how long are head and tail of such an array?)");
        need.section = "Head, body and tail";
      }
      judge(reply, way, need);
      expect_wide(reply, way, need, n / (32 * width), [] { return false; });
    }
  }
}

TEST_CASE("copy_vectorized peels head and tail and moves the rest 16 bytes per lane" * points(2) *
          tests("copy_vectorized") * todo(3) * sim_only()) {
  constexpr std::size_t n = (1 << 14) + 2;
  constexpr std::size_t full = n / (32 * width);
  for (const Schedule schedule : schedules()) {
    const auto is_wide_without_head = [&] {
      return copy_and_check(n, {}, schedule).counters().global_load_requests <= full + 8;
    };
    // The last pair has its boundaries after equally many elements, though not at the same place in a sector.
    for (const Shifts shifts : {Shifts{4, 4}, Shifts{8, 8}, Shifts{12, 12}, Shifts{28, 28}, Shifts{4, 20}}) {
      const Reply reply = copy_and_check(n, shifts, schedule);
      // A body that begins in the middle of a sector shares one with the next at every request. The head may
      // reach to any boundary up to 128 bytes, one request for head and tail each, or one for every block.
      for (const auto& [way, shift] : {std::pair{reading, shifts.in}, std::pair{writing, shifts.out}}) {
        Need need = vector_need(n, shift, full + 8);
        need.least_bytes -= 256; // the driver may copy the few elements at both ends
        need.least_sectors -= 8;
        expect_wide(reply, way, need, full + 8, is_wide_without_head);
        judge(reply, way, need);
      }
    }
  }
}

TEST_CASE("copy_vectorized stays coalesced where the arrays share no boundary" * points(1) *
          tests("copy_vectorized") * todo(3) * sim_only()) {
  constexpr std::size_t whole = 1 << 13;
  const auto need_at = [](std::size_t n, std::size_t shift) {
    Need need = vector_need(n, shift, warps_for(n) + 8); // head and tail go apart, if either side has vectors
    need.most_bytes += need.least_bytes / 16; // a kernel of whole vectors reads some at both ends twice
    need.ideal = say("4 or 5 when 32 neighbouring lanes are on 32 neighbouring floats");
    return need;
  };
  for (const Schedule schedule : schedules()) {
    for (const Shifts shifts : {Shifts{0, 4}, Shifts{8, 0}, Shifts{4, 12}}) {
      const Reply reply = copy_and_check(whole, shifts, schedule);
      judge(reply, reading, need_at(whole, shifts.in));
      judge(reply, writing, need_at(whole, shifts.out));
    }
  }
  constexpr std::size_t odd = with_odd_end(whole);
  const Shifts shifts{4, 12};
  const Reply reply = copy_and_check(odd, shifts, schedules().front());
  judge(reply, reading, with_tail(need_at(odd, shifts.in), odd, whole, 0));
  judge(reply, writing, with_tail(need_at(odd, shifts.out), odd, whole, 0));
}
