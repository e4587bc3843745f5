#include "module.hpp"

#include <doctest/doctest.h>

using namespace simtcc_test;

namespace {

/// What stands as a read that only feeds a compare-and-swap, of a kernel with this body. Nothing is compiled, so the small
/// headers do: the translator knows CUDA's functions by their names.
std::vector<std::string> expected_reads(const std::string& body, const std::string& parameters = "") {
  const Folder folder;
  folder.write("k.cu", "extern __device__ unsigned word; extern __device__ unsigned seen_last;\n"
                       "__device__ double atomic_op(double* address, float* f, unsigned* u, unsigned* out, "
                       "unsigned i, double val" +
                           parameters + ") {\n" + body + "\nreturn 0; }\n");
  const Outcome outcome = simtcc(folder, {"--translate", "k.cu"});
  REQUIRE(outcome.status == 0);
  std::vector<std::string> reads;
  const std::string mark = "::simt::expected_value(";
  const std::size_t begin = outcome.text.find("atomic_op");
  for (std::size_t at = outcome.text.find(mark, begin); at != std::string::npos;
       at = outcome.text.find(mark, at + 1)) {
    std::size_t end = at + mark.size();
    for (int depth = 1; depth > 0; ++end) depth += (outcome.text[end] == '(') - (outcome.text[end] == ')');
    reads.push_back(outcome.text.substr(at + mark.size(), end - 1 - at - mark.size()));
  }
  return reads;
}

using Reads = std::vector<std::string>;

} // namespace

TEST_CASE("the read in front of the programming guide's loop only feeds the compare-and-swap") {
  CHECK(expected_reads("unsigned long long int* address_as_ull = (unsigned long long int*)address;\n"
                       "unsigned long long int old = *address_as_ull, assumed;\n"
                       "do { assumed = old;\n"
                       "  old = atomicCAS(address_as_ull, assumed,\n"
                       "                  __double_as_longlong(val + __longlong_as_double(assumed)));\n"
                       "} while (assumed != old);\n"
                       "return __longlong_as_double(old);") == Reads{"*address_as_ull"});
}

TEST_CASE("reads that only feed a compare-and-swap are known in the forms that programs have") {
  // The read is of another type than the exchange.
  CHECK(expected_reads("float old = *f, assumed; do { assumed = old; old = __int_as_float(atomicCAS((int*)f, "
                       "__float_as_int(assumed), __float_as_int(fminf(assumed, (float)val)))); } while "
                       "(assumed != old);") == Reads{"*f"});
  CHECK(expected_reads(
            "int* as_int = reinterpret_cast<int*>(f); int old = *as_int, assumed; do { assumed = old; "
            "old = atomicCAS(as_int, assumed, __float_as_int(1.0f)); } while (old != assumed);") ==
        Reads{"*as_int"});
  // It is in the loop, and the loop's condition exchanges.
  CHECK(expected_reads("unsigned old, wanted; do { old = u[i]; wanted = old * 3 + 1; } while "
                       "(atomicCAS(&u[i], old, wanted) != old);") == Reads{"u[i]"});
  CHECK(expected_reads(
            "unsigned old = *(u + i); while (true) { unsigned found = atomicCAS(u + i, old, old ^ 5u); "
            "if (found == old) break; old = found; }") == Reads{"*(u + i)"});
  CHECK(expected_reads("unsigned old = u[0]; for (;;) { const unsigned next = old > 7 ? old : old + 1; const "
                       "unsigned found = "
                       "atomicCAS(u, old, next); if (found == old) { return old; } old = found; }") ==
        Reads{"u[0]"});
  // Without a loop.
  CHECK(expected_reads("unsigned old = word; if (atomicCAS(&word, old, old + 1) == old) out[0] = 1;") ==
        Reads{"word"});
  // Behind the loop the value is one that was exchanged.
  CHECK(expected_reads(
            "unsigned old; do { old = *u; } while (atomicCAS(u, old, old + 1) != old); out[old] = old;") ==
        Reads{"*u"});
  CHECK(expected_reads("for (int k = 0; k < 9; ++k) { unsigned old = u[k], seen; do { seen = old; old = "
                       "atomicCAS(&u[k], seen, seen + k); "
                       "} while (seen != old); }") == Reads{"u[k]"});
}

TEST_CASE("a read may feed an exchange in front of the loop that repeats it") {
  CHECK(expected_reads("unsigned guess = *u; unsigned found = atomicCAS(u, guess, guess + i);\n"
                       "while (found != guess) { guess = found; found = atomicCAS(u, guess, guess + i); }\n"
                       "return found;") == Reads{"*u"});
  CHECK(expected_reads(
            "int* p = (int*)f; int want = *p, got; got = atomicCAS(p, want, want ^ 3); while (want != got) { "
            "want = got; got = atomicCAS(p, want, want ^ 3); }") == Reads{"*p"});
  // What the first exchange stores must depend on what it finds, and nothing else may come between them.
  CHECK(expected_reads("unsigned guess = *u; unsigned found = atomicCAS(u, 0u, guess + i);\n"
                       "while (found != guess) { guess = found; found = atomicCAS(u, guess, guess + i); }")
            .empty());
  CHECK(
      expected_reads("unsigned guess = *u; unsigned found = atomicCAS(u, guess, guess + i); out[0] = guess;\n"
                     "while (found != guess) { guess = found; found = atomicCAS(u, guess, guess + i); }")
          .empty());
}

TEST_CASE("a flag may keep whether an exchange has found what was expected") {
  CHECK(expected_reads("bool done = false; unsigned old = *u; while (!done) { const unsigned seen = old; old "
                       "= atomicCAS(u, "
                       "seen, seen + 1); done = (seen == old); }") == Reads{"*u"});
  CHECK(expected_reads(
            "bool again; do { unsigned old = u[i]; again = atomicCAS(&u[i], old, old * 2) != old; } while "
            "(again);") == Reads{"u[i]"});
  CHECK(expected_reads("bool done = false; unsigned old = *u; while (!done) { const unsigned seen = old; old "
                       "= atomicCAS(u, "
                       "seen, seen + 1); done = (seen == i); }")
            .empty());
}

TEST_CASE("the head of a for loop may read, exchange and compare") {
  CHECK(expected_reads("unsigned old, found; for (old = *u; (found = atomicCAS(u, old, old + 1)) != old; old "
                       "= found) {}") == Reads{"*u"});
  // The first round's comparison is with something else.
  CHECK(
      expected_reads(
          "unsigned found = 0; for (unsigned old = *u; found != old; old = found) found = atomicCAS(u, old, "
          "old + 1);")
          .empty());
  CHECK(
      expected_reads(
          "unsigned found = 0; for (unsigned old = *u; old < 9; old = found) found = atomicCAS(u, old, old + "
          "1);")
          .empty());
}

TEST_CASE("a function that does nothing but a compare-and-swap is one") {
  const auto reads = [](const std::string& function, const std::string& body) {
    const Folder folder;
    folder.write("k.cu", function + "\n__device__ void op(float* p, float x) {\n" + body + "\n}\n");
    const Outcome outcome = simtcc(folder, {"--translate", "k.cu"});
    REQUIRE(outcome.status == 0);
    return outcome.text.find("::simt::expected_value(", outcome.text.find("void op(")) != std::string::npos;
  };
  const std::string swap = "__device__ float swap_if(float* a, float expected, float wanted) { return "
                           "__int_as_float(atomicCAS((int*)a, "
                           "__float_as_int(expected), __float_as_int(wanted))); }";
  const std::string atomic_name =
      "__device__ float atomicCASf(float* a, float e, float w) { return __int_as_float(atomicCAS((int*)a, "
      "__float_as_int(e), __float_as_int(w))); }";
  const std::string test =
      "__device__ bool was_set(float* a, float e, float w) { return atomicCAS((int*)a, __float_as_int(e), "
      "__float_as_int(w)) == __float_as_int(e); }";
  CHECK(reads(
      swap,
      "float old = *p, seen; do { seen = old; old = swap_if(p, seen, seen + x); } while (seen != old);"));
  CHECK(reads(
      atomic_name,
      "float old = *p, seen; do { seen = old; old = atomicCASf(p, seen, seen + x); } while (seen != old);"));
  CHECK(reads(test, "float old; do { old = *p; } while (!was_set(p, old, old + x));"));
  // The value goes elsewhere, or the function does something else.
  CHECK_FALSE(reads(
      swap,
      "float old = *p, seen; p[1] = old; do { seen = old; old = swap_if(p, seen, seen + x); } while (seen "
      "!= old);"));
  CHECK_FALSE(reads(
      "__device__ float swap_if(float* a, float e, float w) { a[1] = e; return "
      "__int_as_float(atomicCAS((int*)a, "
      "__float_as_int(e), __float_as_int(w))); }",
      "float old = *p, seen; do { seen = old; old = swap_if(p, seen, seen + x); } while (seen != old);"));
  CHECK_FALSE(reads(
      "__device__ float swap_if(float* a, float e, float w) { return __int_as_float(atomicCAS((int*)a, "
      "__float_as_int(w), __float_as_int(e))); }",
      "float old = *p, seen; do { seen = old; old = swap_if(p, seen, seen + x); } while (seen != old);"));
}

TEST_CASE("reads that feed anything else beside a compare-and-swap are reads like others") {
  const std::string loop =
      "do { assumed = old; old = atomicCAS(u, assumed, assumed + 1); } while (assumed != old);";
  CHECK(expected_reads("unsigned old = *u, assumed; " + loop) == Reads{"*u"}); // nothing else
  CHECK(expected_reads("unsigned old = *u, assumed; out[0] = old; " + loop).empty());
  CHECK(expected_reads("unsigned old = *u, assumed; if (old > 4) return 1; " + loop).empty());
  CHECK(expected_reads("unsigned old = *u, assumed; unsigned other = out[old]; " + loop).empty());
  CHECK(expected_reads("unsigned old = *u, assumed; atomicAdd(out, old); " + loop).empty());
  CHECK(expected_reads("unsigned old = *u, assumed; seen_last = old; " + loop).empty());
  CHECK(expected_reads("unsigned sum = 0, old = *u, assumed; do { assumed = old; old = atomicCAS(u, assumed, "
                       "assumed + 1); sum += assumed; "
                       "} while (assumed != old); out[0] = sum;")
            .empty());
  CHECK(expected_reads(
            "unsigned old = *u, assumed; while (old < 9) { assumed = old; old = atomicCAS(u, assumed, 9u); }")
            .empty());
  CHECK(expected_reads("unsigned old = *u, assumed; do { assumed = old; if (assumed > 9) break; old = "
                       "atomicCAS(u, assumed, assumed + 1); "
                       "} while (assumed != old);")
            .empty());
  CHECK(expected_reads("__shared__ unsigned old; unsigned assumed; old = *u; " + loop).empty());
  CHECK(expected_reads("out[1] = *u; unsigned old = 0, assumed; " + loop).empty());
}

TEST_CASE("a read of another word than the one that is exchanged is a read like others") {
  CHECK(expected_reads("unsigned old = *out, assumed; do { assumed = old; old = atomicCAS(u, assumed, "
                       "assumed + 1); } while (assumed != old);")
            .empty());
  CHECK(expected_reads("unsigned old; do { old = u[i + 1]; } while (atomicCAS(&u[i], old, old + 1) != old);")
            .empty());
  CHECK(expected_reads("unsigned old = u[i], assumed; do { assumed = old; ++i; old = atomicCAS(&u[i], "
                       "assumed, assumed + 1); } while (assumed != old);")
            .empty());
  CHECK(expected_reads("unsigned old = *u; if (atomicCAS(u, 0u, old + 1) == 0) out[0] = 1;").empty());
}

TEST_CASE("texts that end in the middle of such a loop are no trouble") {
  const Folder folder;
  for (const char* text :
       {"__device__ void f(int* p) { int old = *p; do { old = atomicCAS(p, old, ",
        "__device__ void f(int* p) { int old = *p; do { old = atomicCAS(p, old, 1); } while (",
        "__device__ void f(int* p) { atomicCAS( } ",
        "__device__ void f(int* p) { int a = (*p); while (atomicCAS(&, (, )) }"}) {
    folder.write("k.cu", text);
    CHECK(simtcc(folder, {"--translate", "k.cu"}).status <= 1);
  }
}
