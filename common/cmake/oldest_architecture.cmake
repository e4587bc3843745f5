# That solutions and steps compile for GPUs older than the one they were measured on.
#
#   warpbook_compile_for_oldest(01-coalescing coalescing [RELOCATABLE])
#
# Where WARPBOOK_OLDEST_ARCHITECTURE is set (75 in the preset cuda-ci), the test unit.compiles-for-sm_75 compiles for it
# each lab's readable solution and the last step of every function. Nothing of it is in `all`, and none of it is linked.
function(warpbook_compile_for_oldest lab kernel)
  cmake_parse_arguments(PARSE_ARGV 2 arg "RELOCATABLE" "" "")
  set(architecture "${WARPBOOK_OLDEST_ARCHITECTURE}")
  if(NOT WARPBOOK_CUDA OR NOT architecture)
    return()
  endif()
  set(solutions "${PROJECT_SOURCE_DIR}/solutions/${lab}")
  file(GLOB sources CONFIGURE_DEPENDS "${solutions}/${kernel}.cu")
  file(GLOB steps CONFIGURE_DEPENDS "${solutions}/steps/*.cu")
  list(SORT steps COMPARE NATURAL) # v9 before v10
  set(families "")
  foreach(step IN LISTS steps)
    get_filename_component(name "${step}" NAME_WE)
    string(REGEX REPLACE "v[0-9]+[a-z]?_.*" "" family "${name}") # columns_ of columns_v2_…, nothing of v2_…
    set(last_${family} "${step}")
    list(APPEND families "/${family}")
  endforeach()
  list(REMOVE_DUPLICATES families)
  foreach(family IN LISTS families)
    string(SUBSTRING "${family}" 1 -1 family)
    list(APPEND sources "${last_${family}}")
  endforeach()
  if(NOT sources)
    return()
  endif()

  string(SUBSTRING "${lab}" 0 2 number)
  set(contract "${PROJECT_SOURCE_DIR}/labs/${lab}/lab.hpp")
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CUDA)
  add_library(${number}.sm_${architecture} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_compile_options(${number}.sm_${architecture} PRIVATE -std=c++20 "SHELL:-include ${contract}")
  target_include_directories(${number}.sm_${architecture} PRIVATE "${PROJECT_SOURCE_DIR}/labs/${lab}")
  set_target_properties(${number}.sm_${architecture} PROPERTIES CUDA_ARCHITECTURES "${architecture}" CUDA_STANDARD_REQUIRED OFF
                                                                CUDA_SEPARABLE_COMPILATION "${arg_RELOCATABLE}")

  set(test unit.compiles-for-sm_${architecture})
  if(NOT TARGET sm_${architecture})
    add_custom_target(sm_${architecture})
    add_test(NAME ${test} COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target sm_${architecture})
    # Two builds at once in one folder would trip over each other. It needs no GPU, but belongs to those that need nvcc.
    set_tests_properties(${test} PROPERTIES LABELS "unit;gpu" RESOURCE_LOCK build TIMEOUT 300)
  endif()
  add_dependencies(sm_${architecture} ${number}.sm_${architecture})
endfunction()
