#include "simt/translate/source_file.hpp"

#include "call/file_descriptor.hpp"

#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace simt::compiler {
namespace {

constexpr off_t most_bytes = 16 << 20;

/// Passes the line that `text` begins with, and takes it off.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

} // namespace

std::string text_of_source(const std::string& name) {
  const warpbook::FileDescriptor file = warpbook::open_contents(name);
  struct stat status = {};
  if (!file || ::fstat(file.get(), &status) != 0 || status.st_size > most_bytes) return {};
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  for (ssize_t count = 1; count > 0 && done < text.size(); done += static_cast<std::size_t>(count))
    if ((count = ::read(file.get(), text.data() + done, text.size() - done)) < 0) count = 0;
  text.resize(done);
  return text;
}

std::vector<std::string> lines_of_source(const std::string& name) {
  const std::string text = text_of_source(name);
  std::vector<std::string> lines;
  for (std::string_view rest = text; !rest.empty();) lines.emplace_back(take_line(rest));
  return lines;
}

std::string line_of_source(const std::string& name, std::size_t number) {
  const std::string text = text_of_source(name);
  std::string_view rest = text, line;
  for (std::size_t n = 0; n < number; ++n) {
    if (rest.empty()) return {};
    line = take_line(rest);
  }
  return std::string(line);
}

bool lies_below(std::string_view file, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return !folder.empty() && file.starts_with(folder) && file.substr(folder.size()).starts_with('/');
}

} // namespace simt::compiler
