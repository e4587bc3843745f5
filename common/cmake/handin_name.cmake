# The name under which a hand-in is graded: its folders below the hand-in folder.
#   alice/coalescing.cu -> handin-alice     01-coalescing/bob.cu -> handin-bob
# `path` is relative to the hand-in folder. Empty if the file is none of this lab's.
function(warpbook_handin_name lab kernel path result)
  get_filename_component(stem "${path}" NAME_WE)
  get_filename_component(folder "${path}" DIRECTORY)
  string(REGEX REPLACE "(^|/)${lab}(/|$)" "\\1" folder "${folder}")
  string(REGEX REPLACE "/$" "" folder "${folder}")
  if(stem STREQUAL kernel)
    set(name "${folder}")
  elseif(path MATCHES "(^|/)${lab}/")
    set(name "${folder}/${stem}")
  else()
    set(${result} "" PARENT_SCOPE) # another lab's file, or none that this lab knows
    return()
  endif()
  string(REGEX REPLACE "^/" "" name "${name}")
  string(REGEX REPLACE "[^A-Za-z0-9_-]+" "-" name "${name}")
  if(name STREQUAL "")
    set(name "handin")
  endif()
  set(${result} "handin-${name}" PARENT_SCOPE)
endfunction()
