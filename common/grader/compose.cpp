#include "grader/compose.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "grader/contract_text.hpp"
#include "grader/definitions.hpp"
#include "grader/header.hpp"
#include "grader/items.hpp"
#include "grader/result.hpp"
#include "grader/text.hpp"
#include "text/regions.hpp"

namespace warpbook {
namespace {

bool is_blank_or_comment(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string::npos || line.compare(first, 2, "//") == 0;
}

std::optional<std::size_t> first_code(const std::vector<std::string>& lines, std::size_t from,
                                      std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (!is_blank_or_comment(lines[i])) return i;
  }
  return {};
}

// A file whose first marker comes before its first line of code.
bool is_composed(const std::vector<std::string>& lines) {
  const std::size_t code = first_code(lines, 0, lines.size()).value_or(lines.size());
  return std::ranges::any_of(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(code),
                             [](const std::string& line) { return marker_of(line).has_value(); });
}

[[noreturn]] void misfit(const std::string& path, std::size_t index, const std::string& what) {
  throw std::invalid_argument(shown_path(path) + ":" + std::to_string(index + 1) + ": error: " + what);
}

std::vector<Region> regions_in(const SourceFile& file, const std::vector<std::string>& lines) {
  try {
    return regions_of(lines);
  } catch (const MalformedRegion& malformed) {
    misfit(file.path, malformed.index, malformed.what());
  }
}

void check_nothing_outside(const SourceFile& mutant, const std::vector<std::string>& lines,
                           const std::vector<Region>& regions) {
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= regions.size(); ++k) {
    const std::size_t end = k < regions.size() ? regions[k].first : lines.size();
    if (const auto code = first_code(lines, begin, end))
      misfit(mutant.path, *code, "code outside of the regions, which is composed with nothing.");
    if (k < regions.size()) begin = regions[k].last;
  }
}

/// Lines of the solution, and what takes their place.
struct Replacement {
  std::size_t first = 0, last = 0;
  Region by;
};

Replacement replacement_for(const Region& region, const SourceFile& mutant, const SourceFile& solution,
                            const std::vector<Region>& known, const std::vector<Definition>& definitions) {
  if (const auto same = std::ranges::find(known, region.name, &Region::name); same != known.end())
    return {same->first, same->last, region};
  const std::string given = region.name.substr(0, region.name.size() - 1);
  const Definition* found = nullptr;
  for (const Definition& each : definitions) { // a declaration may come before
    if (given.starts_with("GIVEN(") && each.declares(given.substr(6)) && (!found || each.has_body))
      found = &each;
  }
  if (!found)
    misfit(mutant.path, region.first - 1, shown_path(solution.path) + " has no " + region.name + ".");
  return {found->first, found->last, region};
}

// In the order of the solution's lines.
std::vector<Replacement> replacements_for(const std::vector<Region>& regions, const SourceFile& mutant,
                                          const SourceFile& solution,
                                          const std::vector<std::string>& theirs) {
  const std::vector<Region> known = regions_in(solution, theirs);
  const std::vector<Definition> definitions = definitions_of(theirs);
  std::vector<Replacement> replacements;
  for (const Region& region : regions)
    replacements.push_back(replacement_for(region, mutant, solution, known, definitions));
  std::ranges::sort(replacements, {}, &Replacement::first);
  for (std::size_t k = 1; k < replacements.size(); ++k) {
    if (replacements[k].first < replacements[k - 1].last)
      misfit(mutant.path, replacements[k].by.first - 1,
             replacements[k].by.name + " lies inside " + replacements[k - 1].by.name +
                 ", which is replaced too.");
  }
  return replacements;
}

/// A line of the composed text, and where it comes from.
struct Line {
  const std::string* text;
  std::size_t index;
  bool is_mutants;
  bool is_kept = true;
};

std::vector<Line> replaced(const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
                           const std::vector<Replacement>& replacements) {
  std::vector<Line> lines;
  std::size_t next = 0;
  const auto solution_up_to = [&](std::size_t end) {
    for (; next < end; ++next) lines.push_back({&theirs[next], next, false});
  };
  for (const Replacement& each : replacements) {
    solution_up_to(each.first);
    for (std::size_t i = each.by.first; i < each.by.last; ++i) lines.push_back({&ours[i], i, true});
    next = each.last;
  }
  solution_up_to(theirs.size());
  return lines;
}

// Whether each definition is needed: `functions`, the mutant's own lines, or what one of those uses.
std::vector<bool> needed(const std::vector<Definition>& definitions, const std::vector<Line>& lines,
                         const std::vector<std::string>& functions) {
  std::vector<bool> is_needed(definitions.size());
  std::vector<std::size_t> to_follow;
  const auto need = [&](std::size_t k) {
    if (!is_needed[k]) to_follow.push_back(k);
    is_needed[k] = true;
  };
  for (std::size_t k = 0; k < definitions.size(); ++k) {
    const Definition& each = definitions[k];
    const bool is_asked_for =
        each.is_contract &&
        (functions.empty() || std::ranges::any_of(functions, [&](const std::string& function) {
           return each.declares(function);
         }));
    const bool is_touched = std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(each.first),
                                        lines.begin() + static_cast<std::ptrdiff_t>(each.last),
                                        [](const Line& l) { return l.is_mutants; });
    if (is_asked_for || is_touched || each.names.empty()) need(k);
  }
  while (!to_follow.empty()) {
    const std::vector<std::string>& words = definitions[to_follow.back()].words;
    to_follow.pop_back();
    for (std::size_t k = 0; k < definitions.size(); ++k) {
      if (std::ranges::any_of(definitions[k].names, [&](const std::string& name) {
            return std::ranges::binary_search(words, name);
          }))
        need(k);
    }
  }
  return is_needed;
}

// Comments between definitions go too: messages quote the files that the lines come from.
void leave_out_unneeded(std::vector<Line>& lines, const std::vector<std::string>& functions) {
  std::vector<std::string> text;
  for (const Line& line : lines) text.push_back(*line.text);
  const std::vector<Definition> definitions = definitions_of(text);
  const std::vector<bool> is_needed = needed(definitions, lines, functions);
  for (Line& line : lines) line.is_kept = !is_blank_or_comment(*line.text);
  for (std::size_t k = 0; k < definitions.size(); ++k) {
    for (std::size_t i = definitions[k].first; i < definitions[k].last; ++i) lines[i].is_kept = is_needed[k];
  }
}

bool is_header(const std::string& line) { return line.starts_with("#include <"); }

// Headers stand in front, with no directive before them: simtcc has those compiled that a file begins with.
std::string text_of(const std::vector<Line>& lines, const SourceFile& mutant, const SourceFile& solution) {
  std::string text;
  const Line* before = nullptr;
  for (const Line& line : lines) {
    if (!line.is_kept) continue;
    const bool follows = before && before->is_mutants == line.is_mutants && before->index + 1 == line.index;
    if (!follows && !is_header(*line.text)) {
      text += "#line " + std::to_string(line.index + 1) + " \"" + (line.is_mutants ? mutant : solution).path +
              "\"\n";
    }
    text += *line.text + "\n";
    before = is_header(*line.text) ? nullptr : &line;
  }
  return text;
}

std::string text_of_whole(const SourceFile& mutant, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (is_header(line))
      text += line + "\n";
    else if (!is_blank_or_comment(line))
      break;
  }
  return text + "#include \"" + mutant.path + "\"\n";
}

// The functions that the item named in the header is about; all of the contract if there is no such item.
std::vector<std::string> functions_for(const Header& header) {
  const std::vector<std::string>& names = header.all("item");
  const std::vector<Item> items = all_items();
  const auto item = std::ranges::find(items, names.empty() ? std::string() : names.front(), &Item::name);
  return item == items.end() ? std::vector<std::string>() : item->functions;
}

} // namespace

std::string compose(const SourceFile& mutant, const SourceFile& solution,
                    const std::vector<std::string>& functions) {
  const std::vector<std::string> ours = lines_of(mutant.text);
  if (!is_composed(ours)) return text_of_whole(mutant, ours);
  const std::vector<Region> regions = regions_in(mutant, ours);
  check_nothing_outside(mutant, ours, regions);
  if (solution.text.empty())
    misfit(mutant.path, regions.front().first - 1,
           "there is no " + shown_path(solution.path) + " to compose " + regions.front().name + " with.");
  const std::vector<std::string> theirs = lines_of(solution.text);
  std::vector<Line> lines = replaced(ours, theirs, replacements_for(regions, mutant, solution, theirs));
  leave_out_unneeded(lines, functions);
  return text_of(lines, mutant, solution);
}

std::string compose_into(const std::string& folder, const std::string& solution_path,
                         const std::vector<std::string>& mutants, Kept kept) {
  const SourceFile solution{solution_path, read_text(solution_path)};
  std::filesystem::create_directories(folder);
  std::string misfits;
  for (const std::string& path : mutants) {
    const SourceFile mutant{path, read_text(path)};
    try {
      std::vector<std::string> functions;
      if (kept == Kept::functions_of_item) functions = functions_for(Header(mutant.text));
      const std::string text = compose(mutant, solution, functions);
      const std::string target = folder + "/" + std::filesystem::path(path).filename().string();
      if (read_text(target) != text + '\n') write_file(target, text);
    } catch (const std::invalid_argument& problem) {
      misfits += std::string(problem.what()) + "\n";
    }
  }
  return misfits;
}

} // namespace warpbook
