#pragma once

#include "simt/translate/command_line.hpp"

#include <functional>
#include <string>

namespace simt::compiler {

/// How work in a child process ended.
struct Ending {
  enum class Kind { finished, too_long, waits, interrupted };
  Kind kind = Kind::finished;
  int status = 0;             ///< as waitpid() gives it
  std::size_t most_bytes = 0; ///< of memory that a process was seen to have taken
  std::string said;           ///< what was written to standard output and standard error
  std::string word;           ///< what the work itself says, which nothing that it has started can write
};

/// What work comes to: the status of its process, and a word of its own.
struct Done {
  int status = 0;
  std::string word;
};

/// Asks whoever supervises for a service, which the letter names; comes back when it has been done.
using Ask = std::function<void(char)>;

/// Does `work` in a child with a session of its own, standard input from /dev/null and no other open file, and waits for
/// it; the child ends as `work` returns. Its processes, and theirs, are killed when it ends or takes
/// more time than the limits say, or when this process gets a signal to end. The limits on memory and files are the
/// child's from its beginning on. `serve` is called here for every letter that the child asks with.
Ending supervise(const std::function<Done(const Ask&)>& work, const Limits& limits,
                 const std::function<void(char)>& serve);

} // namespace simt::compiler
