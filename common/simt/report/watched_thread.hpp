// A thread that is to keep a diary (diary.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace simt {

/// One in every grid of this kernel: of any, where no name is given.
struct WatchedThread {
  std::string kernel;
  std::uint32_t launch = 0; ///< its grid's place in the call's trace, from 1 on; 0: any
  std::array<unsigned, 3> block{}, thread{};
  bool operator==(const WatchedThread&) const = default;
};

// Templates, so that whoever sends no JSON need not read the library of it.
template <typename Json>
void to_json(Json& json, const WatchedThread& watched) {
  json = {{"kernel", watched.kernel},
          {"launch", watched.launch},
          {"block", watched.block},
          {"thread", watched.thread}};
}
template <typename Json>
void from_json(const Json& json, WatchedThread& watched) {
  json.at("kernel").get_to(watched.kernel);
  json.at("launch").get_to(watched.launch);
  json.at("block").get_to(watched.block);
  json.at("thread").get_to(watched.thread);
}

} // namespace simt
