# A wheel's programs run where these packages are not: their libraries become a part of them.
if(WARPBOOK_WHEEL)
  set(libraries_of_this_machine "${CMAKE_FIND_LIBRARY_SUFFIXES}")
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(Boost_USE_STATIC_LIBS ON)
endif()

# The packages Warpbook stands on, as imported targets. All are Debian packages;
# `./warpbook` installs what is missing, or prints the line that does.

find_package(Threads REQUIRED)
find_package(doctest REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW) # Boost's own package files, not CMake's former module
endif()
find_package(Boost REQUIRED COMPONENTS context)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Of what ships no CMake package the header and the libraries are enough: warpbook::TARGET, and PREFIX_LIBRARY.
function(warpbook_find target prefix header library)
  find_path(${prefix}_INCLUDE_DIR ${header} PATH_SUFFIXES x86_64-linux-gnu REQUIRED)
  find_library(${prefix}_LIBRARY ${library} REQUIRED)
  mark_as_advanced(${prefix}_INCLUDE_DIR ${prefix}_LIBRARY)
  add_library(warpbook::${target} INTERFACE IMPORTED)
  set_target_properties(warpbook::${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${${prefix}_INCLUDE_DIR}"
                                                       INTERFACE_LINK_LIBRARIES "${${prefix}_LIBRARY}")
endfunction()
warpbook_find(ffi FFI ffi.h ffi)
warpbook_find(seccomp SECCOMP seccomp.h seccomp)
warpbook_find(elf ELF elfutils/libdwfl.h elf)
find_library(DW_LIBRARY dw REQUIRED)
mark_as_advanced(DW_LIBRARY)
if(WARPBOOK_WHEEL)
  foreach(name IN ITEMS lzma bz2 z) # of which libdw and libelf consist, too; a later one may need Zstandard
    find_library(WARPBOOK_${name} ${name} REQUIRED)
    mark_as_advanced(WARPBOOK_${name})
  endforeach()
  find_library(WARPBOOK_zstd zstd)
  mark_as_advanced(WARPBOOK_zstd)
  set(compression "${WARPBOOK_lzma}" "${WARPBOOK_bz2}" "${WARPBOOK_z}")
  if(WARPBOOK_zstd)
    list(APPEND compression "${WARPBOOK_zstd}")
  endif()
  set_property(TARGET warpbook::elf APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${compression}")
endif()
add_library(warpbook::dw INTERFACE IMPORTED)
# In a prefix of the user's, libdw finds libelf by a program's RPATH, and not by its RUNPATH.
set_target_properties(warpbook::dw PROPERTIES INTERFACE_LINK_LIBRARIES "${DW_LIBRARY};warpbook::elf"
                                              INTERFACE_LINK_OPTIONS -Wl,--disable-new-dtags)
if(WARPBOOK_WHEEL) # others name libelf before libdw, and a linker looks into an archive once
  set_target_properties(
    warpbook::dw PROPERTIES INTERFACE_LINK_LIBRARIES
                            "-Wl,--start-group;${DW_LIBRARY};${ELF_LIBRARY};-Wl,--end-group;${compression}")
endif()

if(WARPBOOK_WHEEL)
  set(CMAKE_FIND_LIBRARY_SUFFIXES "${libraries_of_this_machine}")
endif()

if(WARPBOOK_CUDA)
  # Without a choice of the user's: this machine's GPU, else what every lab compiles for.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    if(EXISTS /dev/nvidiactl)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
  endif()
  # Asked before CMake tries it out: an old nvcc fails at that in words of its own.
  set(nvcc "${CMAKE_CUDA_COMPILER}")
  if(NOT nvcc)
    set(nvcc "$ENV{CUDACXX}")
  endif()
  if(NOT nvcc)
    find_program(WARPBOOK_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin)
    mark_as_advanced(WARPBOOK_NVCC)
    if(NOT WARPBOOK_NVCC)
      message(FATAL_ERROR "No nvcc was found, and this preset compiles for a GPU: install the CUDA toolkit 12.4 or "
                          "newer, or set CUDACXX to its nvcc. The preset `sim` needs no toolkit at all.")
    endif()
    set(nvcc "${WARPBOOK_NVCC}")
    set(ENV{CUDACXX} "${nvcc}")
  endif()
  separate_arguments(words NATIVE_COMMAND PROGRAM SEPARATE_ARGS "${nvcc}") # CUDACXX may hold options
  list(POP_FRONT words program)
  if(program)
    set(nvcc "${program}")
  endif()
  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE nvcc_says ERROR_VARIABLE nvcc_says RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${nvcc} cannot be run (${status}); set CUDACXX to the nvcc of a CUDA toolkit 12.4 or newer. "
                        "The preset `sim` needs no toolkit at all.")
  endif()
  if(nvcc_says MATCHES "release ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS 12.4)
    message(FATAL_ERROR "Warpbook needs the CUDA toolkit 12.4 or newer; ${nvcc} is ${CMAKE_MATCH_1}. "
                        "The preset `sim` needs no toolkit at all.")
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit 12.4 REQUIRED)
endif()
