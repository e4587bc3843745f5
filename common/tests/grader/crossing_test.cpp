// What may cross between host and device, by the words of a contract.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "fixture.hpp"
#include "grader/computed_by_host.hpp"
#include "grader/contract_text.hpp"
#include "toy.hpp"

using namespace warpbook;

namespace {

const std::string contract = R"(#pragma once

// Rules of every contract: in a call at most 16 bytes to the host and at most
// 4,096 bytes to the device may cross.

extern "C" {

/// As the rules say: of at most 3 bytes to the post nothing is known.
void usual(float* a, int n);

/// Returns early if the input is sorted: at most 1024
/// bytes to the host may cross.
void generous_f32(float* a, int n);
void generous_f64(double* a,
                  int n);

void without_comment(int* a);
}
)";

} // namespace

TEST_CASE("a contract's rules say what may cross, unless a function says otherwise") {
  CHECK(crossing_limits(contract, "usual") == CrossingLimits{16, 4096, 64});
  CHECK(crossing_limits(contract, "generous_f32") == CrossingLimits{1024, 4096, 64});
  CHECK(crossing_limits(contract, "generous_f64") == CrossingLimits{1024, 4096, 64});
  CHECK(crossing_limits(contract, "without_comment") == CrossingLimits{16, 4096, 64});
}

TEST_CASE("the limits of a contract can be whole sentences") {
  const std::string sentences = "// At once at most 16 bytes may go to the host (a flag) and at most\n"
                                "// 4096 bytes may cross to the device.\nextern \"C\" { void f(int* a); }";
  CHECK(crossing_limits(sentences, "f") == CrossingLimits{16, 4096, 64});
}

TEST_CASE("every lab's contract that speaks of bytes to the host and to the device gives a limit for both") {
  std::size_t contracts = 0;
  for (const auto& lab : std::filesystem::directory_iterator(LABS)) {
    const std::filesystem::path path = lab.path() / "lab.hpp";
    if (!std::filesystem::exists(path)) continue;
    const std::string text = read_text(path);
    const bool limits_both =
        text.find("to the host") != std::string::npos && text.find("bytes") != std::string::npos;
    if (!limits_both) continue;
    ++contracts;
    const CrossingLimits limits = crossing_limits(text, "");
    CHECK_MESSAGE(limits.to_host > 0, path.string());
    CHECK_MESSAGE(limits.to_device > 0, path.string());
  }
  CHECK(contracts > 0);
}

TEST_CASE("where a contract says nothing, nothing may cross, and copies within the device move some elements") {
  CHECK(crossing_limits("extern \"C\" { void f(int* a); }", "f") == CrossingLimits{0, 0, 64});
  CHECK(crossing_limits("// In a call at most 256 bytes within the device.\nextern \"C\" { void f(int* a); }", "f") ==
        CrossingLimits{0, 0, 256});
}

TEST_CASE("a reply tells what crossed only where it is too much for the contract") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<ToyBody> ten(10), eleven(11);
  CHECK(toy.call(CONTRACT(toy_bodies), in(ten), out<ToyBody>(10), std::size_t{10}).crossing() == nullptr);
  CHECK(toy.crossing() == nullptr);
  CHECK(toy.last_counters().device_to_host_bytes == 120);
  CHECK(toy.last_counters().host_to_device_bytes == 120);
  const Reply reply = toy.call(CONTRACT(toy_bodies), in(eleven), out<ToyBody>(11), std::size_t{11});
  REQUIRE(reply.crossing() != nullptr);
  CHECK(reply.crossing()->excess() == 12);
  CHECK(toy.crossing() == reply.crossing());
  const Failure failure = failure_of([&] { expect_from_device(reply); });
  CHECK(failure.diagnoses.front() == "computed-by-host");
  CHECK(contains(failure.sentence.to_print(), "toy_bodies"));
  CHECK(contains(failure.sentence.to_print(),
                 "moves 132 bytes from the device to the host in one call, where the contract allows 120"));
  CHECK(contains(text_of(failure), "cudaMemcpy(values.data(), device"));
  REQUIRE(!failure.places.empty());
  CHECK(failure.places.front().first.ends_with("toys/well_behaved.cpp"));
}

TEST_CASE("what the function may move counts for each time that it runs") {
  Submission toy(toy_options("well_behaved"));
  const std::vector<ToyBody> ten(10);
  CHECK(toy.call(CallOptions{.repetitions = 3}, CONTRACT(toy_bodies), in(ten), out<ToyBody>(10),
                 std::size_t{10})
            .crossing() == nullptr);
}
