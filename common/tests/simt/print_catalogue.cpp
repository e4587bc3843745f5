// Prints the catalogue of findings as JSON, for common/honesty/catalogue_page.py.
#include "simt/report/catalogue.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

json texts_of(const simt::Choices& choices) {
  json texts = json::array();
  for (const simt::Choice& choice : choices.all()) texts.push_back(choice.text);
  return texts;
}

} // namespace

int main() {
  json findings = json::array(), refusals = json::array(), phrases = json::object();
  for (const simt::Wording& wording : simt::catalogue)
    findings.push_back({{"id", wording.id},
                        {"kind", wording.kind},
                        {"message", wording.message},
                        {"cures", texts_of(wording.cure)}});
  for (const simt::RefusalWording& refusal : simt::refusals)
    refusals.push_back(
        {{"rule", refusal.rule}, {"reason", refusal.reason}, {"cures", texts_of(refusal.cure)}});
  for (const simt::Phrase& phrase : simt::phrases) phrases[std::string(phrase.name)] = texts_of(phrase.text);
  std::cout << json{{"findings", findings}, {"refusals", refusals}, {"phrases", phrases}}.dump(1) << '\n';
}
