#include "simt/translate/witness.hpp"

#include "process/process.hpp"
#include "simt/translate/process.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace simt::compiler {
namespace {

constexpr const char* variable = "SIMTCC_WITNESS"; ///< has the number of the open record

} // namespace

Witness::Witness() : record_(::memfd_create("simtcc-witness", 0)) {
  if (record_ >= 0) ::setenv(variable, std::to_string(record_).c_str(), 1);
}

Witness::~Witness() {
  if (record_ < 0) return;
  ::unsetenv(variable);
  ::close(record_);
}

std::vector<std::string> Witness::options() {
  std::error_code none;
  const std::string own = std::filesystem::read_symlink("/proc/self/exe", none);
  if (own.empty() || own.find(',') != own.npos) return {}; // which g++ would take for two words
  return {"-wrapper", own};
}

std::vector<Witness::End> Witness::ends() const {
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::pread(record_, text.data(), text.size(), 0))));
  std::istringstream lines(text);
  std::vector<End> found;
  for (End end; lines >> end.status && std::getline(lines >> std::ws, end.program);) found.push_back(end);
  return found;
}

bool Witness::saw_failing(const std::string& program) const {
  return std::ranges::any_of(ends(), [&](const End& end) { return end.program.ends_with(program); });
}

void Witness::require_within(const Limits& limits, int status) const {
  constexpr int by_shells = 128, of_broken_gcc = 4;
  std::optional<int> signal;
  bool is_broken = false;
  for (const End& end : ends()) {
    if (WIFSIGNALED(end.status)) signal = WTERMSIG(end.status);
    is_broken |= WIFEXITED(end.status) && WEXITSTATUS(end.status) == of_broken_gcc;
  }
  if (!signal && status > by_shells) signal = status - by_shells;
  if (signal == SIGXCPU) throw LimitReached{Limit::time};
  if (signal == SIGXFSZ) throw LimitReached{Limit::size};
  if (signal == SIGSYS || share_of_memory(limits) >= large_share) throw LimitReached{Limit::memory};
  if (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
    throw EnvironmentError{
        "The compiler was killed, and not for what it took. The machine may have too little "
        "memory for all that runs on it."};
  if (signal || is_broken) throw LimitReached{Limit::depth};
}

double share_of_memory(const Limits& limits) {
  rusage usage = {};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024 / static_cast<double>(limits.memory_mib);
}

bool is_before_witness() { return std::getenv(variable) != nullptr; }

int run_before_witness(char** program) {
  const int record = std::atoi(std::getenv(variable));
  ::fcntl(record, F_SETFD, FD_CLOEXEC);
  const pid_t child = ::fork();
  if (child < 0) return 1;
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::unsetenv(variable);
    ::execvp(program[0], program);
    ::_exit(127);
  }
  const int status = warpbook::wait_for(child);
  if (status == 0) return 0;
  ::dprintf(record, "%d %s\n", status, std::filesystem::path(program[0]).filename().c_str());
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  ::signal(WTERMSIG(status), SIG_DFL);
  ::raise(WTERMSIG(status));
  return 1;
}

} // namespace simt::compiler
