#include "simt/program/replay.hpp"

#include "simt/runtime/replay/replay.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace simt::program {

namespace {

constexpr std::size_t most_findings = 8;
constexpr double build_seconds = 60;

/// Runs a command without input and output, as the leader of a group that ends with it. Returns whether it has ended with one of the
/// statuses in time.
bool run_silently(const std::vector<std::string>& command, double seconds, const std::vector<int>& wanted) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t process = ::fork();
  if (process < 0) return false;
  if (process == 0) {
    ::setpgid(0, 0);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, file);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  const int file = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  pollfd ended = {file, POLLIN, 0};
  const bool in_time = file >= 0 && ::poll(&ended, 1, static_cast<int>(seconds * 1000)) == 1;
  if (!in_time) ::kill(-process, SIGKILL);
  ::close(file);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-process, SIGKILL);
  return in_time && WIFEXITED(status) && std::ranges::find(wanted, WEXITSTATUS(status)) != wanted.end();
}

std::vector<WatchedThread> threads_of(const std::vector<Finding>& findings) {
  std::vector<WatchedThread> threads;
  for (std::size_t i = 0; i < findings.size() && i < most_findings; ++i)
    for (const Participant& participant : findings[i].participants) {
      if (!participant.thread || !participant.access) continue;
      WatchedThread watched{participant.kernel.empty() ? findings[i].kernel : participant.kernel, 0,
                            participant.thread->block, participant.thread->thread};
      if (std::ranges::find(threads, watched) == threads.end()) threads.push_back(std::move(watched));
    }
  return threads;
}

} // namespace

/// What replay() does; throws what the file's own words make it throw.
static SecondRun run_again(const RunOptions& options, const std::vector<Finding>& findings, double seconds) {
  const std::vector<WatchedThread> threads = threads_of(findings);
  if (threads.empty() || options.replay.empty()) return {};
  std::ifstream described(options.replay);
  const nlohmann::json how = nlohmann::json::parse(described, nullptr, false);
  if (!how.is_object()) return {};
  const std::string module = how.at("module");
  if (::access(module.c_str(), R_OK) != 0 && !run_silently(how.at("build"), build_seconds, {0})) return {};
  const std::string letter = module + "." + std::to_string(::getpid());
  std::ofstream(letter) << nlohmann::json(threads);
  const Options& simulator = options.simulator;
  std::vector<std::string> command = {"/proc/self/exe", "--watch", letter, "--no-counters"};
  for (const auto& [option, value] : std::initializer_list<std::pair<const char*, std::string>>{
           {"--schedule", options.schedule},
           {"--seed", std::to_string(simulator.seed)},
           {"--steps", std::to_string(simulator.step_budget)},
           {"--memory", std::to_string(simulator.device_memory >> 20)},
           {"--name", options.name}}) {
    command.push_back(option);
    command.push_back(value);
  }
  if (simulator.every_launch) command.push_back("--every-launch");
  command.push_back(module);
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  constexpr double slower = 8, at_least = 5;
  if (!run_silently(command, at_least + slower * seconds, {0, 1, 99})) return {};
  std::ifstream answer(letter);
  const nlohmann::json said = nlohmann::json::parse(answer, nullptr, false);
  ::unlink(letter.c_str());
  if (!said.is_object()) return {};
  return {said.at("diaries"), said.at("findings")};
}

SecondRun replay(const RunOptions& options, const std::vector<Finding>& findings, double seconds) {
  try {
    return run_again(options, findings, seconds);
  } catch (const std::exception&) { // a file that says something else: the report has to come all the same
    return {};
  }
}

void watch_as_told(const std::string& file) {
  std::ifstream letter(file);
  watch(nlohmann::json::parse(letter).get<std::vector<WatchedThread>>());
}

void write_second_run(const std::string& file, const std::vector<Finding>& findings) {
  std::ofstream(file) << nlohmann::json{{"diaries", take_diaries()}, {"findings", findings}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace simt::program
