// The facts of a finding by name, and how they fill the catalogue's texts.
#include "simt/report/wording.hpp"

#include "simt/report/catalogue.hpp"
#include "simt/runtime/machine/limits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>

namespace simt {

namespace {

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
  return "a block of " + plural(finding.unnamed_bytes, "byte") + " from cudaMalloc";
}

std::string element_text(const Finding& finding) {
  const std::string name = memory(finding);
  return name.empty() ? "" : name + index_text(finding);
}

/// "writes 4 bytes"; empty for who uses no memory.
std::string access_text(const Participant& who) {
  if (!who.access) return "";
  const char* verb = *who.access == Access::read    ? "reads "
                     : *who.access == Access::write ? "writes "
                                                    : "atomically updates ";
  return verb + plural(who.bytes, "byte");
}

/// Who races in global memory.
std::string parties(const Finding& race) {
  if (!is_between_grids(race))
    return std::string("Two threads of ") + (within_block(race) ? "one block" : "different blocks");
  const Participant &first = party(race, 0), &second = party(race, 1);
  const Participant& elder = is_descendant(first) ? second : first;
  const Participant& other = is_descendant(first) ? first : second;
  if (!is_descendant(other)) return "The child grids " + elder.kernel + " and " + other.kernel;
  return "The grid " + elder.kernel + " and its " + (other.kin == Kin::child ? "child" : "descendant") +
         " grid " + other.kernel;
}

/// Where the grid of one of two parties stands.
std::string in_its_grid(const Participant& who) {
  static constexpr const char* places[] = {"the parent",     "the ancestor", "its child grid",
                                           "its descendant", "a child grid", "a later child grid"};
  if (!who.depth) return "";
  return std::string(", in ") + places[static_cast<int>(who.kin)] + " (depth " + std::to_string(*who.depth) +
         ")";
}

/// Bits as the number that they most likely are: which type the student means is not known. Small integers
/// make tiny floating-point numbers, and ordinary floating-point numbers make large integers.
std::string as_number(std::uint64_t bits, unsigned size) {
  double real = size == 4 ? static_cast<double>(__builtin_bit_cast(float, static_cast<std::uint32_t>(bits)))
                          : __builtin_bit_cast(double, bits);
  std::ostringstream out;
  if (std::fabs(real) > 1e-30 && std::fabs(real) < 1e30)
    out << real << (size == 4 ? " (as a float)" : " (as a double)");
  else if (size == 4)
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

std::string of_owner(const Finding& finding) {
  return finding.owner ? " of block " + triple(*finding.owner) : "";
}

std::string distance(const Finding& finding) {
  const Outside outside = finding.outside.value_or(Outside{});
  if (outside.side == Outside::Side::across) return "across the end of";
  if (outside.side == Outside::Side::before) return plural(outside.distance, "byte") + " before the start of";
  return outside.distance == 0 ? "just past the end of"
                               : plural(outside.distance, "byte") + " past the end of";
}

/// The array that an access has missed, with its size.
std::string array(const Finding& finding) {
  const Outside outside = finding.outside.value_or(Outside{});
  if (is_in_shared_memory(finding))
    return "the shared variable " + finding.variable + of_owner(finding) + ", which has " +
           plural(outside.array_bytes, "byte");
  if (finding.variable.empty()) return memory(finding);
  const std::string size = outside.element_bytes == 0
                               ? plural(outside.array_bytes, "byte")
                               : plural(outside.array_bytes / outside.element_bytes, "element");
  const std::string index = index_text(finding);
  return finding.variable + ", which has " + size +
         (index.empty() ? "" : " (as an index: " + finding.variable + index + ")");
}

/// Where an index that has wrapped around would lead.
std::string wrapped_place(const Finding& finding) {
  if (!finding.element.empty()) return element_text(finding) + " would be";
  return memory(finding).empty() ? "" : "an index near 4294967296 leads in " + memory(finding);
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
  static constexpr const char* shapes[] = {
      "linear memory",       "memory with a pitch", "a 1-D array", "a 2-D array",      "a 3-D array",
      "a layered 1-D array", "a layered 2-D array", "a cubemap",   "a layered cubemap"};
  std::string extents;
  for (const std::uint64_t extent : texels.extents)
    if (extent != 0) extents += (extents.empty() ? "" : " x ") + std::to_string(extent);
  return std::string(shapes[static_cast<int>(texels.shape)]) + " of " + extents + " texels of type " +
         texel_type(texels) + (texels.normalized ? ", read as normalised floats" : "");
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
  if (who.polls) return "keeps reading the same value in a loop";
  return who.waits_at.empty() ? "" : "waits at " + who.waits_at;
}

std::string lanes(const Finding& finding) {
  std::string text;
  for (std::uint64_t rest = finding.lanes; rest != 0;) {
    const int first = std::countr_zero(rest), last = first + std::countr_one(rest >> first) - 1;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += (last > first + 1 ? " to " : ", ") + std::to_string(last);
    rest &= ~std::uint64_t{0} << (last + 1);
  }
  return (std::popcount(finding.lanes) == 1 ? "lane " : "lanes ") + text;
}

/// "thread 6 twice", with all its indices where the block has more than one dimension.
std::string visits(const Finding& finding, std::size_t number) {
  const Participant& who = party(finding, number);
  const Extent thread = thread_of(who).thread;
  const bool is_flat = finding.block[1] == 1 && finding.block[2] == 1;
  const unsigned count = who.visits.value_or(0);
  return "thread " + (is_flat ? std::to_string(thread[0]) : triple(thread)) + " " +
         (count == 0   ? "not once"
          : count == 1 ? "once"
          : count == 2 ? "twice"
                       : std::to_string(count) + " times");
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
};

const std::map<std::string_view, std::uint64_t (*)(const Subject&)> numbers = {
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

std::string number_text(std::uint64_t number, std::string_view format) {
  if (format.empty()) return std::to_string(number);
  if (format == ",") return separated(number);
  if (format == "KiB") return std::to_string(number >> 10) + " KiB";
  if (format == "MiB") return std::to_string((number + (1 << 20) - 1) >> 20) + " MiB";
  return plural(number, format);
}

std::string refusal_text(const Subject& subject, bool cure) {
  const RefusalWording* refusal = wording_of(refusal_in(subject.finding));
  if (!refusal) return "";
  return fill(cure ? first_that_holds(refusal->cure, subject.finding) : refusal->reason, subject.finding,
              subject.who);
}

const std::map<std::string_view, std::string (*)(const Subject&)> facts = {
    {"access", [](const Subject& s) { return access_text(s.who); }},
    {"address", [](const Subject& s) { return hexadecimal(s.finding.address); }},
    {"array", [](const Subject& s) { return array(s.finding); }},
    {"barrier", [](const Subject& s) { return party(s.finding, 0).waits_at; }},
    {"coordinates", [](const Subject& s) { return coordinates(s.finding); }},
    {"resource", [](const Subject& s) { return resource(s.finding); }},
    {"texel type", [](const Subject& s) { return texel_type(s.finding.texels.value_or(Texels{})); }},
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

std::string fact(std::string_view name, const Subject& subject) {
  for (const Phrase& phrase : phrases)
    if (phrase.name == name)
      return fill(first_that_holds(phrase.text, subject.finding), subject.finding, subject.who);
  const std::size_t colon = std::min(name.find(':'), name.size());
  if (const auto number = numbers.find(name.substr(0, colon)); number != numbers.end())
    return number_text(number->second(subject), name.substr(std::min(colon + 1, name.size())));
  return facts.at(name)(subject);
}

/// What stands for `{hole}`: see catalogue.hpp.
std::string in_place_of(std::string_view hole, const Subject& subject) {
  if (const std::size_t bar = hole.find('|'); bar != hole.npos) {
    const std::string value = fact(hole.substr(0, bar), subject);
    return value.empty() ? std::string(hole.substr(bar + 1)) : value;
  }
  const std::size_t begin = hole.find('<'), end = hole.find('>');
  if (begin == hole.npos) return fact(hole, subject);
  const std::string value = fact(hole.substr(begin + 1, end - begin - 1), subject);
  return value.empty() ? "" : std::string(hole.substr(0, begin)) + value + std::string(hole.substr(end + 1));
}

std::string fill(const char* text, const Finding& finding, const Participant& who, bool element) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t begin = std::min(rest.find('{'), rest.size()), end = rest.find('}', begin);
    result += rest.substr(0, begin);
    if (begin == rest.size()) break;
    result += in_place_of(rest.substr(begin + 1, end - begin - 1), {finding, who, element});
    rest.remove_prefix(end + 1);
  }
  return result;
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
  return text.empty() ? " + " + plural(finding.byte, "byte")
                      : text + " (byte " + std::to_string(finding.byte) + " of it)";
}

std::string place_text(const Finding& finding, bool element) {
  if (element || finding.element.empty()) {
    const std::string text = element_text(finding);
    return text.empty() ? "" : text + of_owner(finding);
  }
  return "an element of " + memory(finding) + (finding.owner ? " in another block" : "");
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

} // namespace simt
