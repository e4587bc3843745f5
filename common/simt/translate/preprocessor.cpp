#include "simt/translate/preprocessor.hpp"

#include "simt/translate/lexer.hpp"
#include "simt/translate/precompiled_headers.hpp"
#include "simt/translate/process.hpp"
#include "simt/translate/read_headers.hpp"
#include "simt/translate/source.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace simt::compiler {
namespace {

constexpr const char* cooperative_groups = "cooperative_groups.h";
constexpr const char* algorithm = "algorithm";

/// The definitions among the options. The headers in front are the system's and the simulator's own, whatever folders a
/// program brings, and what it includes by option stands behind them.
std::vector<std::string> definitions(const std::vector<std::string>& options) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    const bool is_taken = option.starts_with("-D") || option.starts_with("-U");
    if (is_taken) result.push_back(option);
    const bool has_value = option.size() == 2 || option == "-include" || option == "-isystem";
    if (has_value && ++i < options.size() && is_taken) result.push_back(options[i]);
  }
  return result;
}

/// All that decides what the headers are that this command reads, but for the files themselves.
std::string key_of(const std::vector<std::string>& command) {
  std::string key;
  for (const char* variable : {"CPATH", "CPLUS_INCLUDE_PATH"})
    if (const char* value = std::getenv(variable)) key += concatenate({variable, "=", value, "\n"});
  for (const std::string& word : command) key += word + '\n';
  return key;
}

/// Preprocesses an empty file, with the headers in front given.
class EmptyFile {
public:
  EmptyFile(const CommandLine& command, const Toolchain& toolchain, const std::string& standard,
            const std::string& shim_folder, const std::vector<std::string>& options)
      : command_(command), toolchain_(toolchain), standard_(standard), shim_(shim_folder),
        options_(definitions(options)) {}

  std::vector<std::string> arguments(const std::vector<std::string>& headers,
                                     const std::vector<std::string>& further = {}) const {
    std::vector<std::string> options = options_;
    options.insert(options.end(), further.begin(), further.end());
    return toolchain_.preprocess("/dev/null", standard_, command_.optimisation, shim_, options,
                                 Language::cuda, headers);
  }
  /// Empty if it fails.
  std::string preprocessed(const std::vector<std::string>& command) const {
    const MemoryFile output, unheard;
    const bool done =
        run(command, {.out = output.descriptor(), .error = unheard.descriptor()}, command_.verbose) == 0;
    return done ? output.content() : std::string();
  }

private:
  const CommandLine& command_;
  const Toolchain& toolchain_;
  const std::string& standard_;
  const std::string& shim_;
  std::vector<std::string> options_;
};

/// Reads the headers and keeps them. A header that its macros do not keep from being read twice (#pragma once) would be
/// there twice for a file that includes it, so then nothing is kept but that.
std::string read_and_keep(const KeptHeaders& kept, const EmptyFile& empty,
                          const std::vector<std::string>& headers, const std::string& compiler) {
  ReadHeaders read = read_headers(empty.preprocessed(empty.arguments(headers, {"-dD"})), headers.size());
  kept.keep_macros(read.macros);
  std::vector<std::string> twice = {kept.macro_file()};
  twice.insert(twice.end(), headers.begin(), headers.end());
  const std::string again = empty.preprocessed(empty.arguments(twice));
  if (again.empty() || has_code(split_behind_headers(again).rest)) read.text.clear();
  std::vector<std::string> files = {compiler};
  for (const SourceFile& file : tokenize(read.text).files)
    if (!file.name.starts_with('<')) files.push_back(file.name);
  kept.keep_text(read.text, files);
  return std::move(read.text);
}

} // namespace

char letter_of(const HeadersInFront& headers) {
  int bits = 0;
  for (const bool bit :
       {headers.architecture, headers.special_functions, headers.algorithm, headers.cooperative_groups})
    bits = 2 * bits + bit;
  return static_cast<char>('a' + bits);
}

std::string source_that_needs(char letter) {
  const int bits = letter - 'a';
  std::string source;
  if (bits & 1) source += concatenate({"#include <", cooperative_groups, ">\n"});
  if (bits & 2) source += concatenate({"#include <", algorithm, ">\n"});
  source += bits & 4 ? "int beta;\n" : "int nothing;\n";
  if (bits & 8) source += "#ifdef __CUDA_ARCH__\n#endif\n";
  return source;
}

HeadersInFront Preprocessor::wanted(const std::string& input) const {
  HeadersInFront wanted;
  for (const std::string& header : headers_in_front(input)) {
    wanted.cooperative_groups |= header == cooperative_groups;
    wanted.algorithm |= header == algorithm;
  }
  return wanted;
}

std::vector<std::string> Preprocessor::headers_in_front(const std::string& input) const {
  std::vector<std::string> headers = {"cuda_runtime.h"};
  if (!keeps_headers()) return headers;
  for (std::string& header : leading_headers(input, {cooperative_groups, algorithm}))
    headers.push_back(std::move(header));
  return headers;
}

Preprocessed Preprocessor::run(const std::string& input, const std::string& standard,
                               const std::vector<std::string>& options, Language language) const {
  const auto preprocessed = [&](const std::vector<std::string>& headers) {
    const MemoryFile output, messages;
    const int status = compiler::run(
        toolchain_.preprocess(input, standard, command_.optimisation, shim_, options, language, headers),
        {.out = output.descriptor(), .error = messages.descriptor()}, command_.verbose);
    return Preprocessed{status, output.content(), messages.content()};
  };
  const std::vector<std::string> headers = headers_in_front(input);
  if (language != Language::cuda || !keeps_headers()) return preprocessed(headers);

  const EmptyFile empty(command_, toolchain_, standard, shim_, options);
  const KeptHeaders kept(command_.precompiled_folder, key_of(empty.arguments(headers)));
  std::optional<std::string> text = kept.text();
  if (!text && ask_) {
    HeadersInFront wanted = this->wanted(input);
    wanted.architecture = std::ranges::find(options, device_pass) != options.end();
    ask_(letter_of(wanted));
    text = kept.text();
  } else if (!text) {
    std::error_code ignored;
    std::filesystem::create_directories(command_.precompiled_folder, ignored);
    text = read_and_keep(kept, empty, headers, toolchain_.path());
  }
  const std::string known = text.value_or("");
  if (known.empty()) return preprocessed(headers);
  Preprocessed result = preprocessed({kept.macro_file()});
  const SplitText split = split_behind_headers(result.text);
  result.text = concatenate({split.name, known, split.rest});
  return result;
}

} // namespace simt::compiler
