#include "grader/failure.hpp"

#include "grader/context.hpp"
#include "grader/contract_text.hpp"
#include "grader/reply.hpp"
#include "grader/say.hpp"
#include "grader/starter.hpp"
#include "grader/text.hpp"
#include "simt/report/wording.hpp"

#include <algorithm>
#include <set>

namespace warpbook {

Context& context() {
  static Context the_context;
  return the_context;
}

bool is_missing_function(const Failure& failure) { return has_diagnosis(failure, "missing-function"); }

Rule::Rule(std::function<void(Failure&)> explain)
    : explain_(std::move(explain)), outer_(std::exchange(context().rule, this)) {}
Rule::~Rule() { context().rule = outer_; }

void pass_on(Failure failure) {
  while (const Rule* rule = context().rule) {
    context().rule = rule->outer_;
    rule->explain_(failure);
  }
  throw ItemFailed(std::move(failure));
}

std::optional<Failure> failure_in(const std::function<void()>& check) {
  struct Hidden {
    const Rule* rules = std::exchange(context().rule, nullptr);
    ~Hidden() { context().rule = rules; }
  } const hidden;
  try {
    check();
  } catch (const ItemFailed& failed) {
    return failed.failure;
  }
  return {};
}

bool is_bare(const Failure& failure) {
  static const std::vector<std::string> bare[] = {{"wrong-result"}, {"wrong-result", "output-unwritten"}};
  return std::ranges::find(bare, failure.diagnoses) != std::end(bare);
}

namespace {

/// Takes `unsolved` from a failure of tasks in which something has been written: they are begun.
void correct_unsolved(Failure& failure) {
  const std::vector<int> own{context().todo};
  if (!is_about(failure, "unsolved") ||
      !std::ranges::all_of(failure.todos.empty() ? own : failure.todos, is_begun))
    return;
  failure.diagnoses.erase(failure.diagnoses.begin());
  if (!has_diagnosis(failure, "output-unwritten"))
    failure.diagnoses.insert(failure.diagnoses.begin(), "output-unwritten");
}

} // namespace

void fail(Failure failure) {
  correct_unsolved(failure);
  if (context().explain && is_bare(failure) && failure.formulas.empty()) context().explain(failure);
  pass_on(std::move(failure));
}

void fail(std::string diagnosis, Sentence sentence, Details details, std::string facts) {
  Failure failure{{std::move(diagnosis)}, std::move(sentence), std::move(details)};
  failure.facts = std::move(facts);
  fail(std::move(failure));
}

Failure failure_of(const LabMessage& message, Details details) {
  Failure failure{{message.id}, {}, std::move(details), {}, message.todos};
  reword(failure, message);
  if (!message.section.empty()) read_on(failure, message.section);
  return failure;
}

void fail(const LabMessage& message, Details details) { fail(failure_of(message, std::move(details))); }

bool has_diagnosis(const Failure& failure, const std::string& id) {
  return std::ranges::find(failure.diagnoses, id) != failure.diagnoses.end();
}

void point_to(Failure& failure, int todo) {
  if (todo_line(read_text(context().source_path), todo) == 0) return;
  failure.places.clear();
  failure.todos = {todo};
}

bool is_todo_empty(int todo) { return code_in_todo(read_text(context().source_path), todo) == ""; }

std::optional<simt::SourceLine> asking_line(const simt::HostLaunch& launch,
                                            const std::vector<std::pair<std::string, unsigned>>& lines,
                                            simt::Symbolizer& symbolizer) {
  const std::string text = read_text(context().source_path);
  const auto is_in_todo = [&](const std::string& file, unsigned line) {
    return is_same_file(file, context().source_path) && todo_around(text, line) != 0;
  };
  for (const auto& [file, line] : lines)
    if (is_in_todo(file, line)) return std::nullopt;
  for (const simt::CodeAddress& caller : launch.callers) {
    for (const simt::SourceLine& line : symbolizer.lines(caller))
      if (is_in_todo(line.file, line.line)) return line;
  }
  return std::nullopt;
}

const simt::HostLaunch* point_to_launch(Failure& failure) {
  if (failure.findings.empty() || !failure.findings.front().finding.launch) return nullptr;
  auto& [finding, telling, lessons] = failure.findings.front();
  simt::Symbolizer symbolizer;
  const auto line = asking_line(*finding.launch, failure.places, symbolizer);
  if (!line) return nullptr;
  telling.asked_at = line;
  failure.places = {{line->file, line->line}};
  return &*finding.launch;
}

namespace {

/// Whether the same threads go on with what they have done wrong before: the same in the same kernel, in other lines. What
/// two of them do wrong is about a place in memory.
bool goes_on(const simt::Finding& finding, const simt::Finding& earlier) {
  if (finding.id != earlier.id || finding.kind != earlier.kind || finding.kernel != earlier.kernel)
    return false;
  const std::vector<simt::Participant>&now = finding.participants, &before = earlier.participants;
  const bool is_known =
      !now.empty() && std::ranges::all_of(now, [](const auto& who) { return who.thread.has_value(); });
  const bool is_one_place =
      finding.variable == earlier.variable && finding.element == earlier.element && !finding.element.empty();
  const auto same = [](const simt::Participant& one, const simt::Participant& other) {
    return one.thread == other.thread;
  };
  return is_known && (now.size() == 1 || is_one_place) && std::ranges::is_permutation(now, before, same);
}

/// "and the same thread likewise in line 12 | a[i] = 1;", of a finding whose lines are known; else nothing.
std::optional<std::string> likewise(const simt::Finding& finding, simt::Symbolizer& symbolizer) {
  std::set<unsigned> lines;
  std::string excerpt;
  for (const simt::Participant& who : finding.participants) {
    const auto source = source_of(who, symbolizer);
    if (!source) return std::nullopt;
    lines.insert(source->line);
    excerpt = symbolizer.excerpt(*source);
  }
  const bool is_one = finding.participants.size() == 1;
  if (lines.size() == 1)
    return "  " + say("and the same {is_one?thread|threads} likewise in line {line} | {code}", is_one,
                      *lines.begin(), excerpt);
  return "  " + say("and the same {is_one?thread|threads} likewise in lines {first} and {last}", is_one,
                    *lines.begin(), *lines.rbegin());
}

} // namespace

Details told_lines(const Failure& failure) {
  constexpr std::size_t most = 3; // what follows is mostly the same mistake again
  Details lines = failure.causes;
  for (Detail& line : lines)
    if (line.kind == Detail::Kind::note) line.kind = Detail::Kind::cause;
  simt::Symbolizer symbolizer;
  const simt::Finding* whole = nullptr; // the last one that was reported whole
  for (std::size_t i = 0; i < failure.findings.size() && i < most; ++i) {
    const ToldFinding& told = failure.findings[i];
    const bool is_again = whole != nullptr && goes_on(told.finding, *whole);
    if (const auto again = is_again ? likewise(told.finding, symbolizer) : std::nullopt) {
      lines.emplace_back(*again, Detail::Kind::finding);
      lines.insert(lines.end(), told.lessons.begin(), told.lessons.end());
      continue;
    }
    whole = &told.finding;
    for (const simt::ReportLine& line : report_lines(told.finding, symbolizer, told.telling))
      lines.push_back(detail_of(line));
    lines.insert(lines.end(), told.lessons.begin(), told.lessons.end());
  }
  if (failure.findings.size() > most)
    lines.emplace_back(say("... and {count:more finding}.", failure.findings.size() - most),
                       Detail::Kind::finding);
  return followed_by(std::move(lines), failure.details);
}

std::string handout_line(const std::string& section) { return say("Handout: '{section}'", section); }

std::vector<std::string> details_and_sections(const Failure& failure) {
  std::vector<std::string> lines = texts_of(failure.details);
  for (const std::string& section : failure.sections) lines.push_back(handout_line(section));
  return lines;
}

bool is_about(const Failure& failure, const std::string& id) {
  return !failure.diagnoses.empty() && failure.diagnoses.front() == id;
}

const simt::Finding* first_finding(const Failure& failure) {
  return failure.findings.empty() ? nullptr : &failure.findings.front().finding;
}

void add_cause(Failure& failure, Sentence cause) {
  failure.causes.insert(failure.causes.begin(), std::move(cause));
}

namespace {

/// Where a message sends the reader: to TODOs, and to a section of the handout.
void send(Failure& failure, const LabMessage& message) {
  if (!message.section.empty()) read_on(failure, message.section);
  if (message.todos.size() == 1) point_to(failure, message.todos.front());
  if (message.todos.size() > 1) {
    failure.places.clear();
    failure.todos = message.todos;
  }
}

} // namespace

void retell(Failure& failure, const LabMessage& message) {
  if (failure.findings.empty()) {
    add_cause(failure, failure.sentence);
  } else {
    failure.findings.front().telling.message = true;
    failure.findings.front().telling.advice = "";
  }
  failure.diagnoses.insert(failure.diagnoses.begin(), message.id);
  reword(failure, message);
  send(failure, message);
}

void reword(Failure& failure, const LabMessage& message) {
  failure.sentence = message.sentence;
  failure.message = message.key;
  failure.facts = message.facts;
}

void advise(Failure& failure, const Sentence& advice) {
  if (failure.findings.empty())
    failure.details.emplace_back(advice, Detail::Kind::advice);
  else
    failure.findings.front().telling.advice = advice.to_print();
}

void advise(Failure& failure, const LabMessage& message) {
  if (!message.id.empty()) failure.diagnoses.push_back(message.id);
  advise(failure, message.sentence);
  send(failure, message);
}

void drop_advice(Failure& failure) {
  for (ToldFinding& told : failure.findings) told.telling.advice = "";
}

void hide_element(Failure& failure) {
  if (failure.findings.empty()) return;
  auto& [finding, telling, lessons] = failure.findings.front();
  if (finding.element.empty()) return;
  telling.element = false;
  failure.sentence = failure.function + ": " + message_of(finding, telling.element);
  add_cause(failure, say("Here it is {place}.", place_text(finding)));
}

void read_on(Failure& failure, const std::string& section) {
  if (std::ranges::find(failure.sections, section) == failure.sections.end())
    failure.sections.push_back(section);
}

namespace {

/// What a call did that has left its output as it was although TODO(todo) is written, and what to look for.
std::string without_effect(const Reply& reply, const std::string& todo) {
  const simt::Counters& c = reply.counters();
  if (context().on_gpu) return say("Is your line in {todo} reached, and does it store?", todo);
  if (reply.kernels().empty())
    return say("It launched no kernel: which way does this call take through {todo}?", todo);
  if (c.global_store_lanes + c.global_atomic_lanes > 0)
    return say("{count:thread} ran and wrote to global memory, and nothing there became another value. What "
               "does your line in {todo} store, and where?",
               c.threads, todo);
  if (c.global_load_lanes > 0)
    return say("{count:thread} ran and read global memory, and none wrote to it. Which line in {todo} is to "
               "store the result, and is it reached?",
               c.threads, todo);
  return say(
      "{count:thread} ran, and none of them read or wrote global memory (a compiler leaves out reads whose "
      "values go nowhere). Is your line in {todo} reached, and does it store?",
      c.threads, todo);
}

} // namespace

void unsolved(const Reply& reply) {
  const Context& run = context();
  const std::string left = say("{function} left its output exactly as it was.", reply.function());
  if (run.todo == 0) fail("output-unwritten", left);
  const std::string marker = "TODO(" + std::to_string(run.todo) + ")";
  if (is_begun(run.todo))
    fail("output-unwritten", left + " " + without_effect(reply, marker), {reply.in_call()});
  const unsigned line = todo_line(read_text(run.source_path), run.todo);
  const std::string place = shown_path(run.source_path) + ":" + std::to_string(line);
  fail(Failure{{"unsolved", "output-unwritten"},
               say("{function} left its output exactly as it was: {todo}{has_place? at {place}} is still to "
                   "be written.",
                   reply.function(), marker, line != 0, place),
               {}});
}

void require_solved(const Reply& reply) {
  if (reply.untouched()) unsolved(reply);
}

} // namespace warpbook
