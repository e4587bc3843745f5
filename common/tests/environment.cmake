# Read by ctest before it runs a test. Tests compare English texts, whatever the system or its user speaks.
set(ENV{WARPBOOK_LANGUAGE} "en")
unset(ENV{WARPBOOK_MESSAGES})
