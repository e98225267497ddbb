# SPDX-License-Identifier: MIT
# Compiler flags of Capstan's own targets.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CAPSTAN_ISA)
    # GCC 12 fuses an alternating a*b-c, a*b+c into vfmsubadd even with -ffp-contract=off (seen in quaternion products).
    # So -mno-fma forbids these instructions altogether.
    set(noFusing -mno-fma)
endif()

if(CAPSTAN_SANITIZE STREQUAL "address")
    # Forced inlining makes the engine's functions so large that GCC takes five times as long to instrument them. So
    # always_inline is replaced by "unused", an attribute without effect here. Standard headers write __always_inline__,
    # which stays.
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
        -Dalways_inline=unused)
elseif(CAPSTAN_SANITIZE STREQUAL "thread")
    set(sanitize -fsanitize=thread -fno-omit-frame-pointer)
elseif(CAPSTAN_SANITIZE)
    message(FATAL_ERROR "CAPSTAN_SANITIZE is \"${CAPSTAN_SANITIZE}\"; it may be address, thread or empty")
endif()
add_compile_options(${sanitize})
add_link_options(${sanitize})

# Equal bits on all backends are guaranteed by the build: one multiply-add that a compiler fuses on its own changes the
# hashes. (src/math/fused.hpp has the multiply-adds that are fused on purpose.)
# -ffp-contract=off is therefore PUBLIC on the library. Inline functions of its headers are also compiled in the user's
# files. The linker keeps one copy of each, so all copies must give the same bits.
# -march is PRIVATE. That is safe because the public headers never name Pack, the only type whose calling convention
# depends on -march (tools/check_layers.py checks this). Without contraction every other inline function gives the same
# bits for any -march.
set(gnuLike "$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>")
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 gives false warnings about overlaps and ends of std::string. At -O1 it gives false warnings about arrays that
    # are filled and read up to the same count.
    list(APPEND warnings -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
endif()

# capstan_engine(TARGET): flags and include folders that a target needs to compile the engine's templates as the library does.
function(capstan_engine target)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        "$<${gnuLike}:-ffp-contract=off;-fno-math-errno;-fno-trapping-math;${warnings}>"
        "$<$<AND:$<BOOL:${CAPSTAN_ISA}>,${gnuLike}>:-march=${CAPSTAN_ISA};${noFusing}>")
    # By default GCC collects garbage after every further 128 MB. A higher threshold saved 5 % of the time on the file tried.
    if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=500000>)
    endif()
    target_compile_definitions(${target} PRIVATE
        CAPSTAN_LANES=${CAPSTAN_LANES} $<$<BOOL:${haveCuda}>:CAPSTAN_HAVE_CUDA>)
endfunction()

# capstan_lightly(TARGET): -O1 for code that takes no time in a frame. It compiles a third faster.
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

# capstan_library(NAME KIND): a library of Capstan. A shared one exports only what CAPSTAN_API marks.
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

# capstan_objects(NAME): a part of the command line. It is an object library, so that the linker does not drop a case that
# registers itself in a static variable.
function(capstan_objects name)
    add_library(${name} OBJECT)
    capstan_engine(${name})
    capstan_precompile(${name} ${commonHeaders} capstan/capstan.hpp fmt/core.h)
    target_link_libraries(${name} PUBLIC ${libraries} PRIVATE fmt::fmt)
endfunction()
