// A virtual function that overrides another has its qualifiers. Which function overrides which the compiler knows, and of
// qualifiers it knows nothing: so each class says what its virtual functions run on, and asks its bases for theirs
// (simt_shim/rules.h).
#include "simt/translate/passes.hpp"
#include "simt/translate/sides.hpp"

#include <algorithm>
#include <optional>

namespace simt::compiler {
namespace {

/// What a function runs on; the numbers are those of ::simt::RunsOn.
enum class RunsOn { host = 1, device = 2, both = 3 };

struct ClassDefinition {
  std::size_t open = none;
  std::size_t close = none;
  std::string_view name;
  std::vector<std::string> bases; ///< as types
};

struct MemberFunction {
  const Declaration* declaration = nullptr;
  RunsOn runs_on = RunsOn::host;
  bool says_virtual = false; ///< by `virtual`, `override` or `final`
  bool says_override = false;
};

/// Splits the tokens [begin, end) at commas outside of brackets and template arguments.
std::vector<TokenRange> split_at_commas(const Source& source, std::size_t begin, std::size_t end) {
  std::vector<TokenRange> parts;
  for (std::size_t i = begin; i < end;) {
    if (source.is(i, ",")) {
      parts.push_back({begin, i});
      begin = ++i;
    } else if (source.is(i, "<") && source.closing_angle(i) != none) {
      i = source.closing_angle(i) + 1;
    } else {
      i = source.behind(i);
    }
  }
  if (begin < end) parts.push_back({begin, end});
  return parts;
}

/// A base class as a type: `public virtual a::B<T>` is `typename a::B<T>`.
std::string base_type(const Source& source, TokenRange range) {
  auto [begin, end] = range;
  while (begin < end && (source.is_any(begin, {"public", "private", "protected", "virtual"}) ||
                         source.behind_attribute(begin) != begin))
    begin = std::max(begin + 1, source.behind_attribute(begin));
  bool is_qualified = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (source.is(i, "<") && source.closing_angle(i) != none) i = source.closing_angle(i);
    is_qualified |= source.is(i, "::");
  }
  return concatenate({is_qualified ? "typename " : "", source.flat(begin, end)});
}

/// The definition of the class whose key is token i, if one follows.
std::optional<ClassDefinition> read_class(const Source& source, std::size_t i) {
  if (!source.is_any(i, {"class", "struct"}) || source.is(i - 1, "enum")) return {};
  ClassDefinition found;
  std::size_t k = i + 1;
  while (k < source.size()) {
    if (const std::size_t behind = source.behind_attribute(k); behind != k)
      k = behind;
    else if (source.is(k, "<") && source.closing_angle(k) != none)
      k = source.closing_angle(k) + 1;
    else if (!source.is_identifier(k) && !source.is(k, "::"))
      break;
    else if (source.is_any(k++, {"final"}))
      continue;
    else if (source.is_name(k - 1))
      found.name = source.spelling(k - 1);
  }
  if (source.is(k, ":")) {
    const std::size_t begin = k + 1;
    while (k < source.size() && !source.is_any(k, {"{", ";"})) ++k;
    for (const TokenRange& base : split_at_commas(source, begin, k))
      found.bases.push_back(base_type(source, base));
  }
  if (!source.is(k, "{") || !source.opens(k)) return {};
  found.open = k;
  found.close = source.match(k);
  return found;
}

bool has_between(const Source& source, std::size_t begin, std::size_t end,
                 std::initializer_list<std::string_view> words) {
  for (std::size_t i = begin; i < end; i = source.behind(i))
    if (source.is_any(i, words)) return true;
  return false;
}

/// Where what stands behind a function's parameters ends: its body, its `= 0`, or its `;`.
std::size_t end_of_declarator(const Source& source, const Declaration& function) {
  std::size_t i = source.behind(function.parameters);
  while (i < function.end && !source.is_any(i, {"{", ";", "=", ":"})) i = source.behind(i);
  return i;
}

class Overrides {
public:
  Overrides(Source& source, const std::vector<Declaration>& outer) : source_(source), outer_(outer) {}

  void run() {
    if (!may_have_any()) return;
    const AllBodies all(source_, outer_);
    find_classes();
    std::vector<std::vector<MemberFunction>> members(classes_.size());
    bool has_any = false;
    for (const Declaration& declaration : all.declarations) {
      const std::size_t owner = class_around(declaration);
      if (owner == classes_.size()) continue;
      const std::optional<MemberFunction> member = read_member(declaration, classes_[owner]);
      if (!member) continue;
      has_any |= member->runs_on != RunsOn::host && (member->says_virtual || !classes_[owner].bases.empty());
      members[owner].push_back(*member);
    }
    if (!has_any) return;
    for (std::size_t k = 0; k < classes_.size(); ++k) check(classes_[k], members[k]);
  }

private:
  /// Whether the program itself has virtual functions, and device functions.
  bool may_have_any() const {
    bool has_virtual = false, has_device = false;
    for (std::size_t i = 0; i < source_.size() && !(has_virtual && has_device); ++i) {
      has_virtual |= source_.is_any(i, {"virtual", "override", "~"}) && source_.is_own(i);
      has_device |= source_.is(i, "__device__") && source_.is_own(i);
    }
    return has_virtual && has_device;
  }

  void find_classes() {
    for (std::size_t i = 0; i < source_.size(); ++i)
      if (source_.is_any(i, {"class", "struct"}) && source_.is_own(i))
        if (std::optional<ClassDefinition> found = read_class(source_, i)) classes_.push_back(*found);
  }

  /// The index of the innermost class around a member; the number of classes for what is none.
  std::size_t class_around(const Declaration& declaration) const {
    std::size_t innermost = classes_.size();
    if (declaration.scope != Scope::class_scope) return innermost;
    for (std::size_t k = 0; k < classes_.size(); ++k) // in the order of the text: inner ones come later
      if (classes_[k].open < declaration.begin && declaration.begin < classes_[k].close) innermost = k;
    return innermost;
  }

  /// A member function that may be virtual.
  std::optional<MemberFunction> read_member(const Declaration& declaration,
                                            const ClassDefinition& owner) const {
    if (!declaration.is_function || declaration.name == none || declaration.is_template ||
        !source_.opens(declaration.parameters) ||
        has_between(source_, declaration.begin, declaration.name, {"static", "friend", "using", "typedef"}))
      return {};
    const bool is_destructor = source_.is(declaration.name - 1, "~");
    if (!is_destructor && source_.is(declaration.name, owner.name)) return {};
    const bool on_device = declaration.has(source_, "__device__"),
               on_host = declaration.has(source_, "__host__");
    const std::size_t behind = source_.behind(declaration.parameters);
    const std::size_t end = end_of_declarator(source_, declaration);
    MemberFunction member;
    member.declaration = &declaration;
    member.runs_on = !on_device ? RunsOn::host : on_host ? RunsOn::both : RunsOn::device;
    member.says_override = has_between(source_, behind, end, {"override"});
    member.says_virtual = member.says_override || has_between(source_, behind, end, {"final"}) ||
                          has_between(source_, declaration.begin, declaration.name, {"virtual"});
    return member;
  }

  /// What tells member functions apart: a type for name and qualifiers, then the parameters.
  std::string key_of(const Declaration& function) const {
    const bool is_destructor = source_.is(function.name - 1, "~");
    std::string name = is_destructor ? "~" : std::string(source_.spelling(function.name));
    for (std::size_t i = function.name + 1; i < function.parameters; ++i) // of an operator
      name += concatenate({" ", source_.spelling(i)});
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    unsigned qualifiers = 0;
    for (std::size_t i = source_.behind(function.parameters);
         i < end_of_declarator(source_, function) && !source_.is_any(i, {"->", "requires"});
         i = source_.behind(i))
      qualifiers |= source_.is(i, "const")      ? 1
                    : source_.is(i, "volatile") ? 2
                    : source_.is(i, "&")        ? 4
                    : source_.is(i, "&&")       ? 8
                                                : 0;
    std::string key =
        concatenate({"::simt::Named<", std::to_string(hash), "u, ", std::to_string(qualifiers), ">"});
    const std::size_t open = function.parameters, close = source_.match(open);
    if (close == open + 2 && source_.is(open + 1, "void")) return key;
    for (const auto& [begin, end] : split_at_commas(source_, open + 1, close)) {
      std::size_t i = begin;
      while (i < end && !source_.is(i, "=")) i = source_.behind(i);
      key += concatenate({", ", source_.flat(begin, i)});
    }
    return key;
  }

  void check(const ClassDefinition& one, const std::vector<MemberFunction>& members) {
    const bool has_virtual =
        std::ranges::any_of(members, [](const MemberFunction& member) { return member.says_virtual; });
    if (one.bases.empty() && !has_virtual) return;
    std::string bases;
    for (const std::string& base : one.bases) bases += (bases.empty() ? "" : ", ") + base;
    bases = concatenate({"::simt::Bases<", bases, ">"});
    std::string added = concatenate({" public: using simt_bases [[maybe_unused]] = ", bases, ";"});
    for (const MemberFunction& member : members)
      if (member.says_virtual)
        added += concatenate({" static ::simt::RunsOn<", number(member.runs_on), "> simt_virtual(",
                              key_of(*member.declaration), ");"});
    if (!one.bases.empty())
      for (const MemberFunction& member : members) added += assertions(one, bases, member);
    source_.insert_before(one.close, added + " ");
  }

  static std::string number(RunsOn runs_on) { return std::to_string(static_cast<int>(runs_on)); }

  std::string assertions(const ClassDefinition& one, const std::string& bases,
                         const MemberFunction& member) const {
    std::string text;
    for (const RunsOn other : {RunsOn::host, RunsOn::device, RunsOn::both}) {
      if (other == member.runs_on) continue;
      const bool may_be_of_library =
          other == RunsOn::host && (member.says_override || source_.is(member.declaration->name - 1, "~"));
      text += source_.assertion(concatenate({"!::simt::Overrides<::simt::RunsOn<", number(other), ">, ",
                                             may_be_of_library ? "true" : "false", ", ", bases, ", void(",
                                             key_of(*member.declaration), ")>::value"}),
                                member.declaration->name,
                                message(one, *member.declaration, member.runs_on, other));
    }
    return text;
  }

  std::string message(const ClassDefinition& one, const Declaration& function, RunsOn own,
                      RunsOn other) const {
    const auto where = [](RunsOn runs_on) {
      return runs_on == RunsOn::host     ? "on the host alone"
             : runs_on == RunsOn::device ? "on the device alone"
                                         : "on host and device";
    };
    const bool is_destructor = source_.is(function.name - 1, "~");
    std::string bases;
    for (const std::string& base : one.bases)
      bases += concatenate({bases.empty() ? "" : " or ",
                            base.starts_with("typename ") ? std::string_view(base).substr(9) : base});
    const std::string name =
        concatenate({is_destructor ? "~" : "", source_.flat(function.name, function.parameters)});
    const char* remedy = other == RunsOn::host ? "leave __device__ out"
                         : other == RunsOn::device
                             ? own == RunsOn::host ? "write __device__ before it" : "leave __host__ out"
                             : "write __host__ __device__ before it";
    return concatenate({name, " of ", one.name, " runs ", where(own), ", and overrides ",
                        is_destructor ? "the destructor" : "a function", " of ", bases, " that runs ",
                        where(other),
                        "; a virtual function and what overrides it run on the same side: ", remedy});
  }

  Source& source_;
  const std::vector<Declaration>& outer_;
  std::vector<ClassDefinition> classes_; ///< in the order of the text
};

} // namespace

void check_overrides(Source& source, const std::vector<Declaration>& declarations) {
  Overrides(source, declarations).run();
}

} // namespace simt::compiler
