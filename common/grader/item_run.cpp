#define DOCTEST_CONFIG_IMPLEMENT
#include "grader/item_run.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/computed_by_host.hpp"
#include "grader/context.hpp"
#include "grader/evidence.hpp"
#include "grader/items.hpp"
#include "grader/say.hpp"
#include "grader/wrong_values.hpp"

namespace warpbook {
namespace {

/// What doctest did, seen from inside; its own exit status says "success" to an empty run.
struct RunLog {
  std::vector<std::string> started;
  std::size_t ended = 0;
  std::optional<Failure> failure;
  std::string defect;    ///< an exception that is no verdict
  std::string undecided; ///< why the machine allowed no verdict
};
RunLog log;

struct LogReporter : doctest::IReporter {
  explicit LogReporter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData& test) override { log.started.emplace_back(test.m_name); }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override { ++log.ended; }
  void test_case_exception(const doctest::TestCaseException& exception) override {
    if (!log.failure && log.defect.empty() && log.undecided.empty())
      log.defect = exception.error_string.c_str();
  }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& assertion) override {
    if (!assertion.m_failed || log.failure) return;
    log.failure = Failure{{"check-failed"},
                          say("This does not hold: {condition}.", std::string(assertion.m_expr)),
                          {say("with its values: {condition}", std::string(assertion.m_decomp.c_str()))}};
  }
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

// Called by doctest inside its catch block, where the exception's type is still known.
doctest::String translate(const std::exception& exception) {
  if (const auto* failed = dynamic_cast<const ItemFailed*>(&exception)) {
    if (!log.failure) log.failure = failed->failure;
  } else if (dynamic_cast<const ItemUndecided*>(&exception) != nullptr) {
    log.undecided = exception.what();
  } else {
    log.defect = exception.what();
  }
  return exception.what();
}

// doctest splits filters at commas; a question mark stands for any one character, and names hold none.
std::string as_filter(std::string name) {
  for (char& c : name) {
    if (c == ',') c = '?';
  }
  return name;
}

void run_test_case(const std::string& name) {
  doctest::Context run;
  run.setOption("reporters", "warpbook");
  run.setOption("case-sensitive", true);
  run.setOption("test-case", as_filter(name).c_str());
  run.run();
}

void decide(ItemResult& result, std::size_t calls_made) {
  result.status = ItemResult::Status::error;
  if (log.started.size() != 1 || log.ended != 1 || log.started.front() != result.judged.name) {
    result.failure.sentence = "Not exactly one item ran, but " + std::to_string(log.started.size()) + ".";
  } else if (!log.defect.empty()) {
    result.failure.sentence = "The rubric stopped: " + log.defect;
  } else if (!log.undecided.empty()) {
    result.status = ItemResult::Status::undecided;
    result.failure = {{"machine-busy"}, log.undecided, {}};
  } else if (log.failure) {
    result.status = ItemResult::Status::failed;
    result.failure = *log.failure;
  } else if (calls_made == 0) {
    result.failure.sentence = say("The item called no function of the submission.");
  } else {
    result.status = ItemResult::Status::passed;
  }
}

/// By default a right result counts only if the device has computed it.
void judge_crossing(const Crossing* crossing, std::size_t calls_made) {
  if (crossing == nullptr || !log.defect.empty() || !log.undecided.empty() || calls_made == 0) return;
  if (log.failure)
    warn_of(*log.failure, *crossing);
  else
    log.failure = computed_by_host(*crossing);
}

ItemResult run_once(const Item& item, const SubmissionOptions& options, KeptRunner* kept,
                    bool trace = false) {
  log = {};
  set_current_item(item.name);
  context().todo = item.todo;
  context().source_path = options.source_path;
  context().on_gpu = options.backend == Backend::cuda;
  context().seed = options.seed;
  context().seeds_drawn = 0;
  context().notes.clear();
  context().measured.clear();
  context().speeds.clear();
  context().trace = trace;

  ItemResult result;
  result.judged = item;
  const auto start = std::chrono::steady_clock::now();
  Submission graded(options, kept);
  set_submission(&graded);
  context().explain = [&](Failure& failure) {
    if (const Reply* reply = graded.last_reply()) explain_call(failure, *reply);
  };
  run_test_case(item.name);
  context().explain = nullptr;
  set_submission(nullptr);
  judge_crossing(graded.crossing(), graded.calls_made());
  // What is counted is judged on the simulator alone.
  if (graded.copying() != nullptr && !item.on_cuda && !log.failure && log.defect.empty() &&
      log.undecided.empty())
    log.failure = copied_by_runtime(*graded.copying());
  if (log.failure) {
    for (Detail& line : graded.last_remarks()) log.failure->details.push_back(std::move(line));
    // Students debug with printf; what a failed call printed is attached already.
    for (Detail& line : graded.printed_details()) log.failure->details.push_back(std::move(line));
  } else {
    result.printed = graded.printed_lines();
  }
  result.replies = graded.take_replies();
  if (result.replies.size() != graded.calls_made()) result.replies.clear();
  try {
    graded.finish();
  } catch (const ItemFailed& failed) {
    if (!log.failure) log.failure = failed.failure;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  decide(result, graded.calls_made());
  if (result.status != ItemResult::Status::passed) graded.discard_runner();
  result.calls = graded.repeater();
  if (!graded.calls().empty()) result.last_call = graded.calls().back();
  result.counters = graded.last_counters();
  if (const CountedCall* call = graded.last_call_in_order();
      call && result.status == ItemResult::Status::passed)
    std::tie(result.last_call, result.counters) = std::tie(call->text, call->counters);
  result.traced = graded.last_traced();
  result.notes = context().notes;
  if (result.status == ItemResult::Status::passed) result.measured = context().measured;
  result.speeds = context().speeds;
  return result;
}

/// Makes lines of all that is known of the failure, what a second run of the call shows among it.
ItemResult told(ItemResult result) {
  if (result.status == ItemResult::Status::failed && result.calls)
    add_evidence(result.failure, *result.calls);
  result.failure.details = told_lines(result.failure);
  result.failure.causes.clear();
  result.calls.reset();
  return result;
}

/// Says in `fresh` that the item ended as `used` where earlier items had run in the same process.
void tell_dependence(ItemResult& fresh, const ItemResult& used) {
  const std::string cause = say("What an earlier call leaves behind makes a difference: a static variable, "
                                "memory that is never freed, a thread, or an error that was not cleared.");
  const std::string before =
      say("After calls of other items in the same process it failed: {sentence}", used.failure.sentence);
  if (fresh.status == ItemResult::Status::passed) {
    fresh.notes.push_back(
        say("{item}: passes in a fresh process. {before} {cause}", fresh.judged.name, before, cause));
  } else if (fresh.failure.diagnoses != used.failure.diagnoses) {
    fresh.failure.details.push_back(before);
    fresh.failure.details.push_back(cause);
  }
}

/// Whether an item failed because something seems not to be written, although kernels have written to global memory: what
/// was there, perhaps.
bool may_have_written(const ItemResult& result) {
  const simt::Counters& c = result.counters;
  return has_diagnosis(result.failure, "output-unwritten") &&
         c.global_store_requests + c.global_atomic_requests > 0;
}

/// The same result with what a trace of the item's calls tells, if the same call fails for the same reason again.
ItemResult explained(ItemResult result, const SubmissionOptions& options, KeptRunner* kept) {
  if (options.backend != Backend::sim || result.status != ItemResult::Status::failed) return result;
  const bool is_unclear =
      (is_about(result.failure, "unsolved") || is_about(result.failure, "output-unwritten")) &&
      may_have_written(result);
  if (!is_unclear && !is_bare(result.failure)) return result;
  ItemResult traced = run_once(result.judged, options, kept, true);
  if (traced.status != ItemResult::Status::failed) return result;
  const bool is_same =
      is_about(traced.failure, result.failure.diagnoses.front()) && traced.last_call == result.last_call;
  if (!is_same && !may_have_written(result)) return result;
  traced.seconds += result.seconds;
  return traced;
}

/// What the item says if accesses that the simulator does not see pass, or are found. Where they make a difference the item fails
/// for them: nothing else that was seen of the function is worth much then.
ItemResult without_unseen(ItemResult result, const SubmissionOptions& options, KeptRunner* kept) {
  using enum UnseenAccess;
  if (options.unseen == passes || options.backend != Backend::sim ||
      result.status != ItemResult::Status::failed)
    return result;
  for (const char* id : {"unseen-access", "unsolved", "missing-function", "hang", "too-much-work",
                         "step-budget"}) // with them too, and after a long time
    if (is_about(result.failure, id)) return result;
  const auto run = [&](UnseenAccess unseen) {
    SubmissionOptions other_options = options;
    other_options.unseen = unseen;
    ItemResult other = run_once(result.judged, other_options, kept);
    other.seconds += result.seconds;
    return other;
  };
  ItemResult seen = run(passes);
  if (seen.failure.diagnoses == result.failure.diagnoses) return seen;
  ItemResult found = run(traps);
  if (is_about(found.failure, "unseen-access")) return found;
  if (seen.status != ItemResult::Status::passed) return seen;
  result.failure = {{"unseen-access"},
                    say("Something in this call uses memory of the device in a way that the simulator does "
                        "not see: {call}. The "
                        "result is right, but what was counted says nothing, nor does it show whether "
                        "accesses are in order.",
                        result.last_call),
                    {say("Read and write memory of the device with `=` alone, in functions that are compiled "
                         "for the device.")}};
  return result;
}

/// What can be left out of calls.
struct Part {
  std::string kernel;
  LaunchesLeftOut left_out;
  std::uint64_t requests = 0;
};

/// All launches of a kernel with a shape, and single ones where there are several of these. Those with the most accesses come first.
std::vector<Part> parts_of(const Reply& reply) {
  constexpr std::size_t most_single = 8, most_parts = 8;
  std::vector<const simt::KernelRecord*> launches;
  for (const simt::KernelRecord& kernel : reply.kernels())
    if (kernel.depth == 0) launches.push_back(&kernel);
  std::vector<Part> parts;
  const auto add = [&](Part part) {
    const auto known = std::ranges::find(parts, part.left_out, &Part::left_out);
    if (known == parts.end())
      parts.push_back(std::move(part));
    else
      known->requests += part.requests;
  };
  for (const simt::KernelRecord* kernel : launches) {
    const std::uint64_t requests =
        kernel->counters.global_load_requests + kernel->counters.global_store_requests;
    add({kernel->name, {0, {launch_shape(*kernel)}}, requests});
  }
  if (parts.size() < launches.size() && launches.size() <= most_single)
    for (std::size_t i = 0; i < launches.size(); ++i) add({launches[i]->name, {std::uint64_t{1} << i}, 0});
  std::ranges::stable_sort(parts, std::ranges::greater(), &Part::requests);
  if (parts.size() > most_parts) parts.resize(most_parts);
  return parts;
}

/// Of an item that passes for what was counted: without launches that change nothing of what its calls make it has to pass, too. So a
/// kernel whose accesses look good is worth nothing beside one that does the work.
ItemResult without_decoys(ItemResult result, const SubmissionOptions& options, KeptRunner* kept) {
  const std::vector<Reply> made = std::exchange(result.replies, {});
  if (result.status != ItemResult::Status::passed || made.empty()) return result;
  std::vector<Part> parts;
  for (const Reply& reply : made)
    if (std::vector<Part> own = parts_of(reply); own.size() > parts.size()) parts = std::move(own);
  if (parts.size() < 2) return result;
  SubmissionOptions without_some = options;
  without_some.timeout = std::min(options.timeout, std::chrono::milliseconds(2000));
  for (const Part& part : parts) {
    SubmissionOptions without_more = without_some;
    without_more.left_out.add(part.left_out);
    ItemResult other = run_once(result.judged, without_more, kept);
    if (is_about(other.failure, "hang")) break; // host code that waits for it would wait for others, too
    if (other.replies.empty() || other.replies.size() > made.size() ||
        !std::ranges::equal(other.replies, std::span(made).first(other.replies.size()),
                            &Reply::has_made_the_same))
      continue;
    if (other.status == ItemResult::Status::failed) {
      other.seconds += result.seconds;
      other.failure.details.push_back(say(
          "The launch of {kernel} changes nothing of the result, so that what it accesses does not count.",
          part.kernel));
      return other;
    }
    without_some = std::move(without_more);
  }
  return result;
}

} // namespace

REGISTER_REPORTER("warpbook", 1, LogReporter);
REGISTER_EXCEPTION_TRANSLATOR(const std::exception& exception) { return translate(exception); }

ItemResult run_traced(const Item& item, const SubmissionOptions& options, std::vector<std::string> wanted) {
  context().traced_for = std::move(wanted);
  return told(run_once(item, options, nullptr, true));
}

namespace {

ItemResult run_in_a_language(const Item& item, const SubmissionOptions& options, KeptRunner* kept) {
  const bool was_used = kept != nullptr && kept->is_used();
  ItemResult result = run_once(item, options, kept);
  const auto examined = [&](ItemResult once) {
    return told(explained(without_decoys(without_unseen(std::move(once), options, kept), options, kept),
                          options, kept));
  };
  if (!was_used) return examined(std::move(result));
  if (result.status == ItemResult::Status::passed) return told(std::move(result));
  ItemResult fresh = examined(run_once(item, options, kept));
  tell_dependence(fresh, result);
  return fresh;
}

} // namespace

ItemResult run_item(const Item& item, const SubmissionOptions& asked, KeptRunner* kept) {
  // What comes out can be judged whatever is seen of it, as long as it stays in bounds; what is counted cannot.
  SubmissionOptions options = asked;
  if (item.on_cuda && options.unseen == UnseenAccess::garbles) {
    options.unseen = UnseenAccess::passes;
    options.watches_bounds = is_first_to_judge(item);
  }
  const std::size_t before = untranslated();
  ItemResult result = run_in_a_language(item, options, kept);
  // A failure of which a part has no translation would be a message in two languages.
  if (result.status != ItemResult::Status::failed || untranslated() == before) return result;
  const InEnglish english;
  return run_in_a_language(item, options, kept);
}

} // namespace warpbook
