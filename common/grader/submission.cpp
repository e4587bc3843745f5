#include "grader/submission.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <new>
#include <random>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "call/foreign_json.hpp"
#include "call/generate.hpp"
#include "grader/call_image.hpp"
#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/module_error.hpp"
#include "grader/repeater.hpp"
#include "grader/runner_process.hpp"
#include "grader/say.hpp"
#include "simt/report/symbolizer.hpp"
#include "simt/report/wording.hpp"

namespace warpbook {

using nlohmann::json;
using namespace std::chrono_literals;

// What a runner said of itself before it ended.
struct Notes {
  bool stack_overflow = false;
  bool out_of_memory = false;
  std::string crash_cause; ///< of host code, as a clause; empty if there was none or it is not known
  simt::CodeAddress crash_place;
  int taken = 0;

  /// Whether `text` was a note, which is one line; an answer has two. A runner sends few of them; what sends more keeps the
  /// grader from its deadline.
  bool take(const std::string& text) {
    constexpr int most = 8;
    constexpr std::size_t longest = 16384;
    try {
      if (taken == most || text.find('\n') != text.npos || !read(foreign_json(text, longest))) return false;
    } catch (const std::exception&) {
      return false;
    }
    ++taken;
    return true;
  }

private:
  bool read(const json& note) {
    const std::string event = note.is_object() ? note.value("event", "") : "";
    if (event == "stack-overflow")
      stack_overflow = true;
    else if (event == "out-of-memory")
      out_of_memory = true;
    else if (event == "host-crash") {
      crash_cause = note.value("cause", "");
      crash_place = {note.value("module", ""), note.value("offset", std::uint64_t{0})};
    } else
      return false;
    return true;
  }
};

namespace {

// Covers a block of 256 threads that runs past the end with 16-byte elements.
constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t remarks_shown = 3;
constexpr std::size_t printed_lines_shown = 20;

// The sanitizer knows where each allocation ends; guard zones would hide errors from it.
std::size_t guard_bytes_for(const SubmissionOptions& options) {
  return options.is_sanitized() ? 0 : guard_bytes;
}

std::uint64_t fresh_secret() {
  static std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

std::string describe_call(const CallOptions& options, Backend backend, const char* function,
                          const std::vector<detail::PreparedArgument>& arguments,
                          const std::vector<std::string>& names) {
  std::string text = std::string(function) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const detail::PreparedArgument& argument = arguments[i];
    if (i > 0) text += ", ";
    text += names[i];
    if (argument.is_buffer)
      text.append("[").append(std::to_string(argument.buffer.count)).append("]");
    else
      text += " = " + argument.text;
    if (const std::size_t shift = argument.buffer.front; shift > 0)
      text += say(" shifted by {distance:byte}", shift);
  }
  text += ")";
  if (backend == Backend::sim) text += say(", schedule {name}", name_of(options.schedule));
  if (backend == Backend::sim && options.last_block_only)
    text += say(", of which the simulator runs the last block");
  if (backend == Backend::sim && options.launch_room && options.tells_room) {
    const LaunchRoom& room = *options.launch_room;
    text += say(
        ", on a device with room for {count} pending {is_one?launch|launches}{has_depth? by grids of depth "
        "{depth} and deeper}",
        room.launches, room.launches == 1, room.from_depth > 0, room.from_depth);
  }
  return text;
}

std::string seconds_text(std::chrono::milliseconds time) {
  return to_text(static_cast<double>(time.count()) / 1000) + " s";
}

/// Who has ended, or has not: a function, or the submission as a whole while it was being loaded.
struct Subject {
  std::string name;
  bool loading = false;
};

[[noreturn]] void fail_out_of_memory(const Subject& subject) {
  fail("out-of-memory",
       say("{name} ran out of host memory{loading? while it was being loaded, before any function was "
           "called}: a std::vector or new asked for more than a submission may have.",
           subject.name, subject.loading),
       {say("How large is it at the largest n, and is every allocation meant to grow with n?")});
}

/// Why host code has crashed, in the reader's language. The runner has the clause from the simulator's catalogue.
std::string clause_in_words(const std::string& clause) {
  return std::string(spoken().translated("finding", clause));
}

// The ways in which a runner can end where it should have answered. Lines of `module` are looked up.
[[noreturn]] void fail_ended(const Ended& ended, const Subject& subject, const Notes& notes,
                             const std::string& module) {
  if (ended.by_signal && ended.code == SIGSYS) {
    fail("process-started", say("{name} tried to start another process{loading? while it was being loaded, "
                                "before any function was "
                                "called}; a submission launches kernels, and nothing else.",
                                subject.name, subject.loading));
  }
  if (ended.by_signal && notes.out_of_memory && ended.code == SIGABRT) fail_out_of_memory(subject);
  if (ended.by_signal) {
    const std::string cause =
        notes.stack_overflow
            ? say("its stack overflowed: a recursion without end, or a very large local array")
            : signal_text(ended.code);
    Failure failure{
        {"crash"},
        say("{name} crashed{loading? while it was being loaded, before any function was called}: {cause}.",
            subject.name, subject.loading, cause),
        {}};
    if (!notes.crash_cause.empty() && !notes.stack_overflow) {
      failure.details.push_back(say("It was in host code: {cause}.", clause_in_words(notes.crash_cause)));
      simt::Symbolizer symbolizer;
      const auto source =
          notes.crash_place.module == module ? symbolizer.locate(notes.crash_place) : std::nullopt;
      if (source) {
        failure.places.emplace_back(source->file, source->line);
        failure.details.emplace_back("    " + quoted(*source, symbolizer), Detail::Kind::source, *source);
      }
    }
    fail(std::move(failure));
  }
  if (ended.code == RunnerProcess::channel_lost) {
    fail("channel-closed",
         say("{name} closed files that it had not opened, so its result could not be returned.",
             subject.name));
  }
  fail("early-exit", say("{name} ended the whole program{loading? while it was being loaded, before any "
                         "function was called} (exit code {code}) instead of returning.",
                         subject.name, subject.loading, ended.code));
}

bool is_allowed(const std::vector<std::string>& allowed, const std::string& id) {
  return std::ranges::find(allowed, id) != allowed.end();
}

// Refused launches whose error is not asked for, where the launch is given, outside the TODOs of the submission's file: the
// refusal itself is what the student is to correct.
void leave_out_given_launches(std::vector<simt::Finding>& errors, simt::Symbolizer& symbolizer) {
  const std::string text = read_text(context().source_path);
  if (text.find("END TODO(") == text.npos) return;
  const auto is_refused = [&](const simt::Finding& unchecked) {
    return std::ranges::any_of(errors, [&](const simt::Finding& error) {
      return error.id == "invalid-launch" && error.kernel == unchecked.kernel;
    });
  };
  const auto is_given = [&](const simt::Finding& error) {
    if (error.id != "unchecked-launch" || error.participants.empty() || !is_refused(error)) return false;
    const auto source = source_of(error.participants.front(), symbolizer);
    return source && is_same_file(source->file, context().source_path) &&
           todo_around(text, source->line) == 0;
  };
  std::vector<simt::Finding> kept;
  std::ranges::remove_copy_if(errors, std::back_inserter(kept), is_given);
  errors = std::move(kept);
}

// One failure out of everything that the simulator objects to.
void fail_on_diagnostics(const simt::Report& report, const std::vector<std::string>& allowed,
                         const std::string& function, const std::vector<std::string>& further_ids) {
  std::vector<simt::Finding> errors;
  for (const simt::Finding& diagnostic : report.diagnostics) {
    if (diagnostic.severity == simt::Severity::error && !is_allowed(allowed, diagnostic.id))
      errors.push_back(diagnostic);
  }
  if (errors.empty()) return;
  Failure failure;
  simt::Symbolizer symbolizer;
  merge_by_line(errors, symbolizer);
  leave_out_given_launches(errors, symbolizer);
  failure.function = function;
  failure.sentence = function + ": " + message_of(errors.front());
  for (const simt::Participant& participant : errors.front().participants) {
    if (const auto source = source_of(participant, symbolizer))
      failure.places.emplace_back(source->file, source->line);
  }
  for (simt::Finding& error : errors) {
    if (!has_diagnosis(failure, error.id)) failure.diagnoses.push_back(error.id);
    failure.findings.push_back({std::move(error)});
  }
  failure.findings.front().telling.message = false; // it is the sentence
  failure.diagnoses.insert(failure.diagnoses.end(), further_ids.begin(), further_ids.end());
  fail(std::move(failure));
}

[[noreturn]] void fail_cuda_error(const RawReply& reply, const std::string& function, Backend backend) {
  const std::string error = reply.error_name + ": " + reply.error_text;
  if (backend == Backend::sim && reply.error_origin == "cudaGetLastError") {
    // Where the simulator refuses a launch, it says so, and here it has said nothing.
    fail("cuda-error", say("{function} left a CUDA error behind, {error}.", function, error),
         {say("No launch has failed, but another call: whose error was not looked at? Calls such as "
              "cudaFuncSetAttribute and the cudaOccupancy… functions return theirs, and cudaGetLastError() "
              "takes it away.")},
         error);
  }
  Sentence sentence = say("{function} caused the CUDA error {error}.", function, error);
  Details details;
  if (reply.error_origin == "cudaMalloc") {
    details.push_back(say("It came up while the buffers were allocated, before the function ran."));
  } else if (reply.error_name == "cudaErrorMemoryAllocation") {
    details.push_back(say("It asked cudaMalloc for more than the device has, or never gave back what it had: "
                          "look for a missing cudaFree."));
  } else if (reply.error_name == "cudaErrorNoKernelImageForDevice") {
    details.push_back(say("The file was compiled for another GPU than this one: configure again with "
                          "-DCMAKE_CUDA_ARCHITECTURES=native."));
  } else if (reply.error_origin == "cudaGetLastError" && reply.error_name == "cudaErrorInvalidValue") {
    details.push_back(say("A call could not use what it was given: a launch its grid, block or shared memory, or cudaMemcpy and "
                          "its like the sizes, the pointers or the direction. Look at what each call returns."));
  } else if (reply.error_origin == "cudaGetLastError") {
    details.push_back(
        say("A kernel could not be launched as asked: look at its grid, block and shared memory."));
  } else {
    details.push_back(say("It came up while a kernel ran."));
  }
  fail("cuda-error", std::move(sentence), std::move(details), error);
}

// What the runner says of a call that it could finish with.
void judge(const RawReply& raw, const simt::Report& report, const CallOptions& options,
           const std::string& function, const SubmissionOptions& submission, const Notes& notes) {
  if (raw.left_processes) {
    fail("left-processes", say("{function} started another process and did not wait for its end.", function));
  }
  switch (raw.status) {
  case RawReply::Status::missing_function:
    fail(
        missing_function(function, submission.module_path, submission.source_path, submission.contract_path));
  case RawReply::Status::exception:
    fail_on_diagnostics(report, options.allow, function, {"exception"});
    if (notes.out_of_memory || raw.error_text == std::bad_alloc().what()) fail_out_of_memory({function});
    fail("exception", say("{function} let an exception escape: {text}.", function, raw.error_text));
  case RawReply::Status::cuda_error:
    fail_on_diagnostics(report, options.allow, function, {"cuda-error"});
    fail_cuda_error(raw, function, submission.backend);
  case RawReply::Status::finished:
    fail_on_diagnostics(report, options.allow, function, {});
  }
}

/// The options of a second, slow run.
SubmissionOptions second_run(SubmissionOptions options) {
  options.module_path = options.replay.module_path;
  options.replay = {};
  options.timeout = std::min(options.timeout, 3000ms);
  return options;
}

Submission* current_submission = nullptr;

} // namespace

KeptRunner::KeptRunner() = default;
KeptRunner::~KeptRunner() = default;

bool KeptRunner::is_used() const { return process_ && process_->is_used(); }

Availability KeptRunner::start(const SubmissionOptions& options) {
  if (process_) return probe(options);
  std::vector<std::string> command = options.prefix;
  command.push_back(options.runner_path);
  // What stands in front of a GPU's runner is a tool as a rule; what stands in front of the simulator's, a sandbox.
  if (!options.prefix.empty() && options.backend == Backend::cuda) command.push_back("--behind-a-tool");
  process_ = std::make_unique<RunnerProcess>(std::move(command));
  is_loaded_ = false;

  // Behind a tool or with a GPU to wake up, the start takes its time, and none of it is the student's.
  constexpr std::chrono::milliseconds long_enough = 60000ms;
  const auto start = std::max(options.timeout, long_enough);
  const Received hello = process_->receive({start, start, start, start});
  const json said = hello.what == Received::What::message ? json::parse(hello.text, nullptr, false) : json();
  if (!said.is_object() || said.value("event", "") != "hello") {
    const std::string printed = process_->take_output();
    process_.reset();
    throw std::runtime_error("the runner " + options.runner_path + " does not start. " + printed);
  }
  return remember_probe(options, said.value("backend", json()));
}

Submission::Submission(SubmissionOptions options, KeptRunner* kept)
    : options_(std::move(options)), runner_(kept != nullptr ? *kept : own_) {
  if (!options_.contract_path.empty()) contract_text_ = read_text(options_.contract_path);
  if (!options_.replay.command.empty() && options_.backend == Backend::sim)
    repeater_ = std::make_shared<Repeater>(
        options_.replay, [slow = second_run(options_)](Call call, const SharedMemory& memory) {
          return Submission(slow).answer(std::move(call), memory);
        });
  if (options_.kind == "handin") simt::Symbolizer::quote_only({options_.source_path, options_.contract_path});
}

Submission::~Submission() = default;

// A failed call leaves the runner in doubt; the next one starts afresh, unless there was no function to call.
void Submission::guarded(const std::function<void()>& action) {
  std::optional<Failure> failed = failure_in(action);
  if (!failed) return;
  Details& details = failed->details;
  if (!calls_.empty() && !is_missing_function(*failed)) details.push_back(in_call(calls_.back()));
  for (Detail& line : printed_details()) details.push_back(std::move(line));
  if (!is_missing_function(*failed)) discard_runner();
  pass_on(std::move(*failed));
}

void Submission::discard_runner() { runner_.process_.reset(); }

RunnerProcess& Submission::runner() {
  runner_.start(options_);
  if (!runner_.is_loaded_) load_module();
  runner_.is_loaded_ = true;
  return *runner_.process_;
}

// Only the machine can be blamed where the clock has run out, and neither work nor sleep has.
[[noreturn]] void give_up(const std::string& subject, const Patience& patience) {
  throw ItemUndecided(
      say("{subject} had no answer after {time}, of which it was given too little processor time to say what "
          "is wrong: "
          "this machine is too busy, or was stopped. It costs no points; try again when less is running.",
          subject, seconds_text(patience.clock)));
}

void Submission::load_module() {
  RunnerProcess& process = *runner_.process_;
  SharedMemory progress = SharedMemory::create(progress_bytes);
  process.send(json{{"load", options_.module_path}}.dump(), progress.file());
  process.watch_progress(std::move(progress));
  const Patience patience = Patience::for_call(options_.timeout);
  Notes notes;
  Received loaded = process.receive(patience);
  while (loaded.what == Received::What::message && notes.take(loaded.text))
    loaded = process.receive(patience);
  const Subject subject{say("The submission"), true};
  switch (loaded.what) {
  case Received::What::ended:
    fail_ended(loaded.ended, subject, notes, options_.module_path);
  case Received::What::busy:
  case Received::What::worked:
  case Received::What::idle:
    fail("hang",
         say("The submission did not finish loading: a constructor of a global object {waits?waits for "
             "something that never comes|runs without end}.",
             loaded.what == Received::What::idle));
  case Received::What::late:
    give_up(say("The submission, while it was being loaded,"), patience);
  case Received::What::garbage:
    fail("protocol-error",
         say("The submission wrote to a file that is not its own while it was being loaded."));
  case Received::What::message:
    break;
  }
  json answer;
  try {
    constexpr std::size_t longest = 1 << 20; // a loader's words
    answer = foreign_json(loaded.text, longest);
  } catch (const std::runtime_error&) { // no object
  }
  const auto field = [&answer](const char* name) {
    const auto found = answer.is_object() ? answer.find(name) : answer.end();
    return found != answer.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  const std::string event = field("event");
  if (event == "load-failed") {
    const std::string reason = field("reason");
    // Whether a constructor's exception passes through the loader depends on who compiled the runner.
    if (notes.out_of_memory || reason == std::bad_alloc().what()) fail_out_of_memory(subject);
    fail(load_failure(reason));
  }
  if (event != "loaded") fail("protocol-error", say("The submission answered in the runner's place."));
}

RawReply Submission::exchange(const Call& call, const SharedMemory& memory, std::chrono::milliseconds timeout,
                              Notes& notes) {
  const std::string& function = call.function;
  RunnerProcess& process = runner();
  process.mark_used();
  process.send(to_message(call), memory.file());
  const Patience patience = Patience::for_call(timeout);
  while (true) {
    const Received received = process.receive(patience);
    switch (received.what) {
    case Received::What::ended:
      fail_ended(received.ended, {function}, notes, options_.module_path);
    case Received::What::busy:
      fail("hang",
           options_.backend == Backend::cuda
               ? say("{function} did not return: it has been at work for {time}. It runs without end.",
                     function, seconds_text(patience.busy))
               : say("{function} did not return: its host code has used {time} of processor time in which no "
                     "kernel made progress. It runs without end.",
                     function, seconds_text(patience.busy)));
    case Received::What::worked:
      fail("too-much-work", say("Too much work for the simulator: {function} used {time} of processor time, "
                                "and kernels were still at work.",
                                function, seconds_text(patience.total)));
    case Received::What::idle:
      fail("hang",
           say("{function} did not return: it has been asleep for {time} and waits for something that never "
               "comes.",
               function, seconds_text(patience.idle)));
    case Received::What::late:
      give_up(function, patience);
    case Received::What::garbage:
      fail("protocol-error",
           say("{function} wrote to a file that is not its own: {text}.", function, received.text));
    case Received::What::message:
      break;
    }
    if (notes.take(received.text)) continue; // its end follows, or an answer
    RawReply reply;
    try {
      reply = reply_from_message(received.text);
    } catch (const std::runtime_error& error) {
      fail("protocol-error", say("{function} wrote to a file that is not its own: {text}.", function,
                                 std::string(error.what())));
    }
    if (reply.token != call.token || process.has_unread_message()) {
      fail("protocol-error", say("{function} answered in the runner's place.", function));
    }
    return reply;
  }
}

RawReply Submission::answer(Call call, const SharedMemory& memory) {
  call.token = std::to_string(fresh_secret());
  Notes notes;
  return exchange(call, memory, options_.timeout, notes);
}

void Submission::keep_trace(TracedCall traced, const std::vector<detail::PreparedArgument>& arguments,
                            const std::vector<std::string>& names) {
  if (traced.trace->totals.empty()) return;
  const std::vector<std::string>& wanted = context().traced_for;
  if (last_traced_ && std::ranges::find(wanted, last_traced_->text) != wanted.end()) return;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].is_buffer) traced.numbers.emplace_back(names[i], arguments[i].text);
  last_traced_ = std::make_shared<const TracedCall>(std::move(traced));
}

/// Null if no more has crossed than the contract allows. Without a contract nothing is known of that.
std::shared_ptr<const Crossing> Submission::crossing_in(const Call& call,
                                                        std::vector<simt::Transfer> transfers) {
  if (contract_text_.empty() || transfers.empty()) return nullptr;
  const auto runs =
      static_cast<std::uint64_t>(std::max(call.repetitions, call.most_repetitions) + call.warm_ups);
  auto [to_host, to_device, within_device] = crossing_limits(contract_text_, call.function);
  auto crossing = std::make_shared<const Crossing>(Crossing{
      call.function, calls_.back(), {runs * to_host, runs * to_device, runs * within_device}, std::move(transfers)});
  if (crossing->copies_for_kernels()) copying_ = crossing;
  if (crossing->excess() == 0) return nullptr;
  if (!crossing_ || crossing->excess() > crossing_->excess()) crossing_ = crossing;
  return crossing;
}

void Submission::keep(const Reply& reply) {
  if (options_.unseen == UnseenAccess::passes || replies_.size() + 1 != calls_.size()) return;
  replies_.push_back(reply);
  const auto is_by_host = [](const simt::KernelRecord& kernel) { return kernel.depth == 0; };
  if (options_.left_out.is_empty() && std::ranges::count_if(reply.kernels_, is_by_host) < 2)
    replies_.back().buffers_.clear();
}

Reply Submission::perform(const CallOptions& options, const char* function,
                          std::vector<detail::PreparedArgument> arguments, detail::ReturnType returned) {
  const std::vector<std::string> names = parameter_names(contract_text_, function, arguments.size());
  calls_.push_back(describe_call(options, options_.backend, function, arguments, names));
  last_remarks_.clear();
  last_counters_ = {};
  last_kernels_.clear();
  last_reply_.reset();
  std::optional<Reply> returned_reply;
  guarded([&] {
    CallImage image(arguments, names, guard_bytes_for(options_), fresh_secret(), image_memory_);
    Call call;
    call.token = std::to_string(fresh_secret());
    call.function = function;
    call.arguments = image.arguments();
    call.returns_value = returned.has_value;
    call.return_type = returned.type;
    call.schedule = options.schedule;
    call.schedule_seed = random_bits(options_.seed, calls_made());
    call.repetitions = options.repetitions;
    call.most_repetitions = options.most_repetitions;
    call.uncertainty = options.uncertainty;
    call.warm_ups = options.warm_ups;
    call.cold = options.cold;
    call.sites = options.sites;
    call.trace = (context().trace || options.trace) && options_.backend == Backend::sim;
    call.launch_room = options.launch_room;
    call.last_block_only = options.last_block_only && options_.backend == Backend::sim;
    if (options_.backend == Backend::sim) call.unseen = options_.unseen;
    call.watches_bounds = options_.watches_bounds;
    call.left_out = options_.left_out;
    call.patience = options.patience;
    call.memory_bytes = image.memory().bytes().size();

    if (repeater_) repeater_->keep(calls_.back(), call, image.memory());

    const auto timeout = options.timeout.count() > 0 ? options.timeout : options_.timeout;
    Notes notes;
    const RawReply raw = exchange(call, image.memory(), timeout, notes);
    simt::Report report;
    auto trace = std::make_shared<simt::Trace>();
    try {
      constexpr std::size_t longest = std::size_t{256} << 20;
      if (!raw.report.empty()) report = foreign_json(raw.report, longest).get<simt::Report>();
      if (!raw.trace.empty()) *trace = foreign_json(raw.trace, longest).get<simt::Trace>();
    } catch (const std::exception& error) { // of json, or of a trace that contradicts itself
      fail("protocol-error", say("{function} damaged the simulator's report: {text}.", std::string(function),
                                 std::string(error.what())));
    }
    if (call.trace && context().trace)
      keep_trace({calls_.back(), {}, call.schedule, trace, report.diagnostics}, arguments, names);
    last_counters_ = simt::total(report);
    last_kernels_ = report.kernels;
    // What a launch that is left out would have written is not there to be read.
    if (!options_.left_out.is_empty())
      std::erase_if(report.diagnostics, [](const simt::Finding& found) { return found.id == "uninitialised-read"; });
    judge(raw, report, options, function, options_, notes);
    image.take_results(raw.strays);
    image.check(function);

    Reply reply;
    reply.function_ = function;
    reply.call_text_ = calls_.back();
    reply.buffers_ = image.contents();
    reply.returned_size_ = returned.size;
    reply.returned_bits_ = raw.returned_bits;
    reply.counters_ = last_counters_;
    reply.kernels_ = std::move(report.kernels);
    reply.diagnostics_ = std::move(report.diagnostics);
    reply.crossing_ = crossing_in(call, std::move(report.transfers));
    reply.times_ms_ = raw.times_ms;
    if (!trace->empty()) reply.trace_ = std::move(trace);
    reply.sources_ = options.sources;
    in_order_ = {calls_.back(), last_counters_};
    if (reply.trace_ && context().trace) last_reply_ = reply;
    std::ranges::copy_if(
        reply.diagnostics_, std::back_inserter(last_remarks_),
        [](const simt::Finding& remark) { return remark.severity == simt::Severity::warning; });
    keep(reply);
    returned_reply = std::move(reply);
  });
  return std::move(*returned_reply);
}

Details Submission::last_remarks() const {
  std::vector<simt::Finding> remarks = last_remarks_;
  simt::Symbolizer symbolizer;
  merge_by_line(remarks, symbolizer);
  Details lines;
  for (std::size_t i = 0; i < remarks.size() && i < remarks_shown; ++i)
    for (const simt::ReportLine& line : report_lines(remarks[i], symbolizer))
      lines.push_back(detail_of(line));
  return lines;
}

std::vector<std::string> Submission::printed_lines() {
  if (!runner_.process_) return {};
  std::vector<std::string> lines = lines_of(runner_.process_->take_output());
  if (const std::size_t all = lines.size(); all > printed_lines_shown) {
    lines.resize(printed_lines_shown);
    lines.push_back(say("... and {count:more line}", all - printed_lines_shown));
  }
  return lines;
}

Details Submission::printed_details() {
  using enum Detail::Kind;
  Details details;
  for (const std::string& line : printed_lines()) details.emplace_back("  | " + line, printed);
  if (!details.empty()) details.insert(details.begin(), {say("Your program printed:"), printed});
  return details;
}

void Submission::finish() {
  if (!runner_.process_ || &runner_ != &own_) return;
  guarded([&] {
    // Without a tool in front, nothing of how a runner ends matters any more.
    const auto patience = options_.prefix.empty() ? 2000ms : std::max(options_.timeout, 60000ms);
    const std::optional<Ended> ended =
        runner_.process_->shut_down(std::chrono::steady_clock::now() + patience);
    // A tool may have helpers of its own.
    if (ended && options_.prefix.empty() && runner_.process_->kill_survivors() > 0) {
      fail("left-processes", say("The submission started processes that were still running at the end."));
    }
    if (!options_.prefix.empty() && (!ended || ended->by_signal || ended->code != 0)) {
      const std::string& program = options_.prefix.front();
      fail("prefix-failed", !ended ? say("{program}, which ran the submission, did not end.", program)
                            : ended->by_signal
                                ? say("{program}, which ran the submission, was ended by {signal}.", program,
                                      signal_text(ended->code))
                                : say("{program}, which ran the submission, ended with status {status}.",
                                      program, ended->code));
    }
  });
  discard_runner();
}

std::vector<Schedule> schedules() {
  if (submission().backend() == Backend::cuda) return {Schedule::forward};
  return {Schedule::forward, Schedule::reverse, Schedule::random};
}

bool SubmissionOptions::is_sanitized() const {
  return std::ranges::any_of(prefix,
                             [](const std::string& word) { return word.ends_with("compute-sanitizer"); });
}

Submission& submission() {
  if (current_submission == nullptr) throw std::logic_error("no submission is being graded");
  return *current_submission;
}

bool has_room_for(std::size_t bytes) {
  const SubmissionOptions& options = submission().options();
  return options.backend == Backend::cuda && options.prefix.empty() &&
         probe(options).memory_bytes > bytes / 4 * 5;
}

void set_submission(Submission* s) { current_submission = s; }

} // namespace warpbook
