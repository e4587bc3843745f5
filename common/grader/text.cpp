#include "grader/text.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>

#include "grader/context.hpp"
#include "grader/say.hpp"

namespace warpbook {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string rounded(double value) {
  char text[320]; // the largest double has 309 digits
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string significant(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string shown_path(const std::string& path) {
  // labs/NN-name/lab.hpp lies two folders below the workbook's root.
  const std::filesystem::path root =
      std::filesystem::path(context().contract_path).parent_path().parent_path().parent_path();
  const std::string relative = std::filesystem::path(path).lexically_proximate(root).string();
  return root.empty() || relative.empty() || relative.starts_with("..") ? path : relative;
}

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return one == other || std::filesystem::equivalent(one, other, error);
}

std::string signal_text(int signal) {
  switch (signal) {
  case SIGSEGV:
    return say("SIGSEGV (it touched memory that is not its own)");
  case SIGBUS:
    return say("SIGBUS (it touched memory that cannot be reached)");
  case SIGFPE:
    return say("SIGFPE (an integer division by zero, most likely)");
  case SIGILL:
    return say("SIGILL (an instruction that the processor does not know)");
  case SIGABRT:
    return say("SIGABRT (abort() was called: a failed assert, or an exception that was not caught)");
  case SIGXFSZ:
    return say("SIGXFSZ (it wrote a file larger than a submission may)");
  case SIGTRAP:
    return say("SIGTRAP (a trap instruction)");
  case SIGKILL:
    return say("SIGKILL (it was killed, perhaps because memory ran out)");
  case SIGTERM:
    return say("SIGTERM (another process asked it to end)");
  default:
    return say("signal {number}", signal);
  }
}

} // namespace warpbook
