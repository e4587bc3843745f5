#include "simt/translate/read_headers.hpp"

#include "simt/translate/lexer.hpp"
#include "simt/translate/precompiled_headers.hpp"
#include "simt/translate/process.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace simt::compiler {
namespace {

/// Takes the first line, with its end, off the text.
std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n') + 1);
  const std::string_view whole = line.empty() ? text : line;
  text.remove_prefix(whole.size());
  return whole;
}

/// The file's time and size; empty if there is none.
std::string stamp(const std::string& file) {
  struct stat information {};
  if (::stat(file.c_str(), &information) != 0) return {};
  return std::to_string(information.st_mtim.tv_sec) + '.' + std::to_string(information.st_mtim.tv_nsec) +
         ' ' + std::to_string(information.st_size);
}

} // namespace

ReadHeaders read_headers(std::string_view printed, std::size_t count) {
  ReadHeaders read;
  std::string_view rest = split_behind_headers(printed, count).headers;
  LineMarker place;
  bool is_told = false; // the place of the next directive, by the line before
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    if (parse_line_marker(line, place)) {
      read.text += line;
      is_told = false;
      continue;
    }
    const bool is_directive = line.starts_with("#define ") || line.starts_with("#undef ");
    const bool is_own =
        place.literal.starts_with('<'); // the compiler's or the command line's, there without us
    if (!is_directive) {
      read.text += line;
      is_told = false;
    } else if (!is_own) {
      if (!is_told)
        read.macros += "# " + std::to_string(place.line) + " \"" + std::string(place.literal) + '"' +
                       (place.is_system ? " 3" : "") + (place.is_c ? " 4\n" : "\n");
      read.macros += line;
      read.text += '\n';
      is_told = true;
    }
    ++place.line;
  }
  return read;
}

bool has_code(std::string_view preprocessed) {
  while (!preprocessed.empty()) {
    const std::string_view line = next_line(preprocessed);
    if (LineMarker marker; line != "\n" && !parse_line_marker(line, marker)) return true;
  }
  return false;
}

std::vector<std::string> leading_headers(const std::string& file,
                                         const std::vector<std::string>& candidates) {
  std::ifstream stream(file);
  std::vector<std::string> included;
  bool in_comment = false;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    const std::string_view rest =
        begin == line.npos ? std::string_view() : std::string_view(line).substr(begin);
    if (in_comment || rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", in_comment ? 0 : 2);
      in_comment = end == rest.npos;
      if (!in_comment && rest.find_first_not_of(" \t\r", end + 2) != rest.npos) break;
    } else if (rest.starts_with("#include")) {
      const std::size_t open = rest.find('<');
      if (open != rest.npos) included.emplace_back(rest.substr(open + 1, rest.find('>') - open - 1));
    } else if (!rest.empty() && !rest.starts_with("//")) {
      break;
    }
  }
  std::vector<std::string> found;
  for (const std::string& candidate : candidates)
    if (std::ranges::find(included, candidate) != included.end()) found.push_back(candidate);
  return found;
}

KeptHeaders::KeptHeaders(const std::string& folder, std::string_view key)
    : macro_file_(folder + "/macros-" + hashed(key) + ".h"),
      text_file_(folder + "/headers-" + hashed(key) + ".ii") {}

std::optional<std::string> KeptHeaders::text() const {
  const std::string content = read_file(text_file_);
  std::string_view rest = content;
  std::string_view line = next_line(rest);
  for (; line.size() > 1; line = next_line(rest)) {
    line.remove_suffix(1);
    const std::size_t name = line.find(' ', line.find(' ') + 1) + 1;
    if (line.substr(0, name - 1) != stamp(std::string(line.substr(name)))) return {};
  }
  if (line.empty()) return {}; // no file, or the end of one that was cut
  return std::string(rest);
}

void KeptHeaders::keep_macros(const std::string& macros) const { replace_file(macro_file_, macros); }

void KeptHeaders::keep_text(const std::string& text, const std::vector<std::string>& files) const {
  std::string content;
  for (const std::string& file : files) content += stamp(file) + ' ' + file + '\n';
  replace_file(text_file_, content + '\n' + text);
}

} // namespace simt::compiler
