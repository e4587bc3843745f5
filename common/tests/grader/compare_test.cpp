// Comparisons: what they let pass, and what they say when they do not.
#include <doctest/doctest.h>

#include <limits>

#include "fixture.hpp"
#include "grader/compare.hpp"
#include "grader/context.hpp"
#include "grader/inputs.hpp"
#include "grader/smallest.hpp"
#include "toy.hpp"

using namespace warpbook;

namespace {

const float not_a_number = std::numeric_limits<float>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

// A reply whose buffer 2 is {a + b}.
Reply sums(const std::vector<float>& a, const std::vector<float>& b) {
  Submission toy(toy_options("well_behaved"));
  return toy.call(CONTRACT(toy_buffers), in(a), inout(b), out<float>(a.size()), out<double>(a.size()),
                  a.size());
}

void nothing_said(const std::function<void()>& action) { CHECK_NOTHROW(action()); }

} // namespace

TEST_CASE("an error within the tolerance passes, and a larger one does not") {
  const Reply reply = sums({1, 2}, {0, 0});
  nothing_said([&] { expect_near<float>(reply, 2, {1.5, 1.5}, 0.5); });
  const Failure failure = failure_of([&] { expect_near<float>(reply, 2, {1.5, 1.25}, 0.5); });
  CHECK(failure.diagnoses.front() == "wrong-result");
  CHECK(contains(failure.sentence.to_print(), "toy_buffers computed sum[1] = 2; right is 1.25"));
  CHECK(contains(text_of(failure), "1 of 2 elements is wrong; the first has index 1"));
  CHECK(contains(text_of(failure), "Allowed error there: 0.5"));
}

TEST_CASE("NaN is wrong under any tolerance") {
  const Reply reply = sums({not_a_number}, {0});
  const Failure failure = failure_of([&] { expect_near<float>(reply, 2, {0}, infinity); });
  CHECK(contains(text_of(failure), "NaN"));
  CHECK_THROWS_AS(expect_equal(reply, 2, std::vector<float>{not_a_number}), ItemFailed);
}

TEST_CASE("a NaN tolerance lets nothing pass") {
  const Reply reply = sums({1}, {0});
  CHECK_THROWS_AS(expect_near<float>(reply, 2, {1}, double(not_a_number)), ItemFailed);
}

TEST_CASE("exact comparison names the first wrong element and counts them all") {
  const Reply reply = sums({1, 2, 3}, {1, 1, 1});
  nothing_said([&] { expect_equal(reply, 2, std::vector<float>{2, 3, 4}); });
  const Failure failure = failure_of([&] { expect_equal(reply, 2, std::vector<float>{2, 9, 9}); });
  CHECK(contains(failure.sentence.to_print(), "computed sum[1] = 3; right is 9"));
  CHECK(contains(text_of(failure), "2 of 3 elements are wrong"));
}

TEST_CASE("a large result that is wrong is asked for again, and wrong whatever comes of that") {
  constexpr std::size_t n = 200'000; // several threads' work
  const Reply reply = sums(std::vector<float>(n, 1), std::vector<float>(n, 2));
  int asked = 0;
  const auto ask_again = [&] { ++asked; };
  nothing_said([&] {
    expect_everywhere<float>(
        reply, 2, [](std::size_t) { return 3.0F; }, ask_again);
  });
  CHECK(asked == 0);
  const auto all_but_one = [](std::size_t i) { return i == 150'000 ? 4.0F : 3.0F; };
  const Failure failure = failure_of([&] { expect_everywhere<float>(reply, 2, all_but_one, ask_again); });
  CHECK(asked == 1);
  CHECK(contains(failure.sentence.to_print(), "computed sum[150000] = 3; right is 4"));
  const Failure better = failure_of(
      [&] { expect_everywhere<float>(reply, 2, all_but_one, [] { fail("known", "It is this."); }); });
  CHECK(better.diagnoses.front() == "known");
}

TEST_CASE("comparing with another number of elements is an error of the rubric") {
  const Reply reply = sums({1, 2}, {1, 1});
  CHECK_THROWS_AS(expect_equal(reply, 2, std::vector<float>{2}), std::logic_error);
  CHECK_THROWS_AS(expect_near<float>(reply, 2, {2}, 1), std::logic_error);
}

TEST_CASE("a returned value is compared exactly") {
  Submission toy(toy_options("well_behaved"));
  const Reply reply = toy.call(CONTRACT(toy_minus_five));
  nothing_said([&] { expect_returned(reply, std::int32_t{-5}); });
  const Failure failure = failure_of([&] { expect_returned(reply, std::int32_t{5}); });
  CHECK(contains(failure.sentence.to_print(), "toy_minus_five returned -5; right is 5"));
}

TEST_CASE("a zero denominator fails") {
  CHECK(per(6, 4) == 1.5);
  CHECK(failure_of([] { per(0, 0); }).diagnoses.front() == "nothing-counted");
}

TEST_CASE("a count must be exact, and bounds are inclusive") {
  nothing_said([] { expect_count("sectors", 4, 4, {"uncoalesced", "Words."}); });
  const Failure failure = failure_of([] { expect_count("sectors", 8, 4, {"uncoalesced", "Words."}); });
  CHECK(failure.diagnoses.front() == "uncoalesced");
  CHECK(failure.sentence.to_print() == "Words.");
  CHECK(contains(text_of(failure), "sectors: 8; it should be 4."));
  const LabMessage message{"barriers", "Words."};
  nothing_said([&] { expect_between("barriers", 2, 1, 2, message); });
  CHECK_THROWS_AS(expect_between("barriers", 3, 1, 2, message), ItemFailed);
  CHECK_THROWS_AS(expect_between("barriers", 0, 1, 2, message), ItemFailed);
  CHECK_THROWS_AS(expect_between("barriers", double(not_a_number), 1, 2, message), ItemFailed);
}

TEST_CASE("inputs depend on the run's seed, and on nothing else") {
  context().seed = 5;
  context().seeds_drawn = 0;
  const std::vector<float> first = random_floats(100);
  const std::vector<float> second = random_floats(100);
  CHECK(first != second);
  context().seeds_drawn = 0;
  CHECK(random_floats(100) == first);
  context().seed = 6;
  context().seeds_drawn = 0;
  CHECK(random_floats(100) != first);
}

TEST_CASE("sizes end with a prime") {
  CHECK(sizes(5000) == std::vector<std::size_t>{0, 1, 31, 32, 33, 255, 256, 257, 4999});
  CHECK(sizes(100).back() == 257);
}

TEST_CASE("numbers are written with two decimals, or with few significant digits") {
  CHECK(rounded(3.5) == "3.50");
  CHECK(rounded(-0.126) == "-0.13");
  CHECK(rounded(1e300).size() == 304); // 301 digits, and ".00"
  CHECK(significant(0.012345) == "0.0123");
  CHECK(significant(1.5e-07) == "1.5e-07");
  CHECK(significant(3.14159265358979, 9) == "3.14159265");
}

TEST_CASE("the smallest size that fails is reported for the call that fails, and not of one that was asked "
          "further") {
  Submission toy(toy_options("well_behaved"));
  set_submission(&toy);
  const Failure failure = failure_of([&] {
    check_and_shrink(9, {1, 2, 4}, [&](std::size_t n) {
      const Reply reply = toy.call(CONTRACT(toy_increment), inout(std::vector<int>(n)), n);
      if (n < 2) return;
      toy.call(CONTRACT(toy_increment), inout(std::vector<int>(1)), std::size_t{1}); // for the cause
      fail("sign-wrong", "Two and more are wrong.", {reply.in_call()});
    });
  });
  CHECK(contains(text_of(failure), "goes wrong: toy_increment(data[2], n = 2)"));
  set_submission(nullptr);
}

TEST_CASE("the smallest size is that of the function that fails, not of one that was called for comparison") {
  Submission toy(toy_options("well_behaved"));
  set_submission(&toy);
  const Failure failure = failure_of([&] {
    check_and_shrink(9, {1, 2, 4}, [&](std::size_t n) {
      toy.call(CONTRACT(toy_increment), inout(std::vector<int>(n)), n);
      if (n < 2) return;
      toy.call(CONTRACT(toy_increment), inout(std::vector<int>(n)), n);
      toy.call(CONTRACT(toy_minus_five));
      fail("sign-wrong", "Two and more are wrong.");
    });
  });
  CHECK(contains(text_of(failure), "goes wrong: toy_increment(data[2], n = 2)"));
  set_submission(nullptr);
}

TEST_CASE("a missing function is not looked for at other sizes, and no lesson is given for it") {
  Submission toy(toy_options("well_behaved"));
  set_submission(&toy);
  const auto call = [&] { toy.call(CONTRACT(toy_missing), out<int>(1)); };
  const auto check = [&](std::size_t) { changing(call, [](Failure& why) { why.details = {"a lesson"}; }); };
  const Failure failure = failure_of([&] { check_and_shrink(9, {1, 2, 4}, check); });
  CHECK(text_of(failure) == "The submission does not define toy_missing, which the contract asks for.");
  CHECK(toy.calls_made() == 1);
  set_submission(nullptr);
}

TEST_CASE("the smallest size that fails with the same diagnosis is reported, and what is said there") {
  Submission toy(toy_options("well_behaved"));
  set_submission(&toy);
  const auto details_of = [&](const std::string& here, const std::string& there) {
    const Failure failure = failure_of([&] {
      check_and_shrink(9, {4, 1, 2, 9}, [&](std::size_t n) {
        toy.call(CONTRACT(toy_increment), inout(std::vector<int>(n)), n);
        if (n == 9) fail(here, "nine");
        if (n >= 2) fail(there, "fewer");
      });
    });
    CHECK(failure.sentence.to_print() == "nine");
    return text_of(failure);
  };
  CHECK(contains(details_of("tail-wrong", "tail-wrong"), "goes wrong: toy_increment(data[2]"));
  CHECK(contains(details_of("tail-wrong", "tail-wrong"), "  There: fewer"));
  CHECK(details_of("wrong-result", "tail-wrong") == "nine");
  CHECK(details_of("tail-wrong", "wrong-result") == "nine");
  set_submission(nullptr);
}

TEST_CASE("a smaller size at which the simulator finds something else is passed over for one where it finds "
          "the same") {
  Submission toy(toy_options("well_behaved"));
  set_submission(&toy);
  const auto race = [](bool is_within_block) {
    simt::Finding finding;
    finding.id = "global-race";
    finding.participants.resize(2);
    finding.participants[0].thread = simt::ThreadId{};
    finding.participants[1].thread = simt::ThreadId{{is_within_block ? 0u : 1u, 0, 0}, {1, 0, 0}, 0, 1};
    return finding;
  };
  const auto details_of = [&](std::size_t least) {
    return text_of(failure_of([&] {
      check_and_shrink(9, {1, 2, 4}, [&](std::size_t n) {
        toy.call(CONTRACT(toy_increment), inout(std::vector<int>(n)), n);
        Failure failure{{"global-race"}, "a race", {}};
        failure.findings.push_back({race(n < least)});
        fail(std::move(failure));
      });
    }));
  };
  CHECK(contains(details_of(1), "goes wrong: toy_increment(data[1], n = 1)"));
  CHECK(contains(details_of(3), "goes wrong in this way: toy_increment(data[4], n = 4)"));
  CHECK_FALSE(contains(details_of(9), "smallest size"));
  CHECK_FALSE(contains(details_of(9), "come out right"));
  set_submission(nullptr);
}
