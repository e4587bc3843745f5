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

/// Mistakes that add up other numbers for each block: factors(k, t) for thread t of block k.
std::vector<Mistake<Exact>> mistakes_of(const Vectors<float>& v) {
  const std::string section = "A tree in shared memory";
  std::vector<Mistake<Exact>> list;
  const auto tell = [&](const char* id, std::string sentence, const std::string& read, auto factors) {
    const auto predicts = [factors](std::size_t k) {
      ExactSum sum;
      for (std::size_t t = 0; t < width; ++t) {
        const auto [x, y] = factors(k, t);
        sum.add(x, y);
      }
      return sum.result();
    };
    list.push_back({id, std::move(sentence), predicts, read});
  };
  const auto element = [&v](std::size_t i) { return std::pair<double, double>{v.a[i], v.b[i]}; };
  const auto only = [=](auto is_in) { // the products of some threads
    return [=](std::size_t k, std::size_t t) {
      return is_in(t) ? element(k * width + t) : std::pair{0.0, 0.0};
    };
  };
  tell(
      "tree-missing",
      "Every sum is its block's first product alone: the other 255 places of the cache were not added to it.",
      section, only([](std::size_t t) { return t == 0; }));
  for (std::size_t half = width / 2; half >= 1; half /= 2) {
    const std::string of_half = half == 1 ? "one" : number(half);
    tell("level-left-out",
         "Of every " + number(2 * half) + " neighbouring places of a block the upper " + of_half +
             (half == 1 ? " is" : " are") + " missing in the sum: the tree has no step in which " + of_half +
             (half == 1 ? " thread adds." : " threads add."),
         section, only([half](std::size_t t) { return t / half % 2 == 0; }));
  }
  tell("same-place-in-every-block",
       "Every sum is that of the first block's products. Which part of a thread's number tells the blocks "
       "apart?",
       section, [=](std::size_t, std::size_t t) { return element(t); });
  for (const auto factors : other_factors) {
    tell("not-the-products", std::string("The sums are not ") + not_the_products, "The tasks",
         [=, &v](std::size_t k, std::size_t t) { return factors(v.a[k * width + t], v.b[k * width + t]); });
  }
  return list;
}

/// Fails the item if only some sums are wrong, and which of them tells why.
void recognise_places(const Reply& reply, const Vectors<float>& v, const std::vector<Exact>& wanted,
                      const std::vector<std::string>& lines) {
  const std::span<const float> sums = reply.values<float>(0);
  if (sums.size() < 2) return; // the first is the last: no evidence
  std::size_t wrong = 0, unwritten = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    wrong += near(sums[k], wanted[k].sum, tolerance<float>(wanted[k])) ? 0 : 1;
    unwritten += reply.unwritten(0, k) ? 1 : 0;
  }
  const std::size_t last = sums.size() - 1;
  if (last > 1 && unwritten == last && !reply.unwritten(0, 0)) {
    fail("first-sum-only",
         "Only sums[0] was written, of " + number(sums.size()) +
             " sums. Every block has one of its own: which number tells a block its place?",
         lines);
  }
  if (wrong != 1 || v.size() % width == 0 ||
      near(sums[last], wanted[last].sum, tolerance<float>(wanted[last])))
    return;
  const std::string of_tail = counted(v.size() % width, "element");
  if (reply.unwritten(0, last)) {
    fail("tail-left-out",
         "The last sum was never written. Its block has " + of_tail +
             "; a block that is not full has a sum as well.",
         lines);
  }
  fail("tail-wrong",
       "Only the last sum is wrong, the one of " + of_tail +
           ": what do the threads without an element leave in the cache?",
       lines);
}

/// Fails the item if the shape of wrong sums is known; returns if it is not.
void recognise(const Reply& reply, const Vectors<float>& v, const std::vector<Exact>& wanted) {
  const std::span<const float> sums = reply.values<float>(0);
  const std::vector<std::string> lines = {"n = " + number(v.size()) + ": " + counted(sums.size(), "sum"),
                                          handout("A tree in shared memory"), reply.in_call()};
  if (v.small) {
    fail("small-values-lost", small_values_sentence(),
         {lines[0], handout("How far the sum may be off"), lines[2]});
  }
  recognise_places(reply, v, wanted, lines);
  const std::size_t whole = v.size() / width; // the last block may do what it likes
  if (whole > 1) {
    fail_if_made(
        mistakes_of(v), whole,
        [&](std::size_t k, const Exact& other) {
          return near(sums[k], other.sum, 2 * tolerance<float>(other) + 1e-6);
        },
        [&](std::size_t k, const Exact& other) {
          return near(other.sum, wanted[k].sum, tolerance<float>(wanted[k]));
        },
        {lines[0], lines[2]});
  }
  if (are_low_precision<float>(sums, wanted)) fail("low-precision", low_precision_sentence<float>(), lines);
  if (v.size() == 1 && !reply.unwritten(0, 0)) {
    fail("wrong-result",
         "block_dots_f32 computed sums[0] = " + to_text(sums[0]) + "; right is a[0] * b[0] = " +
             to_text(v.a[0]) + " * " + to_text(v.b[0]) + " = " + shown<float>(wanted[0].sum) + ".",
         lines);
  }
}

Reply add_and_check(const Vectors<float>& v, Schedule schedule, std::size_t shift = 0) {
  const std::vector<Exact> wanted = reference(v);
  const Sources products = range_of(
      {1, 2}, [](std::size_t k) { return k * width; },
      [n = v.size()](std::size_t k) { return std::min(n, (k + 1) * width); });
  Reply reply = submission().call(CallOptions{.schedule = schedule, .sites = true, .sources = products},
                                  CONTRACT(block_dots_f32), out<float>(wanted.size()), in(v.a).shifted(shift),
                                  in(v.b).shifted(2 * shift), v.size());
  const std::span<const float> sums = reply.values<float>(0);
  bool right = sums.size() == wanted.size();
  for (std::size_t k = 0; k < wanted.size() && right; ++k)
    right = near(sums[k], wanted[k].sum, tolerance<float>(wanted[k]));
  if (right) return reply;
  if (v.size() >= typical) require_solved(reply);
  recognise(reply, v, wanted);
  std::vector<double> expected(wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) expected[k] = wanted[k].sum;
  expect_near<float>(reply, 0, expected, [&](std::size_t k) { return tolerance<float>(wanted[k]); });
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

Reply counted_call(Schedule schedule) {
  return add_and_check(random_vectors<float>(counted_elements), schedule);
}

/// Requests to shared memory and exchanges between lanes: what adding up across threads costs.
std::vector<std::string> tree_costs(const Reply& reply) {
  const simt::Counters& c = reply.counters();
  std::vector<std::string> lines = {
      number(c.shared_load_requests) + " requests to read shared memory and " +
          number(c.shared_store_requests) + " to write it, by " + number(counted_blocks) + " blocks",
      number(c.shared_load_wavefronts + c.shared_store_wavefronts) + " wavefronts, and " +
          number(c.shared_load_ideal_wavefronts + c.shared_store_ideal_wavefronts) +
          " without bank conflicts"};
  std::ranges::move(costly_lines(reply, shared_reading.cost, shared_reading.requests, "wavefronts"),
                    std::back_inserter(lines));
  return lines;
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
  add_and_check(random_vectors<float>(submission().backend() == Backend::cuda ? large : large_on_sim),
                schedules().back());
}

TEST_CASE("block_dots_f32 reads every element once" * points(1) * tests("block_dots_f32") * todo(1) *
          sim_only()) {
  check_typical_blocks();
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    Need need = need_of_both(counted_elements * sizeof(float), 0);
    need.section = "A tree in shared memory";
    need.repeated = "What is read twice? A block's intermediate sums belong into shared memory.";
    judge(reply, reading, need);
  }
}

TEST_CASE("block_dots_f32 has no bank conflicts" * points(2) * tests("block_dots_f32") * todo(1) *
          sim_only()) {
  check_typical_blocks();
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    const Wavefronts shared = wavefronts_of(reply.counters());
    std::vector<std::string> lines = tree_costs(reply);
    lines.push_back(handout("Which places does a warp touch?"));
    if (shared.all + reply.counters().shuffles == 0)
      fail("nothing-shared", "No thread told another one anything, by shared memory or by shuffles.", lines);
    shared.expect_no_conflicts(" On which places are 32 neighbouring threads in one step of the tree?",
                               lines);
  }
}

TEST_CASE("block_dots_f32 keeps the working lanes of a tree together" * points(2) * tests("block_dots_f32") *
          todo(1) * sim_only()) {
  check_typical_blocks();
  // The tree of 128, 64, 32 … 1 threads reads two places each: 4 + 2 + 1 + 5 warps, 24 requests, and one for the
  // result. Other trees need more, up to 40 with every step written out; lanes that lie apart need 94.
  constexpr std::uint64_t most_requests = 40 * counted_blocks;
  // Each of 256 products but one is added to something: so many lanes read a place, or exchange a value.
  constexpr std::uint64_t least_exchanges = counted_blocks;
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    const simt::Counters& c = reply.counters();
    std::vector<std::string> lines = tree_costs(reply);
    lines.push_back(handout("Which threads work?"));
    const std::uint64_t requests = c.shared_load_requests + c.shared_atomic_requests;
    const double lanes = requests == 0 ? 32
                                       : static_cast<double>(c.shared_load_lanes + c.shared_atomic_lanes) /
                                             static_cast<double>(requests);
    lines.insert(lines.begin(),
                 rounded(lanes) + " lanes of 32 took part in a request to read shared memory, on average");
    if (requests > most_requests) {
      const std::string too_many = "The sums are right, but " + number(requests / counted_blocks) +
                                   " requests to shared memory a block were made where " +
                                   number(most_requests / counted_blocks) + " are enough: ";
      if (lanes < 2) {
        fail("added-one-by-one",
             too_many + "one thread adds while 255 wait. Let half of them add at every step.", lines);
      }
      if (lanes > 16) {
        fail("added-by-all",
             too_many + "warps ask for more than they have to, with most of their lanes. Do threads add that "
                        "need not, or read again what they have? At every step half as many threads are "
                        "enough as at the one before, and each adds one place to its own.",
             lines);
      }
      fail("divergent-tree",
           too_many + "the threads that add lie apart, so that every warp goes through every step with few "
                      "of its lanes. Let neighbouring threads do the work.",
           lines);
    }
    if (requests + c.shuffles < least_exchanges)
      fail("nothing-shared", "No thread told another one anything, by shared memory or by shuffles.", lines);
  }
}
