// What is judged of a call's traffic with memory: each mistake is made by a kernel, and told by its own name.
#include <doctest/doctest.h>

#include <utility>

#include "fixture.hpp"
#include "grader/context.hpp"
#include "grader/contract.hpp"
#include "grader/traffic.hpp"
#include "toy.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t n = 1280;

/// How the toy copies; by itself as it should.
struct Copy {
  unsigned threads = 128;
  std::size_t step = 1;
  unsigned shared_step = 0;
  bool adds = false;
};
Reply copied(const Copy& how = {}) {
  Submission toy(toy_options("kernels"));
  return toy.call(CallOptions{.sites = true}, CONTRACT(toy_kernel_copy), inout(std::vector<float>(n, 0.0F)),
                  in(std::vector<float>(n, 1.0F)), n, how.threads, how.step, how.shared_step, how.adds);
}

/// Each element once, in full sectors, by full warps.
Need once() {
  return {.least_bytes = n * sizeof(float),
          .most_bytes = n * sizeof(float),
          .least_sectors = n / 8,
          .most_sectors = n / 8,
          .most_requests = n / 32,
          .section = "A section"};
}
Need once_by_given_blocks() {
  Need need = once();
  need.has_given_blocks = true;
  return need;
}

Failure judged(const Copy& how, const Need& need, const Way& way = reading) {
  return failure_of([&] { judge(copied(how), way, need); });
}
std::string told(const Copy& how, const Need& need, const Way& way = reading) {
  return judged(how, need, way).diagnoses.front();
}

} // namespace

TEST_CASE("what moves each byte once by full warps is fine in both directions") {
  const Reply reply = copied();
  for (const Way& way : {reading, writing}) CHECK_NOTHROW(judge(reply, way, once()));
  CHECK_NOTHROW(expect_no_atomics(reply, "A section"));
  CHECK(grid_of(reply).blocks == 10);
  CHECK(grid_of(reply).threads == n);
}

TEST_CASE("bytes too many, by the name that the rubric has for it, and bytes too few") {
  Need half = once();
  half.most_bytes /= 2;
  half.repeated = "Once is enough.";
  const Failure again = judged({}, half);
  CHECK(again.diagnoses.front() == "read-more-than-once");
  CHECK(again.sentence.to_print() ==
        "The result is right, but 5120 bytes of global memory were read where 2560 are "
        "enough. Once is enough.");
  CHECK(told({}, half, writing) == "written-more-than-once");
  half.repeated_id = "read-again";
  CHECK(told({}, half) == "read-again");
  half.others = "elements of no array";
  CHECK(judged({}, half).diagnoses == std::vector<std::string>{"other-elements-read", "read-again"});
  Need twice = once();
  twice.least_bytes *= 2;
  CHECK(told({}, twice) == "bytes-missing");
  twice.missing_id = "too-few-bytes";
  CHECK(told({}, twice) == "too-few-bytes");
}

TEST_CASE("sectors too many are the lanes', and the dearest line is shown") {
  const Failure failure = judged({.step = 33}, once());
  CHECK(failure.diagnoses.front() == "uncoalesced");
  CHECK(contains(failure.sentence.to_print(), "1280 sectors were read where at most 160 are needed"));
  CHECK(contains(text_of(failure), "float value = in[i * step % n];"));
  CHECK(contains(text_of(failure), "32.00 sectors per request, 40 requests"));
  CHECK(failure.sections == std::vector<std::string>{"A section"});
  CHECK(told({.step = 33}, once(), writing) == "uncoalesced");
}

TEST_CASE("of a kernel that is given the line is shown that asks for it, with what it asks for") {
  const std::string before = std::exchange(context().source_path, toy_options("kernels").source_path);
  const std::string text = text_of(judged({.step = 33}, once()));
  context().source_path = before;
  CHECK(contains(text, " | copy<<<static_cast<unsigned>((n + threads - 1) / threads), threads>>>("));
  CHECK(contains(text, "32.00 sectors per request, 40 requests, by copy(out, in, 1280, 33, 0, "));
  CHECK_FALSE(contains(text, "float value = in[i * step % n];"));
}

TEST_CASE("one lane of a warp is reported as that") {
  CHECK(contains(judged({.threads = 1}, once_by_given_blocks()).sentence.to_print(),
                 "one lane of the warp works"));
}

TEST_CASE("blocks that are not whole warps are reported where the student chooses them") {
  const Failure failure = judged({.threads = 100}, once());
  CHECK(failure.diagnoses.front() == "block-not-whole-warps");
  CHECK(contains(failure.sentence.to_print(), "blocks of 100 threads"));
  CHECK(told({.threads = 100}, once_by_given_blocks()) == "uncoalesced");
}

TEST_CASE("what goes wrong behind the last whole block only is reported with both sizes") {
  Need tail = once();
  tail.n = n;
  tail.whole = 1024;
  const Failure failure = judged({.step = 33}, tail);
  CHECK(failure.diagnoses.front() == "tail-one-by-one");
  CHECK(contains(failure.sentence.to_print(), "with n = 1024 all is well. But with n = 1280, "));
  CHECK(failure.sections == std::vector<std::string>{"More threads than elements"});
}

TEST_CASE("requests of few lanes, and sectors too few") {
  const Failure failure = judged({.threads = 16}, once_by_given_blocks());
  CHECK(failure.diagnoses.front() == "idle-lanes");
  CHECK(contains(failure.sentence.to_print(), "of a warp's 32 lanes 16.00 had something to do"));
  Need more = once();
  more.least_sectors = more.most_sectors = 2 * more.most_sectors;
  CHECK(told({}, more) == "too-few-sectors");
}

TEST_CASE("atomics that are not needed") {
  const Failure failure = failure_of([] { expect_no_atomics(copied({.adds = true}), "A section"); });
  CHECK(failure.diagnoses.front() == "atomics-not-needed");
  CHECK(failure.sections == std::vector<std::string>{"A section"});
}

TEST_CASE("shared memory is to be used, and without conflicts") {
  constexpr std::size_t bytes = n * sizeof(float);
  const Conflict conflict{.cause = "every-other-word", .why = "Why so?", .section = "Banks", .task = "Task"};
  const auto failure = [&](const Copy& how) {
    return failure_of([&] { expect_no_conflicts(copied(how), shared_writing, bytes, conflict); });
  };
  for (const Way& way : {shared_writing, shared_reading})
    CHECK_NOTHROW(expect_no_conflicts(copied({.shared_step = 1}), way, bytes, conflict));
  CHECK(failure({}).diagnoses.front() == "shared-memory-not-used");
  CHECK(failure({}).sections == std::vector<std::string>{"Task"});
  const Failure twice = failure({.shared_step = 2});
  CHECK(twice.diagnoses == std::vector<std::string>{"bank-conflict", "every-other-word"});
  CHECK(contains(twice.sentence.to_print(), "in 2.00 times as many wavefronts as needed"));
  CHECK(twice.sections == std::vector<std::string>{"Banks"});
}
