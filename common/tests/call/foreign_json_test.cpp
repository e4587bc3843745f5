#include <doctest/doctest.h>

#include "call/foreign_json.hpp"

using warpbook::foreign_json;

TEST_CASE("JSON of another process is read, brackets in its texts too") {
  CHECK(foreign_json(R"({"text": "[[[\"[[", "numbers": [1, 2]})", 100).at("numbers").size() == 2);
  CHECK(foreign_json('"' + std::string(1000, '[') + '"', 2000).is_string());
}

TEST_CASE("what is too long, or unfolds to many times its length, is refused before it is read") {
  CHECK_THROWS_WITH(foreign_json("[1, 2, 3]", 8), "a message is too long");
  CHECK_THROWS_WITH(foreign_json(std::string(1000, '['), 2000), "a message is made to fill the memory");
  std::string wide = "[";
  for (int i = 0; i < 9'000'000; ++i) wide += "[],";
  CHECK_THROWS_WITH(foreign_json(wide, wide.size()), "a message is made to fill the memory");
}

TEST_CASE("what is no JSON is a runtime_error") {
  CHECK_THROWS_AS(foreign_json("{", 100), std::runtime_error);
}
