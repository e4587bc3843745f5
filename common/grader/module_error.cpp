#include "grader/module_error.hpp"

#include "text/demangle.hpp"

namespace warpbook {
Failure load_failure(const std::string& loader_text) {
  const std::string undefined = "undefined symbol: ";
  const std::vector<std::string> details = {"The loader says: " + loader_text};
  if (const std::size_t at = loader_text.find(undefined); at != std::string::npos) {
    const std::size_t start = at + undefined.size();
    const std::size_t end = std::min(loader_text.find_first_of(" ,\t", start), loader_text.size());
    return {{"load-failed"},
            "The submission cannot be loaded: it uses `" + demangled(loader_text.substr(start, end - start)) +
                "`, which is declared but defined nowhere.",
            details};
  }
  if (loader_text.find("cannot open shared object file") != std::string::npos) {
    return {{"load-failed"},
            "The submission cannot be loaded: it, or a library that it needs, is not there.",
            details};
  }
  if (loader_text.find("file too short") != std::string::npos ||
      loader_text.find("invalid ELF header") != std::string::npos) {
    return {
        {"load-failed"}, "The submission cannot be loaded: its module is damaged; build it again.", details};
  }
  return {{"load-failed"}, "The submission cannot be loaded.", details};
}

} // namespace warpbook
