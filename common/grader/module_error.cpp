#include "grader/module_error.hpp"

#include <optional>
#include <vector>

#include "grader/contract_text.hpp"
#include "grader/say.hpp"
#include "grader/text.hpp"
#include "simt/elf/symbols.hpp"
#include "text/demangle.hpp"

namespace warpbook {
namespace {

// The module's functions of this name and of no namespace, as C++ writes them: "twice(float*, int)".
std::vector<std::string> overloads_of(const std::string& function, const std::string& module) {
  std::vector<std::string> found;
  const auto symbols = simt::read_symbols(module, simt::SymbolTable::dynamic);
  for (const simt::ElfSymbol& symbol : symbols.value_or(std::vector<simt::ElfSymbol>())) {
    const std::string text = demangled(symbol.name);
    if (symbol.is_defined && symbol.is_function && text.starts_with(function + "(")) found.push_back(text);
  }
  return found;
}

std::string file_and_line(const std::string& file, unsigned line) {
  return shown_path(file) + ":" + std::to_string(line);
}

} // namespace

Failure missing_function(const std::string& function, const std::string& module, const std::string& source,
                         const std::string& contract) {
  const std::vector<std::string> overloads = overloads_of(function, module);
  std::vector<Signature> written = signatures_of(read_text(source), function);
  std::erase_if(written, [](const Signature& signature) { return !signature.is_definition; });
  if (overloads.empty()) {
    Failure failure{{"missing-function"},
                    say("The submission does not define {function}, which the contract asks for.", function),
                    {}};
    for (const Signature& signature : written)
      failure.details.push_back(say("{place} has {function}, which is not in the built file: it may be "
                                    "static, inline, a template, in a namespace, or left out by an #if.",
                                    file_and_line(source, signature.line), signature.text));
    return failure;
  }
  Failure failure{
      {"wrong-parameters", "missing-function"},
      say("{function} has other parameters than in lab.hpp. In C++ that makes it another function, so the "
          "one that the contract asks for is missing.",
          function),
      {}};
  const std::vector<Signature> declared = signatures_of(read_text(contract), function);
  if (!declared.empty())
    failure.details.push_back(
        say("{place} declares {function}", file_and_line(contract, declared[0].line), declared[0].text));
  for (const Signature& signature : written) {
    failure.details.push_back(
        say("{place} defines {function}", file_and_line(source, signature.line), signature.text));
    failure.places.emplace_back(source, signature.line);
  }
  if (failure.places.empty())
    for (const std::string& overload : overloads)
      failure.details.push_back(say("The submission defines {function}", overload));
  return failure;
}
Failure load_failure(const std::string& loader_text) {
  const std::string undefined = "undefined symbol: ";
  const Details details = {say("The loader says: {text}", loader_text)};
  if (const std::size_t at = loader_text.find(undefined); at != std::string::npos) {
    const std::size_t start = at + undefined.size();
    const std::size_t end = std::min(loader_text.find_first_of(" ,\t", start), loader_text.size());
    return {
        {"load-failed"},
        say("The submission cannot be loaded: it uses `{function}`, which is declared but defined nowhere.",
            demangled(loader_text.substr(start, end - start))),
        details};
  }
  if (loader_text.find("cannot open shared object file") != std::string::npos) {
    return {{"load-failed"},
            say("The submission cannot be loaded: it, or a library that it needs, is not there."),
            details};
  }
  if (loader_text.find("file too short") != std::string::npos ||
      loader_text.find("invalid ELF header") != std::string::npos) {
    return {{"load-failed"},
            say("The submission cannot be loaded: its module is damaged; build it again."),
            details};
  }
  return {{"load-failed"}, say("The submission cannot be loaded."), details};
}

} // namespace warpbook
