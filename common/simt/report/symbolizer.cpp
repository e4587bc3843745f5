#include "simt/report/symbolizer.hpp"

#include "simt/report/debug_information.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <filesystem>
#include <fstream>
#include <gelf.h>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>

namespace simt {

namespace {

/// The debug information of one module.
class Module {
public:
  explicit Module(const std::string& path) : debug_(path) {}

  /// The innermost source line at `offset` that is not in a foreign file, outwards through inlined calls.
  std::optional<SourceLine> locate(Dwarf_Addr offset) const {
    std::optional<Dwarf_Die> unit = debug_.unit_at(offset);
    if (!unit) return std::nullopt;
    if (auto own = own_line(*unit, offset)) return own;
    const std::vector<SourceLine> around = callers(*unit, offset);
    return around.empty() ? std::nullopt : std::optional(around.front());
  }

  /// All such lines, from the innermost outwards.
  std::vector<SourceLine> lines(Dwarf_Addr offset) const {
    std::optional<Dwarf_Die> unit = debug_.unit_at(offset);
    if (!unit) return {};
    std::vector<SourceLine> all = callers(*unit, offset);
    if (auto own = own_line(*unit, offset)) all.insert(all.begin(), *own);
    return all;
  }

  /// What Symbolizer::stores() says. Lines are one store with that of the call at `offset` if they are arms of one branch,
  /// and have no call of the same function of their own.
  std::vector<SourceLine> stores(Dwarf_Addr offset) {
    const std::optional<SourceLine> first = locate(offset);
    if (!first) return {};
    std::vector<SourceLine> lines = {*first};
    const DebugInformation::Section code = debug_.section(".text");
    const std::size_t call = offset + 1 - call_bytes - code.address;
    const std::vector<unsigned> arms = arms_with(*first);
    const auto function = function_called(code, call);
    if (arms.empty() || !function) return lines;
    const std::set<Line>& own = lines_that_call(code, *function);
    for (const unsigned line : arms)
      if (line != first->line && !own.contains({first->file, line})) lines.push_back({first->file, line});
    std::ranges::sort(lines, {}, &SourceLine::line);
    return lines;
  }

private:
  using Line = std::pair<std::string, unsigned>;

  /// The lines of the arms one of which is `line`, as simtcc has left them: "8 10 file.cu", for outer branches last.
  std::vector<unsigned> arms_with(const SourceLine& line) const {
    std::vector<unsigned> found;
    std::istringstream all{std::string(debug_.section("simt_arms").bytes)};
    for (std::string entry; std::getline(all, entry);) {
      std::erase(entry, '\0'); // of several sources the linker puts one's behind another's end
      std::istringstream words(entry);
      std::vector<unsigned> arms;
      for (unsigned number = 0; words >> number;) arms.push_back(number);
      words.clear();
      std::string file;
      std::getline(words >> std::ws, file);
      const bool is_its_file = line.file == file || line.file.ends_with('/' + file);
      if (is_its_file && std::ranges::find(arms, line.line) != arms.end()) found = std::move(arms);
    }
    return found;
  }

  /// Of x86-64's call of a function of another module: 0xff, 0x15, and how far away the function's address is.
  static constexpr std::size_t call_bytes = 6;

  static std::optional<std::size_t> function_called(const DebugInformation::Section& code, std::size_t call) {
    if (call >= code.bytes.size() || code.bytes.size() - call < call_bytes ||
        !code.bytes.substr(call).starts_with("\xff\x15"))
      return std::nullopt;
    std::int32_t distance = 0;
    std::memcpy(&distance, &code.bytes[call + 2], sizeof distance);
    return call + call_bytes + static_cast<std::size_t>(std::int64_t{distance});
  }

  const std::set<Line>& lines_that_call(const DebugInformation::Section& code, std::size_t function) {
    auto [known, is_new] = callers_.try_emplace(function);
    for (std::size_t call = 0; is_new && call < code.bytes.size(); ++call)
      if (function_called(code, call) == function)
        if (const auto line = locate(code.address + call + call_bytes - 1))
          known->second.emplace(line->file, line->line);
    return known->second;
  }

  /// The line of the code at `offset` itself, unless it is in a foreign file.
  std::optional<SourceLine> own_line(Dwarf_Die& unit, Dwarf_Addr offset) const {
    Dwarf_Line* line = dwarf_getsrc_die(&unit, offset);
    int number = 0;
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    if (!file || dwarf_lineno(line, &number) != 0 || number <= 0 || debug_.is_foreign(file))
      return std::nullopt;
    return SourceLine{file, static_cast<unsigned>(number)};
  }

  /// Where what is inlined at `offset` is called, from the innermost call outwards; not in foreign files.
  std::vector<SourceLine> callers(Dwarf_Die& unit, Dwarf_Addr offset) const {
    std::vector<SourceLine> found;
    Dwarf_Files* files = nullptr;
    Scopes around(dwarf_getscopes, &unit, offset);
    if (around.count <= 0 || dwarf_getsrcfiles(&unit, &files, nullptr) != 0) return found;
    Scopes scopes(dwarf_getscopes_die, &around.dies[0]);
    for (int i = 0; i < scopes.count; ++i) {
      if (dwarf_tag(&scopes.dies[i]) != DW_TAG_inlined_subroutine) continue;
      const auto line = dwarf_number(&scopes.dies[i], DW_AT_call_line);
      const auto file = dwarf_number(&scopes.dies[i], DW_AT_call_file);
      const char* name = line && file ? dwarf_filesrc(files, *file, nullptr, nullptr) : nullptr;
      if (name && *line > 0 && !debug_.is_foreign(name))
        found.push_back({name, static_cast<unsigned>(*line)});
    }
    return found;
  }

  /// What dwarf_getscopes() and the like have allocated.
  struct Scopes {
    template <typename Get, typename... Arguments>
    explicit Scopes(Get get, Arguments... arguments) : count(get(arguments..., &dies)) {}
    ~Scopes() { std::free(dies); }
    Dwarf_Die* dies = nullptr;
    int count;
  };

  DebugInformation debug_;
  std::map<std::size_t, std::set<Line>> callers_; ///< of the functions that stores have been asked about
};

/// What the symbolizers of this process share.
struct Answers {
  std::mutex mutex;
  std::map<std::string, Module> modules;
  std::map<std::pair<std::string, std::uint64_t>, std::optional<SourceLine>> located;

  Module& module_of(const CodeAddress& address) {
    return modules.try_emplace(address.module, address.module).first->second;
  }
};

Answers& answers() {
  static Answers shared;
  return shared;
}

} // namespace

std::optional<SourceLine> Symbolizer::locate(const CodeAddress& address) {
  if (address.module.empty()) return std::nullopt;
  const std::lock_guard lock(answers().mutex);
  auto [answer, is_new] = answers().located.try_emplace({address.module, address.offset});
  if (is_new) answer->second = answers().module_of(address).locate(address.offset);
  return answer->second;
}

std::vector<SourceLine> Symbolizer::lines(const CodeAddress& address) {
  if (address.module.empty()) return {};
  const std::lock_guard lock(answers().mutex);
  return answers().module_of(address).lines(address.offset);
}

std::vector<SourceLine> Symbolizer::stores(const CodeAddress& address) {
  if (address.module.empty()) return {};
  const std::lock_guard lock(answers().mutex);
  return answers().module_of(address).stores(address.offset);
}

namespace {

std::vector<std::string>& quoted_files() {
  static std::vector<std::string> files; // empty: all
  return files;
}

bool may_be_quoted(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  return quoted_files().empty() || std::ranges::any_of(quoted_files(), [&](const std::string& file) {
           return std::filesystem::equivalent(path, file, error);
         });
}

} // namespace

void Symbolizer::quote_only(const std::vector<std::string>& files) {
  std::vector<std::string>& quoted = quoted_files();
  quoted.insert(quoted.end(), files.begin(), files.end());
}

std::string Symbolizer::excerpt(const SourceLine& where) {
  auto [file, is_new] = files_.try_emplace(where.file);
  if (is_new && may_be_quoted(where.file)) {
    std::ifstream input(where.file);
    for (std::string line; std::getline(input, line);) file->second.push_back(line);
  }
  if (where.line == 0 || where.line > file->second.size()) return {};
  const std::string& text = file->second[where.line - 1];
  std::size_t start = text.find_first_not_of(" \t");
  return start == std::string::npos ? std::string{} : text.substr(start);
}

} // namespace simt
