#include "simt/report/diary.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace simt {

namespace {

std::string to_hex(const std::string& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) / 16];
    text += digits[static_cast<unsigned char>(byte) % 16];
  }
  return text;
}

std::string from_hex(std::string_view text) {
  if (text.size() % 2 != 0) throw std::runtime_error("a diary's bytes are cut off");
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned char byte = 0;
    if (std::from_chars(&text[i], &text[i] + 2, byte, 16).ptr != &text[i] + 2)
      throw std::runtime_error("a diary's bytes are no hexadecimal digits");
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

} // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DiaryFrame, module, offset, base)

// Of a place what a reader of diaries asks for.
static void to_json(nlohmann::json& json, const Moment& moment) {
  json = {static_cast<int>(moment.kind), moment.frames};
  if (moment.kind == Moment::Kind::block) return;
  json.insert(json.end(), {moment.bytes, moment.left, moment.right, moment.address, moment.stack_begin,
                           to_hex(moment.stack), moment.place.variable, moment.place.element,
                           moment.place.space == Space::shared, moment.is_constant});
}
static void from_json(const nlohmann::json& json, Moment& moment) {
  const int kind = json.at(0);
  if (kind < 0 || kind > static_cast<int>(Moment::Kind::atomic))
    throw std::runtime_error("a diary has a moment of no kind");
  moment.kind = static_cast<Moment::Kind>(kind);
  json.at(1).get_to(moment.frames);
  if (moment.kind == Moment::Kind::block) return;
  json.at(2).get_to(moment.bytes);
  json.at(3).get_to(moment.left);
  json.at(4).get_to(moment.right);
  json.at(5).get_to(moment.address);
  json.at(6).get_to(moment.stack_begin);
  moment.stack = from_hex(json.at(7).get_ref<const std::string&>());
  json.at(8).get_to(moment.place.variable);
  json.at(9).get_to(moment.place.element);
  moment.place.space = json.at(10).get<bool>() ? Space::shared : Space::global;
  json.at(11).get_to(moment.is_constant);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Diary, kernel, launch, grid, block_extent, block, thread, moments,
                                   left_out)

void to_json(nlohmann::json& json, const Diaries& diaries) {
  json = {{"modules", diaries.modules}, {"of", diaries.of}};
}

void from_json(const nlohmann::json& json, Diaries& diaries) {
  json.at("modules").get_to(diaries.modules);
  json.at("of").get_to(diaries.of);
  for (const Diary& diary : diaries.of)
    for (const Moment& moment : diary.moments)
      for (const DiaryFrame& frame : moment.frames)
        if (frame.module >= diaries.modules.size())
          throw std::runtime_error("a diary names a module that is not there");
}

} // namespace simt
