#pragma once

#include "simt/translate/lexer.hpp"
#include "simt/translate/translation.hpp"

#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simt::compiler {

/// Tokens [first, second).
using TokenRange = std::pair<std::size_t, std::size_t>;

inline constexpr std::size_t none = static_cast<std::size_t>(-1);

std::string concatenate(std::initializer_list<std::string_view> parts);

/// The text as it stands between the quotes of a string literal.
std::string escaped(std::string_view text);

/// How the texts of assertions begin that the translator has added: restore_messages() knows them by it.
inline constexpr std::string_view assertion_mark = "simtcc ";
/// The text of an assertion about the template arguments of the kernel whose name follows: what the arguments are, the
/// compiler's message tells.
inline constexpr std::string_view unnameable_mark = "unnameable ";

/// The column (from 1) of the token `word` in a source line: of its occurrence number `ordinal` (from 0), or
/// of the last there is; 0 if there is none.
std::uint32_t find_word(std::string_view line, std::string_view word, std::size_t ordinal);

/// Preprocessed text as tokens with matched brackets, and the edits made to it so far.
/// All indices are token indices; edits never remove a line break. What ends in the middle of a declaration leads
/// beyond the last token: nothing stands there, and edits there have no effect.
class Source {
public:
  Source(std::string_view text, const TranslationOptions& options);

  std::size_t size() const { return stream_.tokens.size(); }
  const TokenStream& stream() const { return stream_; }
  bool balanced() const { return balanced_; }

  std::string_view spelling(std::size_t i) const {
    return i < size() ? stream_.spelling(i) : std::string_view();
  }
  bool is(std::size_t i, std::string_view what) const {
    if (i >= size()) return false;
    const Token& token =
        stream_.tokens[i]; // asked so often that it pays to look at the first character first
    const char* spelt = stream_.text.data() + token.offset;
    return token.length == what.size() && token.kind != TokenKind::string && *spelt == what[0] &&
           std::memcmp(spelt, what.data(), what.size()) == 0;
  }
  bool is_any(std::size_t i, std::initializer_list<std::string_view> what) const;
  TokenKind kind(std::size_t i) const { return i < size() ? stream_.tokens[i].kind : TokenKind::end; }
  bool is_identifier(std::size_t i) const { return kind(i) == TokenKind::identifier; }
  /// An identifier that no C++ keyword occupies.
  bool is_name(std::size_t i) const;
  /// Whether token i directly follows token i-1, with no space between them.
  bool touches_previous(std::size_t i) const;
  /// Whether token i stands in one of the simulator's own headers.
  bool is_shim(std::size_t i) const;
  /// Leaves in the module's section simt_foreign the folders of headers that are the simulator's or the system's, a line for
  /// each: for whoever reads the debug information, which does not tell them from the submission's files.
  void record_foreign_folders();
  /// Whether token i stands in the program itself, and in no header of the simulator or the system.
  bool is_own(std::size_t i) const;

  /// The bracket that belongs to the ( [ { or ) ] } at i; `none` where it is missing.
  std::size_t match(std::size_t i) const { return i < match_.size() ? match_[i] : none; }
  bool opens(std::size_t i) const { return is_any(i, {"(", "[", "{"}) && match(i) != none; }
  bool closes(std::size_t i) const { return is_any(i, {")", "]", "}"}) && match(i) != none; }
  /// The index behind the group that opens at i, or i + 1 where i opens none.
  std::size_t behind(std::size_t i) const { return opens(i) ? match_[i] + 1 : i + 1; }
  /// The `>` of the template arguments or parameters that open with the `<` at i, or `none`.
  std::size_t closing_angle(std::size_t i) const;
  /// The `<` of the template arguments that close with the `>` at i, or `none`.
  std::size_t opening_angle(std::size_t i) const;
  /// What stands between the commas of the list from the bracket at `open` to that at `close`.
  std::vector<TokenRange> pieces(std::size_t open, std::size_t close) const;
  /// The index behind an attribute at i (`alignas(..)`, `__attribute__((..))`, `[[..]]`), or i where none
  /// stands.
  std::size_t behind_attribute(std::size_t i) const;
  /// Whether one of the tokens [from, to) is `name`, and not a member or a qualified name.
  bool mentions(std::size_t from, std::size_t to, std::string_view name) const;
  /// Whether the `<<<` of a launch begins at i.
  bool opens_launch(std::size_t i) const;
  /// Start of the declaration in a function body that has token i among its specifiers.
  std::size_t declaration_begin(std::size_t i) const;

  /// The tokens [begin, end) on one line, as they are spelt.
  std::string flat(std::size_t begin, std::size_t end) const;
  /// A static_assert for the compiler, which knows what the translator cannot: if `condition` is false or no constant,
  /// `text` is an error at token i. Empty in the simulator's own headers.
  std::string assertion(std::string_view condition, std::size_t i, std::string_view text) const;
  const std::string& constinit_keyword() const { return constinit_keyword_; }
  /// `"file", line` of token i, as arguments for the simulator's headers.
  std::string place(std::size_t i) const;

  void replace(std::size_t i, std::string text);
  void erase(std::size_t i) { replace(i, ""); }
  void erase(std::size_t begin, std::size_t end);
  bool is_edited(std::size_t i) const { return i < size() && edited_[i]; }
  void insert_before(std::size_t i, std::string text);
  /// Leaves `text`, escaped as in a string literal, in the module's section `section`.
  void leave_in_module(std::string_view section, std::string_view text);
  void insert_behind(std::size_t i, std::string text);
  /// Blanks `length` bytes from `offset` that are no token (a pragma).
  void blank(std::uint32_t offset, std::uint32_t length);

  /// Where token i begins in its line on disk, from 1; 0 where that is not known.
  std::uint32_t column(std::size_t i) const;
  void complain(std::vector<TranslationError>& list, std::size_t i, std::string text) const;

  /// Records an error at token i. Errors in the simulator's own headers are dropped.
  void error(std::size_t i, std::string text) { complain(errors_, i, std::move(text)); }
  void warning(std::size_t i, std::string text) { complain(warnings_, i, std::move(text)); }

  /// The edited text; `origins`, if given, learns where its pieces come from.
  std::string result(TextOrigins* origins = nullptr) const;
  const std::vector<TranslationError>& errors() const { return errors_; }
  const std::vector<TranslationError>& warnings() const { return warnings_; }

private:
  struct Edit {
    std::uint32_t offset;
    std::uint32_t removed;
    std::string text;
  };
  void match_brackets();

  TokenStream stream_;
  std::string constinit_keyword_;
  std::vector<std::size_t> match_;
  std::vector<bool> edited_;
  std::vector<bool> file_is_shim_;
  std::vector<Edit> edits_;
  std::vector<TranslationError> errors_, warnings_;
  bool balanced_ = true;
};

} // namespace simt::compiler
