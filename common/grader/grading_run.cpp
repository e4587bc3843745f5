#include "grader/grading_run.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "call/channel.hpp"
#include "call/parallel.hpp"
#include "grader/choice.hpp"
#include "grader/item_run.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"
#include "grader/yardstick.hpp"
#include "process/process.hpp"

namespace warpbook {
namespace {

/// Why an item cannot be graded on this machine, or an empty string.
std::string obstacle(const Item& item, const Availability& found) {
  if (!found.available) return found.reason + ".";
  const auto [major, minor] = found.compute_capability;
  if (std::pair(major, minor) >= std::pair(item.capability_major, item.capability_minor)) return {};
  return say("The item needs compute capability {needed_major}.{needed_minor}; {device} has {major}.{minor}.",
             item.capability_major, item.capability_minor, found.device, major, minor);
}

ItemResult without_run(const Item& item, ItemResult::Status status, std::string diagnosis,
                       std::string reason) {
  ItemResult result;
  result.judged = item;
  result.status = status;
  result.failure = {{std::move(diagnosis)}, std::move(reason), {}};
  return result;
}

/// What a worker does: answers the number of an item with its result.
class Judge {
public:
  Judge(const std::vector<Item>& items, const GradingRunOptions& options)
      : items_(items), options_(options) {}

  /// Contexts of a GPU are made while the compiler is at work, also the one that the first measurement would wait for.
  void prepare() {
    if (!options_.keep_runners || !availability().available || std::ranges::none_of(items_, is_speed_item))
      return;
    try {
      yardsticks_.beside(options_.submission).start();
    } catch (const std::runtime_error&) { // whoever measures tries again, and says so
    }
  }

  ItemResult verdict(std::size_t number) {
    const Item& item = items_[number];
    try {
      if (options_.submission.backend == Backend::cuda) {
        const Availability found = availability();
        if (const std::string reason = obstacle(item, found); !reason.empty()) {
          // A GPU that is too old is no mistake of the student's, and the simulator grades the item.
          const bool may_skip = options_.skip_unavailable || found.available;
          return without_run(item, may_skip ? ItemResult::Status::skipped : ItemResult::Status::failed,
                             "unavailable", reason);
        }
      }
      if (!std::filesystem::exists(options_.submission.module_path))
        throw std::runtime_error("the module " + options_.submission.module_path + " is not built");
      return run_item(item, options_.submission, options_.keep_runners ? &kept_ : nullptr);
    } catch (const std::exception& error) {
      return without_run(item, ItemResult::Status::error, "internal-error", error.what());
    }
  }

private:
  // The kept runner says what it has to offer when it starts. Where it does not start, the short question may tell why;
  // if not, the item will.
  Availability availability() {
    if (options_.keep_runners) {
      try {
        return kept_.start(options_.submission);
      } catch (const std::runtime_error&) {
      }
    }
    return probe(options_.submission);
  }

  const std::vector<Item>& items_;
  const GradingRunOptions& options_;
  KeptRunner kept_;
  SharedYardsticks yardsticks_; ///< of the items that measure a time
};

[[noreturn]] void serve(Channel channel, const std::vector<Item>& items, const GradingRunOptions& options,
                        pid_t grader) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != grader) ::_exit(0);
  ::dup2(STDERR_FILENO, STDOUT_FILENO); // what a rubric prints is no part of the report
  int status = 0;
  try {
    Judge judge(items, options);
    judge.prepare();
    while (const std::optional<Message> message = channel.receive())
      channel.send(to_json(record_of(judge.verdict(std::stoul(message->text)), options.submission)));
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what() << std::endl;
    status = 1;
  }
  ::_exit(status);
}

struct Worker {
  pid_t process = -1;
  std::optional<Channel> channel;
  std::optional<std::size_t> item;
};

class GradingRun {
public:
  GradingRun(const std::vector<Item>& items, const GradingRunOptions& options,
             const std::function<void(const ResultRecord&)>& ended)
      : items_(items), options_(options), ended_(ended), results_(items.size()) {}
  ~GradingRun() {
    for (Worker& worker : workers_) stop(worker);
  }
  GradingRun(const GradingRun&) = delete;
  GradingRun& operator=(const GradingRun&) = delete;

  std::vector<ResultRecord> run() {
    for (std::size_t i = 0; i < number_of_workers(); ++i) workers_.push_back(start_worker());
    if (!is_told_to_begin()) return {};
    while (told_ < items_.size()) {
      for (Worker& worker : workers_) {
        if (!worker.item) give_work(worker);
      }
      hand_over();
      if (told_ < items_.size()) wait();
    }
    std::vector<ResultRecord> all;
    for (std::optional<ResultRecord>& result : results_) all.push_back(std::move(*result));
    return all;
  }

private:
  std::size_t number_of_workers() const { return std::min<std::size_t>(options_.workers, items_.size()); }

  Worker start_worker() {
    std::cout << std::flush;
    auto [own, other] = Channel::make_pair();
    const pid_t grader = ::getpid();
    const pid_t process = ::fork();
    if (process < 0) throw_errno("fork");
    if (process == 0) {
      // A worker ends when the grader closes its channel, so that no worker may hold the grader's ends open.
      own = Channel(FileDescriptor());
      for (Worker& worker : workers_) worker.channel.reset();
      set_loop_threads(loop_threads() / number_of_workers());
      serve(std::move(other), items_, options_, grader);
    }
    return {process, std::move(own), {}};
  }

  bool is_told_to_begin() const {
    if (options_.wait_for < 0) return true;
    for (char letter = 0; letter != '\n';) {
      const ssize_t length = ::read(options_.wait_for, &letter, 1);
      if (length < 0 && errno == EINTR) continue;
      if (length <= 0) return false;
    }
    return true;
  }

  void give_work(Worker& worker) {
    while (next_ < items_.size()) {
      const Item& item = items_[next_];
      if (is_speed_item(item)) {
        // Nothing else may run beside a measurement, and a wrong result has no speed.
        const bool others_ended =
            std::ranges::none_of(workers_, [](const Worker& other) { return other.item.has_value(); });
        if (!others_ended) return;
        if (const std::string wrong = wrong_function(item); !wrong.empty()) {
          end_without_run(
              next_++, ItemResult::Status::skipped, "not-right-yet",
              say("{function} does not give the right result yet; once it does, its speed is measured.",
                  wrong));
          continue;
        }
      }
      worker.item = next_++;
      try {
        worker.channel->send(std::to_string(*worker.item));
      } catch (const std::system_error&) {
        // It has ended; waiting for its answer finds that out.
      }
      return;
    }
  }

  /// A function of `item` that has failed another item, or an empty string.
  std::string wrong_function(const Item& item) const {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const std::vector<std::string>& called = items_[i].functions;
      if (!results_[i] || results_[i]->status != ItemResult::Status::failed || is_speed_item(items_[i]))
        continue;
      for (const std::string& function : item.functions)
        if (std::ranges::find(called, function) != called.end()) return function;
    }
    return {};
  }

  void end_without_run(std::size_t item, ItemResult::Status status, std::string diagnosis,
                       std::string reason) {
    results_[item] = record_of(without_run(items_[item], status, std::move(diagnosis), std::move(reason)),
                               options_.submission);
  }

  void hand_over() {
    for (; told_ < results_.size() && results_[told_]; ++told_) ended_(*results_[told_]);
  }

  void wait() {
    std::vector<pollfd> files;
    for (const Worker& worker : workers_) files.push_back({worker.channel->file(), POLLIN, 0});
    if (::poll(files.data(), files.size(), -1) < 0) {
      if (errno == EINTR) return;
      throw_errno("poll");
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].revents != 0) take_answer(workers_[i]);
    }
  }

  void take_answer(Worker& worker) {
    std::optional<Message> message = worker.channel->receive();
    if (message) {
      ResultRecord record = record_from(message->text);
      if (record.item != items_[worker.item.value()].name)
        throw std::runtime_error("a result is about no item that was asked for");
      results_[*worker.item] = std::move(record);
      worker.item.reset();
      return;
    }
    const std::optional<std::size_t> item = worker.item;
    const std::string how = stop(worker);
    if (item)
      end_without_run(*item, ItemResult::Status::error, "internal-error",
                      "The grader's process " + how + " while it judged this item.");
    else if (++idle_deaths_ > options_.workers)
      throw std::runtime_error("the grader's processes end before they judge anything");
    worker = start_worker();
  }

  /// Ends the worker, if it has not ended; says how it did.
  static std::string stop(Worker& worker) {
    if (worker.process < 0) return {};
    worker.channel.reset();
    // A worker that waits for work ends by itself; one at work is not waited for.
    if (worker.item) ::kill(worker.process, SIGKILL);
    const int status = wait_for(worker.process);
    worker.process = -1;
    return WIFSIGNALED(status) ? "was ended by " + signal_text(WTERMSIG(status))
                               : "ended with status " + std::to_string(WEXITSTATUS(status));
  }

  const std::vector<Item>& items_;
  const GradingRunOptions& options_;
  const std::function<void(const ResultRecord&)>& ended_;
  std::vector<std::optional<ResultRecord>> results_;
  std::vector<Worker> workers_;
  std::size_t next_ = 0; ///< the first item that has not begun
  std::size_t told_ = 0; ///< results handed over
  unsigned idle_deaths_ = 0;
};

} // namespace

std::vector<ResultRecord> run_items(const std::vector<Item>& items, const GradingRunOptions& options,
                                    const std::function<void(const ResultRecord&)>& ended) {
  return GradingRun(items, options, ended).run();
}

} // namespace warpbook
