#include "grader/runner_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "process/proc.hpp"
#include "process/process.hpp"

namespace warpbook {
namespace {

constexpr std::size_t output_limit = 64 * 1024;
constexpr int channel_number_in_runner = 3;
constexpr int look_interval_ms = 100;
constexpr int most_stirring = 50; ///< a sleeper may use one part in so many of a processor

int milliseconds_until(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

/// What a runner, or a command in front of it, needs of this process's environment. A seed is not among it. Without
/// confinement it is all but Warpbook's own variables: a profiler around a bench finds its way into the runner by
/// variables whose names it alone knows, and a runner with a part of them does not start.
std::vector<std::string> environment_of_runner() {
  const bool all = std::getenv("WARPBOOK_UNCONFINED") != nullptr;
  constexpr std::string_view names = " PATH HOME USER LOGNAME LANG LANGUAGE TZ TERM TMPDIR LD_LIBRARY_PATH "
                                     "ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS "
                                     "TSAN_OPTIONS WARPBOOK_UNCONFINED ";
  constexpr std::string_view beginnings[] = {"LC_", "CUDA_", "NVIDIA_", "XDG_", "DOCKER_", "CONTAINER"};
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    const auto begins_name = [&](std::string_view beginning) { return name.starts_with(beginning); };
    if (names.find(" " + name + " ") != names.npos || std::ranges::any_of(beginnings, begins_name) ||
        (all && !begins_name("WARPBOOK_")))
      kept.push_back(text);
  }
  // Stacks of threads that have ended are no memory for those to come, which kernels could use.
  kept.push_back("GLIBC_TUNABLES=glibc.pthread.stack_cache_size=0");
  return kept;
}

// Runs in the child between fork and exec.
[[noreturn]] void become_runner(char* const* command, char* const* environment, int channel, int output,
                                pid_t grader) {
  ::setsid(); // a session of its own: neither it nor its children can join the grader's process group
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != grader) ::_exit(127);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  rlimit stack =
      {}; // without a limit the address space is laid out in another way, and a recursion has no end
  constexpr rlim_t longest_stack = 64 << 20;
  if (::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur > longest_stack) {
    stack.rlim_cur = longest_stack;
    ::setrlimit(RLIMIT_STACK, &stack);
  }
  sigset_t nothing;
  ::sigemptyset(&nothing);
  ::sigprocmask(SIG_SETMASK, &nothing, nullptr);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGSEGV, SIGABRT}) ::signal(signal, SIG_DFL);

  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  if (channel == channel_number_in_runner)
    ::fcntl(channel, F_SETFD, 0);
  else
    ::dup2(channel, channel_number_in_runner);
  ::syscall(SYS_close_range, channel_number_in_runner + 1, ~0u, 0);
  ::execvpe(command[0], command, environment);
  ::_exit(127);
}

// A bench may run several submissions at a time.
std::set<pid_t> live_runners;

// Orphans of a runner become children of the grader, which is their subreaper.
std::vector<pid_t> orphans() {
  std::vector<pid_t> found;
  for (const pid_t child : children_of("self")) {
    if (::getsid(child) != ::getsid(0) && !live_runners.contains(child)) found.push_back(child);
  }
  return found;
}

Ended decode(int status) {
  if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
  return {false, WEXITSTATUS(status)};
}

} // namespace

RunnerProcess::RunnerProcess(std::vector<std::string> command) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto [own_end, runner_end] = Channel::make_pair();
  own_end.ask_for_senders(); // before there is one
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) throw_errno("pipe");
  output_ = FileDescriptor(pipe_ends[0]);
  const FileDescriptor output_of_runner(pipe_ends[1]);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);

  command.push_back("--channel-fd");
  command.push_back(std::to_string(channel_number_in_runner));
  const std::vector<char*> words = exec_words(command);
  const std::vector<std::string> variables = environment_of_runner();
  const std::vector<char*> environment = exec_words(variables);
  const pid_t grader = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw_errno("fork");
  if (process_ == 0)
    become_runner(words.data(), environment.data(), runner_end.file(), output_of_runner.get(), grader);
  process_file_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
  live_runners.insert(process_);
  if (!process_file_) {
    kill_runner();
    throw_errno("pidfd_open");
  }
  channel_.emplace(std::move(own_end));
}

RunnerProcess::~RunnerProcess() {
  kill_runner();
  kill_survivors();
}

void RunnerProcess::send(const std::string& text, int file) {
  try {
    channel_->send(text, file);
  } catch (const std::system_error& error) {
    if (error.code().value() != EPIPE && error.code().value() != ECONNRESET) throw;
  }
}

// What the runner has used since the last answer. Read often enough, it says whether the runner was asleep in between:
// a thread that was not at two looks, or that used processor time, was awake; one that merely waited for a processor is
// no sleeper.
class RunnerProcess::Clock {
public:
  Clock(pid_t process, const SharedMemory& progress) : process_(process), progress_(progress) {
    started_ = asleep_since_ = now_ = std::chrono::steady_clock::now();
    cpu_at_start_ = cpu_at_progress_ = cpu_ = cpu_time();
    last_progress_ = read_progress();
  }

  void look() {
    // A program that prints without end keeps waking the grader up.
    if (std::chrono::steady_clock::now() - now_ < std::chrono::milliseconds(look_interval_ms / 2)) return;
    const std::chrono::nanoseconds interval = std::chrono::steady_clock::now() - now_;
    now_ += interval;
    const std::chrono::nanoseconds before = std::exchange(cpu_, cpu_time());
    if (const std::uint64_t progress = read_progress(); progress != last_progress_) {
      last_progress_ = progress;
      cpu_at_progress_ = cpu_;
    }
    const bool is_idle =
        cpu_ - before <= interval / most_stirring; // a driver's own threads look around now and then
    if (!is_idle || !is_asleep()) asleep_since_ = now_;
  }

  std::chrono::nanoseconds busy() const { return cpu_ - cpu_at_progress_; }
  std::chrono::nanoseconds total() const { return cpu_ - cpu_at_start_; }
  std::chrono::nanoseconds idle() const { return now_ - asleep_since_; }
  std::chrono::nanoseconds clock() const { return now_ - started_; }

private:
  std::chrono::nanoseconds cpu_time() const {
    clockid_t clock;
    timespec time = {};
    if (process_ <= 0 || ::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
      return cpu_;
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  std::uint64_t read_progress() const {
    std::uint64_t value = 0;
    if (progress_.bytes().size() == sizeof value)
      __atomic_load(reinterpret_cast<const std::uint64_t*>(progress_.bytes().data()), &value,
                    __ATOMIC_RELAXED);
    return value;
  }

  // A stopped process counts as asleep: only its own code stops a runner.
  bool is_asleep() const {
    if (process_ <= 0) return false;
    std::error_code error;
    bool found = false;
    const std::filesystem::path threads = "/proc/" + std::to_string(process_) + "/task";
    for (const auto& thread : std::filesystem::directory_iterator(threads, error)) {
      const char state = read_stat(thread.path()).state;
      if (state == 0) continue;
      found = true;
      if (std::string_view("STtZX").find(state) == std::string_view::npos) return false;
    }
    return found;
  }

  pid_t process_;
  const SharedMemory& progress_;
  std::chrono::steady_clock::time_point started_, asleep_since_, now_;
  std::chrono::nanoseconds cpu_at_start_{}, cpu_at_progress_{}, cpu_{};
  std::uint64_t last_progress_ = 0;
};

// One look at what the runner has said and done; nothing if there is nothing yet.
std::optional<Received> RunnerProcess::look(const Patience& patience, Clock& clock) {
  pollfd files[3] = {
      {channel_->file(), POLLIN, 0}, {process_file_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}};
  const int ready = ::poll(files, 3, look_interval_ms);
  if (ready < 0 && errno != EINTR) throw_errno("poll");
  read_output();
  if (ready > 0 && files[2].revents & POLLHUP && files[0].revents == 0 && files[1].revents == 0) {
    output_.reset(); // it was closed; without this, poll would return at once from here on
  }
  // A message that was sent before the end counts, so look for it first.
  if (ready > 0 && files[0].revents != 0) {
    try {
      if (std::optional<Message> message = channel_->receive()) {
        if (serving_ < 0) serving_ = message->sender; // the first one comes before there is a submission
        return Received{Received::What::message, std::move(message->text), {}};
      }
    } catch (const std::runtime_error& error) {
      return Received{Received::What::garbage, error.what(), {}};
    }
  }
  if (ready > 0 && (files[0].revents != 0 || files[1].revents != 0)) {
    if (const std::optional<Ended> ended = wait_for_end(std::chrono::steady_clock::now() + patience.idle))
      return Received{Received::What::ended, {}, *ended};
    return Received{Received::What::idle, {}, {}};
  }
  clock.look();
  if (clock.busy() > patience.busy) return Received{Received::What::busy, {}, {}};
  if (clock.total() > patience.total) return Received{Received::What::worked, {}, {}};
  if (clock.idle() > patience.idle) return Received{Received::What::idle, {}, {}};
  if (clock.clock() > patience.clock) return Received{Received::What::late, {}, {}};
  return std::nullopt;
}

Received RunnerProcess::receive(const Patience& patience) {
  Clock clock(serving_, progress_);
  while (true) {
    if (std::optional<Received> received = look(patience, clock)) return std::move(*received);
  }
}

bool RunnerProcess::has_unread_message() { return channel_->has_message(); }

std::optional<Ended> RunnerProcess::wait_for_end(Deadline deadline) {
  while (process_ > 0) {
    pollfd files[2] = {{process_file_.get(), POLLIN, 0}, {output_.get(), POLLIN, 0}};
    const int ready = ::poll(files, 2, milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR) throw_errno("poll");
    read_output();
    const bool late = std::chrono::steady_clock::now() >= deadline && files[0].revents == 0;
    if (ready == 0 || late) return std::nullopt;
    if (ready > 0 && files[0].revents != 0) {
      const int status = wait_for(process_);
      forget();
      read_output();
      return decode(status);
    }
    if (ready > 0 && files[1].revents & POLLHUP) output_.reset();
  }
  return std::nullopt;
}

std::optional<Ended> RunnerProcess::shut_down(Deadline deadline) {
  channel_.reset();
  return wait_for_end(deadline);
}

std::size_t RunnerProcess::kill_survivors() {
  std::size_t killed = 0;
  // An orphan may be forking, so look again until none is left.
  for (std::vector<pid_t> found = orphans(); !found.empty(); found = orphans()) {
    for (const pid_t child : found) {
      ::kill(child, SIGKILL);
      if (::waitpid(child, nullptr, __WALL) == child) ++killed;
    }
  }
  return killed;
}

void RunnerProcess::kill_runner() {
  if (process_ <= 0) return;
  ::kill(-process_, SIGKILL);
  wait_for(process_);
  forget();
}

void RunnerProcess::forget() {
  live_runners.erase(process_);
  process_ = -1;
}

void RunnerProcess::read_output() {
  if (!output_) return;
  char piece[4096];
  ssize_t length;
  // No more at once than a pipe holds: a fast writer would keep this loop from its deadline.
  for (int turn = 0; turn < 16 && (length = ::read(output_.get(), piece, sizeof(piece))) > 0; ++turn) {
    const std::size_t room = output_limit - std::min(output_limit, printed_.size());
    printed_.append(piece, std::min(room, static_cast<std::size_t>(length)));
    output_cut_ = output_cut_ || static_cast<std::size_t>(length) > room;
  }
}

std::string RunnerProcess::take_output() {
  read_output();
  std::string text = std::exchange(printed_, {});
  if (std::exchange(output_cut_, false)) text += "\n[cut off here: more than 64 KiB]";
  return text;
}

} // namespace warpbook
