# SPDX-License-Identifier: MIT
# cmake -D how=find_package|fetchcontent -D source=… -D build=… -D work=… -P check.cmake
# Configures, builds and runs the project beside this file. Fails on any error, and when the user's own file is
# compiled with flags it did not ask for: it must get -ffp-contract=off and must not get our -march.
function(run_or_stop)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "${how}: failed: ${line}")
    endif()
endfunction()

file(MAKE_DIRECTORY "${work}")
set(options -D HOW=${how} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_EXPORT_COMPILE_COMMANDS=ON)
if(how STREQUAL "find_package")
    file(REMOVE_RECURSE "${work}/prefix")
    run_or_stop("${CMAKE_COMMAND}" --install "${build}" --config ${type} --prefix "${work}/prefix")
    list(APPEND options -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_BUILD_TYPE=${type})
else()
    # Only what a user needs goes in: the library must build without apps, tests and scenes around it. It is the shared
    # library here, the static one above, and compiled as quickly as can be.
    execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cf "${work}/capstan.tar"
        CMakeLists.txt cmake include src LICENSE WORKING_DIRECTORY "${source}" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "fetchcontent: could not pack ${source}")
    endif()
    file(SHA256 "${work}/capstan.tar" hash)
    list(APPEND options -D CAPSTAN_FROM=file://${work}/capstan.tar -D CAPSTAN_HASH=${hash}
        -D BUILD_SHARED_LIBS=ON -D CAPSTAN_CUDA=OFF -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=-O0 -D CAPSTAN_PCH=ON
        -D CAPSTAN_UNITY=ON)
endif()

run_or_stop("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G "${generator}" ${options})
run_or_stop("${CMAKE_COMMAND}" --build "${work}/build" --target consumer --parallel 2)
run_or_stop("${work}/build/consumer")

file(READ "${work}/build/compile_commands.json" commands)
string(REGEX MATCH "\"command\": \"[^\n]*consumer/main\\.cpp\"" command "${commands}")
if(NOT command MATCHES "-ffp-contract=off")
    message(FATAL_ERROR "${how}: the user's file is compiled without -ffp-contract=off: ${command}")
endif()
if(command MATCHES "-march=|-Wconversion")
    message(FATAL_ERROR "${how}: the user's file got flags of ours: ${command}")
endif()
