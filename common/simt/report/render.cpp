#include "simt/report/symbolizer.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

namespace simt {

namespace {

void print_index(std::ostream& out, const std::array<unsigned, 3>& index) {
  out << '(' << index[0] << ',' << index[1] << ',' << index[2] << ')';
}

std::string base_name(const std::string& path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::optional<SourceLine> source_of(const Participant& participant, Symbolizer& symbolizer) {
  if (participant.line != 0) return SourceLine{participant.file, participant.line};
  return symbolizer.locate(participant.where);
}

} // namespace

void merge_by_line(std::vector<Diagnostic>& diagnostics, Symbolizer& symbolizer) {
  using Lines = std::vector<std::pair<std::string, unsigned>>;
  std::map<std::tuple<std::string, std::string, Lines>, std::size_t> index_of;
  std::vector<Diagnostic> merged;
  for (Diagnostic& diagnostic : diagnostics) {
    Lines lines;
    for (const Participant& participant : diagnostic.participants) {
      auto source = source_of(participant, symbolizer);
      // What has no line is told apart by its address.
      lines.push_back(
          source ? std::pair(source->file, source->line)
                 : std::pair(participant.where.module + '+' + std::to_string(participant.where.offset), 0u));
    }
    std::sort(lines.begin(), lines.end());
    auto [known, is_new] = index_of.try_emplace({diagnostic.id, diagnostic.kernel, lines}, merged.size());
    if (is_new)
      merged.push_back(std::move(diagnostic));
    else
      merged[known->second].count += diagnostic.count;
  }
  diagnostics = std::move(merged);
}

std::string describe(const ThreadId& thread) {
  std::ostringstream out;
  out << "thread ";
  print_index(out, thread.thread);
  out << " of block ";
  print_index(out, thread.block);
  out << ", warp " << thread.warp << " lane " << thread.lane;
  return out.str();
}

std::string render(const Diagnostic& diagnostic, Symbolizer& symbolizer) {
  std::ostringstream out;
  out << name_of(diagnostic.severity) << ": " << diagnostic.id;
  if (!diagnostic.kernel.empty()) out << " in kernel " << diagnostic.kernel;
  if (diagnostic.count > 1) out << " (" << diagnostic.count << " times; this is the first)";
  out << "\n  " << diagnostic.message << '\n';
  for (const Participant& participant : diagnostic.participants) {
    out << "  - " << (participant.thread ? describe(*participant.thread) : std::string("host code")) << ' '
        << participant.action << '\n';
    if (auto source = source_of(participant, symbolizer)) {
      out << "      " << base_name(source->file) << ':' << source->line;
      std::string text = symbolizer.excerpt(*source);
      if (!text.empty()) out << " | " << text;
      out << '\n';
    }
  }
  for (const std::string& note : diagnostic.notes) out << "  note: " << note << '\n';
  if (!diagnostic.suggestion.empty()) out << "  try: " << diagnostic.suggestion << '\n';
  return out.str();
}

} // namespace simt
