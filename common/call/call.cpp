#include "call/call.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "call/foreign_json.hpp"

namespace warpbook {
namespace {

using nlohmann::json;

constexpr std::array scalar_names = {"bool", "i8",  "u8",  "i16", "u16", "i32",
                                     "u32",  "i64", "u64", "f32", "f64"};
constexpr std::array<std::size_t, 11> scalar_sizes = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
constexpr std::array schedule_names = {"forward", "reverse", "random"};
constexpr std::array direction_names = {"in", "out", "inout"};
constexpr std::array shape_names = {"uniform", "constant", "sequence", "whole"};
constexpr std::array status_names = {"finished", "missing-function", "exception", "cuda-error"};

template <typename E, std::size_t n>
E parse(const json& value, const std::array<const char*, n>& names) {
  const auto& text = value.get_ref<const std::string&>();
  for (std::size_t i = 0; i < n; ++i) {
    if (text == names[i]) return static_cast<E>(i);
  }
  throw std::runtime_error("unknown word in a message: " + text);
}

template <typename E, std::size_t n>
const char* name_in(const std::array<const char*, n>& names, E value) {
  return names.at(static_cast<std::size_t>(value));
}

json encode(const BufferArgument& buffer) {
  json value = {{"direction", name_in(direction_names, buffer.direction)},
                {"name", buffer.name},
                {"element_size", buffer.element_size},
                {"count", buffer.count},
                {"front", buffer.front},
                {"back", buffer.back},
                {"image_offset", buffer.image_offset},
                {"returned", buffer.returned},
                {"samples", buffer.samples},
                {"sparse_first", buffer.sparse_first},
                {"sparse_step", buffer.sparse_step}};
  if (buffer.generated) {
    const Generator& generator = buffer.generator;
    value["generator"] = {{"type", name_of(generator.type)},
                          {"shape", name_in(shape_names, generator.distribution.shape)},
                          {"low", generator.distribution.low},
                          {"high", generator.distribution.high},
                          {"period", generator.distribution.period},
                          {"seed", generator.seed}};
  }
  return value;
}

BufferArgument decode_buffer(const json& value) {
  BufferArgument buffer;
  buffer.direction = parse<Direction>(value.at("direction"), direction_names);
  value.at("name").get_to(buffer.name);
  value.at("element_size").get_to(buffer.element_size);
  value.at("count").get_to(buffer.count);
  value.at("front").get_to(buffer.front);
  value.at("back").get_to(buffer.back);
  value.at("image_offset").get_to(buffer.image_offset);
  value.at("returned").get_to(buffer.returned);
  value.at("samples").get_to(buffer.samples);
  value.at("sparse_first").get_to(buffer.sparse_first);
  value.at("sparse_step").get_to(buffer.sparse_step);
  if (const auto found = value.find("generator"); found != value.end()) {
    buffer.generated = true;
    buffer.generator.type = parse<ScalarType>(found->at("type"), scalar_names);
    buffer.generator.distribution.shape = parse<Distribution::Shape>(found->at("shape"), shape_names);
    found->at("low").get_to(buffer.generator.distribution.low);
    found->at("high").get_to(buffer.generator.distribution.high);
    found->at("period").get_to(buffer.generator.distribution.period);
    found->at("seed").get_to(buffer.generator.seed);
  }
  return buffer;
}

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

std::size_t size_of(ScalarType type) { return scalar_sizes.at(static_cast<std::size_t>(type)); }
const char* name_of(ScalarType type) { return name_in(scalar_names, type); }
const char* name_of(Schedule schedule) { return name_in(schedule_names, schedule); }

std::string to_message(const Call& call) {
  json arguments = json::array();
  for (const Argument& argument : call.arguments) {
    if (argument.is_buffer)
      arguments.push_back(encode(argument.buffer));
    else
      arguments.push_back({{"scalar", name_of(argument.scalar.type)}, {"bits", argument.scalar.bits}});
  }
  json value = {{"token", call.token},
                {"function", call.function},
                {"arguments", std::move(arguments)},
                {"schedule", name_of(call.schedule)},
                {"schedule_seed", call.schedule_seed},
                {"repetitions", call.repetitions},
                {"most_repetitions", call.most_repetitions},
                {"uncertainty", call.uncertainty},
                {"warm_ups", call.warm_ups},
                {"cold", call.cold},
                {"sites", call.sites},
                {"trace", call.trace},
                {"memory_bytes", call.memory_bytes}};
  if (call.returns_value) value["returns"] = name_of(call.return_type);
  if (call.last_block_only) value["last_block_only"] = true;
  if (call.patience != 1) value["patience"] = call.patience;
  if (call.launch_room)
    value["launch_room"] = {{"launches", call.launch_room->launches},
                            {"from_depth", call.launch_room->from_depth}};
  return dump(value);
}

Call call_from_message(const std::string& text) {
  return decoded(text, [](const json& value) {
    Call call;
    value.at("token").get_to(call.token);
    value.at("function").get_to(call.function);
    for (const json& entry : value.at("arguments")) {
      Argument argument;
      argument.is_buffer = !entry.contains("scalar");
      if (argument.is_buffer) {
        argument.buffer = decode_buffer(entry);
      } else {
        argument.scalar.type = parse<ScalarType>(entry.at("scalar"), scalar_names);
        entry.at("bits").get_to(argument.scalar.bits);
      }
      call.arguments.push_back(std::move(argument));
    }
    if (const auto found = value.find("returns"); found != value.end()) {
      call.returns_value = true;
      call.return_type = parse<ScalarType>(*found, scalar_names);
    }
    call.schedule = parse<Schedule>(value.at("schedule"), schedule_names);
    value.at("schedule_seed").get_to(call.schedule_seed);
    value.at("repetitions").get_to(call.repetitions);
    value.at("most_repetitions").get_to(call.most_repetitions);
    value.at("uncertainty").get_to(call.uncertainty);
    value.at("warm_ups").get_to(call.warm_ups);
    value.at("cold").get_to(call.cold);
    value.at("sites").get_to(call.sites);
    value.at("trace").get_to(call.trace);
    call.last_block_only = value.contains("last_block_only");
    call.patience = value.value("patience", 1U);
    value.at("memory_bytes").get_to(call.memory_bytes);
    if (const auto found = value.find("launch_room"); found != value.end())
      call.launch_room = {found->at("launches").get<std::size_t>(), found->at("from_depth").get<unsigned>()};
    return call;
  });
}

// Report and trace, which are JSON already, follow on the next line: within the rest they would be escaped, and read
// twice.
std::string to_message(const RawReply& reply) {
  json strays = json::array();
  for (const Stray& stray : reply.strays) strays.push_back({stray.argument, stray.index, stray.bits});
  std::string text = dump({{"token", reply.token},
                           {"status", name_in(status_names, reply.status)},
                           {"error_name", reply.error_name},
                           {"error_text", reply.error_text},
                           {"error_origin", reply.error_origin},
                           {"left_processes", reply.left_processes},
                           {"returned_bits", reply.returned_bits},
                           {"times_ms", reply.times_ms},
                           {"strays", std::move(strays)},
                           {"report_bytes", reply.report.size()}});
  return text.append("\n").append(reply.report).append(reply.trace);
}

RawReply reply_from_message(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  return decoded(text.substr(0, end), [&](const json& value) {
    RawReply reply;
    value.at("token").get_to(reply.token);
    reply.status = parse<RawReply::Status>(value.at("status"), status_names);
    value.at("error_name").get_to(reply.error_name);
    value.at("error_text").get_to(reply.error_text);
    value.at("error_origin").get_to(reply.error_origin);
    value.at("left_processes").get_to(reply.left_processes);
    value.at("returned_bits").get_to(reply.returned_bits);
    value.at("times_ms").get_to(reply.times_ms);
    for (const json& stray : value.at("strays"))
      reply.strays.push_back(
          {stray.at(0).get<std::size_t>(), stray.at(1).get<std::size_t>(), stray.at(2).get<std::uint64_t>()});
    const std::string rest = text.substr(std::min(end + 1, text.size()));
    reply.report = rest.substr(0, value.at("report_bytes").get<std::size_t>());
    reply.trace = rest.substr(reply.report.size());
    return reply;
  });
}

} // namespace warpbook
