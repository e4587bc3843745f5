#include "simt/compiler/command_line.hpp"

#include <string_view>

namespace simt::compiler {
namespace {

class Parser {
public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  CommandLine run() {
    for (; next_ < arguments_.size(); ++next_) argument(arguments_[next_]);
    if (result_.help) return std::move(result_);
    if (result_.inputs.empty()) throw UsageError{"no input file"};
    if (result_.output.empty() && !result_.translate_only) throw UsageError{"-o OUT.so is missing"};
    return std::move(result_);
  }

private:
  static bool starts(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
  }

  std::string value(const std::string& option) {
    if (next_ + 1 >= arguments_.size()) throw UsageError{option + " needs a value"};
    return arguments_[++next_];
  }

  void argument(const std::string& text) {
    if (!starts(text, "-")) {
      result_.inputs.push_back(text);
    } else if (!named_value(text) && !pass_on(text) && !flag(text)) {
      throw UsageError{"unknown option " + text};
    }
  }

  bool named_value(const std::string& text) {
    const struct {
      std::string_view option;
      std::string* target;
    } named[] = {{"--cxx", &result_.compiler},
                 {"-o", &result_.output},
                 {"-MF", &result_.dependency_file},
                 {"-MT", &result_.dependency_target},
                 {"--simt-include", &result_.shim_folder},
                 {"--simt-exports", &result_.exports_file},
                 {"--keep", &result_.keep_folder}};
    for (const auto& [option, target] : named) {
      if (text == option) {
        *target = value(text);
        return true;
      }
      if (starts(option, "--") && starts(text, std::string(option) + "=")) {
        *target = text.substr(option.size() + 1);
        return true;
      }
    }
    return false;
  }

  bool pass_on(const std::string& text) {
    for (const std::string_view option : {"-I", "-D", "-U", "-isystem", "-include", "-l", "-L"}) {
      const bool joined = option.size() == 2 && starts(text, option) && text.size() > 2;
      if (text != option && !joined) continue;
      auto& list = option == "-l" || option == "-L" ? result_.linker : result_.preprocessor;
      list.push_back(text);
      if (!joined) list.push_back(value(text));
      return true;
    }
    return false;
  }

  bool flag(const std::string& text) {
    if (text == "--translate")
      result_.translate_only = true;
    else if (text == "-v" || text == "--verbose")
      result_.verbose = true;
    else if (text == "-h" || text == "--help")
      result_.help = true;
    else if (text == "-O0" || text == "-O1" || text == "-O2")
      result_.optimisation = text;
    else if (starts(text, "-std="))
      result_.standard = text;
    else if (starts(text, "-W") && !starts(text, "-Wl,"))
      result_.warnings.push_back(text);
    else if (text == "-w")
      result_.warnings.push_back(text);
    else if (text != "-g" && text != "-fPIC")
      return false; // both are always on
    return true;
  }

  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  CommandLine result_;
};

} // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) { return Parser(arguments).run(); }

std::string usage() {
  return R"(simtcc [OPTION]... -o OUT.so IN.cu...     builds CUDA sources into a module for the simulator
simtcc --translate [OPTION]... IN.cu...   prints the C++ that the compiler would get

  --cxx COMPILER        g++, clang++, or a path (default: g++, else clang++)
  -O0 -O1 -O2           optimisation (default -O1); -g is always on
  -std=STANDARD         default c++20
  -I -isystem -D -U -include -W... -w -l -L   as for the compiler
  -MF FILE [-MT TARGET] write a depfile
  --simt-include DIR    the simulator's headers
  --simt-exports FILE   the list of symbols that the runner provides
  --keep DIR            leave the preprocessed and translated text in DIR
  -v                    print the commands that are run

Exit status: 0 built, 1 the source has errors, 2 simtcc could not do its work.
)";
}

} // namespace simt::compiler
