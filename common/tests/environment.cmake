# Read by ctest before it runs a test. Tests compare English texts, whatever the system or its user speaks.
set(ENV{WARPBOOK_LANGUAGE} "en")
unset(ENV{WARPBOOK_MESSAGES})

# For ./warpbook test --times: each test runs behind the words of this variable and its own name.
if(DEFINED ENV{WARPBOOK_TEST_LAUNCHER})
  function(add_test)
    set(launcher $ENV{WARPBOOK_TEST_LAUNCHER})
    set(words "[==[${ARGV0}]==]")
    foreach(word IN LISTS launcher ARGV0)
      string(APPEND words " [==[${word}]==]")
    endforeach()
    math(EXPR last "${ARGC} - 1")
    foreach(index RANGE 1 ${last})
      string(APPEND words " [==[${ARGV${index}}]==]")
    endforeach()
    cmake_language(EVAL CODE "_add_test(${words})")
  endfunction()
endif()
