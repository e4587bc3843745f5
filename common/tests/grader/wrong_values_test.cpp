// What a trace and the values tell of a wrong result.
#include <doctest/doctest.h>

#include "fixture.hpp"
#include "grader/compare.hpp"
#include "grader/context.hpp"
#include "grader/inputs.hpp"
#include "toy.hpp"

using namespace warpbook;

namespace {

enum Mistake { none, blocks_too_near, last_left_out, next_but_one, minus };

struct Traced {
  Traced() { context().trace = true; }
  ~Traced() { context().trace = false; }
};

constexpr std::size_t length = 300;

Failure wrong_neighbours(int mistake, const Sources& sources) {
  Submission toy(toy_options("kernels"));
  const std::vector<float> in = random_floats(length + 1, -1, 1);
  std::vector<float> sums(length);
  for (std::size_t i = 0; i < length; ++i) sums[i] = in[i] + in[i + 1];
  const Traced traced;
  const Reply reply = toy.call(CallOptions{.sources = sources}, CONTRACT(toy_kernel_neighbours),
                               out<float>(length), warpbook::in(in), length, mistake);
  return failure_of([&] { expect_equal(reply, 0, sums); });
}

const Sources neighbours = [](BufferElement e) {
  return std::vector<BufferElement>{{1, e.index}, {1, e.index + 1}};
};

} // namespace

TEST_CASE("a call that asks for a trace has one, and is not kept as the last one that was traced") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> in = random_floats(length + 1, -1, 1);
  const auto call = [&](const CallOptions& how) {
    return toy.call(how, CONTRACT(toy_kernel_neighbours), out<float>(length), warpbook::in(in), length,
                    int{none});
  };
  CHECK(call({}).trace() == nullptr);
  const Reply reply = call({.trace = true});
  REQUIRE(reply.trace() != nullptr);
  CHECK_FALSE(reply.trace()->steps.empty());
  CHECK(toy.last_reply() == nullptr);
  CHECK(toy.last_traced() == nullptr);
}

TEST_CASE("blocks that lie too near to each other: elements without a writer, and the formula says why") {
  const Failure failure = wrong_neighbours(blocks_too_near, neighbours);
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result", "output-unwritten"});
  CHECK(
      contains(text_of(failure), "No thread writes out[201]. Elements of out that threads write: 0 to 200."));
  CHECK(contains(text_of(failure),
                 "kernels.cu:40 writes out[67 * blockIdx.x + threadIdx.x], for blockIdx.x 0 to 2, "
                 "threadIdx.x 0 to 66."));
  CHECK(contains(text_of(failure),
                 "Each block begins 67 elements after the one before, and the 128 threads of a block "
                 "reach over 128."));
  REQUIRE(failure.formulas.size() == 1);
  CHECK(failure.formulas[0].coefficient[simt::block_x] == 67);
  CHECK(failure.formulas[0].coefficient[simt::thread_x] == 1);
  CHECK(failure.formulas[0].count == 201);
}

TEST_CASE(
    "an element that has got the value that it had is no element without a writer, and its task not open") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> huge(length, 1e30F); // to which 1 adds nothing
  const auto reply_of = [&] {
    return toy.call(CallOptions{.sources = same_element_of(0)}, CONTRACT(toy_kernel_increment), inout(huge),
                    length, false);
  };
  const auto wrong = [&](const Reply& reply) {
    return failure_of([&] { expect_equal(reply, 0, std::vector<float>(length, 2.0F)); });
  };
  const Reply unseen = reply_of();
  CHECK(unseen.untouched());
  CHECK_FALSE(unseen.seen_written(0, 3));
  CHECK(has_diagnosis(wrong(unseen), "output-unwritten"));
  const Traced traced;
  const Reply seen = reply_of();
  CHECK_FALSE(seen.untouched());
  CHECK(seen.seen_written(0, 3));
  const Failure failure = wrong(seen);
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result", "wrong-arithmetic"});
  CHECK(failure.sentence.to_print() ==
        "toy_kernel_increment computed data[0] = 1e+30, the value that it had before; right is 2.");
}

TEST_CASE("whole numbers where none should be have lost their fractions") {
  const auto values = [](double a, double b, double c) {
    return std::vector<WrongElement>{{0, a, 1.5}, {1, b, 2.25}, {2, c, -7.75}};
  };
  CHECK(have_no_fractions(values(1, 2, -7)));
  CHECK_FALSE(have_no_fractions(values(1, 2.5, -7)));
  CHECK_FALSE(have_no_fractions(values(0, 0, 0))); // nothing but one value: another mistake
  CHECK_FALSE(have_no_fractions({{0, 1, 1.5}, {1, 2, 2.25}}));
  CHECK_FALSE(have_no_fractions({{0, 1, 1.5}, {1, 2, 4}, {2, 3, 6.5}})); // a right one is whole
}

TEST_CASE("an end that is left out has no writer, and nothing is odd about the formula") {
  const Failure failure = wrong_neighbours(last_left_out, {});
  CHECK(
      contains(text_of(failure), "No thread writes out[299]. Elements of out that threads write: 0 to 298."));
  CHECK(contains(text_of(failure), "writes out[128 * blockIdx.x + threadIdx.x]"));
  CHECK_FALSE(contains(text_of(failure), "Each block begins"));
}

TEST_CASE("an element that depends on another one than was read, through shared memory") {
  const Failure failure = wrong_neighbours(next_but_one, neighbours);
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result", "source-not-read"});
  CHECK(contains(
      text_of(failure),
      "out[0] depends on in[1]. It is written by thread (0,0,0) of block (0,0,0), warp 0 lane 0, in "));
  CHECK(contains(text_of(failure), "That thread has read in[0], in["));
}

TEST_CASE("where all is read that is needed, the arithmetic is wrong") {
  const Failure failure = wrong_neighbours(minus, neighbours);
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result", "wrong-arithmetic"});
  // No rubric has said what an element depends on: only what was seen is reported.
  const Failure blind = wrong_neighbours(minus, {});
  CHECK(blind.diagnoses == std::vector<std::string>{"wrong-result"});
  CHECK(contains(text_of(blind), "out[0] is written by thread (0,0,0) of block (0,0,0), warp 0 lane 0, in "));
}

TEST_CASE("where the rubric compares by itself, all outputs are looked at") {
  const auto told = [](unsigned threads, unsigned step) {
    Submission toy(toy_options("kernels"));
    const std::vector<float> in(length, 1.0f);
    const Traced traced;
    const Reply reply = toy.call(CallOptions{.sources = all_of({1}, length)}, CONTRACT(toy_kernel_sum),
                                 out<float>(1), warpbook::in(in), length, threads, step);
    Failure failure{{"wrong-result"}, "The sum is wrong.", {}};
    explain_call(failure, reply);
    return failure;
  };
  const Failure left_out = told(32, 33);
  CHECK(left_out.diagnoses.back() == "source-not-read");
  CHECK(contains(text_of(left_out), "sum[0] depends on in[32]. It is written by "));
  const Failure some_twice = told(32, 31);
  CHECK(some_twice.diagnoses.back() == "wrong-arithmetic");
  CHECK(contains(text_of(some_twice), "in[31] is read 2 times, and in[0] once."));
  const Failure all_twice = told(32, 16);
  CHECK(contains(text_of(all_twice), "in[16] is read 2 times, and in[0] once."));
  CHECK(told(32, 32).causes.size() == 1); // nothing is uneven
}

TEST_CASE("without a trace nothing of this is reported") {
  Submission toy(toy_options("kernels"));
  const std::vector<float> in = random_floats(length + 1, -1, 1);
  const Reply reply = toy.call(CallOptions{.sources = neighbours}, CONTRACT(toy_kernel_neighbours),
                               out<float>(length), warpbook::in(in), length, int{minus});
  CHECK(reply.trace() == nullptr);
  const Failure failure = failure_of([&] { expect_equal(reply, 0, std::vector<float>(length, 100.0f)); });
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result"});
  CHECK(failure.causes.empty());
}

TEST_CASE(
    "an element that is written without a look at the value that it had, and no line is reported twice") {
  const Failure failure = wrong_neighbours(minus, same_element_of(0));
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result", "source-not-read"});
  CHECK(contains(text_of(failure),
                 "out[0] is to be made of the value that it had. It is written by thread (0,0,0)"));
  CHECK_FALSE(contains(text_of(failure), "out[0] depends on out[0]"));
  const Failure of_neighbours = wrong_neighbours(minus, [](BufferElement e) {
    return std::vector<BufferElement>{{0, e.index}, {1, e.index}, {1, e.index + 1}};
  });
  std::vector<std::string> causes = texts_of(of_neighbours.causes);
  std::ranges::sort(causes);
  CHECK(std::ranges::adjacent_find(causes) == causes.end());
}

TEST_CASE("elements that should stay as they are, and are written") {
  Submission toy(toy_options("kernels"));
  std::vector<float> data(10, 1.0f);
  const Traced traced;
  const Reply reply = toy.call(CONTRACT(toy_kernel_increment), inout(data), data.size(), false);
  std::vector<float> wanted(10, 2.0f);
  wanted[9] = 1.0f;
  const Failure failure = failure_of([&] { expect_equal(reply, 0, wanted); });
  CHECK(failure.diagnoses == std::vector<std::string>{"wrong-result", "other-element-written"});
  CHECK(contains(text_of(failure), "data[9] should stay as it is, and thread (9,0,0) of block (0,0,0)"));
}

TEST_CASE("a rule that all wrong values follow") {
  const auto told = [](auto change) {
    Submission toy(toy_options("well_behaved"));
    const std::vector<float> a = {1, 2, 3, 5}, zero(4);
    const Reply reply =
        toy.call(CONTRACT(toy_buffers), in(a), inout(zero), out<float>(4), out<double>(4), a.size());
    std::vector<float> wanted;
    for (const float value : a) wanted.push_back(change(value));
    return text_of(failure_of([&] { expect_equal(reply, 2, wanted); }));
  };
  CHECK(contains(told([](float v) { return v - 3; }), "All wrong values are 3.00 too large."));
  CHECK(contains(told([](float v) { return v + 1; }), "All wrong values are 1.00 too small."));
  CHECK(contains(told([](float v) { return v / 2; }), "All wrong values are 2.00 times the right ones."));
  CHECK(contains(told([](float v) { return -v; }), "All wrong values have the wrong sign."));
  CHECK_FALSE(contains(told([](float v) { return v * v + 7; }), "All wrong values"));
  CHECK_FALSE(contains(told([](float v) { return v < 3 ? v : 9.0f; }), "All wrong values")); // too few
}
