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

bool is_barrier(const std::string& text) {
  const std::size_t comment = text.find("//");
  const std::string code = text.substr(0, comment);
  return code.find("__syncthreads") != code.npos || code.find(".sync()") != code.npos;
}

} // namespace

bool barrier_between(const Diagnostic& diagnostic, Symbolizer& symbolizer) {
  if (diagnostic.id != "shared-race" || diagnostic.participants.size() != 2) return false;
  const auto& one = diagnostic.participants[0].thread;
  const auto& other = diagnostic.participants[1].thread;
  if (one && other && one->block != other->block) return false;
  auto first = source_of(diagnostic.participants[0], symbolizer);
  auto second = source_of(diagnostic.participants[1], symbolizer);
  if (!first || !second || first->file != second->file) return false;
  const auto [low, high] = std::minmax(first->line, second->line);
  for (unsigned line = low + 1; line < high && line < low + 100; ++line)
    if (is_barrier(symbolizer.excerpt({first->file, line}))) return true;
  return false;
}

namespace {

struct Advice {
  std::string note;
  std::string suggestion;
};

/// The suggestion that comes with the diagnostic, or another one where its lines and its cause say more.
Advice advice_for(const Diagnostic& diagnostic, Symbolizer& symbolizer) {
  if (!barrier_between(diagnostic, symbolizer)) return {"", diagnostic.suggestion};
  if (diagnostic.cause == "barrier-divergence")
    return {
        "a barrier stands between these lines, but the threads of this block do not all reach their barriers "
        "alike (see barrier-divergence)",
        "mend the barrier first, and look whether this race is still there."};
  if (diagnostic.cause == "uninitialised-read")
    return {"a barrier stands between these lines, and still the element had never been written when it was "
            "read: "
            "it is taken before a later turn of the loop (or a later call) brings it",
            "let all be brought before the first is taken: two loops, with one barrier between them."};
  return {
      "a barrier stands between these lines, so one thread has gone on to the next turn of a loop (or to the "
      "next call) while the other is still in this one: between one turn and the next there is none",
      "put another barrier where one turn ends and the next begins, at a place that every thread reaches."};
}

} // namespace

std::optional<SourceLine> source_of(const Participant& participant, Symbolizer& symbolizer) {
  if (participant.line != 0) return SourceLine{participant.file, participant.line};
  return symbolizer.locate(participant.where);
}

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
    if (is_new) {
      merged.push_back(std::move(diagnostic));
      continue;
    }
    Diagnostic& first = merged[known->second];
    const std::uint64_t count = first.count + diagnostic.count;
    const std::string cause = first.cause.empty() ? diagnostic.cause : first.cause;
    // Of a race, threads of two warps are the better witnesses: what orders lanes need not order warps.
    if (diagnostic.id.ends_with("-race") && within_warp(first) && !within_warp(diagnostic))
      first = std::move(diagnostic);
    first.count = count;
    first.cause = cause;
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

std::string render(const Diagnostic& diagnostic, Symbolizer& symbolizer, const Telling& telling) {
  std::ostringstream out;
  out << name_of(diagnostic.severity) << ": " << diagnostic.id;
  if (!diagnostic.kernel.empty()) out << " in kernel " << diagnostic.kernel;
  if (diagnostic.count > 1) out << " (" << diagnostic.count << " times; this is the first)";
  out << '\n';
  if (telling.message) out << "  " << diagnostic.message << '\n';
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
  const Advice advice = telling.advice ? Advice{"", *telling.advice} : advice_for(diagnostic, symbolizer);
  if (!advice.note.empty()) out << "  note: " << advice.note << '\n';
  if (!advice.suggestion.empty()) out << "  try: " << advice.suggestion << '\n';
  return out.str();
}

} // namespace simt
