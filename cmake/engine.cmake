# SPDX-License-Identifier: MIT
# How Capstan's own targets are compiled.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CAPSTAN_ISA)
    # GCC 12 fuses an alternating a*b-c, a*b+c into vfmsubadd even with -ffp-contract=off (seen in quaternion
    # products): the instructions are taken from it.
    set(noFusing -mno-fma)
endif()

if(CAPSTAN_SANITIZE STREQUAL "address")
    # Inlined by force, the engine's functions grow so large that GCC takes five times as long to instrument them.
    # "unused" is an attribute that does nothing here. Standard headers write __always_inline__ and keep theirs.
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
        -Dalways_inline=unused)
elseif(CAPSTAN_SANITIZE STREQUAL "thread")
    set(sanitize -fsanitize=thread -fno-omit-frame-pointer)
elseif(CAPSTAN_SANITIZE)
    message(FATAL_ERROR "CAPSTAN_SANITIZE is \"${CAPSTAN_SANITIZE}\"; it may be address, thread or empty")
endif()
add_compile_options(${sanitize})
add_link_options(${sanitize})

# Bit equality between backends is a build contract: one multiply-add that a compiler fuses on its own and the hashes
# differ (those that a formula asks for by name are in src/math/fused.hpp).
# -ffp-contract=off is therefore PUBLIC on the library: inline functions of its headers are compiled in the user's
# files too, the linker keeps one copy, and it must not matter which.
# -march stays private. That is safe because the API's headers never name Pack, the only type whose calling
# convention depends on it (tools/check_layers.py watches that), and without contraction every other inline
# function gives the same bits for any -march.
set(gnuLike "$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>")
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 sees overlaps in std::string that are not there, and takes its end to be in the wrong place. At -O1 it takes
    # an array that is filled and read up to the same count for one that is not filled.
    list(APPEND warnings -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
endif()

# For each of our own targets: all that a file needs to compile the engine's templates as the library does.
function(capstan_engine target)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        "$<${gnuLike}:-ffp-contract=off;-fno-math-errno;-fno-trapping-math;${warnings}>"
        "$<$<AND:$<BOOL:${CAPSTAN_ISA}>,${gnuLike}>:-march=${CAPSTAN_ISA};${noFusing}>")
    # GCC tidies its memory whenever 128 MB more are in use; waiting longer saved a twentieth on the file tried.
    if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=500000>)
    endif()
    target_compile_definitions(${target} PRIVATE
        CAPSTAN_LANES=${CAPSTAN_LANES} $<$<BOOL:${haveCuda}>:CAPSTAN_HAVE_CUDA>)
endfunction()

# For what takes no time in a frame, and compiles in a third less.
function(capstan_lightly target)
    target_compile_options(${target} PRIVATE "$<$<AND:$<CONFIG:Release>,${gnuLike}>:-O1>")
endfunction()

set(commonHeaders algorithm array cmath cstdint functional map memory optional span string vector)
function(capstan_precompile target)
    get_target_property(type ${target} TYPE)
    if(CAPSTAN_PCH AND (type STREQUAL "OBJECT_LIBRARY" OR NOT CAPSTAN_PCH STREQUAL "PARTS"))
        list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>" OUTPUT_VARIABLE headers)
        target_precompile_headers(${target} PRIVATE ${headers})
    endif()
endfunction()

# One of our own libraries. A shared one shows what CAPSTAN_API marks.
function(capstan_library name kind)
    add_library(${name} ${kind})
    capstan_engine(${name})
    set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON)
    get_target_property(type ${name} TYPE)
    if(type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT APPLE)
        target_link_options(${name} PRIVATE "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map")
        set_target_properties(${name} PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exports.map")
    endif()
    capstan_precompile(${name} ${commonHeaders})
endfunction()

# A part of the command line. Object libraries, so that a case that registers itself from a static variable is not dropped by
# the linker.
function(capstan_objects name)
    add_library(${name} OBJECT)
    capstan_engine(${name})
    capstan_precompile(${name} ${commonHeaders} capstan/capstan.hpp fmt/core.h)
    target_link_libraries(${name} PUBLIC ${libraries} PRIVATE fmt::fmt)
endfunction()
