// The rubric of TODO(1): block_dots_f32, a tree of additions in shared memory.

#include "rubric.hpp"

using namespace dot_product;

namespace {

constexpr std::size_t width = 256; // elements of a block

std::vector<Exact> reference(const Vectors<float>& v) {
  std::vector<Exact> sums;
  for (std::size_t first = 0; first < v.size(); first += width)
    sums.push_back(exact_dot(v, first, std::min(first + width, v.size())));
  return sums;
}

/// The sums of a call, and what they should be.
struct BlockSums {
  const Reply& reply;
  const Vectors<float>& v;
  const std::vector<Exact> wanted = reference(v);
  const std::span<const float> sums = reply.values<float>(0);

  double allowed(std::size_t k) const { return tolerance<float>(wanted[k]); }
  bool is_right(std::size_t k) const { return near(sums[k], wanted[k].sum, allowed(k)); }
  Details lines() const {
    return {"n = " + number(v.size()) + ": " + counted(sums.size(), "sum"), reply.in_call()};
  }
};

/// Mistakes that add up other numbers for each block.
std::vector<Mistake<Exact>> mistakes_of(const Vectors<float>& v) {
  const auto of_block = [&v](std::size_t k, std::size_t t) { return v[k * width + t]; };
  const auto of_first_block = [&v](std::size_t, std::size_t t) { return v[t]; };
  // factors(k, t) are those of thread t in block k, of the threads that is_in(t) names.
  const auto adds = [](LabMessage says, auto factors, const IsIn& is_in = is_in_all) -> Mistake<Exact> {
    return {std::move(says), [=](std::size_t k) {
              return exact_sum(
                  width, [&](std::size_t t) { return factors(k, t); }, is_in);
            }};
  };
  std::vector<Mistake<Exact>> list = {
      adds(message("tree-missing"), of_block, [](std::size_t t) { return t == 0; }),
      adds(message("last-product-alone"), of_block, [](std::size_t t) { return t == width - 1; }),
      adds(message("same-place-in-every-block/sums"), of_first_block)};
  for (std::size_t half = width / 2; half >= 1; half /= 2) {
    list.push_back(adds(message("level-left-out", 2 * half, half == 1, half), of_block,
                        [=](std::size_t t) { return t / half % 2 == 0; }));
  }
  for (std::size_t kind = 0; kind < other_kinds; ++kind) {
    list.push_back(adds(message("not-the-products/sums"),
                        [=](std::size_t k, std::size_t t) { return other_factors(of_block(k, t))[kind]; }));
  }
  return list;
}

/// Fails the item if only some sums are wrong, and which of them tells why.
void recognise_places(const BlockSums& call) {
  const std::size_t count = call.sums.size(), last = count - 1;
  if (count < 2) return; // the first is the last: no evidence
  std::size_t wrong = 0, unwritten = 0;
  for (std::size_t k = 0; k < count; ++k) {
    wrong += call.is_right(k) ? 0 : 1;
    unwritten += call.reply.unwritten(0, k) ? 1 : 0;
  }
  if (last > 1 && unwritten == last && !call.reply.unwritten(0, 0))
    fail(message("first-sum-only", count), call.lines());
  const std::size_t of_tail = call.v.size() % width;
  if (wrong != 1 || of_tail == 0 || call.is_right(last)) return;
  fail(call.reply.unwritten(0, last) ? message("tail-left-out/sum", of_tail) : message("tail-wrong", of_tail),
       call.lines());
}

/// Fails the item if the shape of wrong sums is known; returns if it is not.
void recognise_sums(const BlockSums& call) {
  const Vectors<float>& v = call.v;
  if (v.small) fail(message("small-values-lost"), call.lines());
  recognise_places(call);
  const std::size_t whole = v.size() / width; // the last block may do what it likes
  if (whole > 1) {
    fail_if_made(
        mistakes_of(v), whole,
        [&](std::size_t k, const Exact& other) {
          return near(call.sums[k], other.sum, 2 * tolerance<float>(other) + 1e-6);
        },
        [&](std::size_t k, const Exact& other) {
          return near(other.sum, call.wanted[k].sum, call.allowed(k));
        },
        call.lines());
  }
  if (are_low_precision(call.sums, call.wanted)) fail(message("low-precision", true), call.lines());
  if (v.size() == 1 && !call.reply.unwritten(0, 0)) {
    fail(message("wrong-result/first-block", to_text(call.sums[0]), to_text(v.a[0]), to_text(v.b[0]),
                 shown(call.wanted[0].sum)),
         call.lines());
  }
}

Reply add_and_check(const Vectors<float>& v, Schedule schedule, std::size_t shift = 0) {
  const std::size_t n = v.size(), blocks = pieces_of(n, width);
  const Sources products = range_of(
      {1, 2}, [](std::size_t k) { return k * width; },
      [=](std::size_t k) { return std::min(n, (k + 1) * width); });
  Reply reply = submission().call(CallOptions{.schedule = schedule, .sites = true, .sources = products},
                                  CONTRACT(block_dots_f32), out<float>(blocks), in(v.a).shifted(shift),
                                  in(v.b).shifted(2 * shift), n);
  const BlockSums call{reply, v};
  if (all_hold(blocks, [&](std::size_t k) { return call.is_right(k); })) return reply;
  const Rule about = about_wrong(reply, 0, [&](std::size_t k) { return call.is_right(k); });
  if (n >= typical && reply.untouched()) {
    if (reply.counters().shared_store_lanes > 0) fail(message("output-unwritten/sums"), call.lines());
    unsolved(reply);
  }
  recognise_sums(call);
  std::vector<double> expected;
  for (const Exact& wanted : call.wanted) expected.push_back(wanted.sum);
  expect_near<float>(reply, 0, expected, [&](std::size_t k) { return call.allowed(k); });
  return reply;
}

/// The first question, of every item: wrong sums are the same failure there, and told once.
void check_typical_blocks() {
  check_and_shrink(typical, {1, 2, 3, 31, 32, 33, 255, 256, 257, 512, 513},
                   [](std::size_t n) { add_and_check(random_vectors<float>(n), schedules().front()); });
}

// The technique items count over blocks of which the last is short: 101 elements, no whole number of warps. A tree that
// is right for whole blocks only is no right tree.
constexpr std::size_t counted_blocks = 64;
constexpr std::size_t counted_elements = (counted_blocks - 1) * width + 101;

void for_each_counted_tree(const std::function<void(const Reply&)>& judge_call) {
  check_typical_blocks();
  for (const Schedule schedule : schedules())
    judge_call(add_and_check(random_vectors<float>(counted_elements), schedule));
}

/// Requests to shared memory and exchanges between lanes: what adding up across threads costs.
Details tree_costs(const Reply& reply) {
  const simt::Counters& c = reply.counters();
  return followed_by(
      {say("{reads} requests to read shared memory and {writes} to write it, by {blocks} blocks",
           c.shared_load_requests, c.shared_store_requests, counted_blocks),
       say("{wavefronts} wavefronts, and {ideal} without bank conflicts",
           c.shared_load_wavefronts + c.shared_store_wavefronts,
           c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts)},
      costly_lines(reply, shared_reading.cost, shared_reading.requests, say("wavefronts")));
}

} // namespace

TEST_CASE("block_dots_f32 gives the dot product of every 256 elements" * points(3) * tests("block_dots_f32") *
          todo(1)) {
  check_typical_blocks();
  for (const Schedule schedule : schedules()) {
    for (const std::size_t n : sizes()) add_and_check(random_vectors<float>(n), schedule);
  }
  for (const Vectors<float>& v : special_vectors<float>(typical)) add_and_check(v, schedules().front());
  add_and_check(random_vectors<float>(1000), schedules().back(), 4);
  add_and_check(random_vectors<float>(is_on_sim() ? large_on_sim : large), schedules().back());
}

TEST_CASE("block_dots_f32 reads every element once" * points(1) * tests("block_dots_f32") * todo(1) *
          sim_only()) {
  for_each_counted_tree([](const Reply& reply) {
    expect_read_once(reply, counted_elements * sizeof(float), 0, message("read-again/blocks"));
  });
}

TEST_CASE("block_dots_f32 has no bank conflicts" * points(2) * tests("block_dots_f32") * todo(1) *
          sim_only()) {
  for_each_counted_tree([](const Reply& reply) {
    const Wavefronts shared = wavefronts_of(reply.counters());
    if (shared.all + reply.counters().shuffles == 0) {
      reading_on("Which places does a warp touch?",
                 [&] { fail(message("nothing-shared"), tree_costs(reply)); });
    }
    expect_no_conflicts(shared, message("bank-conflicts/tree", shared.all, shared.ideal), tree_costs(reply));
  });
}

TEST_CASE("block_dots_f32 keeps the working lanes of a tree together" * points(2) * tests("block_dots_f32") *
          todo(1) * sim_only()) {
  for_each_counted_tree([](const Reply& reply) {
    // The tree of 128, 64, 32 … 1 threads reads two places each: 4 + 2 + 1 + 5 warps, 24 requests, and one for the
    // result. Other trees need more, up to 40 with every step written out; lanes that lie apart need 94.
    constexpr std::size_t enough = 40;
    // Each of 256 products but one is added to something: so many lanes read a place, or exchange a value.
    constexpr std::uint64_t least_exchanges = counted_blocks;
    const simt::Counters& c = reply.counters();
    const std::uint64_t requests = c.shared_load_requests + c.shared_atomic_requests;
    const double lanes = requests == 0 ? 32 : per(c.shared_load_lanes + c.shared_atomic_lanes, requests);
    const Details lines = followed_by(
        {say("{lanes} lanes of 32 took part per request to read shared memory, on average", rounded(lanes))},
        tree_costs(reply));
    if (requests > enough * counted_blocks) {
      const std::size_t of_block = requests / counted_blocks;
      fail(lanes < 2    ? message("added-one-by-one", of_block, enough)
           : lanes > 16 ? message("added-by-all", of_block, enough)
                        : message("divergent-tree", of_block, enough),
           lines);
    }
    if (requests + c.shuffles < least_exchanges)
      reading_on("Which threads work?", [&] { fail(message("nothing-shared"), lines); });
    tell_measured(say("shared memory read"),
                  say("{requests} requests per block, {most} at most; {lanes} lanes of 32 on average",
                      requests / counted_blocks, enough, rounded(lanes)));
  });
}
