#include "simt/program/stopping.hpp"

#include "simt/program/computer_memory.hpp"
#include "simt/report/wording.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>
#include <utility>

namespace simt::program {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long tick_nanoseconds = 250'000'000; ///< of the processor's time
constexpr unsigned most_ticks_to_stop = 4;
constexpr double seconds_before_status = 3;
constexpr double short_run = 5; ///< seconds that a smaller size is proposed for

struct Watch {
  Clock::time_point begun;
  double limit = 0;
  bool shows_status = false, has_status = false;
  void (*end)(int signal, const std::string& text) = nullptr;
  std::string text; ///< not empty: the program is being stopped
  int signal = 0;
  unsigned ticks = 0; ///< since then
};
Watch watch;

int tick_signal() { return SIGRTMIN + 6; }

/// "12 s", "3.5 min", "2.1 hours"
std::string duration(double seconds) {
  const auto with = [](double number, const char* unit) {
    char text[64];
    std::snprintf(text, sizeof text, number < 10 ? "%.1f %s" : "%.0f %s", number, unit);
    return std::string(text);
  };
  if (seconds < 100) return with(seconds, "s");
  if (seconds < 5400) return with(seconds / 60, "min");
  return with(seconds / 3600, "hours");
}

std::string gibibytes(std::uint64_t bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

std::string place(const RunningLaunch& launch) {
  const std::string name = launch.kernel;
  return launch.line == 0 ? name : name + " (" + launch.file + ':' + std::to_string(launch.line) + ')';
}

double whole_time(const RunningLaunch& launch) {
  return launch.seconds / static_cast<double>(launch.blocks_done) * static_cast<double>(launch.blocks);
}

/// As many of them as end in a short run, in one digit that is no 0.
std::uint64_t proposed(double each) {
  const double most = std::max(1.0, short_run / each);
  const double unit = std::pow(10.0, std::floor(std::log10(most)));
  return static_cast<std::uint64_t>(std::floor(most / unit) * unit);
}

/// "The launches before it have taken 0.5 s, and about 40,000 launches end in 5.0 s: ...", of so many
std::string time_of_launches(double seconds, std::uint64_t launches) {
  const std::uint64_t fewer = proposed(seconds / static_cast<double>(launches));
  return "have taken " + duration(seconds) + ", and about " + separated(fewer) +
         (fewer == 1 ? " launch ends" : " launches end") + " in " + duration(short_run) +
         ": give the program fewer rounds, or a smaller size.";
}

void end_now() { watch.end(watch.signal, watch.text); }

void stop(int signal, std::string why) {
  const double seconds = std::chrono::duration<double>(Clock::now() - watch.begun).count();
  watch.signal = signal;
  watch.text = sentence({std::move(why), seconds, time_in_kernels(), running_launch(), ended_launch()});
  if (!stop_running_kernel(end_now)) end_now();
}

void on_signal(int signal) {
  if (!watch.text.empty()) { // the second one does not wait
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  stop(signal, signal == SIGINT    ? "interrupted"
               : signal == SIGXCPU ? "the limit of the processor's time is over"
                                   : "terminated");
}

void on_tick(int) {
  if (!watch.text.empty()) {
    if (++watch.ticks == most_ticks_to_stop) end_now();
    return;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - watch.begun).count();
  if (watch.limit > 0 && seconds >= watch.limit)
    return stop(0, "the limit of " + duration(watch.limit) + " is over");
  if (const std::optional<MemoryUse> use = memory_use(); use && is_used_up(*use))
    return stop(0, "the memory of this computer is used up (the program holds " + gibibytes(use->held) +
                       " of " + gibibytes(use->total) + ", and " + gibibytes(use->left) + " are left)");
  if (!watch.shows_status) return;
  const std::optional<RunningLaunch> launch = running_launch();
  if (!launch || launch->seconds < seconds_before_status) return clear_status();
  const std::string text = "\r\033[K" + status_line(*launch) + '\r';
  watch.has_status = ::write(STDERR_FILENO, text.data(), text.size()) > 0;
}

void handle(int signal, void (*handler)(int), bool unless_ignored) {
  struct sigaction action = {}, old = {};
  sigaction(signal, nullptr, &old);
  if (unless_ignored && old.sa_handler == SIG_IGN) return;
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART; // threads of kernels have small stacks
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

} // namespace

std::string sentence(const Stopped& stopped) {
  const std::string start = stopped.why + " after " + duration(stopped.seconds) + ", ";
  if (!stopped.launch) {
    // Between two launches of a loop that does little else, the loop is what there is to say something of.
    const RunningLaunch last = stopped.ended.value_or(RunningLaunch{});
    const double seconds = last.earlier_seconds + last.seconds;
    if (last.number > 1 && 2 * seconds > stopped.seconds)
      return start + "after launch " + separated(last.number) + " of kernel " + place(last) +
             ". The launches from there " + time_of_launches(seconds, last.number);
    return start + "in code of the host; kernels have taken " + duration(stopped.kernel_seconds) +
           " of them.";
  }
  const RunningLaunch& launch = *stopped.launch;
  std::string text = start + "in ";
  if (launch.number > 1) text += "launch " + separated(launch.number) + " of ";
  text += "kernel " + place(launch) + ". ";
  if (launch.number > 1 && launch.earlier_seconds > launch.seconds)
    return text + "The launches before it " + time_of_launches(launch.earlier_seconds, launch.number - 1);
  if (launch.blocks_done == 0)
    return text + "None of its " + counted(launch.blocks, "block") + " is done after " +
           duration(launch.seconds) + ": give each thread less to do, and check that every loop ends.";
  const double each = launch.seconds / static_cast<double>(launch.blocks_done);
  return text + separated(launch.blocks_done) + " of its " + counted(launch.blocks, "block") +
         (launch.blocks_done == 1 ? " is" : " are") + " done after " + duration(launch.seconds) +
         ", and all would take " + duration(whole_time(launch)) +
         ". Give the program a smaller size: about " + counted(proposed(each), "block") + " of this kernel " +
         (proposed(each) == 1 ? "ends" : "end") + " in " + duration(short_run) + '.';
}

std::string status_line(const RunningLaunch& launch) {
  std::string text = "kernel " + place(launch) + ": " + separated(launch.blocks_done) + " of " +
                     counted(launch.blocks, "block") + " in " + duration(launch.seconds);
  if (launch.blocks_done > 0)
    text += ", about " + duration(std::max(0.0, whole_time(launch) - launch.seconds)) + " to go";
  return text;
}

void clear_status() {
  constexpr char erase[] = "\r\033[K";
  if (std::exchange(watch.has_status, false) && ::write(STDERR_FILENO, erase, sizeof erase - 1) < 0) return;
}

void watch_for_the_end(double limit, bool shows_status, void (*end)(int signal, const std::string& text)) {
  watch.begun = Clock::now();
  watch.limit = limit;
  watch.shows_status = shows_status;
  watch.end = end;
  handle(SIGINT, on_signal, true);
  handle(SIGTERM, on_signal, true);
  handle(SIGXCPU, on_signal, true);
  // Time of the processor: a program that sleeps or waits is not disturbed.
  handle(tick_signal(), on_tick, false);
  struct sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = tick_signal();
  timer_t timer;
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0)
    return; // signals end the program all the same
  struct itimerspec every = {};
  every.it_value.tv_nsec = every.it_interval.tv_nsec = tick_nanoseconds;
  timer_settime(timer, 0, &every, nullptr);
}

} // namespace simt::program
