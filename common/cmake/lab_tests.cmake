# Read by CTest when it starts: what the tests do that the lab's grader has listed (common/grader/test_list.hpp).
# tests.cmake.in sets what is used here; docs/how-grading-works.md explains the names and labels.

set(list "${WARPBOOK_BINARY_DIR}/labs/${WARPBOOK_NUMBER}/list.cmake")
set(grader "${WARPBOOK_BIN}/grade-${WARPBOOK_NUMBER}")
if(NOT EXISTS "${list}" OR NOT EXISTS "${grader}")
  add_test("${WARPBOOK_NUMBER}:grader is not built yet" "${WARPBOOK_CMAKE}" -E false)
  set_tests_properties("${WARPBOOK_NUMBER}:grader is not built yet" PROPERTIES LABELS "lab${WARPBOOK_NUMBER};unit")
  return()
endif()

# The tests that follow are about this submission. A student's file is built by a fixture, so that one that does not
# compile fails its own tests alone.
macro(warpbook_submission name kind backend source module)
  set(prefix "${WARPBOOK_NUMBER}.${name}.${backend}")
  set(labels "lab${WARPBOOK_NUMBER};${kind}")
  set(common --submission "${name}" --kind "${kind}" --backend "${backend}" --module "${module}" --runner
             "${WARPBOOK_BIN}/warpbook-runner-${backend}" --source "${source}")
  set(properties SKIP_RETURN_CODE 77 TIMEOUT 600)
  if(WARPBOOK_PREFIX_${backend})
    list(APPEND common --prefix "${WARPBOOK_PREFIX_${backend}}")
  endif()
  if("${backend}" STREQUAL "sim")
    list(APPEND labels sim)
  else()
    list(APPEND labels gpu)
    list(APPEND properties RESOURCE_LOCK gpu)
    if(NOT WARPBOOK_REQUIRE_GPU)
      list(APPEND common --skip-unavailable)
    endif()
  endif()
  set(wanted "")
  if("${kind}" MATCHES "^(starter|handin)$")
    add_test("${prefix}:builds" "${WARPBOOK_CMAKE}" -E env "PYTHONPATH=${WARPBOOK_SOURCE_DIR}/common" "${WARPBOOK_PYTHON}" -B -m
             command.compilation --root "${WARPBOOK_SOURCE_DIR}" --build-dir "${WARPBOOK_BINARY_DIR}" --lab "${WARPBOOK_LAB}" --name
             "${name}" --backend "${backend}" --source "${source}")
    set_tests_properties("${prefix}:builds" PROPERTIES LABELS "${labels}" FIXTURES_SETUP "${prefix}"
                                                       REQUIRED_FILES "${WARPBOOK_BIN}/simtcc")
    set(wanted FIXTURES_REQUIRED "${prefix}")
  endif()
endmacro()

# One item of the submission.
macro(warpbook_item item)
  string(REGEX REPLACE "[^A-Za-z0-9]+" "-" slug "${item}")
  add_test("${prefix}:${item}" "${grader}" ${common} --item "${item}" --result
           "${WARPBOOK_BINARY_DIR}/results/${prefix}/${slug}.json")
  set_tests_properties("${prefix}:${item}" PROPERTIES LABELS "${labels}" ${properties} ${wanted})
endmacro()

# All items of the submission that its header does not leave out, in one grading run.
macro(warpbook_whole what)
  add_test("${prefix}:${what}" "${grader}" ${common} --jobs 1 --result "${WARPBOOK_BINARY_DIR}/results/${prefix}.json")
  set_tests_properties("${prefix}:${what}" PROPERTIES LABELS "${labels}" ${properties})
endmacro()

include("${list}")

if(WARPBOOK_TESTS)
  # The checks that keep the workbook honest (see docs/how-grading-works.md).
  set(honesty "${WARPBOOK_SOURCE_DIR}/common/honesty")
  set(solutions "${WARPBOOK_SOURCE_DIR}/solutions/${WARPBOOK_LAB}")
  macro(warpbook_honesty_test test_name script)
    add_test("${WARPBOOK_NUMBER}:${test_name}" "${WARPBOOK_PYTHON}" -B "${honesty}/${script}" ${ARGN})
    set_tests_properties("${WARPBOOK_NUMBER}:${test_name}" PROPERTIES LABELS "lab${WARPBOOK_NUMBER};unit")
  endmacro()
  warpbook_honesty_test("item names are unique and plain" item_names.py --grader "${grader}")
  warpbook_honesty_test("the tables of points are the rubric's" lab_tables.py --grader "${grader}"
                        --lab "${WARPBOOK_SOURCE_DIR}/labs/${WARPBOOK_LAB}" --readme "${WARPBOOK_SOURCE_DIR}/README.md")
  set(shown "")
  if(WARPBOOK_MUTANTS AND EXISTS "${solutions}/mutants")
    set(shown --mutants "${solutions}/mutants" --tests "${WARPBOOK_SOURCE_DIR}/common/tests")
  endif()
  warpbook_honesty_test("every message is used and shown" lab_messages.py --lab "${WARPBOOK_SOURCE_DIR}/labs/${WARPBOOK_LAB}" ${shown})
  warpbook_honesty_test("an unsolved starter earns nothing and reads its TODO" unsolved_starter.py
                        --grader "${grader}" --runner "${WARPBOOK_BIN}/warpbook-runner-sim"
                        --module "${WARPBOOK_BINARY_DIR}/submissions/${WARPBOOK_NUMBER}/sim/starter.so"
                        --source "${WARPBOOK_SOURCE_DIR}/${WARPBOOK_KERNEL}")
  set_tests_properties("${WARPBOOK_NUMBER}:an unsolved starter earns nothing and reads its TODO"
                       PROPERTIES FIXTURES_REQUIRED "${WARPBOOK_NUMBER}.starter.sim")
  if(EXISTS "${solutions}")
    get_filename_component(kernel_name "${WARPBOOK_KERNEL}" NAME)
    warpbook_honesty_test("starter and solution differ only inside TODO regions" todo_regions.py
                          "${WARPBOOK_SOURCE_DIR}/${WARPBOOK_KERNEL}" "${solutions}/${kernel_name}")
    if(WARPBOOK_MUTANTS)
      warpbook_honesty_test("every item is failed by a mutant" items_covered.py --grader "${grader}" "${solutions}/mutants")
    endif()
  endif()
endif()
