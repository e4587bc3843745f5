# How submissions, labs and unit tests are built.
#
#   warpbook_add_lab(01-coalescing)
#   warpbook_add_submission(LAB 01-coalescing NAME starter KIND starter SOURCE file.cu)
#   warpbook_simt_module(target SOURCE file.cu [INCLUDE header.hpp])
#   warpbook_simt_program(target SOURCES file.cu... [FLAGS -I...])
#   warpbook_test_program(NAME name SOURCES ... [LIBRARIES ...] [DEFINITIONS ...] [DEPENDS ...])
#   warpbook_unit_test(NAME name SOURCES ... [LIBRARIES ...] [DEFINITIONS ...] [DEPENDS ...])

set(WARPBOOK_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")
include("${WARPBOOK_CMAKE_DIR}/lab_facts.cmake")
set(WARPBOOK_PRECOMPILED "${PROJECT_BINARY_DIR}/precompiled") # the simulator's headers, for simtcc
set(WARPBOOK_BACKENDS sim)
if(WARPBOOK_CUDA)
  list(APPEND WARPBOOK_BACKENDS cuda)
endif()

# For code that takes longer to compile than it will ever run: texts, JSON, sweeps on the simulator's small inputs.
# It stands behind the build type's own level.
set(WARPBOOK_FAST_ENOUGH -Og)
# For what runs with every call of a submission: messages, and the rubrics' own references.
set(WARPBOOK_EVERY_CALL -O1)

# With WARPBOOK_WHEEL a program brings the C++ library that it was built with. What loads modules shares that of the user's
# compiler with them, for the sake of exceptions.
function(warpbook_own_libraries target)
  if(WARPBOOK_WHEEL)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# Compiles the files of a target as one, so that what they all include is read and instantiated once. So no two of them
# use one name for two things. A file with options of its own says SKIP_UNITY_BUILD_INCLUSION.
function(warpbook_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${WARPBOOK_JOIN_FILES}" UNITY_BUILD_BATCH_SIZE 0)
endfunction()

# Compiles a test program as unit_test_main is compiled, with the precompiled headers of that: what a test tests is
# optimized, not the test.
function(warpbook_test_code target)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-O0>")
  if(WARPBOOK_JOIN_FILES)
    target_precompile_headers(${target} REUSE_FROM unit_test_main)
  endif()
endfunction()

add_custom_target(lists) # of the labs' tests: CTest knows all tests when these are made

# The words, in the variable OUT, of the command by which simtcc makes the module OUTPUT of the submission SOURCE. A build
# cannot read more than the SOURCE, the CONTRACT and the compiler's own headers; a SOURCE that was composed may include its PARTS.
function(warpbook_sim_command out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE;OUTPUT;LAB_FOLDER;CONTRACT;DEPFILE;DEPFILE_TARGET" "PARTS")
  list(TRANSFORM arg_PARTS PREPEND "--part;" OUTPUT_VARIABLE parts)
  set(${out} $<TARGET_FILE:simtcc> --submission ${parts} --cxx "${WARPBOOK_SIM_COMPILER}" --precompiled
      "${WARPBOOK_PRECOMPILED}" -I "${arg_LAB_FOLDER}" -include "${arg_CONTRACT}" -MF "${arg_DEPFILE}" -MT
      "${arg_DEPFILE_TARGET}" -o "${arg_OUTPUT}" "${arg_SOURCE}" PARENT_SCOPE)
endfunction()

# The same by the CUDA compiler; with RELOCATABLE for a lab whose kernels launch kernels.
function(warpbook_cuda_command out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RELOCATABLE" "SOURCE;OUTPUT;LAB_FOLDER;CONTRACT;DEPFILE;DEPFILE_TARGET" "PARTS")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${type}}")
  set(architectures ${CMAKE_CUDA_ARCHITECTURES})
  if(architectures STREQUAL "native" AND CMAKE_CUDA_ARCHITECTURES_NATIVE)
    set(architectures ${CMAKE_CUDA_ARCHITECTURES_NATIVE}) # a confined nvcc cannot ask the GPU
  endif()
  foreach(architecture IN LISTS architectures)
    if(architecture MATCHES "^(native|all|all-major)$")
      list(APPEND flags "-arch=${architecture}")
    elseif(architecture MATCHES "^([0-9]+[af]?)-real$")
      list(APPEND flags "--generate-code=arch=compute_${CMAKE_MATCH_1},code=[sm_${CMAKE_MATCH_1}]")
    elseif(architecture MATCHES "^([0-9]+[af]?)-virtual$")
      list(APPEND flags "--generate-code=arch=compute_${CMAKE_MATCH_1},code=[compute_${CMAKE_MATCH_1}]")
    else()
      list(APPEND flags "--generate-code=arch=compute_${architecture},code=[compute_${architecture},sm_${architecture}]")
    endif()
  endforeach()
  list(TRANSFORM arg_PARTS PREPEND "--part;" OUTPUT_VARIABLE options)
  if(CMAKE_CUDA_HOST_COMPILER)
    list(APPEND options --cxx "${CMAKE_CUDA_HOST_COMPILER}")
    list(APPEND flags "-ccbin=${CMAKE_CUDA_HOST_COMPILER}")
  endif()
  if(arg_RELOCATABLE)
    list(APPEND flags -rdc=true)
  endif()
  set(simtcc $<TARGET_FILE:simtcc>)
  # nvcc needs more than g++: a file that uses CUB takes 700 MiB and 15 seconds.
  # CMake 3.25 does not know CUDA C++20. constexpr functions such as std::min, and lambdas, in kernels: the simulator takes them
  # too. What lambdas may need is in nvcc.sh.
  set(${out} "${simtcc}" --submission ${options} --nvcc "${CMAKE_CUDA_COMPILER}" --precompiled "${WARPBOOK_PRECOMPILED}"
      --memory-mib 2048 --processor-seconds 120 -I "${arg_LAB_FOLDER}" -include "${arg_CONTRACT}" -MF "${arg_DEPFILE}" -MT
      "${arg_DEPFILE_TARGET}" -o "${arg_OUTPUT}" "${arg_SOURCE}" -- sh "${WARPBOOK_CMAKE_DIR}/nvcc.sh" "${simtcc}"
      "${CMAKE_CUDA_COMPILER}" -forward-unknown-to-host-compiler -shared -cudart=shared ${flags} -Xcompiler=-fPIC -std=c++20
      -lineinfo --expt-relaxed-constexpr PARENT_SCOPE)
endfunction()

# The commands that make a module of a submission, for whoever compiles one outside of this build: common/command/compilation.py
# says what the words between @ stand for.
function(warpbook_write_submission_commands)
  set(places SOURCE @SOURCE@ OUTPUT @OUTPUT@ LAB_FOLDER @LAB_FOLDER@ CONTRACT @CONTRACT@ DEPFILE @DEPFILE@ DEPFILE_TARGET module)
  warpbook_sim_command(sim ${places})
  set(names sim)
  if(WARPBOOK_CUDA)
    warpbook_cuda_command(cuda ${places})
    warpbook_cuda_command(cuda_relocatable RELOCATABLE ${places})
    list(APPEND names cuda cuda_relocatable)
  endif()
  string(JSON json SET "{}" compiler "\"${WARPBOOK_SIM_COMPILER}\"")
  foreach(name IN LISTS names)
    set(words "[]")
    set(index 0)
    foreach(word IN LISTS ${name})
      string(REPLACE "$<TARGET_FILE:simtcc>" "@PROGRAMS@/simtcc" word "${word}")
      string(REPLACE "${WARPBOOK_PRECOMPILED}" "@PRECOMPILED@" word "${word}")
      if(name STREQUAL "sim" AND word STREQUAL WARPBOOK_SIM_COMPILER)
        set(word @COMPILER@)
      endif()
      string(REGEX REPLACE "([\\\"])" "\\\\\\1" word "${word}")
      string(JSON words SET "${words}" ${index} "\"${word}\"")
      math(EXPR index "${index} + 1")
    endforeach()
    string(JSON json SET "${json}" ${name} "${words}")
  endforeach()
  file(WRITE "${PROJECT_BINARY_DIR}/submission-commands.json" "${json}\n")
endfunction()
warpbook_write_submission_commands()

# Target TARGET, which makes OUTPUT by COMMAND, and again when one of DEPENDS has changed or a file that COMMAND has listed in
# OUTPUT.d: as the prerequisites of what warpbook_depfile_target() says.
function(warpbook_module_rule)
  cmake_parse_arguments(PARSE_ARGV 0 arg "EXCLUDE_FROM_ALL" "TARGET;OUTPUT" "COMMAND;DEPENDS")
  get_filename_component(folder "${arg_OUTPUT}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  cmake_policy(PUSH)
  # Under the policy's new behaviour CMake runs a program of its own after each module, which rewrites the depfile. Here
  # simtcc writes it as Ninja wants it. Since 3.31 CMake prints a warning for each use of the old behaviour.
  if(CMAKE_VERSION VERSION_LESS 3.31)
    cmake_policy(SET CMP0116 OLD)
  endif()
  add_custom_command(
    OUTPUT "${arg_OUTPUT}"
    COMMAND ${arg_COMMAND}
    DEPENDS simtcc ${arg_DEPENDS}
    DEPFILE "${arg_OUTPUT}.d"
    COMMENT "simtcc ${arg_TARGET}"
    VERBATIM)
  cmake_policy(POP)
  set(all ALL)
  if(arg_EXCLUDE_FROM_ALL)
    set(all "")
  endif()
  add_custom_target(${arg_TARGET} ${all} DEPENDS "${arg_OUTPUT}")
endfunction()

# What the depfile of a module has to call it.
function(warpbook_depfile_target output out)
  set(target "${output}")
  if(CMAKE_VERSION VERSION_LESS 3.31)
    file(RELATIVE_PATH target "${CMAKE_BINARY_DIR}" "${output}")
  endif()
  set(${out} "${target}" PARENT_SCOPE)
endfunction()

# Target TARGET: the module OUTPUT of the submission SOURCE for BACKEND.
function(warpbook_submission_module)
  cmake_parse_arguments(PARSE_ARGV 0 arg "EXCLUDE_FROM_ALL;RELOCATABLE" "TARGET;BACKEND;SOURCE;OUTPUT;CONTRACT" "PARTS")
  get_filename_component(lab_folder "${arg_CONTRACT}" DIRECTORY)
  warpbook_depfile_target("${arg_OUTPUT}" depfile_target)
  set(files SOURCE "${arg_SOURCE}" OUTPUT "${arg_OUTPUT}" LAB_FOLDER "${lab_folder}" CONTRACT "${arg_CONTRACT}" DEPFILE
            "${arg_OUTPUT}.d" DEPFILE_TARGET "${depfile_target}" PARTS ${arg_PARTS})
  if(arg_BACKEND STREQUAL "sim")
    warpbook_sim_command(command ${files})
  elseif(arg_RELOCATABLE)
    warpbook_cuda_command(command RELOCATABLE ${files})
  else()
    warpbook_cuda_command(command ${files})
  endif()
  set(exclude "")
  if(arg_EXCLUDE_FROM_ALL)
    set(exclude EXCLUDE_FROM_ALL)
  endif()
  warpbook_module_rule(TARGET ${arg_TARGET} OUTPUT "${arg_OUTPUT}" COMMAND ${command} DEPENDS "${arg_SOURCE}"
                       "${arg_CONTRACT}" ${exclude})
endfunction()

# OUTPUT from SOURCES by simtcc with FLAGS, as target TARGET.
function(warpbook_simtcc)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;OUTPUT" "SOURCES;FLAGS;DEPENDS")
  warpbook_depfile_target("${arg_OUTPUT}" depfile_target)
  warpbook_module_rule(
    TARGET ${arg_TARGET} OUTPUT "${arg_OUTPUT}" DEPENDS ${arg_SOURCES} ${arg_DEPENDS}
    COMMAND simtcc --cxx "${WARPBOOK_SIM_COMPILER}" --precompiled "${WARPBOOK_PRECOMPILED}" ${arg_FLAGS} -MF
            "${arg_OUTPUT}.d" -MT "${depfile_target}" -o "${arg_OUTPUT}" ${arg_SOURCES})
endfunction()

# A module for tests of the simulator or the runner. Its path is left in <target>_MODULE.
function(warpbook_simt_module target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE;INCLUDE" "FLAGS")
  get_filename_component(source "${arg_SOURCE}" ABSOLUTE)
  set(flags ${arg_FLAGS})
  set(header "")
  if(arg_INCLUDE)
    get_filename_component(header "${arg_INCLUDE}" ABSOLUTE)
    get_filename_component(folder "${header}" DIRECTORY)
    list(APPEND flags -I "${folder}" -include "${header}")
  endif()
  set(module "${CMAKE_CURRENT_BINARY_DIR}/${target}.so")
  warpbook_simtcc(TARGET ${target} OUTPUT "${module}" SOURCES "${source}" FLAGS ${flags} DEPENDS ${header})
  set(${target}_MODULE "${module}" PARENT_SCOPE)
endfunction()

# A whole program, with a main of its own, for simtrun: what `./warpbook sim` builds. FLAGS are those of nvcc. The
# module's path is left in <target>_MODULE; run it with `simtrun <module> [argument...]`.
function(warpbook_simt_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FLAGS")
  set(module "${CMAKE_CURRENT_BINARY_DIR}/${target}.so")
  list(TRANSFORM arg_SOURCES REPLACE "^([^/])" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  warpbook_simtcc(TARGET ${target} OUTPUT "${module}" SOURCES ${arg_SOURCES} FLAGS --program ${arg_FLAGS})
  add_dependencies(${target} simtrun)
  set(${target}_MODULE "${module}" PARENT_SCOPE)
endfunction()

# Builds a peer SOURCE, which uses LIBRARIES and is ours, into a module that the cuda runner loads.
function(warpbook_peer_module)
  cmake_parse_arguments(PARSE_ARGV 0 arg "EXCLUDE_FROM_ALL;RELOCATABLE" "TARGET;SOURCE;OUTPUT;CONTRACT" "LIBRARIES")
  get_filename_component(folder "${arg_OUTPUT}" DIRECTORY)
  get_filename_component(name "${arg_OUTPUT}" NAME_WE)
  get_filename_component(contract_folder "${arg_CONTRACT}" DIRECTORY)
  add_library(${arg_TARGET} MODULE "${arg_SOURCE}")
  set_source_files_properties("${arg_SOURCE}" PROPERTIES LANGUAGE CUDA)
  target_compile_options(${arg_TARGET} PRIVATE -std=c++20 -lineinfo --expt-relaxed-constexpr
                                               "SHELL:-include ${arg_CONTRACT}")
  target_include_directories(${arg_TARGET} PRIVATE "${contract_folder}")
  target_link_libraries(${arg_TARGET} PRIVATE ${arg_LIBRARIES})
  set_target_properties(
    ${arg_TARGET}
    PROPERTIES PREFIX ""
               SUFFIX ".so"
               OUTPUT_NAME "${name}"
               LIBRARY_OUTPUT_DIRECTORY "${folder}"
               CUDA_STANDARD_REQUIRED OFF
               CUDA_RUNTIME_LIBRARY Shared
               CUDA_COMPILER_LAUNCHER "sh;${WARPBOOK_CMAKE_DIR}/nvcc.sh;${CMAKE_BINARY_DIR}/bin/simtcc"
               CUDA_SEPARABLE_COMPILATION "${arg_RELOCATABLE}")
  set_target_properties(${arg_TARGET} PROPERTIES EXCLUDE_FROM_ALL "${arg_EXCLUDE_FROM_ALL}")
  add_dependencies(${arg_TARGET} simtcc)
endfunction()

# With WARPBOOK_RECORDED, the submissions without a recorded verdict, as paths in the tree.
set(WARPBOOK_UNRECORDED "")
if(WARPBOOK_RECORDED)
  set(differential "${PROJECT_SOURCE_DIR}/common/tests/differential")
  execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${differential}/files.py" --nvcc "${CMAKE_CUDA_COMPILER}" --unrecorded
                  OUTPUT_VARIABLE WARPBOOK_UNRECORDED OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" WARPBOOK_UNRECORDED "${WARPBOOK_UNRECORDED}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${differential}/files.py" "${differential}/files.txt")
endif()

# One submission of a lab, for every enabled backend (or for BACKENDS): targets NN.NAME.sim and NN.NAME.cuda, modules in
# modules/NN/BACKEND/NAME.so, and one entry for the lab's tests. A student's file (starter, handin; fault) is no part of the
# workbook: it has no target, and a CTest fixture compiles it (common/command/compilation.py) into submissions/NN/BACKEND/NAME.so.
# With WARPBOOK_RECORDED there are targets for all, and those of unrecorded files for the GPU alone are part of `all`: the preset
# sim has the simulator's.
# COMPILED is what is compiled in place of SOURCE, the file that graders and people read; it was composed of PARTS.
function(warpbook_add_submission)
  cmake_parse_arguments(PARSE_ARGV 0 arg "RELOCATABLE" "LAB;NAME;KIND;SOURCE;COMPILED" "BACKENDS;LIBRARIES;PARTS")
  if(NOT arg_COMPILED)
    set(arg_COMPILED "${arg_SOURCE}")
  endif()
  string(SUBSTRING "${arg_LAB}" 0 2 number)
  if(NOT arg_BACKENDS)
    set(arg_BACKENDS ${WARPBOOK_BACKENDS})
  endif()
  set(contract "${PROJECT_SOURCE_DIR}/labs/${arg_LAB}/lab.hpp")
  set(options "")
  if(arg_RELOCATABLE)
    set(options RELOCATABLE)
  endif()
  foreach(backend IN LISTS arg_BACKENDS)
    if(NOT backend IN_LIST WARPBOOK_BACKENDS)
      continue()
    endif()
    set(folder modules)
    if(arg_KIND MATCHES "^(starter|handin|fault)$")
      set(folder submissions)
    endif()
    set(excluded "")
    if(WARPBOOK_RECORDED)
      file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${arg_SOURCE}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_SOURCE}" "${contract}")
      if(backend STREQUAL "sim" OR NOT path IN_LIST WARPBOOK_UNRECORDED)
        set(excluded EXCLUDE_FROM_ALL)
      endif()
    endif()
    set(target "${number}.${arg_NAME}.${backend}")
    set(module "${PROJECT_BINARY_DIR}/${folder}/${number}/${backend}/${arg_NAME}.so")
    if(arg_KIND STREQUAL "peer")
      warpbook_peer_module(TARGET ${target} SOURCE "${arg_COMPILED}" OUTPUT "${module}" CONTRACT "${contract}"
                           LIBRARIES ${arg_LIBRARIES} ${options} ${excluded})
    elseif(WARPBOOK_RECORDED OR folder STREQUAL "modules")
      warpbook_submission_module(TARGET ${target} BACKEND ${backend} SOURCE "${arg_COMPILED}" OUTPUT "${module}"
                                 CONTRACT "${contract}" PARTS ${arg_PARTS} ${options} ${excluded})
    endif()
    if(arg_KIND MATCHES "^(starter|solution|step|mutant|peer|handin)$") # the others have tests of their own
      set_property(GLOBAL APPEND PROPERTY WARPBOOK_SUBMISSIONS_${number}
                                          "${arg_NAME}|${arg_KIND}|${backend}|${arg_SOURCE}|${module}")
      if(arg_KIND MATCHES "^(step|mutant|peer)$")
        set_property(GLOBAL APPEND PROPERTY WARPBOOK_HEADERS_${number} "${arg_SOURCE}")
      endif()
    endif()
  endforeach()
endfunction()

# Has grade-NUMBER compose all mutants of a lab with its solution (common/grader/compose.hpp). Their modules are compiled
# from the files in FOLDER, of which a new run changes only those that say something else: a command with BYPRODUCTS gets
# Ninja's restat.
function(warpbook_compose_mutants)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NUMBER;SOLUTION;FOLDER" "MUTANTS")
  set(inputs ${arg_MUTANTS})
  if(EXISTS "${arg_SOLUTION}")
    list(APPEND inputs "${arg_SOLUTION}")
  endif()
  list(TRANSFORM arg_MUTANTS REPLACE "^.*/" "${arg_FOLDER}/" OUTPUT_VARIABLE composed)
  add_custom_command(
    OUTPUT "${arg_FOLDER}/composed"
    BYPRODUCTS ${composed}
    COMMAND grade-${arg_NUMBER} --solution "${arg_SOLUTION}" --result "${arg_FOLDER}" --compose ${arg_MUTANTS}
    COMMAND "${CMAKE_COMMAND}" -E touch "${arg_FOLDER}/composed"
    DEPENDS grade-${arg_NUMBER} ${inputs}
    COMMENT "Composing the mutants of lab ${arg_NUMBER}"
    VERBATIM)
  add_custom_target(mutants-${arg_NUMBER} DEPENDS "${arg_FOLDER}/composed")
endfunction()

# Makes the header messages.hpp of a lab's messages.md, for targets that link messages-NUMBER.
function(warpbook_lab_messages number source)
  set(include "${PROJECT_BINARY_DIR}/labs/${number}/include")
  add_custom_command(
    OUTPUT "${include}/messages.hpp"
    COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/common/grader/messages.py" "${source}" -o "${include}/messages.hpp"
    DEPENDS "${source}" "${PROJECT_SOURCE_DIR}/common/grader/messages.py"
    COMMENT "Making messages.hpp of lab ${number}"
    VERBATIM)
  add_custom_target(make-messages-${number} DEPENDS "${include}/messages.hpp")
  add_library(messages-${number} INTERFACE)
  add_dependencies(messages-${number} make-messages-${number})
  target_include_directories(messages-${number} INTERFACE "${include}")
endfunction()

# Lists the hand-ins for a lab below WARPBOOK_HANDIN: their names, and the copies of their files that are graded. The command's
# intake finds them, with the first call. A folder that cannot be read is a warning: everything else is to be built.
function(warpbook_hand_ins lab names_result files_result)
  get_property(is_known GLOBAL PROPERTY WARPBOOK_HAND_INS SET)
  if(WARPBOOK_HANDIN AND NOT is_known)
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${PROJECT_SOURCE_DIR}/common" "${Python3_EXECUTABLE}" -B -m command.hand_in_list
              "${WARPBOOK_HANDIN}" "${PROJECT_BINARY_DIR}/hand-ins"
      RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE left_out OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status STREQUAL 0)
      message(WARNING "WARPBOOK_HANDIN names no folder of hand-ins, so none are graded. ${left_out}")
      set(said "")
    elseif(left_out)
      message(STATUS "Of ${WARPBOOK_HANDIN} these are not graded:\n${left_out}")
    endif()
    string(REPLACE "\n" ";" said "${said}")
    set_property(GLOBAL PROPERTY WARPBOOK_HAND_INS "${said}")
    # CMake runs again when files come, go or change; paths that it cannot list have to be named.
    file(GLOB_RECURSE seen CONFIGURE_DEPENDS "${WARPBOOK_HANDIN}/*.cu")
    list(FILTER seen EXCLUDE REGEX "[][\"\\$]")
    foreach(file IN LISTS seen)
      if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
        set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
      endif()
    endforeach()
  endif()
  get_property(known GLOBAL PROPERTY WARPBOOK_HAND_INS)
  list(FILTER known INCLUDE REGEX "^${lab}[|]")
  list(TRANSFORM known REPLACE "^[^|]*[|]([^|]*)[|].*" "handin-\\1" OUTPUT_VARIABLE names)
  list(TRANSFORM known REPLACE "^[^|]*[|][^|]*[|]" "" OUTPUT_VARIABLE files)
  set(${names_result} "${names}" PARENT_SCOPE)
  set(${files_result} "${files}" PARENT_SCOPE)
endfunction()

# Says in the grader TARGET which lab it grades, by which contract.
function(warpbook_register_lab target lab contract)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}-registration.cpp")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT "#include \"grader/registration.hpp\"
static const warpbook::detail::LabRegistration registration{\"@contract@\", \"@lab@\"};
")
  target_sources(${target} PRIVATE "${file}")
  set_source_files_properties("${file}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# A lab: its grader, its bench, and every submission that is there, as its lab.json says.
function(warpbook_add_lab lab)
  warpbook_lab_facts(${lab} arg)
  string(SUBSTRING "${lab}" 0 2 number)
  set(folder "${PROJECT_SOURCE_DIR}/labs/${lab}")
  set(solutions "${PROJECT_SOURCE_DIR}/solutions/${lab}")
  set(build_folder "${PROJECT_BINARY_DIR}/labs/${number}")
  set(relocatable "")
  if(arg_RELOCATABLE)
    set(relocatable RELOCATABLE)
  endif()

  # A rubric is grade.cpp, or one grade_*.cpp for each task; items are listed in the order of these names. scenes.cpp has the
  # calls that ./warpbook see draws.
  file(GLOB rubric CONFIGURE_DEPENDS "${folder}/grade.cpp" "${folder}/grade_*.cpp" "${folder}/scenes.cpp")
  warpbook_lab_messages(${number} "${folder}/messages.md")
  add_executable(grade-${number} ${rubric})
  warpbook_join(grade-${number})
  warpbook_own_libraries(grade-${number})
  target_link_libraries(grade-${number} PRIVATE warpbook_grader messages-${number})
  target_include_directories(grade-${number} PRIVATE "${folder}")
  if(WARPBOOK_RECORDED OR NOT WARPBOOK_CUDA) # the simulator's inputs are small; a GPU's keep the CPU references busy
    target_compile_options(grade-${number} PRIVATE ${WARPBOOK_EVERY_CALL})
  endif()
  warpbook_register_lab(grade-${number} ${lab} "${folder}/lab.hpp")
  file(GLOB bench CONFIGURE_DEPENDS "${folder}/bench.cpp") # depending on the folder, each new file of an editor's would count
  if(bench)
    add_executable(bench-${number} "${bench}")
    target_link_libraries(bench-${number} PRIVATE warpbook_bench messages-${number})
    target_include_directories(bench-${number} PRIVATE "${folder}")
    if(WARPBOOK_RECORDED OR NOT WARPBOOK_CUDA)
      target_compile_options(bench-${number} PRIVATE ${WARPBOOK_FAST_ENOUGH})
    endif()
    set(contract "${CMAKE_CURRENT_BINARY_DIR}/bench-${number}-contract.cpp") # a definition would keep ccache from it in a clone elsewhere
    file(CONFIGURE OUTPUT "${contract}" @ONLY CONTENT "namespace warpbook {
extern const char* const contract_file;
const char* const contract_file = \"@folder@/lab.hpp\";
}
")
    target_sources(bench-${number} PRIVATE "${contract}")
  endif()

  warpbook_add_submission(LAB ${lab} NAME starter KIND starter SOURCE "${folder}/${arg_KERNEL}.cu" ${relocatable})

  file(GLOB solution CONFIGURE_DEPENDS "${solutions}/${arg_KERNEL}.cu")
  if(solution)
    warpbook_add_submission(LAB ${lab} NAME solution KIND solution SOURCE "${solution}" ${relocatable})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${solutions}/steps/*.cu")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    warpbook_add_submission(LAB ${lab} NAME step-${name} KIND step SOURCE "${source}" ${relocatable})
  endforeach()
  set(mutants "")
  if(WARPBOOK_MUTANTS)
    file(GLOB mutants CONFIGURE_DEPENDS "${solutions}/mutants/*.cu")
  endif()
  if(mutants)
    set(composed "${PROJECT_BINARY_DIR}/mutants/${number}")
    warpbook_compose_mutants(NUMBER ${number} SOLUTION "${solutions}/${arg_KERNEL}.cu" FOLDER "${composed}" MUTANTS ${mutants})
  endif()
  foreach(source IN LISTS mutants)
    get_filename_component(name "${source}" NAME_WE)
    warpbook_add_submission(LAB ${lab} NAME mutant-${name} KIND mutant SOURCE "${source}" COMPILED "${composed}/${name}.cu"
                            PARTS "${solutions}/${arg_KERNEL}.cu" "${source}"
                            ${relocatable})
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS "${solutions}/peers/*.cu")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    warpbook_add_submission(LAB ${lab} NAME peer-${name} KIND peer SOURCE "${source}" BACKENDS cuda
                            LIBRARIES ${arg_PEER_LIBRARIES} ${relocatable})
  endforeach()
  warpbook_hand_ins(${lab} names files)
  foreach(name source IN ZIP_LISTS names files)
    warpbook_add_submission(LAB ${lab} NAME ${name} KIND handin SOURCE "${source}" ${relocatable})
  endforeach()

  # Which tests there are depends on the rubric and on the headers of steps, mutants and peers. The grader knows both,
  # and lists them when one of them has changed; CTest reads the list.
  get_property(submissions GLOBAL PROPERTY WARPBOOK_SUBMISSIONS_${number})
  get_property(headers GLOBAL PROPERTY WARPBOOK_HEADERS_${number})
  list(REMOVE_DUPLICATES headers)
  list(JOIN submissions "\n" submissions)
  file(CONFIGURE OUTPUT "${build_folder}/submissions.txt" CONTENT "${submissions}\n" @ONLY)
  add_custom_command(
    OUTPUT "${build_folder}/list.cmake"
    COMMAND grade-${number} --list-tests "${build_folder}/submissions.txt" --result "${build_folder}/list.cmake"
    DEPENDS grade-${number} "${build_folder}/submissions.txt" ${headers}
    COMMENT "Listing the tests of ${lab}"
    VERBATIM)
  add_custom_target(list-${number} ALL DEPENDS "${build_folder}/list.cmake")
  add_dependencies(lists list-${number})
  set(tests "${build_folder}/tests.cmake")
  configure_file("${WARPBOOK_CMAKE_DIR}/tests.cmake.in" "${tests}" @ONLY)
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY TEST_INCLUDE_FILES "${tests}")
endfunction()

# The files of the build that a test reads and its command does not name: SCRIPT prints their paths when it is called with the
# arguments given and --reads. They become its REQUIRED_FILES, which `./warpbook test` builds before it.
function(warpbook_require_what_it_reads test script)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${script}" ${ARGN} --reads OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" files "${files}")
  set_tests_properties(${test} PROPERTIES REQUIRED_FILES "${files}")
endfunction()

# A doctest executable of the workbook's own, test-NAME.
function(warpbook_test_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBRARIES;DEFINITIONS;DEPENDS")
  add_executable(test-${arg_NAME} ${arg_SOURCES})
  target_link_libraries(test-${arg_NAME} PRIVATE unit_test_main ${arg_LIBRARIES})
  target_compile_definitions(test-${arg_NAME} PRIVATE ${arg_DEFINITIONS})
  warpbook_join(test-${arg_NAME})
  warpbook_test_code(test-${arg_NAME})
  if(arg_DEPENDS)
    add_dependencies(test-${arg_NAME} ${arg_DEPENDS})
  endif()
endfunction()

# The same, and its CTest unit.NAME.
function(warpbook_unit_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBRARIES;DEFINITIONS;DEPENDS")
  warpbook_test_program(${ARGN})
  add_test(NAME unit.${arg_NAME} COMMAND test-${arg_NAME})
  set_tests_properties(unit.${arg_NAME} PROPERTIES LABELS unit)
endfunction()
