#include "simt/translate/architecture.hpp"

#include "simt/translate/declarations.hpp"
#include "simt/translate/passes.hpp"
#include "simt/translate/sides.hpp"
#include "simt/translate/source_file.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace simt::compiler {
namespace {

/// By these a program has code for one side alone; those below are NVIDIA's, of <nv/target>.
constexpr std::string_view macros[] = {"__CUDA_ARCH__", "NV_IF_TARGET", "NV_IF_ELSE_TARGET",
                                       "NV_DISPATCH_TARGET"};

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

/// The pieces of a preprocessed text with their line markers: in turn those of the program and those of headers of the system.
/// The first marker of a file tells which it is: later ones also tell where an expanded macro was defined.
std::vector<std::string_view> pieces_by_origin(std::string_view text) {
  std::vector<std::string_view> pieces;
  std::map<std::string_view, bool> files; ///< whether they are the system's
  std::size_t begin = 0;
  for (std::size_t line = 0, end; line < text.size(); line = end) {
    end = std::min(text.find('\n', line), text.size() - 1) + 1;
    const std::string_view marker = text.substr(line, end - line);
    const std::size_t quote = marker.starts_with("# ") ? marker.find('"') : marker.npos;
    if (quote == marker.npos) continue;
    const std::size_t name_end = marker.rfind('"');
    const std::string_view name = marker.substr(quote, name_end - quote);
    const bool is_system = files.try_emplace(name, marker.find('3', name_end) != marker.npos).first->second;
    const bool was_system = pieces.size() % 2 == 1;
    if (is_system == was_system) continue;
    pieces.push_back(text.substr(begin, line - begin));
    begin = line;
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

/// The device's view, but headers of the system as the host sees them: what NVIDIA's have for a device is for its compiler.
/// Where the two views have not the same headers it stays as it is.
std::string with_headers_of_host(std::string_view host, std::string_view device) {
  const std::vector<std::string_view> of_host = pieces_by_origin(host), of_device = pieces_by_origin(device);
  if (of_host.size() != of_device.size()) return std::string(device);
  std::string text;
  for (std::size_t i = 0; i < of_host.size(); ++i) text += i % 2 == 1 ? of_host[i] : of_device[i];
  return text;
}

/// The lambdas for the device between two tokens, but for those in others.
std::vector<DeviceLambda> lambdas_between(const std::vector<DeviceLambda>& all, std::size_t open,
                                          std::size_t close) {
  std::vector<DeviceLambda> found;
  for (const DeviceLambda& lambda : all)
    if (open < lambda.open && lambda.close < close && (found.empty() || found.back().close < lambda.open))
      found.push_back(lambda);
  return found;
}

/// The body of a function as the host sees it, in which lambdas for the device have their bodies as the device sees them.
class HostText {
public:
  HostText(const Source& host, const Source& device)
      : host_(host), device_(device), of_host_(find_device_lambdas(host)),
        of_device_(find_device_lambdas(device)) {}

  std::string of(std::size_t open, std::size_t close, std::size_t device_open,
                 std::size_t device_close) const {
    const std::vector<DeviceLambda> mine = lambdas_between(of_host_, open, close),
                                    others = lambdas_between(of_device_, device_open, device_close);
    std::string text;
    std::size_t begin = open;
    for (std::size_t i = 0; mine.size() == others.size() && i < mine.size(); ++i) {
      const std::string on_device = piece(device_, others[i].open, others[i].close);
      text += piece(host_, begin, mine[i].open - 1);
      text += mine[i].on_host ? concatenate({"{ if (::__simt_in_kernel()) ", on_device, " else ",
                                             piece(host_, mine[i].open, mine[i].close), " }"})
                              : on_device;
      begin = mine[i].close + 1;
    }
    return text + piece(host_, begin, close);
  }

private:
  static std::string piece(const Source& source, std::size_t first, std::size_t last) {
    return line_marker(source, first) + std::string(text_between(source, first, last));
  }

  const Source &host_, &device_;
  std::vector<DeviceLambda> of_host_, of_device_;
};

} // namespace

Half half_of(const Source& source, std::size_t open, std::size_t i) {
  if (!source.is(open + 1, "if") ||
      !source.is_any(open + 4, {"__simt_in_kernel", "__simt_in_kernel_at_run_time"}))
    return {};
  const std::size_t behind = source.behind(source.behind(open + 2));
  return {i < behind, i >= behind};
}

bool asks_for_architecture(std::string_view preprocessed, const TranslationOptions& options) {
  for (const SourceFile& file : tokenize(preprocessed).files) {
    if (file.is_system || file.name.starts_with('<')) continue;
    if (lies_below(file.name, options.shim_folder)) continue;
    const std::string text = text_of_source(file.name);
    for (const std::string_view macro : macros)
      if (text.find(macro) != text.npos) return true;
  }
  return false;
}

std::string merge_architectures(std::string_view host, std::string_view device,
                                const TranslationOptions& options) {
  const Source host_source(host, options);
  const std::string text = with_headers_of_host(host, device);
  Source source(text, options);
  std::map<Key, const Declaration*> of_host;
  const std::vector<Declaration> host_declarations = find_declarations(host_source);
  Keys host_keys, device_keys;
  const HostText host_text(host_source, source);
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
    const std::string other = host_text.of(open, close, body.open, mine);
    if (body.on_device) {
      source.insert_before(body.open, body.function->is_constexpr(source)
                                          ? "{ if (::__simt_in_kernel_at_run_time()) "
                                          : "{ if (::__simt_in_kernel()) ");
      source.insert_behind(mine, " else " + other + " }" + line_marker(source, mine));
    } else {
      for (std::size_t i = body.open; i <= mine; ++i) source.erase(i);
      source.insert_behind(mine, other + line_marker(source, mine));
    }
  }
  return source.result();
}

} // namespace simt::compiler
