#include "call/call.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "call/foreign_json.hpp"
#include "call/named_json.hpp"

namespace simt {

WARPBOOK_NAMED_JSON(Schedule, "forward", "reverse", "random")
WARPBOOK_NAMED_JSON(UnseenAccess, "passes", "garbles", "traps")
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchesLeftOut, numbers, shapes)

} // namespace simt

namespace warpbook {

WARPBOOK_NAMED_JSON(ScalarType, "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64")
WARPBOOK_NAMED_JSON(Direction, "in", "out", "inout")
WARPBOOK_NAMED_JSON(Distribution::Shape, "uniform", "constant", "sequence", "whole")
WARPBOOK_NAMED_JSON(RawReply::Status, "finished", "missing-function", "exception", "cuda-error")

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchRoom, launches, from_depth)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Distribution, shape, low, high, period)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Generator, type, distribution, seed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ScalarArgument, type, bits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BufferArgument, direction, name, element_size, count, front, back,
                                   image_offset, generated, generator, returned, samples, sparse_first,
                                   sparse_step)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Argument, is_buffer, scalar, buffer)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Call, token, function, arguments, returns_value, return_type, schedule,
                                   schedule_seed, repetitions, most_repetitions, uncertainty, warm_ups, cold,
                                   sites, trace, watched, memory_bytes, launch_room, last_block_only, unseen,
                                   watches_bounds, left_out, patience)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stray, argument, index, bits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawReply, token, status, error_name, error_text, error_origin,
                                   left_processes, returned_bits, times_ms, strays)

namespace {

using nlohmann::json;

// Any defect of a message is one kind of error to whoever reads it.
template <typename Decode>
auto decoded(const std::string& text, Decode decode) {
  try {
    constexpr std::size_t longest = std::size_t{16} << 20; // a call, or a reply without its report
    return decode(foreign_json(text, longest));
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("unreadable message: ") + error.what());
  }
}

// Printed text and error texts of a submission may hold any bytes.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

} // namespace

std::size_t size_of(ScalarType type) {
  constexpr std::array<std::size_t, 11> sizes = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes.at(static_cast<std::size_t>(type));
}
const char* name_of(ScalarType type) { return name_in(names_of(type), type); }
const char* name_of(Schedule schedule) { return name_in(names_of(schedule), schedule); }

std::string to_message(const Call& call) { return dump(call); }

Call call_from_message(const std::string& text) {
  return decoded(text, [](const json& value) { return value.get<Call>(); });
}

// Report, trace and diaries, which are JSON already, follow on the next line: within the rest they would be escaped, and read
// twice.
std::string to_message(const RawReply& reply) {
  json value = reply;
  value["report_bytes"] = reply.report.size();
  value["trace_bytes"] = reply.trace.size();
  return dump(value).append("\n").append(reply.report).append(reply.trace).append(reply.diaries);
}

RawReply reply_from_message(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  return decoded(text.substr(0, end), [&](const json& value) {
    auto reply = value.get<RawReply>();
    const std::string rest = text.substr(std::min(end + 1, text.size()));
    reply.report = rest.substr(0, value.at("report_bytes").get<std::size_t>());
    reply.trace = rest.substr(reply.report.size(), value.at("trace_bytes").get<std::size_t>());
    reply.diaries = rest.substr(reply.report.size() + reply.trace.size());
    return reply;
  });
}

} // namespace warpbook
