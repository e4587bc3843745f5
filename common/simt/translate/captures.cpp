#include "simt/translate/passes.hpp"
#include "simt/translate/sides.hpp"

namespace simt::compiler {
namespace {

/// The `{` of the lambda that is introduced by the `[` at i, or `none` if that is no lambda.
std::size_t lambda_body(const Source& source, std::size_t i) {
  if (!source.is(i, "[") || !source.opens(i) || source.is(i + 1, "[")) return none;
  if (i > 0 && (source.is_name(i - 1) || source.is_any(i - 1, {")", "]", ">", "operator", "delete", "["}) ||
                source.kind(i - 1) == TokenKind::string))
    return none;
  return body_of_lambda(source, i);
}

/// What to add to the captures between `open` and its `]`, so that `names` are captured by reference.
std::string captures(const Source& source, std::size_t open, std::size_t body,
                     const std::vector<SharedName>& names) {
  const std::size_t close = source.match(open);
  const bool all_by_reference = source.is(open + 1, "&") && source.is_any(open + 2, {"]", ","});
  std::string text;
  if (all_by_reference) return text;
  for (const SharedName& shared : names) {
    if (open < shared.from || open > shared.to || source.mentions(open, close, shared.name)) continue;
    if (source.mentions(close, body, shared.name)) continue; // a parameter of that name
    if (!source.mentions(body, source.match(body), shared.name)) continue;
    if (text.find("&" + shared.name + ",") == text.npos) text += "&" + shared.name + ", ";
  }
  if (text.empty()) return text;
  text.resize(text.size() - 2);
  return close == open + 1 ? text : ", " + text;
}

} // namespace

void capture_shared_variables(Source& source, const std::vector<SharedName>& names) {
  if (names.empty()) return;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t body = lambda_body(source, i);
    if (body == none) continue;
    const std::string text = captures(source, i, body, names);
    if (!text.empty()) source.insert_before(source.match(i), text);
  }
}

} // namespace simt::compiler
