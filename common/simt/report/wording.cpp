// The facts of a finding by name, and how they fill the catalogue's texts, in the reader's language (text/language.hpp).
#include "simt/report/wording.hpp"

#include "simt/report/catalogue.hpp"
#include "simt/report/say.hpp"
#include "simt/runtime/machine/limits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace simt {

std::string memory(const Finding& finding) {
  if (!finding.variable.empty() || finding.unnamed_bytes == 0) return finding.variable;
  return say("a block of {size:byte} from cudaMalloc", finding.unnamed_bytes);
}

namespace {

using warpbook::Said;

std::string plural(std::uint64_t count, std::string_view unit) {
  return std::to_string(count) + ' ' + std::string(unit) +
         (count == 1             ? ""
          : unit.ends_with("ch") ? "es"
                                 : "s");
}

const Wording* wording_of(const Finding& finding) { return entry_of(finding.id, finding.kind); }

std::string element_text(const Finding& finding) {
  const std::string name = memory(finding);
  return name.empty() ? "" : name + index_text(finding);
}

/// "writes 4 bytes"; empty for who uses no memory.
std::string access_text(const Participant& who) {
  if (!who.access) return "";
  if (*who.access == Access::read) return say("reads {size:byte}", who.bytes);
  if (*who.access == Access::write) return say("writes {size:byte}", who.bytes);
  return say("atomically updates {size:byte}", who.bytes);
}

/// Who races in global memory.
std::string parties(const Finding& race) {
  if (!is_between_grids(race))
    return within_block(race) ? say("Two threads of one block") : say("Two threads of different blocks");
  const Participant &first = party(race, 0), &second = party(race, 1);
  const Participant& elder = is_descendant(first) ? second : first;
  const Participant& other = is_descendant(first) ? first : second;
  if (!is_descendant(other)) return say("The child grids {one} and {other}", elder.kernel, other.kernel);
  if (other.kin == Kin::child)
    return say("The grid {grid} and its child grid {child}", elder.kernel, other.kernel);
  return say("The grid {grid} and its descendant grid {descendant}", elder.kernel, other.kernel);
}

/// Where the grid of one of two parties stands.
std::string in_its_grid(const Participant& who) {
  static constexpr Said<unsigned> places[] = {
      ", in the parent (depth {depth})",     ", in the ancestor (depth {depth})",
      ", in its child grid (depth {depth})", ", in its descendant (depth {depth})",
      ", in a child grid (depth {depth})",   ", in a later child grid (depth {depth})"};
  return who.depth ? places[static_cast<int>(who.kin)].with(finding_context, unsigned{*who.depth}) : "";
}

/// Bits as the number that they most likely are: which type the student means is not known. Small integers
/// make tiny floating-point numbers, and ordinary floating-point numbers make large integers.
std::string as_number(std::uint64_t bits, unsigned size) {
  double real = size == 4 ? static_cast<double>(__builtin_bit_cast(float, static_cast<std::uint32_t>(bits)))
                          : __builtin_bit_cast(double, bits);
  std::ostringstream out;
  if (std::fabs(real) > 1e-30 && std::fabs(real) < 1e30) {
    out << real;
    return size == 4 ? say("{value} (as a float)", out.str()) : say("{value} (as a double)", out.str());
  }
  if (size == 4)
    out << static_cast<std::int32_t>(bits);
  else
    out << static_cast<std::int64_t>(bits);
  return out.str();
}

template <std::size_t which>
std::string written(const Finding& race, const fact::Written& written) {
  return written.value ? as_number((*written.value)[which], party(race, 0).bytes) : "";
}

std::string hexadecimal(std::uint64_t number, int digits = 1) {
  std::ostringstream out;
  out << "0x" << std::hex << std::setfill('0') << std::setw(digits) << number;
  return out.str();
}

/// In whose shared memory it is, if that is known.
std::string owner(const Finding& finding) { return finding.owner ? triple(*finding.owner) : ""; }

std::string distance(const Outside& outside) {
  if (outside.side == Outside::Side::across) return say("across the end of");
  if (outside.side == Outside::Side::before)
    return say("{distance:byte} before the start of", outside.distance);
  if (outside.distance == 0) return say("just past the end of");
  return say("{distance:byte} past the end of", outside.distance);
}

/// The array that an access has missed, with its size.
std::string array(const Finding& finding, const Outside& outside) {
  if (is_in_shared_memory(finding))
    return say("the shared variable {variable}{has_owner? of block {block}}, which has "
               "{size:byte}{has_index? (as an index: "
               "{element})}",
               finding.variable, finding.owner.has_value(), owner(finding), outside.array_bytes,
               !finding.element.empty(), finding.variable + index_text(finding));
  if (finding.variable.empty()) return memory(finding);
  const std::string index = index_text(finding), element = finding.variable + index;
  if (outside.element_bytes == 0)
    return say("{variable}, which has {size:byte}{has_index? (as an index: {element})}", finding.variable,
               outside.array_bytes, !index.empty(), element);
  return say("{variable}, which has {count:element}{has_index? (as an index: {element})}", finding.variable,
             outside.array_bytes / outside.element_bytes, !index.empty(), element);
}

/// Where an index that has wrapped around would lead.
std::string wrapped_place(const Finding& finding) {
  if (!finding.element.empty()) return say("{element} would be", element_text(finding));
  return memory(finding).empty() ? "" : say("an index near 4294967296 leads in {memory}", memory(finding));
}

std::string number_below_zero(const Finding& finding) {
  return is_below_zero(finding) ? say("{number} as a signed number",
                                      static_cast<std::int64_t>(finding.get<fact::Amount>()->value))
                                : "";
}

std::string first_index(const Finding& finding) {
  return finding.element.empty() ? "" : std::to_string(finding.element[0]);
}

/// What an index that has overflowed would be if it had more bits.
std::string meant_index(const Finding& finding, const fact::IndexBits& bits) {
  if (finding.element.empty()) return "";
  return std::to_string(finding.element[0] + (std::int64_t{1} << bits.value));
}

/// "float4", as texels are called in a program.
std::string texel_type(const Texels& texels) {
  const std::string size =
      std::to_string(texels.channels == 1 ? 0 : texels.channels).substr(texels.channels == 1);
  if (texels.kind == Texels::Kind::floats) return (texels.channel_bits == 16 ? "half" : "float") + size;
  const std::string sign = texels.kind == Texels::Kind::signed_integers ? ""
                           : size.empty()                               ? "unsigned "
                                                                        : "u";
  return sign + (texels.channel_bits == 8 ? "char" : texels.channel_bits == 16 ? "short" : "int") + size;
}

/// "a 2-D array of 64 x 48 texels of type float".
std::string resource(const Texels& texels) {
  static constexpr Said<std::string, std::string, bool> shapes[] = {
      "linear memory of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "memory with a pitch of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "a 1-D array of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "a 2-D array of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "a 3-D array of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "a layered 1-D array of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "a layered 2-D array of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "a cubemap of {extents} texels of type {type}{normalized?, read as normalised floats}",
      "a layered cubemap of {extents} texels of type {type}{normalized?, read as normalised floats}"};
  std::string extents;
  for (const std::uint64_t extent : texels.extents)
    if (extent != 0) extents += (extents.empty() ? "" : " x ") + std::to_string(extent);
  return shapes[static_cast<int>(texels.shape)].with(finding_context, extents, texel_type(texels),
                                                     texels.normalized);
}

/// Coordinates of an access to a surface: "x = 512, y = 3".
std::string coordinates(const Finding& finding) {
  std::string text;
  for (std::size_t i = 0; i < finding.element.size() && i < 3; ++i)
    text +=
        (text.empty() ? "" : ", ") + std::string(1, "xyz"[i]) + " = " + std::to_string(finding.element[i]);
  return text;
}

std::string waits(const Participant& who) {
  if (who.polls) return say("keeps reading the same value in a loop");
  return who.waits_at.empty() ? "" : say("waits at {barrier}", who.waits_at);
}

/// Work in a stream that one of the parties has issued: a kernel, or a call.
std::string work(const Participant& issuer) {
  return issuer.kernel.empty() ? say("an earlier copy or memset") : say("the kernel {kernel}", issuer.kernel);
}
std::string earlier_work(const Finding& finding) { return work(party(finding, 1)); }
std::string later_work(const Finding& finding) {
  const Participant& issuer = party(finding, 0);
  return issuer.kernel.empty() ? say("A copy or memset") : say("The kernel {kernel}", issuer.kernel);
}

/// What earlier work does with the memory.
std::string earlier_use(const Finding& finding) {
  return party(finding, 1).access == Access::read ? say("read") : say("write");
}

std::string part_in_work(const Participant& who) {
  if (who.thread) return say("{accesses} of it", access_text(who));
  if (!who.kernel.empty()) return say("launches {kernel}", who.kernel);
  return who.access == Access::read ? say("starts the copy that reads it")
                                    : say("starts the copy or memset that writes it");
}

/// The call that the first thread waits at.
std::string barrier(const Finding& finding) {
  const Participant& who = party(finding, 0);
  return who.waits_at.empty() ? "__syncthreads()" : who.waits_at;
}

std::string lanes(const fact::Lanes& missing) {
  std::string text;
  for (std::uint64_t rest = missing.value; rest != 0;) {
    const int first = std::countr_zero(rest), last = first + std::countr_one(rest >> first) - 1;
    const auto number = [](int lane) { return std::to_string(lane); };
    text += text.empty() ? "" : ", ";
    text += last == first       ? number(first)
            : last == first + 1 ? number(first) + ", " + number(last)
                                : say("{first} to {last}", first, last);
    rest &= ~std::uint64_t{0} << (last + 1);
  }
  return std::popcount(missing.value) == 1 ? say("lane {number}", text) : say("lanes {numbers}", text);
}

/// "thread 6 twice", with all its indices where the block has more than one dimension.
template <std::size_t number>
std::string visits(const Finding& finding) {
  const Participant& who = party(finding, number);
  const Extent thread = thread_of(who).thread;
  const bool is_flat = finding.block[1] == 1 && finding.block[2] == 1;
  const unsigned count = who.visits.value_or(0);
  const std::string index = is_flat ? std::to_string(thread[0]) : triple(thread);
  if (count == 0) return say("thread {index} not once", index);
  if (count == 1) return say("thread {index} once", index);
  if (count == 2) return say("thread {index} twice", index);
  return say("thread {index} {count} times", index, count);
}

std::string fill(const char* text, const Finding& finding, const Participant& who, bool element = true);

const char* first_that_holds(const Choices& choices, const Finding& finding) {
  for (const Choice& choice : choices.all())
    if (!choice.holds || choice.holds(finding)) return choice.text;
  return "";
}

/// What a fact is taken from: a finding, one of its parties, or a fact that only some findings have.
struct Subject {
  const Finding& finding;
  const Participant& who; ///< that is spoken of
  bool element;
  bool is_english; ///< the text

  operator const Finding&() const { return finding; }
  operator const Participant&() const { return who; }
  template <typename Fact>
  operator const Fact&() const {
    if (const Fact* fact = finding.get<Fact>()) return *fact;
    throw std::out_of_range("the finding has no such fact");
  }
};

/// Null if there is none of this name.
constexpr const auto* named_in(const auto& all, std::string_view name) {
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return each.name == name; });
  return found == std::end(all) ? nullptr : &*found;
}

std::string number_text(std::uint64_t number, std::string_view format, bool is_english) {
  if (format.empty()) return std::to_string(number);
  if (format == ",") return separated(number);
  if (format == "KiB") return std::to_string(number >> 10) + " KiB";
  if (format == "MiB") return std::to_string((number + (1 << 20) - 1) >> 20) + " MiB";
  if (is_english) return plural(number, format);
  return std::to_string(number) + ' ' + warpbook::form_of(warpbook::spoken(), format, number);
}

using Number = std::uint64_t;

/// A fact by its name in texts, as one. Numbers have formats.
struct Named {
  std::string_view name;
  std::string (*text)(const Subject&, std::string_view format);
  fact::Set needs; ///< of what only some findings have
};

/// What `of` says, by this name.
template <auto of>
consteval Named named(std::string_view name) {
  const auto from = [&]<typename Value, typename... Parts>(Value (*)(const Parts&...)) -> Named {
    const auto text = [](const Subject& subject, std::string_view format) {
      const Value value = of(static_cast<const Parts&>(subject)...);
      if constexpr (std::is_same_v<Value, Number>)
        return number_text(value, format, subject.is_english);
      else
        return value;
    };
    return {name, text, fact::of<Parts...>};
  };
  return from(+of);
}
/// A fact as it is.
template <typename Fact>
constexpr Named as_it_is = named<[](const Fact& fact) { return fact.value; }>(Fact::name);

template <bool cure>
std::string refusal_text(const Subject& subject, const Refused& refused) {
  const auto refusal = std::ranges::find(refusals, refused.rule, &RefusalWording::rule);
  if (refusal == std::end(refusals)) return "";
  return fill(cure ? first_that_holds(refusal->cure, subject.finding) : refusal->reason, subject.finding,
              subject.who);
}

constexpr Named facts[] = {
    as_it_is<fact::Amount>,
    as_it_is<fact::Limit>,
    as_it_is<fact::Used>,
    named<[](const Refused& refused) { return refused.allowed; }>("allowed"),
    named<[](const Refused& refused) { return refused.asked; }>("asked"),
    named<[](const Outside& outside) { return outside.array_bytes; }>("array bytes"),
    named<[](const Finding& finding) { return volume(finding.grid); }>("blocks"),
    named<[](const Finding& finding) {
      return max_cooperative_threads / std::max(volume(finding.block), Number{1});
    }>("blocks held"),
    named<[](const Finding& finding) { return finding.byte; }>("byte"),
    named<[](const Finding& finding, const Outside& outside) {
      return elements_before_cut(finding) * outside.element_bytes;
    }>("bytes before cut"),
    named<[](const Finding& finding) { return Number{party(finding, 0).bytes}; }>("bytes written first"),
    named<[](const Finding& finding) { return Number{party(finding, 1).bytes}; }>("bytes written second"),
    named<[](const Outside& outside, const Participant& who) {
      return who.bytes / std::max(outside.element_bytes, Number{1});
    }>("elements"),
    named<[](const Outside& outside, const Participant& who) {
      return std::max(who.bytes / std::max(outside.element_bytes, Number{1}), Number{1}) - 1;
    }>("elements further"),
    named<elements_before_cut>("elements before cut"),
    named<[](const Outside& outside) { return outside.element_bytes; }>("element size"),
    named<[](const Finding& finding, const Outside& outside) {
      return outside.array_bytes / std::max(smaller_element(finding), Number{1});
    }>("elements that fit"),
    named<larger_element>("larger element"),
    named<[](const Finding& finding, const Outside& outside) {
      return outside.array_bytes / std::max(larger_element(finding), Number{1});
    }>("larger elements"),
    named<[](const Finding& finding, const Outside& outside) {
      return larger_element(finding) / std::max(outside.element_bytes, Number{1});
    }>("times larger"),
    named<smaller_element>("smaller element"),
    named<[](const Outside& outside) { return outside.width; }>("width"),
    named<[] { return Number{max_cluster_blocks}; }>("largest cluster"),
    named<[](const fact::IndexBits& bits) { return Number{bits.value}; }>("index bits"),
    named<[](const fact::IndexBits& bits) { return (Number{1} << bits.value) / 2 - 1; }>("largest index"),
    named<[](const fact::Rank& rank) { return rank.value[1] - 1; }>("last rank"),
    named<[] { return Number{opt_in_shared_limit}; }>("opt-in limit"),
    named<[](const Outside& outside) { return outside.pitch; }>("pitch"),
    named<[](const fact::Rank& rank) { return rank.value[0]; }>("rank"),
    named<[](const Texels& texels) { return Number{texels.channels} * texels.channel_bits / 8; }>(
        "texel bytes"),
    named<[](const Texels& texels) { return texels.extents[0]; }>("texels"),
    named<[](const fact::Rank& rank) { return rank.value[1]; }>("ranks"),
    named<[](const Participant& who) { return Number{who.bytes}; }>("size"),
    named<[] { return Number{default_shared_limit}; }>("static limit"),
    named<[](const Finding& finding) { return volume(finding.block); }>("threads"),
    as_it_is<fact::Error>,
    as_it_is<fact::Group>,
    as_it_is<fact::Other>,
    as_it_is<fact::Subject>,
    named<access_text>("access"),
    named<[](const Finding& finding) { return hexadecimal(finding.address); }>("address"),
    named<array>("array"),
    named<coordinates>("coordinates"),
    named<resource>("resource"),
    named<texel_type>("texel type"),
    named<barrier>("barrier"),
    named<[](const Refused& refused) { return triple(refused.block); }>("block"),
    named<[](const Refused& refused) { return triple(refused.cluster); }>("cluster"),
    named<refusal_text<true>>("cure of the refusal"),
    named<distance>("distance"),
    named<earlier_use>("earlier use"),
    named<earlier_work>("earlier work"),
    named<element_text>("element"),
    named<[](const Finding& finding) { return triple(thread_of(party(finding, 1)).block); }>("ending block"),
    named<written<0>>("first value"),
    named<visits<0>>("first visits"),
    named<[](const Refused& refused) { return triple(refused.grid); }>("grid"),
    named<in_its_grid>("in its grid"),
    named<[](const Finding& finding) { return finding.kernel; }>("kernel"),
    named<lanes>("lanes"),
    named<later_work>("Later work"),
    named<[] { return triple(max_block_extent); }>("largest block"),
    named<[] { return triple(max_grid_extent); }>("largest grid"),
    named<[](const Refused& refused) { return refused.error; }>("launch error"),
    named<[](const fact::Amount& mask) { return hexadecimal(mask.value, 8); }>("mask"),
    named<meant_index>("meant index"),
    named<memory>("memory"),
    named<number_below_zero>("number below 0"),
    named<part_in_work>("part in work"),
    named<parties>("parties"),
    named<[](const Subject& subject) { return place_text(subject.finding, subject.element); }>("place"),
    named<refusal_text<false>>("refusal"),
    named<written<1>>("second value"),
    named<visits<1>>("second visits"),
    named<waits>("waits"),
    named<first_index>("wrapped index"),
    named<wrapped_place>("wrapped place"),
};
/// The second of two with one name would be dead.
static_assert(std::ranges::all_of(facts,
                                  [](const Named& fact) { return named_in(facts, fact.name) == &fact; }));

/// What stands between braces: see catalogue.hpp. In a translation, a number has the forms of its noun between bars.
struct Hole {
  constexpr explicit Hole(std::string_view text) {
    const std::size_t begin = text.find('<'), end = text.find('>');
    if (begin != text.npos) {
      before = text.substr(0, begin), behind = text.substr(end + 1);
      text = text.substr(begin + 1, end - begin - 1);
    }
    const std::size_t mark = std::min(text.find_first_of(":|"), text.size());
    name = text.substr(0, mark);
    (mark < text.size() && text[mark] == ':' ? format : instead) =
        text.substr(std::min(mark + 1, text.size()));
  }
  std::string_view name, format, before, behind, instead;
};

/// Calls `on_text` and `on_hole` for the parts of a text.
constexpr void for_each_part(std::string_view rest, const auto& on_text, const auto& on_hole) {
  while (!rest.empty()) {
    const std::size_t begin = std::min(rest.find('{'), rest.size()), end = rest.find('}', begin);
    on_text(rest.substr(0, begin));
    if (begin == rest.size()) return;
    if (end == rest.npos) throw std::out_of_range("a { without its }");
    on_hole(Hole(rest.substr(begin + 1, end - begin - 1)));
    rest.remove_prefix(end + 1);
  }
}

/// The facts of findings without which these texts cannot be filled. A compile error if one asks for what there is not.
constexpr fact::Set needs_of(const Choices& choices) {
  fact::Set needs = 0;
  const auto add = [&](const Hole& hole) {
    const auto* phrase = named_in(phrases, hole.name);
    needs |= phrase ? needs_of(phrase->text) : named_in(facts, hole.name)->needs;
  };
  for (const Choice& choice : choices.all())
    for_each_part(
        choice.text, [](auto) {}, add);
  return needs;
}

constexpr bool are_told_from(fact::Set known, std::initializer_list<Choices> texts) {
  return std::ranges::all_of(texts, [&](const Choices& text) { return (needs_of(text) & ~known) == 0; });
}
/// Of each eighth of the catalogue: a compiler takes so many steps for one constant, and no more.
template <std::size_t Eighth>
constexpr bool is_told = std::all_of(std::begin(catalogue) + std::size(catalogue) * Eighth / 8,
                                     std::begin(catalogue) + std::size(catalogue) * (Eighth + 1) / 8,
                                     [](const Wording& wording) {
                                       return are_told_from(wording.kind.facts,
                                                            {wording.message, wording.cure, wording.action,
                                                             wording.other_action});
                                     });
static_assert(is_told<0> && is_told<1> && is_told<2> && is_told<3> && is_told<4> && is_told<5> &&
              is_told<6> && is_told<7>);
static_assert(std::ranges::all_of(refusals, [](const RefusalWording& refusal) {
  return are_told_from(fact::of<Refused>, {refusal.reason, refusal.cure});
}));
static_assert(std::ranges::all_of(notes, [](const Note& note) {
  return std::ranges::any_of(catalogue, [&](const Wording& wording) {
    return wording.id == note.id && are_told_from(wording.kind.facts, {note.note.text});
  });
}));

std::string in_place_of(const Hole& hole, const Subject& subject) {
  const auto* phrase = named_in(phrases, hole.name);
  const Named* fact = named_in(facts, hole.name);
  if (!phrase && !fact) throw std::out_of_range("no fact of this name");
  const std::string value =
      phrase ? fill(first_that_holds(phrase->text, subject.finding), subject.finding, subject.who)
             : fact->text(subject, hole.format);
  if (value.empty()) return std::string(hole.instead);
  return std::string(hole.before) + value + std::string(hole.behind);
}

std::string with_facts(std::string_view text, const Subject& subject) {
  std::string result;
  for_each_part(
      text, [&](std::string_view part) { result += part; },
      [&](const Hole& hole) { result += in_place_of(hole, subject); });
  return result;
}

std::string fill(const char* text, const Finding& finding, const Participant& who, bool element) {
  const std::string_view translation = warpbook::spoken().translated(finding_context, text);
  if (translation.data() != text) {
    try {
      return with_facts(translation, {finding, who, element, false});
    } catch (const std::out_of_range&) { // a translator has mistyped a place
    }
  }
  return with_facts(text, {finding, who, element, true});
}

} // namespace

std::string filled(const char* text, const Finding& finding) {
  return fill(text, finding, party(finding, 0));
}

bool set_blank_facts(Finding& finding) {
  const Wording* wording = wording_of(finding);
  finding.facts.clear();
  const auto add = [&]<typename... All>(const std::variant<All...>*) {
    ((wording->kind.facts & fact::of<All> ? finding.facts.push_back(All()) : void()), ...);
  };
  if (wording) add(static_cast<fact::Any*>(nullptr));
  return wording != nullptr;
}

std::string message_of(const Finding& finding, bool element) {
  const Wording* wording = wording_of(finding);
  return wording ? fill(wording->message, finding, party(finding, 0), element) : "";
}

std::string action_of(const Finding& finding, std::size_t participant) {
  const Wording* wording = wording_of(finding);
  if (!wording) return "";
  return fill(participant == 0 ? wording->action : wording->other_action, finding,
              party(finding, participant));
}

std::vector<std::string> notes_of(const Finding& finding) {
  std::vector<std::string> told;
  for (const Note& known : notes)
    if (known.id == finding.id && (!known.note.holds || known.note.holds(finding)))
      told.push_back(filled(known.note.text, finding));
  return told;
}

std::string cure_of(const Finding& finding) {
  const Wording* wording = wording_of(finding);
  return wording ? filled(first_that_holds(wording->cure, finding), finding) : "";
}

std::string index_text(const Finding& finding) {
  std::string text;
  for (const std::int64_t index : finding.element) text += "[" + std::to_string(index) + "]";
  if (finding.byte == 0) return text;
  return text.empty() ? say(" + {offset:byte}", finding.byte)
                      : say("{element} (byte {number} of it)", text, finding.byte);
}

std::string place_text(const Finding& finding, bool element) {
  if (element || finding.element.empty()) {
    const std::string text = element_text(finding);
    return text.empty() || !finding.owner ? text : say("{element} of block {block}", text, owner(finding));
  }
  return say("an element of {memory}{in_another? in another block}", memory(finding),
             finding.owner.has_value());
}

std::string triple(const Extent& extent) {
  return "(" + std::to_string(extent[0]) + "," + std::to_string(extent[1]) + "," + std::to_string(extent[2]) +
         ")";
}

std::string argument_text(const Argument& argument) {
  if (argument.variable.empty()) return argument.value.empty() ? "…" : argument.value;
  if (argument.element == 0) return argument.variable;
  return argument.variable + (argument.element < 0 ? " - " : " + ") +
         std::to_string(std::abs(argument.element));
}

std::string launch_text(const std::string& kernel, const HostLaunch& launch) {
  std::string text;
  for (const Argument& argument : launch.arguments)
    text += (text.empty() ? "" : ", ") + argument_text(argument);
  return kernel + "(" + text + ")";
}

std::string separated(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, const std::string& thing) {
  return separated(number) + ' ' + thing + (number == 1 ? "" : "s");
}

} // namespace simt
