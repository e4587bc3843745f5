#include "simt/translate/architecture.hpp"

#include "simt/translate/declarations.hpp"
#include "simt/translate/passes.hpp"
#include "simt/translate/source_file.hpp"

#include <map>
#include <tuple>

namespace simt::compiler {
namespace {

constexpr std::string_view macro = "__CUDA_ARCH__";

/// What tells a function in both views: file, line and name of its declaration, its parameters with what follows them up
/// to the body, and which of those it is: one macro can make several functions, and classes with one each, on a line.
using Key = std::tuple<std::string, std::uint32_t, std::string, std::string, std::size_t>;

/// Numbers the functions of one view that have all else in common.
class Keys {
public:
  Key of(const Source& source, const Declaration& function) {
    const Token& token = source.stream().tokens[function.name];
    Key key = {source.stream().files[token.file].name, token.line,
               std::string(source.spelling(function.name)), source.flat(function.parameters, function.body),
               0};
    std::get<4>(key) = seen_[key]++;
    return key;
  }

private:
  std::map<Key, std::size_t> seen_;
};

std::string_view text_between(const Source& source, std::size_t open, std::size_t close) {
  const Token &first = source.stream().tokens[open], &last = source.stream().tokens[close];
  return source.stream().text.substr(first.offset, last.offset + last.length - first.offset);
}

bool same_tokens(const Source& a, std::size_t a_open, std::size_t a_close, const Source& b,
                 std::size_t b_open, std::size_t b_close) {
  if (a_close - a_open != b_close - b_open) return false;
  for (std::size_t i = 0; i <= a_close - a_open; ++i)
    if (a.spelling(a_open + i) != b.spelling(b_open + i)) return false;
  return true;
}

std::string line_marker(const Source& source, std::size_t token) {
  return "\n# " + std::to_string(source.stream().tokens[token].line) + " \"" +
         source.stream().files[source.stream().tokens[token].file].literal + "\"\n";
}

} // namespace

Half half_of(const Source& source, std::size_t open, std::size_t i) {
  if (!source.is(open + 1, "if") || !source.is(open + 4, "__simt_in_kernel")) return {};
  const std::size_t behind = source.behind(source.behind(open + 2));
  return {i < behind, i >= behind};
}

bool asks_for_architecture(std::string_view preprocessed, const TranslationOptions& options) {
  for (const SourceFile& file : tokenize(preprocessed).files) {
    if (file.is_system || file.name.starts_with('<')) continue;
    if (lies_below(file.name, options.shim_folder)) continue;
    if (text_of_source(file.name).find(macro) != std::string::npos) return true;
  }
  return false;
}

std::string merge_architectures(std::string_view host, std::string_view device,
                                const TranslationOptions& options) {
  const Source host_source(host, options);
  Source source(device, options);
  std::map<Key, const Declaration*> of_host;
  const std::vector<Declaration> host_declarations = find_declarations(host_source);
  Keys host_keys, device_keys;
  for (const Declaration& declaration : host_declarations)
    if (declaration.body != none && declaration.name != none)
      of_host[host_keys.of(host_source, declaration)] = &declaration;

  const std::vector<Declaration> declarations = find_declarations(source);
  for (const Body& body : find_bodies(source, declarations)) {
    if (body.function->name == none) continue;
    const auto found = of_host.find(device_keys.of(source, *body.function));
    if (!body.on_host || source.is_shim(body.open)) continue;
    if (found == of_host.end()) continue;
    const std::size_t open = found->second->body, close = host_source.match(open);
    const std::size_t mine = source.match(body.open);
    if (close == none || mine == none || same_tokens(source, body.open, mine, host_source, open, close))
      continue;
    const std::string other =
        line_marker(host_source, open) + std::string(text_between(host_source, open, close));
    if (body.on_device && !body.function->is_constexpr(source)) {
      source.insert_before(body.open, "{ if (::__simt_in_kernel()) ");
      source.insert_behind(mine, " else " + other + " }" + line_marker(source, mine));
    } else {
      for (std::size_t i = body.open; i <= mine; ++i) source.erase(i);
      source.insert_behind(mine, other + line_marker(source, mine));
    }
  }
  return source.result();
}

} // namespace simt::compiler
