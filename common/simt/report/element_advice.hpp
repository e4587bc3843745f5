// What helps where several threads change one element, by the lines that they do it in.
#pragma once

#include "simt/report/symbolizer.hpp"

#include <optional>

namespace simt {

/// Beside what the catalogue says, and in the place of its cure. Empty where the lines say nothing more.
struct RaceAdvice {
  std::vector<std::string> notes;
  std::string cure;
};

/// Threads read an element and write it later, what takes one step: the text that says so. Null if it is nothing of that.
const char* in_one_step(const Finding& race, Symbolizer& symbolizer);

/// Whether the lines read two elements and write both of them, as a step of a sort does.
bool exchanges_elements(const Finding& race, Symbolizer& symbolizer);

/// A thread reads a counter for its own place, beside the atomic update by which it takes it: the text that says so. Null elsewhere.
const char* beside_own_update(const Finding& race, Symbolizer& symbolizer);

/// An index that is read from memory leads two threads to one element.
RaceAdvice scatter_advice(const Finding& race, Symbolizer& symbolizer);

/// What an index in the line is made of that is read from memory, `keys[i]`; empty if it is none.
std::string read_for_index(const std::string& index, const SourceLine& line, Symbolizer& symbolizer);

/// Whether it is about a lock that is taken by an atomic operation, and given back by a plain write.
bool is_lock_given_back(const Finding& race, Symbolizer& symbolizer);

/// Of a race between one lock's taking and its giving back: that fences are missing. Null elsewhere.
const char* under_lock(const Finding& race, Symbolizer& symbolizer);

} // namespace simt
