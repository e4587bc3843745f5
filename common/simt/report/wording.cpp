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

namespace {

using warpbook::Said;

std::string plural(std::uint64_t count, std::string_view unit) {
  return std::to_string(count) + ' ' + std::string(unit) +
         (count == 1             ? ""
          : unit.ends_with("ch") ? "es"
                                 : "s");
}

const Refused& refusal_in(const Finding& finding) {
  static const Refused none;
  return finding.refused ? *finding.refused : none;
}

std::array<std::uint64_t, 2> ranks(const Finding& finding) {
  return finding.rank.value_or(std::array<std::uint64_t, 2>{});
}

const RefusalWording* wording_of(const Refused& refused) {
  const auto found = std::ranges::find(refusals, refused.rule, &RefusalWording::rule);
  return found == std::end(refusals) ? nullptr : found;
}

const Wording* wording_of(const Finding& finding) {
  const auto found = std::ranges::find_if(catalogue, [&](const Wording& wording) {
    return wording.id == finding.id && wording.kind == finding.kind;
  });
  return found == std::end(catalogue) ? nullptr : found;
}

/// The memory that a finding is about, without a place in it.
std::string memory(const Finding& finding) {
  if (!finding.variable.empty() || finding.unnamed_bytes == 0) return finding.variable;
  return say("a block of {size:byte} from cudaMalloc", finding.unnamed_bytes);
}

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

std::string written(const Finding& race, std::size_t which) {
  return race.written ? as_number((*race.written)[which], party(race, 0).bytes) : "";
}

std::string hexadecimal(std::uint64_t number, int digits = 1) {
  std::ostringstream out;
  out << "0x" << std::hex << std::setfill('0') << std::setw(digits) << number;
  return out.str();
}

/// In whose shared memory it is, if that is known.
std::string owner(const Finding& finding) { return finding.owner ? triple(*finding.owner) : ""; }

std::string distance(const Finding& finding) {
  const Outside outside = finding.outside.value_or(Outside{});
  if (outside.side == Outside::Side::across) return say("across the end of");
  if (outside.side == Outside::Side::before)
    return say("{distance:byte} before the start of", outside.distance);
  if (outside.distance == 0) return say("just past the end of");
  return say("{distance:byte} past the end of", outside.distance);
}

/// The array that an access has missed, with its size.
std::string array(const Finding& finding) {
  const Outside outside = finding.outside.value_or(Outside{});
  if (is_in_shared_memory(finding))
    return say("the shared variable {variable}{has_owner? of block {block}}, which has {size:byte}",
               finding.variable, finding.owner.has_value(), owner(finding), outside.array_bytes);
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

std::string first_index(const Finding& finding) {
  return finding.element.empty() ? "" : std::to_string(finding.element[0]);
}

/// What an index that has overflowed would be if it had more bits.
std::string meant_index(const Finding& finding) {
  if (finding.element.empty()) return "";
  return std::to_string(finding.element[0] + (std::int64_t{1} << finding.index_bits));
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
std::string resource(const Finding& finding) {
  if (!finding.texels) return "";
  const Texels& texels = *finding.texels;
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

/// The call that the first thread waits at.
std::string barrier(const Finding& finding) {
  const Participant& who = party(finding, 0);
  return who.waits_at.empty() ? "__syncthreads()" : who.waits_at;
}

std::string lanes(const Finding& finding) {
  std::string text;
  for (std::uint64_t rest = finding.lanes; rest != 0;) {
    const int first = std::countr_zero(rest), last = first + std::countr_one(rest >> first) - 1;
    const auto number = [](int lane) { return std::to_string(lane); };
    text += text.empty() ? "" : ", ";
    text += last == first       ? number(first)
            : last == first + 1 ? number(first) + ", " + number(last)
                                : say("{first} to {last}", first, last);
    rest &= ~std::uint64_t{0} << (last + 1);
  }
  return std::popcount(finding.lanes) == 1 ? say("lane {number}", text) : say("lanes {numbers}", text);
}

/// "thread 6 twice", with all its indices where the block has more than one dimension.
std::string visits(const Finding& finding, std::size_t number) {
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

/// What a fact is taken from; `who` is the party that is spoken of.
struct Subject {
  const Finding& finding;
  const Participant& who;
  bool element;
  bool is_english; ///< the text that the fact is for
};

template <typename Value>
struct Fact {
  std::string_view name;
  Value (*of)(const Subject&);
};

/// The second of two facts with one name would be dead.
consteval bool names_differ(const auto& facts) {
  for (auto fact = std::begin(facts); fact != std::end(facts); ++fact)
    for (auto other = std::begin(facts); other != fact; ++other)
      if (fact->name == other->name) return false;
  return true;
}

/// Null if there is none of this name.
const auto* named(const auto& facts, std::string_view name) {
  const auto found = std::ranges::find(facts, name, [](const auto& fact) { return fact.name; });
  return found == std::end(facts) ? nullptr : &*found;
}

constexpr Fact<std::uint64_t> numbers[] = {
    {"allowed", [](const Subject& s) { return refusal_in(s.finding).allowed; }},
    {"amount", [](const Subject& s) { return s.finding.amount; }},
    {"asked", [](const Subject& s) { return refusal_in(s.finding).asked; }},
    {"blocks", [](const Subject& s) { return volume(s.finding.grid); }},
    {"blocks held",
     [](const Subject& s) {
       return max_cooperative_threads / std::max(volume(s.finding.block), std::uint64_t{1});
     }},
    {"byte", [](const Subject& s) { return s.finding.byte; }},
    {"largest cluster", [](const Subject&) { return std::uint64_t{max_cluster_blocks}; }},
    {"index bits", [](const Subject& s) { return std::uint64_t{s.finding.index_bits}; }},
    {"largest index", [](const Subject& s) { return (std::uint64_t{1} << s.finding.index_bits) / 2 - 1; }},
    {"last rank", [](const Subject& s) { return ranks(s.finding)[1] - 1; }},
    {"limit", [](const Subject& s) { return s.finding.limit; }},
    {"opt-in limit", [](const Subject&) { return std::uint64_t{opt_in_shared_limit}; }},
    {"rank", [](const Subject& s) { return ranks(s.finding)[0]; }},
    {"texel bytes",
     [](const Subject& s) {
       const Texels texels = s.finding.texels.value_or(Texels{});
       return std::uint64_t{texels.channels} * texels.channel_bits / 8;
     }},
    {"texels", [](const Subject& s) { return s.finding.texels.value_or(Texels{}).extents[0]; }},
    {"ranks", [](const Subject& s) { return ranks(s.finding)[1]; }},
    {"size", [](const Subject& s) { return std::uint64_t{s.who.bytes}; }},
    {"static limit", [](const Subject&) { return std::uint64_t{default_shared_limit}; }},
    {"threads", [](const Subject& s) { return volume(s.finding.block); }},
    {"used", [](const Subject& s) { return s.finding.used; }},
};
static_assert(names_differ(numbers));

std::string number_text(std::uint64_t number, std::string_view format, bool is_english) {
  if (format.empty()) return std::to_string(number);
  if (format == ",") return separated(number);
  if (format == "KiB") return std::to_string(number >> 10) + " KiB";
  if (format == "MiB") return std::to_string((number + (1 << 20) - 1) >> 20) + " MiB";
  if (is_english) return plural(number, format);
  return std::to_string(number) + ' ' + warpbook::form_of(warpbook::spoken(), format, number);
}

std::string refusal_text(const Subject& subject, bool cure) {
  const RefusalWording* refusal = wording_of(refusal_in(subject.finding));
  if (!refusal) return "";
  return fill(cure ? first_that_holds(refusal->cure, subject.finding) : refusal->reason, subject.finding,
              subject.who);
}

constexpr Fact<std::string> facts[] = {
    {"access", [](const Subject& s) { return access_text(s.who); }},
    {"address", [](const Subject& s) { return hexadecimal(s.finding.address); }},
    {"array", [](const Subject& s) { return array(s.finding); }},
    {"coordinates", [](const Subject& s) { return coordinates(s.finding); }},
    {"resource", [](const Subject& s) { return resource(s.finding); }},
    {"texel type", [](const Subject& s) { return texel_type(s.finding.texels.value_or(Texels{})); }},
    {"barrier", [](const Subject& s) { return barrier(s.finding); }},
    {"block", [](const Subject& s) { return triple(refusal_in(s.finding).block); }},
    {"cluster", [](const Subject& s) { return triple(refusal_in(s.finding).cluster); }},
    {"cure of the refusal", [](const Subject& s) { return refusal_text(s, true); }},
    {"distance", [](const Subject& s) { return distance(s.finding); }},
    {"element", [](const Subject& s) { return element_text(s.finding); }},
    {"ending block", [](const Subject& s) { return triple(thread_of(party(s.finding, 1)).block); }},
    {"error",
     [](const Subject& s) { return s.finding.refused ? s.finding.refused->error : s.finding.error; }},
    {"first value", [](const Subject& s) { return written(s.finding, 0); }},
    {"first visits", [](const Subject& s) { return visits(s.finding, 0); }},
    {"grid", [](const Subject& s) { return triple(refusal_in(s.finding).grid); }},
    {"group", [](const Subject& s) { return s.finding.group; }},
    {"in its grid", [](const Subject& s) { return in_its_grid(s.who); }},
    {"kernel", [](const Subject& s) { return s.finding.kernel; }},
    {"lanes", [](const Subject& s) { return lanes(s.finding); }},
    {"largest block", [](const Subject&) { return triple(max_block_extent); }},
    {"largest grid", [](const Subject&) { return triple(max_grid_extent); }},
    {"mask", [](const Subject& s) { return hexadecimal(s.finding.amount, 8); }},
    {"meant index", [](const Subject& s) { return meant_index(s.finding); }},
    {"memory", [](const Subject& s) { return memory(s.finding); }},
    {"parties", [](const Subject& s) { return parties(s.finding); }},
    {"place", [](const Subject& s) { return place_text(s.finding, s.element); }},
    {"refusal", [](const Subject& s) { return refusal_text(s, false); }},
    {"second value", [](const Subject& s) { return written(s.finding, 1); }},
    {"second visits", [](const Subject& s) { return visits(s.finding, 1); }},
    {"subject", [](const Subject& s) { return s.finding.subject; }},
    {"waits", [](const Subject& s) { return waits(s.who); }},
    {"wrapped index", [](const Subject& s) { return first_index(s.finding); }},
    {"wrapped place", [](const Subject& s) { return wrapped_place(s.finding); }},
};
static_assert(names_differ(facts));

std::string fact(std::string_view name, const Subject& subject) {
  for (const Phrase& phrase : phrases)
    if (phrase.name == name)
      return fill(first_that_holds(phrase.text, subject.finding), subject.finding, subject.who);
  const std::size_t colon = std::min(name.find(':'), name.size());
  if (const auto* number = named(numbers, name.substr(0, colon)))
    return number_text(number->of(subject), name.substr(std::min(colon + 1, name.size())),
                       subject.is_english);
  const auto* fact = named(facts, name);
  if (!fact) throw std::out_of_range("no fact of this name");
  return fact->of(subject);
}

/// What stands for `{hole}`: see catalogue.hpp. In a translation, a number has the forms of its noun between bars.
std::string in_place_of(std::string_view hole, const Subject& subject) {
  const bool is_number = named(numbers, hole.substr(0, hole.find(':'))) != nullptr;
  if (const std::size_t bar = is_number ? hole.npos : hole.find('|'); bar != hole.npos) {
    const std::string value = fact(hole.substr(0, bar), subject);
    return value.empty() ? std::string(hole.substr(bar + 1)) : value;
  }
  const std::size_t begin = hole.find('<'), end = hole.find('>');
  if (begin == hole.npos) return fact(hole, subject);
  const std::string value = fact(hole.substr(begin + 1, end - begin - 1), subject);
  return value.empty() ? "" : std::string(hole.substr(0, begin)) + value + std::string(hole.substr(end + 1));
}

std::string with_facts(std::string_view text, const Subject& subject) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t begin = std::min(rest.find('{'), rest.size()), end = rest.find('}', begin);
    result += rest.substr(0, begin);
    if (begin == rest.size()) break;
    if (end == rest.npos) throw std::out_of_range("a { without its }");
    result += in_place_of(rest.substr(begin + 1, end - begin - 1), subject);
    rest.remove_prefix(end + 1);
  }
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

bool is_known(const Finding& finding) { return wording_of(finding) != nullptr; }

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

std::string launch_text(const Finding& finding) {
  return launch_text(finding.kernel, finding.launch.value_or(HostLaunch{}));
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
