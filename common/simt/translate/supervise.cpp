#include "simt/translate/supervise.hpp"

#include "call/file_descriptor.hpp"
#include "confine/limits.hpp"
#include "process/proc.hpp"
#include "process/process.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <poll.h>
#include <set>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace simt::compiler {
namespace {

constexpr std::chrono::milliseconds between_looks(100);

/// Not a request: the word of the work follows, and its end.
constexpr char end_letter = '\0';

volatile std::sig_atomic_t is_told_to_end = 0;

/// Ends of this process are ends of the child's, first.
class Interrupts {
public:
  Interrupts() {
    is_told_to_end = 0;
    struct sigaction action = {};
    action.sa_handler = [](int) { is_told_to_end = 1; };
    for (std::size_t i = 0; i < std::size(signals); ++i) ::sigaction(signals[i], &action, &before_[i]);
  }
  ~Interrupts() {
    for (std::size_t i = 0; i < std::size(signals); ++i) ::sigaction(signals[i], &before_[i], nullptr);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(signals)] = {};
};

/// For this process and those that it starts.
void apply(const Limits& limits) {
  constexpr rlim_t mib = 1 << 20;
  constexpr rlim_t stack_bytes = 64 * mib; // what g++ would take by itself
  ::signal(SIGXFSZ, SIG_DFL);
  ::signal(SIGXCPU, SIG_DFL);
  warpbook::lower_limit(RLIMIT_CORE, 0);
  warpbook::lower_limit(RLIMIT_STACK, stack_bytes);
  // Of one process; the sum of all is looked at, and mostly comes first.
  warpbook::lower_limit(RLIMIT_CPU, limits.processor_seconds + 1, limits.processor_seconds + 3);
  warpbook::lower_limit(RLIMIT_FSIZE, limits.file_mib * mib);
  if (warpbook::is_sanitized_build) return;
  warpbook::lower_limit(RLIMIT_DATA, limits.memory_mib * mib);
  warpbook::end_at_requests_of(limits.memory_mib * mib / 4);
}

void close_all_but(int kept) {
#ifdef SYS_close_range
  ::syscall(SYS_close_range, 3u, static_cast<unsigned>(kept) - 1, 0u);
  ::syscall(SYS_close_range, static_cast<unsigned>(kept) + 1, ~0u, 0u);
#else
  for (int file = 3; file < 1024; ++file)
    if (file != kept) ::close(file);
#endif
}

[[noreturn]] void be_the_child(const std::function<Done(const Ask&)>& work, const Limits& limits,
                               int messages, int requests) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(messages, STDOUT_FILENO);
  ::dup2(messages, STDERR_FILENO);
  close_all_but(requests);
  apply(limits);
  const Ask ask = [requests](char letter) {
    char answer = 0;
    if (::write(requests, &letter, 1) == 1) static_cast<void>(!::read(requests, &answer, 1));
  };
  const Done done = work(ask);
  std::cout.flush();
  const std::string word = end_letter + done.word;
  static_cast<void>(!::write(requests, word.data(), word.size()));
  std::_Exit(done.status);
}

/// The processes below this one, as far as the kernel lists them.
void add_descendants(const std::string& pid, std::set<pid_t>& found) {
  for (const pid_t child : warpbook::children_of(pid))
    if (found.insert(child).second) add_descendants(std::to_string(child), found);
}

/// The same where the kernel lists no children: the child's session.
void add_session(pid_t session, std::set<pid_t>& found) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    const std::string name = entry.path().filename();
    if (name[0] >= '1' && name[0] <= '9' && warpbook::read_stat(entry.path()).session == session)
      found.insert(std::atoi(name.c_str()));
  }
}

std::set<pid_t> descendants_by(pid_t child) {
  static const bool are_listed =
      ::access(("/proc/self/task/" + std::to_string(::getpid()) + "/children").c_str(), R_OK) == 0;
  std::set<pid_t> found;
  if (are_listed)
    add_descendants("self", found);
  else
    add_session(child, found);
  return found;
}

double seconds_of_ended_children() {
  rusage usage = {};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Kills what is below this process, and buries it.
void kill_all(pid_t child) {
  for (int round = 0; round < 100; ++round) {
    for (const pid_t process : descendants_by(child)) ::kill(process, SIGKILL);
    while (::waitpid(-1, nullptr, __WALL | WNOHANG) > 0) {
    }
    if (::waitpid(-1, nullptr, __WALL | WNOHANG) < 0) return; // none are left
    ::usleep(1000);
  }
}

class Supervision {
public:
  Supervision(pid_t child, int messages, int requests, const Limits& limits,
              const std::function<void(char)>& serve)
      : child_(child), messages_(messages), requests_(requests), limits_(limits), serve_(serve),
        before_(seconds_of_ended_children()) {}

  Ending run() {
    while (!is_over_) {
      wait();
      if (is_told_to_end != 0) end(Ending::Kind::interrupted);
      if (const auto now = Clock::now(); now >= next_look_) {
        next_look_ = now + between_looks;
        look();
      }
    }
    if (ending_.kind == Ending::Kind::finished) ending_.status = warpbook::wait_for(child_);
    ::kill(-child_, SIGKILL);
    kill_all(child_);
    while (read_messages()) {
    }
    return std::move(ending_);
  }

private:
  using Clock = std::chrono::steady_clock;

  void end(Ending::Kind kind) {
    ending_.kind = kind;
    is_over_ = true;
  }

  /// For messages, requests, or the next look. The child's end closes its requests; what it has started may hold on to the
  /// messages.
  void wait() {
    pollfd files[] = {{requests_, POLLIN, 0}, {messages_, POLLIN, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next_look_ - Clock::now());
    if (::poll(files, has_messages_ ? 2 : 1, std::max(1, static_cast<int>(left.count()) + 1)) <= 0) return;
    if (has_messages_ && files[1].revents != 0) has_messages_ = read_messages();
    if (files[0].revents != 0) answer();
  }

  void answer() {
    char letter = 0;
    const ssize_t count = ::read(requests_, &letter, 1);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return end(Ending::Kind::finished);
    if (letter == end_letter) return hear_word();
    const double before = seconds_of_ended_children();
    serve_(letter);
    before_ += seconds_of_ended_children() - before;
    static_cast<void>(::send(requests_, &letter, 1, MSG_NOSIGNAL));
  }

  /// The compilers do not have this channel: what comes here is the child's own.
  void hear_word() {
    char piece[4096];
    ssize_t count = 0;
    while ((count = ::read(requests_, piece, sizeof piece)) > 0 || (count < 0 && errno == EINTR))
      if (count > 0) ending_.word.append(piece, static_cast<std::size_t>(count));
    end(Ending::Kind::finished);
  }

  /// False when there are no more. What is beyond the limit is read all the same: whoever writes it is to go on.
  bool read_messages() {
    char piece[16 * 1024];
    const ssize_t count = ::read(messages_, piece, sizeof piece);
    if (count < 0) return errno == EINTR;
    const std::size_t room = limits_.said_bytes - std::min(limits_.said_bytes, ending_.said.size());
    ending_.said.append(piece, std::min(room, static_cast<std::size_t>(count)));
    return count > 0;
  }

  void look() {
    double seconds = seconds_of_ended_children() - before_;
    bool is_at_work = false; // or would be, if the machine let it
    for (const pid_t pid : descendants_by(child_)) {
      const warpbook::ProcessStat process = warpbook::read_stat("/proc/" + std::to_string(pid));
      seconds += process.seconds;
      is_at_work |= process.state == 'R' || process.state == 'D';
      ending_.most_bytes = std::max(ending_.most_bytes, warpbook::data_bytes_of(pid));
    }
    if (seconds >= limits_.processor_seconds) return end(Ending::Kind::too_long);
    idle_looks_ = is_at_work || seconds > seconds_ ? 0 : idle_looks_ + 1;
    seconds_ = seconds;
    if (idle_looks_ * between_looks >= std::chrono::seconds(limits_.idle_seconds)) end(Ending::Kind::waits);
  }

  pid_t child_;
  int messages_, requests_;
  const Limits& limits_;
  const std::function<void(char)>& serve_;
  double before_; ///< processor time of children that have ended and were not the child's
  Clock::time_point next_look_ = Clock::now() + between_looks;
  Ending ending_;
  double seconds_ = 0;
  unsigned idle_looks_ = 0;
  bool is_over_ = false, has_messages_ = true;
};

} // namespace

Ending supervise(const std::function<Done(const Ask&)>& work, const Limits& limits,
                 const std::function<void(char)>& serve) {
  int messages[2], requests[2];
  if (::pipe2(messages, O_CLOEXEC) != 0) warpbook::throw_errno("pipe");
  const warpbook::FileDescriptor heard(messages[0]);
  warpbook::FileDescriptor said(messages[1]);
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, requests) != 0)
    warpbook::throw_errno("socketpair");
  const warpbook::FileDescriptor served(requests[0]);
  warpbook::FileDescriptor asked(requests[1]);
  ::fcntl(heard.get(), F_SETFL, O_NONBLOCK);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1); // processes that lose their parent come here, and are not lost
  std::cout.flush();
  const Interrupts interrupts;
  const pid_t child = ::fork();
  if (child < 0) warpbook::throw_errno("fork");
  if (child == 0) be_the_child(work, limits, said.get(), asked.get());
  said.reset();
  asked.reset();
  return Supervision(child, heard.get(), served.get(), limits, serve).run();
}

} // namespace simt::compiler
