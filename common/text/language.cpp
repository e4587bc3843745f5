#include "text/language.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

namespace warpbook {

namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20;
constexpr std::size_t longest_rule = 400; // the evaluation calls itself, at most once for each character

/// The tables of a .mo file. Every number in it may be wrong.
class Tables {
public:
  explicit Tables(std::string_view bytes) : bytes_(bytes) {
    if (word(0) == 0x950412de) return;
    is_swapped_ = true;
    if (word(0) != 0x950412de) bytes_ = {};
  }

  std::size_t count() const { return word(8).value_or(0); }
  std::optional<std::string_view> english(std::size_t number) const { return entry(12, number); }
  std::optional<std::string_view> translation(std::size_t number) const { return entry(16, number); }

private:
  std::optional<std::uint32_t> word(std::size_t at) const {
    if (bytes_.size() < 4 || at > bytes_.size() - 4) return std::nullopt;
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at, 4);
    return is_swapped_ ? __builtin_bswap32(value) : value;
  }

  /// The text of one entry of the table whose place stands at `table`. A zero has to end it.
  std::optional<std::string_view> entry(std::size_t table, std::size_t number) const {
    const auto start = word(table);
    if (!start) return std::nullopt;
    const auto size = word(*start + 8 * number), at = word(*start + 8 * number + 4);
    if (!size || !at || *at >= bytes_.size() || *size >= bytes_.size() - *at || bytes_[*at + *size] != '\0')
      return std::nullopt;
    return bytes_.substr(*at, *size);
  }

  std::string_view bytes_;
  bool is_swapped_ = false;
};

/// An expression of C with one variable, n. Evaluates while it reads.
class PluralRule {
public:
  PluralRule(std::string_view text, std::uint64_t n) : text_(text), n_(n) {}

  std::optional<std::uint64_t> value() {
    const std::uint64_t value = choice();
    skip_spaces();
    return is_wrong_ || !text_.empty() ? std::nullopt : std::optional(value);
  }

private:
  void skip_spaces() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  bool takes(std::string_view symbol) {
    skip_spaces();
    if (!text_.starts_with(symbol)) return false;
    text_.remove_prefix(symbol.size());
    return true;
  }

  std::uint64_t choice() {
    const std::uint64_t condition = binary(0);
    if (!takes("?")) return condition;
    const std::uint64_t first = choice();
    if (!takes(":")) is_wrong_ = true;
    const std::uint64_t second = choice();
    return condition != 0 ? first : second;
  }

  /// Operators of C from the one that binds least; of each row the longer ones first.
  std::uint64_t binary(std::size_t row) {
    static constexpr std::string_view rows[][4] = {
        {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
    if (row == std::size(rows)) return unary();
    std::uint64_t left = binary(row + 1);
    while (true) {
      std::string_view found;
      for (const std::string_view symbol : rows[row])
        if (found.empty() && !symbol.empty() && takes(symbol)) found = symbol;
      if (found.empty()) return left;
      left = applied(found, left, binary(row + 1));
    }
  }

  std::uint64_t applied(std::string_view symbol, std::uint64_t left, std::uint64_t right) {
    if (symbol == "||") return left != 0 || right != 0;
    if (symbol == "&&") return left != 0 && right != 0;
    if (symbol == "==") return left == right;
    if (symbol == "!=") return left != right;
    if (symbol == "<=") return left <= right;
    if (symbol == ">=") return left >= right;
    if (symbol == "<") return left < right;
    if (symbol == ">") return left > right;
    if (symbol == "+") return left + right;
    if (symbol == "-") return left - right;
    if (symbol == "*") return left * right;
    if (right == 0) {
      is_wrong_ = true;
      return 0;
    }
    return symbol == "/" ? left / right : left % right;
  }

  std::uint64_t unary() {
    if (takes("!")) return unary() == 0;
    if (takes("(")) {
      const std::uint64_t value = choice();
      if (!takes(")")) is_wrong_ = true;
      return value;
    }
    if (takes("n")) return n_;
    skip_spaces();
    if (text_.empty() || text_.front() < '0' || text_.front() > '9') {
      is_wrong_ = true;
      return 0;
    }
    std::uint64_t number = 0;
    for (; !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; text_.remove_prefix(1))
      number = number * 10 + static_cast<std::uint64_t>(text_.front() - '0');
    return number;
  }

  std::string_view text_;
  std::uint64_t n_;
  bool is_wrong_ = false;
};

/// Behind "plural=" in the header, which is the translation of the empty message.
std::string_view rule_in(std::string_view header) {
  constexpr std::string_view name = "Plural-Forms:", mark = "plural=";
  const std::size_t line = header.find(name);
  if (line == header.npos || (line != 0 && header[line - 1] != '\n')) return {};
  std::string_view rest = header.substr(line + name.size());
  rest = rest.substr(0, rest.find('\n'));
  const std::size_t at = rest.find(mark); // the other field is nplurals=, with an s
  if (at == rest.npos) return {};
  rest = rest.substr(at + mark.size());
  return rest.substr(0, rest.find(';'));
}

std::string file_of_the_environment() {
  const char* path = std::getenv("WARPBOOK_MESSAGES");
  if (path == nullptr || *path == '\0') return {};
  std::ifstream file(path, std::ios::binary);
  std::string bytes(largest_file + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes.size() > largest_file ? std::string() : bytes;
}

} // namespace

MessageCatalogue::MessageCatalogue(std::string bytes) : bytes_(std::move(bytes)) {
  const Tables tables(bytes_);
  for (std::size_t i = 0; i < tables.count(); ++i) {
    const auto english = tables.english(i), translation = tables.translation(i);
    if (!english || !translation) {
      messages_.clear();
      rule_ = {};
      return;
    }
    if (english->empty())
      rule_ = rule_in(*translation);
    else if (!translation->empty())
      messages_.emplace(*english, *translation);
  }
}

std::string_view MessageCatalogue::translated(std::string_view context, std::string_view english) const {
  if (messages_.empty()) return english;
  std::string key(context);
  key += '\4'; // between a context and a message, in this format
  key += english;
  const auto found = messages_.find(key);
  return found == messages_.end() ? english : found->second;
}

std::size_t MessageCatalogue::form_for(std::uint64_t count) const {
  return plural_form(rule_.empty() ? "n != 1" : rule_, count);
}

std::size_t plural_form(std::string_view rule, std::uint64_t n) {
  if (rule.size() > longest_rule) return 0;
  return PluralRule(rule, n).value().value_or(0);
}

namespace {
int in_english = 0;
} // namespace

const MessageCatalogue& spoken() {
  // Never destroyed: what ends a program may have something to say.
  static const MessageCatalogue& catalogue = *new MessageCatalogue(file_of_the_environment());
  static const MessageCatalogue& none = *new MessageCatalogue();
  return in_english == 0 ? catalogue : none;
}

InEnglish::InEnglish() { ++in_english; }
InEnglish::~InEnglish() { --in_english; }

} // namespace warpbook
