#include "fixture.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

using namespace warpbook;

SubmissionOptions toy_options(const std::string& name) {
  SubmissionOptions options;
  options.name = name;
  options.module_path = std::string(TOY_MODULES) + (on_cuda ? "/toy_cuda_" : "/toy_") + name + ".so";
  options.source_path = std::string(TOY_SOURCES) + "/toys/" + name + (name == "kernels" ? ".cu" : ".cpp");
  options.contract_path = std::string(TOY_SOURCES) + "/toy.hpp";
  options.runner_path = TOY_RUNNER;
  if (on_cuda) {
    options.backend = Backend::cuda;
    static const Availability found = probe(options);
    if (!found.available) {
      std::printf("skipped: %s\n", found.reason.c_str());
      std::fflush(stdout);
      std::_Exit(77);
    }
  }
  return options;
}

Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ItemFailed& failed) {
    return failed.failure;
  }
  FAIL("the action was expected to fail, and did not");
  return {};
}

std::string text_of(const Failure& failure) {
  std::string text = failure.sentence.to_print();
  for (const std::string& line : texts_of(told_lines(failure))) text += "\n" + line;
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
