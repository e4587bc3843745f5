// simtrun: loads a program that simtcc --program has built, runs its main on the simulator, and tells at the
// end what its kernels have cost and what is wrong with them.

#include "simt/program/document.hpp"
#include "simt/program/options.hpp"
#include "simt/program/replay.hpp"
#include "simt/program/stopping.hpp"
#include "simt/report/evidence.hpp"
#include "simt/report/summary.hpp"
#include "simt/report/symbolizer.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt/trace/trace_file.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace simt::program {
namespace {

constexpr int found_diagnostics = 99;
constexpr int not_started = 2;
constexpr int over_limit = 124;               ///< as timeout(1) has it
constexpr unsigned most_wait_at_end = 3000;   ///< milliseconds, for threads that run kernels
constexpr std::size_t most_output = 16 << 20; ///< bytes of the program's output that --json repeats

/// What the end of the program needs to know; the program may end anywhere, so this is global.
struct Run {
  RunOptions options;
  pid_t process = 0;
  int output = -1; ///< --json: a file in memory that stands for standard output ...
  int answer = -1; ///< ... and what standard output was
  bool told = false;
  std::chrono::steady_clock::time_point begun;
  std::string stopped; ///< why and where the program was stopped; empty: it was not
};
Run run;

void flush_program() {
  std::cout.flush();
  std::clog.flush();
  std::wcout.flush();
  std::fflush(nullptr);
}

/// Reads the program's output back, and repairs what is no UTF-8 when it is dumped.
nlohmann::json program_output() {
  const off_t size = ::lseek(run.output, 0, SEEK_END);
  std::string text(std::min<std::size_t>(size > 0 ? static_cast<std::size_t>(size) : 0, most_output), '\0');
  const ssize_t got = ::pread(run.output, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return {{"output", text}, {"output_is_cut", size > static_cast<off_t>(most_output)}};
}

void write_whole(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

void write_trace(const Report& report) {
  std::ofstream file(run.options.trace);
  std::vector<WordedFinding> findings;
  for (const Finding& finding : report.diagnostics) findings.push_back(told(finding));
  write_trace_file(file,
                   {.title = run.options.name, .made = current_time(), .schedule = run.options.schedule},
                   take_trace(), findings);
  if (!file.flush()) write_whole(STDERR_FILENO, "simtrun: " + run.options.trace + " cannot be written\n");
}

/// What is added to the report of each finding: what its threads did, if the program is run again to see it.
std::vector<Telling> tellings(const std::vector<Finding>& findings, bool may_run_again,
                              Symbolizer& symbolizer) {
  std::vector<Telling> tellings(findings.size());
  if (!may_run_again || run.options.replay.empty()) return tellings;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - run.begun;
  SecondRun second = replay(run.options, findings, time.count());
  EvidenceReader reader(std::move(second.diaries));
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_found_again(findings[i], second.findings)) continue;
    for (const Participant& participant : findings[i].participants) {
      const std::optional<Evidence> evidence = reader.of(findings[i], participant);
      tellings[i].evidence.push_back(evidence ? evidence_lines(*evidence, symbolizer)
                                              : std::vector<std::string>());
    }
  }
  return tellings;
}

/// Prints the report, once. `status` is the program's own, `signal` what killed it (0: nothing did). Returns
/// whether there are diagnostics.
bool tell(int status, int signal) {
  if (std::exchange(run.told, true)) return false;
  if (!enter_for_good(most_wait_at_end)) {
    write_whole(
        STDERR_FILENO,
        "simtrun: the program has ended while another of its threads was running a kernel, so there is no "
        "report; wait for the thread (join it) before the end\n");
    return false;
  }
  clear_status();
  flush_program();
  if (signal == 0 && run.stopped.empty()) end_program();
  Report report = take_report();
  Symbolizer symbolizer;
  merge_by_line(report.diagnostics, symbolizer);
  merge_by_variable(report.diagnostics, symbolizer);
  merge_by_kernel(report.diagnostics, symbolizer);
  if (!run.options.trace.empty()) write_trace(report);
  const std::vector<Telling> told =
      tellings(report.diagnostics, signal == 0 && run.stopped.empty(), symbolizer);
  if (!run.options.watch.empty()) write_second_run(run.options.watch, report.diagnostics);
  if (run.options.json) {
    nlohmann::json answer = document(report, told, symbolizer);
    answer["program"] = run.options.name;
    answer["schedule"] = run.options.schedule;
    answer["seed"] = run.options.simulator.seed;
    answer["spared_launches"] = spared_launches();
    answer["status"] = signal != 0 ? nlohmann::json() : nlohmann::json(status);
    if (signal != 0) answer["signal"] = ::strsignal(signal);
    if (!run.stopped.empty()) answer["stopped"] = run.stopped;
    answer.update(program_output());
    write_whole(run.answer, answer.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else {
    std::string text;
    for (std::size_t i = 0; i < report.diagnostics.size(); ++i)
      text += '\n' + render(report.diagnostics[i], symbolizer, told[i]);
    if (run.options.counters && !report.kernels.empty())
      text += "\ncounters\n" + summary(report.kernels, symbolizer, run.options.lines);
    if (!run.stopped.empty()) text += "\nsimtrun: " + run.stopped + '\n';
    write_whole(STDERR_FILENO, text);
  }
  return !report.diagnostics.empty();
}

/// The last of what runs at exit, after all that the program has registered.
void at_exit(int status, void*) {
  if (::getpid() != run.process) return; // a copy of the program that it has made
  const bool found = tell(status, 0);
  ::_exit(status == 0 && found ? found_diagnostics : status);
}

void at_quick_exit_() {
  if (::getpid() == run.process) tell(0, 0);
}

/// abort(), a failed assert, an exception that is not caught; and what crashes in host code.
void at_death(int signal) {
  std::signal(signal, SIG_DFL);
  ::alarm(20); // a broken heap may make the report wait for ever
  if (::getpid() == run.process) tell(0, signal);
  ::alarm(0);
}

void at_crash(const HostCrash& crash) {
  for (const char* text : {"The program crashed in host code: ", crash.cause, ".\n"})
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  at_death(crash.signal);
}

void at_abort(int signal) {
  at_death(signal);
  std::raise(signal);
}

/// The program is stopped: by a signal, or (0) by the limit.
void at_stop(int signal, const std::string& text) {
  ::alarm(20); // what was interrupted may hold what the report needs
  if (::getpid() == run.process) {
    run.stopped = text;
    tell(over_limit, signal);
  }
  if (signal == 0) ::_exit(over_limit);
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  std::raise(signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr); // it is blocked in its own handler
  ::_exit(128 + signal);
}

void redirect_output() {
  run.answer = ::dup(STDOUT_FILENO);
  run.output = ::memfd_create("output", MFD_CLOEXEC);
  if (run.answer < 0 || run.output < 0 || ::dup2(run.output, STDOUT_FILENO) < 0)
    throw std::runtime_error(std::string("standard output cannot be redirected: ") + std::strerror(errno));
}

using Main = int (*)(int, char**, char**);

Main load(const std::string& path) {
  if (!std::filesystem::exists(path))
    throw std::runtime_error(path + " is missing; simtcc --program -o " + path + " FILE.cu builds it");
  const std::string absolute = std::filesystem::absolute(path);
  void* module = ::dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) throw std::runtime_error(::dlerror());
  // Not dlsym's answer for a library that the program needs, nor for simtrun itself.
  void* function = ::dlsym(module, "main");
  Dl_info info = {};
  if (!function || !::dladdr(function, &info) || absolute != info.dli_fname)
    throw std::runtime_error(path + " has no main function; was it built with simtcc --program?");
  return reinterpret_cast<Main>(function);
}

/// The program itself: what it throws and does not catch ends it, as it would anywhere.
[[noreturn]] void run_main(Main entry, std::vector<char*>& words) noexcept {
  std::exit(entry(static_cast<int>(words.size()) - 1, words.data(), environ));
}

int start(const std::vector<std::string>& arguments) {
  run.options = parse_options(arguments);
  if (!run.options.help.empty()) {
    std::cout << run.options.help;
    return 0;
  }
  run.process = ::getpid();
  run.begun = std::chrono::steady_clock::now();
  if (run.options.json) redirect_output();
  configure(run.options.simulator);
  if (!run.options.watch.empty()) watch_as_told(run.options.watch);
  on_host_crash(at_crash);
  std::signal(SIGABRT, at_abort);
  std::vector<std::string> words = {run.options.name};
  words.insert(words.end(), run.options.arguments.begin(), run.options.arguments.end());
  static std::vector<char*> values; // the program may keep them until its very end
  for (const std::string& word : words) values.push_back(::strdup(word.c_str()));
  values.push_back(nullptr);
  // Before the module is loaded, so that its destructors run first.
  ::on_exit(at_exit, nullptr);
  std::at_quick_exit(at_quick_exit_);
  Main entry = nullptr;
  try {
    entry = load(run.options.module);
  } catch (...) {
    run.told = true;
    throw;
  }
  watch_for_the_end(run.options.limit, !run.options.json && ::isatty(STDERR_FILENO) != 0, at_stop);
  run_main(entry, values);
}

} // namespace
} // namespace simt::program

int main(int count, char** values) {
  using namespace simt::program;
  try {
    return start({values + 1, values + count});
  } catch (const UsageError& error) {
    std::cerr << "simtrun: " << error.text << "; simtrun --help shows what there is\n";
  } catch (const std::exception& error) {
    std::cerr << "simtrun: " << error.what() << '\n';
  }
  return not_started;
}
