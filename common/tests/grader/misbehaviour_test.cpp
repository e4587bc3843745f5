// Whatever a submission does, the item fails with a diagnosis and a sentence, and grading goes on.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "fixture.hpp"
#include "grader/compare.hpp"
#include "grader/runner_process.hpp"
#include "misbehaviour.hpp"
#include "toy.hpp"

using namespace warpbook;
using namespace std::chrono_literals;

namespace {

const std::vector<int> input = {11, 12, 13, 14};

Reply misbehave(Submission& toy, Misbehaviour how, std::chrono::milliseconds timeout = 10s) {
  return toy.call(CallOptions{.timeout = timeout}, CONTRACT(toy_misbehave), static_cast<int>(how), in(input),
                  out<int>(4), std::size_t{4});
}

Failure failure_of_call(Misbehaviour how, std::chrono::milliseconds timeout = 10s) {
  Submission toy(toy_options("misbehaving"));
  return failure_of([&] { misbehave(toy, how, timeout); });
}

// Only the simulator's runner is kept from everything, and none is under the address sanitizer.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
constexpr bool confined = !on_cuda && !sanitized;

/// While it lives, runners are started without limits.
struct Unconfined {
  Unconfined() { ::setenv("WARPBOOK_UNCONFINED", "1", 1); }
  ~Unconfined() { ::unsetenv("WARPBOOK_UNCONFINED"); }
};

void check_failure(const Failure& failure, const std::string& id, const std::string& words) {
  REQUIRE_FALSE(failure.diagnoses.empty());
  CHECK(failure.diagnoses.front() == id);
  INFO(text_of(failure));
  CHECK(contains(failure.sentence.to_print(), words));
}

} // namespace

TEST_CASE("a bad address is a crash that names its signal") {
  check_failure(failure_of_call(Misbehaviour::null_pointer), "crash", "toy_misbehave crashed: SIGSEGV");
}

TEST_CASE("a crash in host code is reported with its line, and not as what the program printed") {
  const Failure failure = failure_of_call(Misbehaviour::null_pointer);
  INFO(text_of(failure));
  CHECK_FALSE(
      contains(text_of(failure), "The program crashed")); // what the undefined sanitizer prints may be there
  if (on_cuda) return;                                    // the simulator alone looks at the crash
  CHECK(contains(text_of(failure), "It was in host code: it used an address that is not mapped."));
  REQUIRE(failure.places.size() == 1);
  CHECK(failure.places[0].first.ends_with("misbehaving.cpp"));
  CHECK(contains(text_of(failure), "*nowhere = 1;"));
}

TEST_CASE("abort is a crash") { check_failure(failure_of_call(Misbehaviour::abort), "crash", "SIGABRT"); }

TEST_CASE("an integer division by zero is a crash") {
  check_failure(failure_of_call(Misbehaviour::divide_by_zero), "crash", "division by zero");
}

TEST_CASE("a stack overflow is told apart from other crashes") {
  check_failure(failure_of_call(Misbehaviour::stack_overflow), "crash", "its stack overflowed");
}

TEST_CASE("an endless loop is stopped after the time limit") {
  const auto start = std::chrono::steady_clock::now();
  check_failure(failure_of_call(Misbehaviour::endless_loop, 300ms), "hang",
                "did not return: " + std::string(on_cuda ? "it has been at work for 0.3 s"
                                                         : "its host code has used 0.3 s of processor time"));
  CHECK(std::chrono::steady_clock::now() - start < 5s);
}

TEST_CASE("a function that stops its own process hangs") {
  check_failure(failure_of_call(Misbehaviour::stop, 300ms), "hang",
                "did not return: it has been asleep for 0.3 s");
}

TEST_CASE("exit(0) in a function is no success") {
  check_failure(failure_of_call(Misbehaviour::exit_zero), "early-exit",
                "ended the whole program (exit code 0)");
}

TEST_CASE("printing a success line and leaving is no success, and the text is shown") {
  const Failure failure = failure_of_call(Misbehaviour::print_success);
  check_failure(failure, "early-exit", "ended the whole program");
  CHECK(contains(text_of(failure), "  | PASS  the misbehaving item"));
}

TEST_CASE("more output than the grader reads is drained and cut off") {
  const Failure failure = failure_of_call(Misbehaviour::print_much);
  check_failure(failure, "crash", "SIGABRT");
  CHECK(contains(text_of(failure), "line 0 of far too many"));
  CHECK(contains(text_of(failure), "more lines"));
}

TEST_CASE("an exception that leaves a function is named") {
  check_failure(failure_of_call(Misbehaviour::throw_exception), "exception", "the launch went wrong");
}

TEST_CASE("an exception that is no std::exception is caught too") {
  check_failure(failure_of_call(Misbehaviour::throw_number), "exception", "let an exception escape");
}

TEST_CASE("closing every open file is no way out") {
  const Failure failure = failure_of_call(Misbehaviour::close_files);
  // A GPU's driver loses its files too, and what it makes of that is its own affair.
  if (!on_cuda) check_failure(failure, "channel-closed", "closed files that it had not opened");
}

TEST_CASE("endless output is no way around the time limit") {
  const auto start = std::chrono::steady_clock::now();
  check_failure(failure_of_call(Misbehaviour::print_endlessly, 300ms), "hang", "did not return: ");
  CHECK(std::chrono::steady_clock::now() - start < 5s);
}

TEST_CASE("memory without end is refused before it hurts the machine" * doctest::skip(!confined)) {
  check_failure(failure_of_call(Misbehaviour::take_memory), "out-of-memory",
                "toy_misbehave ran out of host memory");
}

TEST_CASE("a constructor that takes all memory is reported as such" * doctest::skip(!confined)) {
  Submission toy(toy_options("allocates_in_constructor"));
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_increment), inout(input), input.size()); });
  check_failure(
      failure, "out-of-memory",
      "The submission ran out of host memory while it was being loaded, before any function was called");
}

TEST_CASE("a file without end is cut off, and its disk stays free" * doctest::skip(!confined)) {
  check_failure(failure_of_call(Misbehaviour::fill_disk), "crash", "SIGXFSZ (it wrote a file larger than");
}

TEST_CASE("nothing is written, changed or reached outside of the process" * doctest::skip(!confined)) {
  Submission toy(toy_options("misbehaving"));
  CHECK_NOTHROW(misbehave(toy, Misbehaviour::write_files));
}

TEST_CASE("nor by a function in a stream, which a driver calls from a thread of its own" *
          doctest::skip(sanitized)) {
  Submission toy(toy_options("misbehaving"));
  CHECK_NOTHROW(misbehave(toy, Misbehaviour::write_files_from_stream));
}

TEST_CASE("another process cannot even be started" * doctest::skip(!confined)) {
  for (const Misbehaviour how :
       {Misbehaviour::leave_child, Misbehaviour::return_in_child, Misbehaviour::leave_daemon}) {
    check_failure(failure_of_call(how), "process-started", "toy_misbehave tried to start another process");
  }
}

TEST_CASE("threads can be started" * doctest::skip(!confined)) {
  Submission toy(toy_options("misbehaving"));
  CHECK(misbehave(toy, Misbehaviour::use_thread).untouched());
}

TEST_CASE("a child process left running fails the call and is killed") {
  const Unconfined as_where_the_kernel_refuses_nothing;
  check_failure(failure_of_call(Misbehaviour::leave_child), "left-processes", "started another process");
}

TEST_CASE("a copy of the process that returns as well answers nothing") {
  const Unconfined as_where_the_kernel_refuses_nothing;
  check_failure(failure_of_call(Misbehaviour::return_in_child), "left-processes", "started another process");
}

TEST_CASE("a daemon in a session of its own is found at the end and killed") {
  const Unconfined as_where_the_kernel_refuses_nothing;
  Submission toy(toy_options("misbehaving"));
  misbehave(toy, Misbehaviour::leave_daemon);
  check_failure(failure_of([&] { toy.finish(); }), "left-processes", "still running at the end");
}

TEST_CASE("garbage on the channel is noticed") {
  check_failure(failure_of_call(Misbehaviour::write_garbage), "protocol-error",
                "wrote to a file that is not its own");
}

TEST_CASE("a forged reply is noticed") {
  const Failure failure = failure_of_call(Misbehaviour::forge_reply);
  REQUIRE_FALSE(failure.diagnoses.empty());
  CHECK(failure.diagnoses.front() == "protocol-error");
}

TEST_CASE("a write past the end of a buffer names buffer and index") {
  check_failure(failure_of_call(Misbehaviour::write_past_end), "guard-damaged",
                "wrote past the end of `output`, at index 4");
}

TEST_CASE("a write before the start of a buffer names buffer and index") {
  check_failure(failure_of_call(Misbehaviour::write_before_start), "guard-damaged",
                "wrote before the start of `output`, at index -2");
}

TEST_CASE("guard zones of generated buffers are checked too, whether their contents come back or not") {
  for (const bool is_returned : {false, true}) {
    Submission toy(toy_options("misbehaving"));
    const auto output = is_returned ? poisoned<int>(1000).sampled(16) : poisoned<int>(1000);
    const auto call = [&](Misbehaviour how) {
      return failure_of([&] {
        toy.call(CONTRACT(toy_misbehave), static_cast<int>(how), generated<int>(1000, constant(3), 1), output,
                 std::size_t{1000});
      });
    };
    check_failure(call(Misbehaviour::write_past_end), "guard-damaged",
                  "wrote past the end of `output`, at index 1000");
    check_failure(call(Misbehaviour::write_before_start), "guard-damaged",
                  "wrote before the start of `output`, at index -2");
  }
}

TEST_CASE("damage that an earlier repetition did is not repaired by the next") {
  Submission toy(toy_options("misbehaving"));
  const std::vector<int> input = {1, 2, 3, 4};
  const Failure failure = failure_of([&] {
    toy.call(CallOptions{.repetitions = 3}, CONTRACT(toy_misbehave),
             static_cast<int>(Misbehaviour::write_past_end), in(input), out<int>(4), std::size_t{4});
  });
  check_failure(failure, "guard-damaged", "wrote past the end of `output`, at index 4");
}

TEST_CASE("outputs are poisoned before every repetition, so that one which writes nothing shows") {
  Submission toy(toy_options("misbehaving"));
  const std::vector<int> input = {1, 2, 3, 4};
  const Reply reply =
      toy.call(CallOptions{.repetitions = 2}, CONTRACT(toy_misbehave),
               static_cast<int>(Misbehaviour::write_only_once), in(input), out<int>(4), std::size_t{4});
  CHECK(reply.untouched());
  Submission other(toy_options("misbehaving"));
  const Reply generated_output = other.call(CallOptions{.repetitions = 2}, CONTRACT(toy_misbehave),
                                            static_cast<int>(Misbehaviour::write_only_once), in(input),
                                            poisoned<int>(4).returned(), std::size_t{4});
  CHECK(generated_output.untouched());
}

TEST_CASE("a changed sample of a generated input names the element") {
  Submission toy(toy_options("misbehaving"));
  const Failure failure = failure_of([&] {
    toy.call(CONTRACT(toy_misbehave), static_cast<int>(Misbehaviour::modify_input),
             generated<int>(1000, constant(3), 1).sampled(16), poisoned<int>(1000), std::size_t{1000});
  });
  check_failure(failure, "input-modified", "changed its input `input`");
  CHECK(contains(text_of(failure), "input[1] was 3 and is 0 now"));
}

TEST_CASE("of a large output that was written in part, the rest is known") {
  constexpr std::size_t n = 200'001; // several threads' work, and no whole number of their pieces
  Submission toy(toy_options("misbehaving"));
  const auto call = [&](Misbehaviour how) {
    return toy.call(CONTRACT(toy_misbehave), static_cast<int>(how), in(std::vector<int>(n, 12)), out<int>(n),
                    n);
  };
  const Reply half = call(Misbehaviour::write_half);
  CHECK_FALSE(half.untouched());
  CHECK_FALSE(half.unwritten(1, n / 2 - 1));
  CHECK(half.unwritten(1, n / 2));
  CHECK(half.unwritten(1, n - 1));
  CHECK(call(Misbehaviour::nothing).untouched());
}

TEST_CASE("a changed input names the element, its old and its new value") {
  const Failure failure = failure_of_call(Misbehaviour::modify_input);
  check_failure(failure, "input-modified", "changed its input `input`");
  CHECK(contains(text_of(failure), "input[1] was 12 and is 0 now"));
}

TEST_CASE("a CUDA error that the function caused is named") {
  check_failure(failure_of_call(Misbehaviour::cuda_error), "cuda-error", "cudaErrorInvalidMemcpyDirection");
}

TEST_CASE("a function that the submission lacks is named") {
  Submission toy(toy_options("misbehaving"));
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_missing), out<int>(1)); });
  check_failure(failure, "missing-function", "does not define toy_missing");
}

TEST_CASE("a function with other parameters than the contract's is shown beside it") {
  Submission toy(toy_options("leaves_behind"));
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_missing), out<int>(1)); });
  check_failure(failure, "wrong-parameters", "toy_missing has other parameters than in lab.hpp");
  CHECK(has_diagnosis(failure, "missing-function"));
  REQUIRE(failure.details.size() == 2); // and no call, as none was made
  CHECK(contains(failure.details[0].text.to_print(), "toy.hpp:"));
  CHECK(contains(failure.details[0].text.to_print(), " declares void toy_missing(int* out)"));
  CHECK(contains(failure.details[1].text.to_print(), "leaves_behind.cpp:"));
  CHECK(contains(failure.details[1].text.to_print(), " defines void toy_missing(float* out, std::size_t n)"));
  REQUIRE(failure.places.size() == 1);
  CHECK(failure.places[0].first.ends_with("leaves_behind.cpp"));
}

TEST_CASE("a function that is in the file and not in the module is shown") {
  SubmissionOptions options = toy_options("misbehaving");
  options.source_path = "missing_function.cu";
  std::ofstream(options.source_path) << "template <typename T>\nvoid toy_missing(T* out) {}\n";
  Submission toy(options);
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_missing), out<int>(1)); });
  std::filesystem::remove(options.source_path);
  check_failure(failure, "missing-function", "does not define toy_missing");
  CHECK(
      contains(text_of(failure),
               "missing_function.cu:2 has template <typename T> void toy_missing(T* out), which is not in"));
}

TEST_CASE("parameters that cannot be found in the file are reported as the module has them") {
  SubmissionOptions options = toy_options("leaves_behind");
  options.source_path = toy_options("unsolved").source_path;
  Submission toy(options);
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_missing), out<int>(1)); });
  CHECK(contains(text_of(failure), "The submission defines toy_missing(float*, unsigned long)"));
  CHECK(failure.places.empty());
}

TEST_CASE("a constructor that ends the program is no success") {
  Submission toy(toy_options("exits_in_constructor"));
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_increment), inout(input), input.size()); });
  check_failure(failure, "early-exit",
                "while it was being loaded, before any function was called (exit code 0)");
}

TEST_CASE("a constructor that never ends is stopped after the time limit") {
  SubmissionOptions options = toy_options("hangs_in_constructor");
  options.timeout = 300ms;
  Submission toy(options);
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_increment), inout(input), input.size()); });
  check_failure(failure, "hang",
                "did not finish loading: a constructor of a global object waits for something");
}

TEST_CASE("a module that does not load names the symbol that is missing") {
  Submission toy(toy_options("undefined_symbol"));
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_increment), inout(input), input.size()); });
  check_failure(failure, "load-failed",
                "it uses `helper_that_is_nowhere(int*)`, which is declared but defined nowhere");
}

TEST_CASE("a file that is no module is said to be damaged") {
  SubmissionOptions options = toy_options("misbehaving");
  options.module_path = options.source_path;
  Submission toy(options);
  const Failure failure = failure_of([&] { toy.call(CONTRACT(toy_increment), inout(input), input.size()); });
  check_failure(failure, "load-failed", "its module is damaged");
}

TEST_CASE("after a crash the next call gets a fresh process") {
  Submission toy(toy_options("misbehaving"));
  CHECK_THROWS_AS(misbehave(toy, Misbehaviour::null_pointer), ItemFailed);
  CHECK(misbehave(toy, Misbehaviour::nothing).untouched());
}

TEST_CASE("a function that is missing leaves the process as it was") {
  Submission toy(toy_options("misbehaving"));
  CHECK_FALSE(misbehave(toy, Misbehaviour::write_only_once).untouched());
  CHECK_THROWS_AS(toy.call(CONTRACT(toy_missing), out<int>(1)), ItemFailed);
  CHECK(misbehave(toy, Misbehaviour::write_only_once).untouched());
}

TEST_CASE("an output that was never written is untouched, and its values are poison") {
  Submission toy(toy_options("misbehaving"));
  const Reply reply = misbehave(toy, Misbehaviour::nothing);
  CHECK(reply.untouched());
  CHECK(reply.unwritten(1, 3));
  CHECK(reply.values<int>(1)[0] < -1);
  CHECK_FALSE(misbehave(toy, Misbehaviour::write_half).untouched());
}

TEST_CASE("a half-written output says which element was never written") {
  Submission toy(toy_options("misbehaving"));
  const Reply reply = misbehave(toy, Misbehaviour::write_half);
  const Failure failure = failure_of([&] { expect_equal(reply, 1, std::vector<int>(4, 0)); });
  check_failure(failure, "wrong-result", "never wrote output[2]; right is 0");
  CHECK(has_diagnosis(failure, "output-unwritten"));
  CHECK(contains(text_of(failure), "2 of 4 elements are wrong"));
}

TEST_CASE("a failure tells the call that it happened in") {
  const Failure failure = failure_of_call(Misbehaviour::abort);
  CHECK(contains(text_of(failure), "In the call toy_misbehave(how = 2, input[4], output[4], n = 4)"));
}

namespace {

/// Processes that do nothing but keep the processors busy, eight of them as long as it lives.
class BusyMachine {
public:
  BusyMachine() {
    for (pid_t& process : processes_) {
      process = ::fork();
      if (process == 0) {
        while (true) asm volatile("");
      }
    }
  }
  ~BusyMachine() {
    for (const pid_t process : processes_) {
      ::kill(process, SIGKILL);
      ::waitpid(process, nullptr, 0);
    }
  }

private:
  std::array<pid_t, 8> processes_ = {};
};

} // namespace

// A GPU's work is nothing that a processor's clock could count, so that there the time on the clock decides.
TEST_CASE("a busy machine changes no verdict" * doctest::skip(on_cuda)) {
  const std::unique_ptr<BusyMachine> others = std::make_unique<BusyMachine>();
  Submission toy(toy_options("misbehaving"));
  const auto start = std::chrono::steady_clock::now();
  CHECK(misbehave(toy, Misbehaviour::work, 500ms).untouched());
  MESSAGE(
      "0.3 s of work took " << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
                            << " s");
  check_failure(failure_of_call(Misbehaviour::endless_loop, 500ms), "hang",
                "its host code has used 0.5 s of processor time");
  check_failure(failure_of_call(Misbehaviour::stop, 300ms), "hang", "it has been asleep for 0.3 s");
}

TEST_CASE("where the clock alone has run out, no thread is said to have gone wrong") {
  RunnerProcess runner({toy_options("misbehaving").runner_path});
  const Patience starting = {60s, 60s, 60s, 60s};
  CHECK(runner.receive(starting).what == Received::What::message); // it says hello, and waits for a module
  CHECK(runner.receive({10s, 10s, 10s, 200ms}).what == Received::What::late);
  CHECK(runner.receive({10s, 10s, 200ms, 10s}).what == Received::What::idle);
}
