// What the memory of the device holds, as one number: two states of the device with one digest are the same to a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace simt {

/// 128 bits of which each depends on all that was added, in this order. Nothing here is secret: it keeps apart what differs by
/// chance, once in 2^128 times, and not what a person has made up for it.
class Digest {
public:
  void add(const void* data, std::size_t bytes);
  void add(std::uint64_t number);
  bool operator==(const Digest&) const = default;

private:
  std::uint64_t parts_[2] = {0x243f6a8885a308d3, 0x13198a2e03707344}; // of pi
};

/// What kernels find that is not in memory. Whoever keeps such state has one of these, at namespace scope.
struct InDigest {
  explicit InDigest(void (*add)(Digest& digest));
};

/// A piece of memory of the device in which something has been written, or any.
struct DigestedPiece {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  Digest digest; ///< of what of it has been written, and of its bytes
};

/// All memory that belongs to the device, and the variables of modules. Page-locked memory of the host is not in it.
struct DeviceDigest {
  Digest frame;                      ///< which memory there is, and what is InDigest
  Digest whole;                      ///< of all
  std::vector<DigestedPiece> pieces; ///< in an order that depends on the frame alone
};
/// Memory has to be open (OpenMemory). `unwritten`: with what memory holds in which nothing has been written.
DeviceDigest digest_device(bool unwritten);

/// What has become of the memory of the device between two digests of one frame.
class DeviceChange {
public:
  /// As it is now: `after` has just been made. Nothing if the change has more bytes than that.
  static std::optional<DeviceChange> between(const DeviceDigest& before, const DeviceDigest& after,
                                             std::size_t most_bytes);
  /// Makes it once more, in memory that is as it was before.
  void apply() const;
  std::size_t bytes() const { return bytes_; }

private:
  struct Piece {
    std::uintptr_t begin = 0;
    std::vector<char> contents, written;
  };
  std::vector<Piece> pieces_;
  std::size_t bytes_ = 0;
};

/// Bytes that digest_device() reads, at most; nothing if there is sparse memory, which would take too long.
struct DigestCost {
  bool is_possible = false;
  std::size_t bytes = 0;
};
DigestCost cost_of_digest();

} // namespace simt
