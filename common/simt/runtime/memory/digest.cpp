#include "simt/runtime/memory/digest.hpp"

#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <vector>

namespace simt {

namespace {

std::vector<void (*)(Digest&)>& others_in_digest() {
  static std::vector<void (*)(Digest&)> others; // files add theirs before main, in any order
  return others;
}

/// Both halves of a product of 64-bit numbers, so that each bit of it depends on all of theirs.
std::uint64_t mix_halves(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Odd numbers with as many ones as zeros, of the digits of e.
constexpr std::uint64_t digest_keys[4] = {0xb7e151628aed2a6b, 0xf1ac6ba9c3d2e1f5, 0x9cf4f3c762e7160f,
                                          0x324e7738926cfbe5};

/// As many bytes as 512 bytes of the bits of `written` are for.
constexpr std::size_t digest_piece = 4096;

/// The bits of `written` for a range of the arena.
std::span<std::uint8_t> bits_for(std::uintptr_t begin, std::size_t bytes) {
  const std::size_t first = begin - machine.arena, last = first + bytes;
  return {machine.written + first / 8, (last + 7) / 8 - first / 8};
}

/// Of a block or a section: its pieces in which something has been written, or all.
void digest_range(DeviceDigest& digest, std::uintptr_t begin, std::size_t bytes, bool unwritten) {
  digest.frame.add(begin);
  digest.frame.add(bytes);
  for (std::uintptr_t stop, end = begin + bytes; begin < end; begin = stop) {
    stop = std::min(end, (begin / digest_piece + 1) * digest_piece);
    DigestedPiece piece{begin, stop - begin, {}};
    if (in_arena(begin)) {
      const std::span<const std::uint8_t> bits = bits_for(begin, piece.bytes);
      if (!unwritten && std::ranges::all_of(bits, [](std::uint8_t byte) { return byte == 0; })) continue;
      piece.digest.add(bits.data(), bits.size());
    }
    piece.digest.add(reinterpret_cast<const void*>(begin), piece.bytes);
    digest.pieces.push_back(piece);
  }
}

bool is_in_digest(const Allocation& allocation) { return allocation.live && !allocation.page_locked; }

} // namespace

void Digest::add(std::uint64_t number) {
  const std::uint64_t first = parts_[0];
  parts_[0] = mix_halves(first ^ number, parts_[1] ^ digest_keys[0]);
  parts_[1] = mix_halves(parts_[1] ^ digest_keys[1], first + (number ^ digest_keys[2])) + number;
}

void Digest::add(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  // Four chains that do not wait for each other.
  std::uint64_t chains[4] = {parts_[0], parts_[1], parts_[0] ^ digest_keys[3], parts_[1] ^ digest_keys[3]};
  std::size_t rest = bytes;
  for (; rest >= 64; rest -= 64, from += 64) {
    std::uint64_t words[8];
    std::memcpy(words, from, sizeof words);
    for (unsigned i = 0; i < 4; ++i)
      chains[i] = mix_halves(words[2 * i] ^ digest_keys[i] ^ chains[i],
                             words[2 * i + 1] ^ digest_keys[3 - i] ^ (chains[i] >> 32)) +
                  chains[i];
  }
  for (const std::uint64_t chain : chains) add(chain);
  while (rest > 0) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(rest, sizeof word);
    std::memcpy(&word, from, size);
    add(word);
    from += size;
    rest -= size;
  }
}

InDigest::InDigest(void (*add)(Digest&)) { others_in_digest().push_back(add); }

DeviceDigest digest_device(bool unwritten) {
  DeviceDigest digest;
  for (const Allocation& allocation : all_allocations())
    if (is_in_digest(allocation)) digest_range(digest, allocation.valid, allocation.valid_bytes, unwritten);
  for (const DeviceSection& section : all_sections())
    digest_range(digest, section.begin, section.bytes, unwritten);
  for (void (*add)(Digest&) : others_in_digest()) add(digest.frame);
  digest.whole = digest.frame;
  for (const DigestedPiece& piece : digest.pieces) {
    digest.whole.add(piece.begin);
    digest.whole.add(&piece.digest, sizeof piece.digest);
  }
  return digest;
}

std::optional<DeviceChange> DeviceChange::between(const DeviceDigest& before, const DeviceDigest& after,
                                                  std::size_t most_bytes) {
  if (before.frame != after.frame) return {};
  DeviceChange change;
  auto earlier = before.pieces.begin();
  for (const DigestedPiece& piece : after.pieces) {
    const bool was_there = earlier != before.pieces.end() && earlier->begin == piece.begin;
    const bool is_same = was_there && earlier->digest == piece.digest;
    earlier += was_there;
    if (is_same) continue;
    change.bytes_ += piece.bytes;
    if (change.bytes_ > most_bytes) return {};
    Piece& copy = change.pieces_.emplace_back();
    copy.begin = piece.begin;
    const char* const from = reinterpret_cast<const char*>(piece.begin);
    copy.contents.assign(from, from + piece.bytes);
    if (!in_arena(piece.begin)) continue;
    const std::span<const std::uint8_t> bits = bits_for(piece.begin, piece.bytes);
    copy.written.assign(bits.begin(), bits.end());
  }
  if (earlier != before.pieces.end()) return {}; // a piece has nothing written any more
  return change;
}

void DeviceChange::apply() const {
  for (const Piece& piece : pieces_) {
    std::ranges::copy(piece.contents, reinterpret_cast<char*>(piece.begin));
    if (in_arena(piece.begin))
      std::ranges::copy(piece.written, bits_for(piece.begin, piece.contents.size()).begin());
  }
}

DigestCost cost_of_digest() {
  DigestCost cost{.is_possible = true};
  for (const Allocation& allocation : all_allocations()) {
    if (!is_in_digest(allocation)) continue;
    if (allocation.sparse) cost.is_possible = false;
    cost.bytes += allocation.valid_bytes;
  }
  for (const DeviceSection& section : all_sections()) {
    if (!is_mapped(section)) cost.is_possible = false;
    cost.bytes += section.bytes;
  }
  return cost;
}

} // namespace simt
