# The packages Warpbook stands on, as imported targets. All are Debian packages;
# `./warpbook` installs what is missing, or prints the line that does.

find_package(Threads REQUIRED)
find_package(doctest REQUIRED)
find_package(nlohmann_json REQUIRED)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW) # Boost's own package files, not CMake's former module
endif()
find_package(Boost REQUIRED COMPONENTS context)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# libffi ships no CMake package; its header and library are enough.
find_path(FFI_INCLUDE_DIR ffi.h PATH_SUFFIXES x86_64-linux-gnu REQUIRED)
find_library(FFI_LIBRARY ffi REQUIRED)
mark_as_advanced(FFI_INCLUDE_DIR FFI_LIBRARY)
add_library(warpbook::ffi INTERFACE IMPORTED)
set_target_properties(warpbook::ffi PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${FFI_INCLUDE_DIR}"
                                               INTERFACE_LINK_LIBRARIES "${FFI_LIBRARY}")

if(WARPBOOK_CUDA)
  # Without a choice of the user's: this machine's GPU, else what every lab compiles for.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    if(EXISTS /dev/nvidiactl)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.4)
    message(FATAL_ERROR "Warpbook needs the CUDA toolkit 12.4 or newer; ${CMAKE_CUDA_COMPILER} is "
                        "${CMAKE_CUDA_COMPILER_VERSION}. The preset `sim` needs no toolkit at all.")
  endif()
  find_package(CUDAToolkit 12.4 REQUIRED)
endif()
