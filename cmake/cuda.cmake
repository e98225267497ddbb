# SPDX-License-Identifier: MIT
# Finds CUDA (sets haveCuda), and sets the flags of its compiler.
set(haveCuda OFF)
if(CAPSTAN_CUDA)
    find_program(CAPSTAN_NVCC nvcc PATHS /usr/local/cuda/bin /opt/cuda/bin)
    if(CAPSTAN_NVCC AND NOT DEFINED ENV{CUDACXX})
        set(ENV{CUDACXX} "${CAPSTAN_NVCC}")
    endif()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        set(haveCuda ON)
    elseif(NOT CAPSTAN_CUDA STREQUAL "AUTO")
        message(FATAL_ERROR "CAPSTAN_CUDA is ${CAPSTAN_CUDA} but no CUDA compiler works here; set CUDACXX to nvcc")
    endif()
endif()

function(capstan_kernels target)
    # CMake 3.25 has no CUDA_STANDARD 20 for nvcc, so the standard is a plain option.
    # 2810: nvcc warns that an assignment discards a [[nodiscard]] value, which is wrong.
    set(nvccFlags -std=c++20 -diag-suppress=2810 --fmad=false --prec-div=true --prec-sqrt=true --ftz=false
        -Xcompiler=-ffp-contract=off,-fno-math-errno,-fno-trapping-math)
    if(CAPSTAN_ISA)
        string(REPLACE ";" "," isaFlags "-march=${CAPSTAN_ISA};${noFusing}")
        list(APPEND nvccFlags -Xcompiler=${isaFlags})
    endif()
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${nvccFlags}>")
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
endfunction()
