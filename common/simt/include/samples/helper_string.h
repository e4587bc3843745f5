// What NVIDIA's samples find in helper_string.h, written for the simulator: options of the form -name=value.
#ifndef SIMT_INCLUDE_SAMPLES_HELPER_STRING_H
#define SIMT_INCLUDE_SAMPLES_HELPER_STRING_H

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) std::strcpy(to, from)
#define FOPEN(file, name, mode) (file = std::fopen(name, mode))
#define SPRINTF std::sprintf

/// The value behind `-name=` or `--name=`, "" if there is none, null if there is no such option.
inline const char* simt_sample_option(int count, const char** values, const char* name) {
  for (int i = 1; i < count; ++i) {
    const char* word = values[i];
    while (*word == '-') ++word;
    const std::size_t length = std::strlen(name);
    if (word == values[i] || strncasecmp(word, name, length) != 0) continue;
    if (word[length] == '=') return word + length + 1;
    if (word[length] == '\0') return word + length;
  }
  return nullptr;
}
inline bool checkCmdLineFlag(int count, const char** values, const char* name) {
  return simt_sample_option(count, values, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char** values, const char* name) {
  const char* value = simt_sample_option(count, values, name);
  return value ? std::atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int count, const char** values, const char* name) {
  const char* value = simt_sample_option(count, values, name);
  return value ? static_cast<float>(std::atof(value)) : 0.0f;
}
inline bool getCmdLineArgumentString(int count, const char** values, const char* name, char** result) {
  const char* value = simt_sample_option(count, values, name);
  *result = value ? const_cast<char*>(value) : nullptr;
  return value != nullptr;
}
template <class T>
bool getCmdLineArgumentValue(int count, const char** values, const char* name, T* result) {
  const char* text = simt_sample_option(count, values, name);
  if (text) *result = static_cast<T>(std::atof(text));
  return text != nullptr;
}
/// The file beside the program or in its folder data; null if it is in neither.
inline char* sdkFindFilePath(const char* name, const char*) {
  for (const char* folder : {"./", "./data/", "../data/"})
    if (std::ifstream(folder + std::string(name))) return strdup((folder + std::string(name)).c_str());
  return nullptr;
}

#endif
