#include "simt/report/symbolizer.hpp"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <mutex>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace simt {

namespace {

// addr2line prints a varying number of lines per question; the echo of this second question marks the end.
constexpr const char* end_question = "0xffffffffffffffff";

bool is_foreign(const std::string& file) {
  for (const char* part : {"/simt/include/", "/usr/include/", "/usr/lib/", "/usr/lib64/"})
    if (file.find(part) != std::string::npos) return true;
  return file.empty() || file[0] == '?' || file[0] == '<';
}

std::optional<SourceLine> parse_line(const std::string& text) {
  std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  unsigned line = static_cast<unsigned>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
  if (line == 0) return std::nullopt;
  return SourceLine{text.substr(0, colon), line};
}

/// One addr2line process that answers questions over two pipes.
class Process {
public:
  explicit Process(const std::string& module) {
    int questions[2], answers[2];
    if (pipe2(questions, O_CLOEXEC) != 0) return;
    if (pipe2(answers, O_CLOEXEC) != 0) {
      close(questions[0]);
      close(questions[1]);
      return;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, questions[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, answers[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string path = module;
    char program[] = "addr2line", inlines[] = "-i", echo[] = "-a", file_option[] = "-e";
    char* arguments[] = {program, inlines, echo, file_option, path.data(), nullptr};
    if (posix_spawnp(&child_, program, &actions, nullptr, arguments, environ) != 0) child_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(questions[0]);
    close(answers[1]);
    question_ = fdopen(questions[1], "w");
    answer_ = fdopen(answers[0], "r");
  }

  ~Process() {
    if (question_) fclose(question_);
    if (answer_) fclose(answer_);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }

  /// Source lines at `offset`, innermost inlined frame first.
  std::vector<SourceLine> ask(std::uint64_t offset) {
    std::vector<SourceLine> frames;
    if (child_ <= 0 || !question_ || !answer_) return frames;
    // A dead child must not take us with it.
    auto previous = std::signal(SIGPIPE, SIG_IGN);
    bool sent =
        std::fprintf(question_, "0x%llx\n%s\n", static_cast<unsigned long long>(offset), end_question) > 0 &&
        std::fflush(question_) == 0;
    std::signal(SIGPIPE, previous);
    char buffer[4096];
    bool at_end = false;
    while (sent && std::fgets(buffer, sizeof buffer, answer_)) {
      std::string text = buffer;
      while (!text.empty() && text.back() == '\n') text.pop_back();
      if (at_end) break; // the one line that answers the end question
      if (text == end_question)
        at_end = true;
      else if (text.rfind("0x", 0) != 0)
        if (auto frame = parse_line(text)) frames.push_back(*frame);
    }
    return frames;
  }

private:
  pid_t child_ = -1;
  std::FILE* question_ = nullptr;
  std::FILE* answer_ = nullptr;
};

/// What the symbolizers of this process share.
struct Answers {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Process>> processes;
  std::map<std::pair<std::string, std::uint64_t>, std::optional<SourceLine>> located;
};

Answers& answers() {
  static Answers shared;
  return shared;
}

} // namespace

std::optional<SourceLine> Symbolizer::locate(const CodeAddress& address) {
  if (address.module.empty()) return std::nullopt;
  Answers& known = answers();
  const std::lock_guard lock(known.mutex);
  auto [answer, is_new] = known.located.try_emplace({address.module, address.offset});
  if (!is_new) return answer->second;
  std::unique_ptr<Process>& process = known.processes[address.module];
  if (!process) process = std::make_unique<Process>(address.module);
  for (const SourceLine& frame : process->ask(address.offset)) {
    if (is_foreign(frame.file)) continue;
    answer->second = frame;
    break;
  }
  return answer->second;
}

std::string Symbolizer::excerpt(const SourceLine& where) {
  auto [file, is_new] = files_.try_emplace(where.file);
  if (is_new) {
    std::ifstream input(where.file);
    for (std::string line; std::getline(input, line);) file->second.push_back(line);
  }
  if (where.line == 0 || where.line > file->second.size()) return {};
  const std::string& text = file->second[where.line - 1];
  std::size_t start = text.find_first_not_of(" \t");
  return start == std::string::npos ? std::string{} : text.substr(start);
}

} // namespace simt
