#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace warpbook {

/// Where a program's standard streams go; -1: where this process's go.
struct Streams {
  int in = -1;
  int out = -1;
  int error = -1;
};

/// A command as exec() takes it: pointers to its words, and a null behind them.
std::vector<char*> exec_words(const std::vector<std::string>& command);

/// Waits for the end of a child, through interruptions; returns its status as waitpid() gives it, 0 if there is no such
/// child.
int wait_for(pid_t child);

/// Runs a program found in PATH, without a shell, to its end. An interrupt ends it even where this process ignores
/// interrupts. Returns its exit status, or 128 + the signal that ended it. Throws std::system_error if it cannot be
/// started.
int run_program(const std::vector<std::string>& command, const Streams& streams = {});

/// What a program printed, and its status as above.
struct Output {
  int status = 0;
  std::string text;
};

/// Runs a program and takes what it prints, with `errors` also on its standard error, which is lost otherwise.
Output output_of(const std::vector<std::string>& command, bool errors);

} // namespace warpbook
