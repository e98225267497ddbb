# SPDX-License-Identifier: MIT
# cmake -D how=find_package|fetchcontent|subdirectory -D source=… -D build=… -D work=… -P check.cmake
#
# A user's first project: an empty folder gets hello.cpp and the CMakeLists.txt that docs/quick_start.md shows. It is
# configured, built and run. The test fails on any error. The user's file must be compiled with -ffp-contract=off and
# without Capstan's -march.
# With how=subdirectory no build type is given, and nothing is built. One message must say that the engine is optimised all
# the same, and the user's own file must not be optimised.
function(run_or_stop)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "${how}: failed: ${line}")
    endif()
endfunction()

set(project "${work}/project")
file(REMOVE_RECURSE "${project}")
file(MAKE_DIRECTORY "${project}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/${how}/CMakeLists.txt" "${source}/examples/hello.cpp" DESTINATION "${project}")
set(options -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_EXPORT_COMPILE_COMMANDS=ON)
if(how STREQUAL "find_package")
    file(REMOVE_RECURSE "${work}/prefix")
    run_or_stop("${CMAKE_COMMAND}" --install "${build}" --config ${type} --prefix "${work}/prefix")
    list(APPEND options -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_BUILD_TYPE=${type}
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Werror")
elseif(how STREQUAL "subdirectory")
    list(APPEND options -D CAPSTAN_FROM=${source} -D CMAKE_BUILD_TYPE=)
else()
    # The copy has only what a user needs: the library must build without apps, tests and scenes. It is the shared library with
    # the fastest compiler flags, in contrast to the static one above.
    execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cf "${work}/capstan.tar"
        CMakeLists.txt cmake include src LICENSE WORKING_DIRECTORY "${source}" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "fetchcontent: could not pack ${source}")
    endif()
    list(APPEND options -D CAPSTAN_URL=file://${work}/capstan.tar
        -D BUILD_SHARED_LIBS=ON -D CAPSTAN_CUDA=OFF -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=-O0 -D CAPSTAN_PCH=ON
        -D CAPSTAN_UNITY=ON)
endif()

if(how STREQUAL "subdirectory")
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${project}" -B "${work}/build" -G "${generator}" ${options}
        RESULT_VARIABLE result OUTPUT_VARIABLE told)
    string(REGEX MATCHALL "[^\n]*no CMAKE_BUILD_TYPE is given[^\n]*" lines "${told}")
    list(LENGTH lines count)
    file(STRINGS "${work}/build/compile_commands.json" commands REGEX "\"command\"")
    set(ours ${commands})
    list(FILTER ours INCLUDE REGEX "/src/step/cloth\\.cpp")
    list(FILTER commands INCLUDE REGEX "project/hello\\.cpp")
    if(NOT result EQUAL 0 OR NOT count EQUAL 1 OR NOT ours MATCHES " -O3 " OR NOT commands OR commands MATCHES " -O[1-3] ")
        message(FATAL_ERROR "${how}: without a build type: ${told}\nours: ${ours}\nthe user's: ${commands}")
    endif()
    return()
endif()
run_or_stop("${CMAKE_COMMAND}" -S "${project}" -B "${work}/build" -G "${generator}" ${options})
run_or_stop("${CMAKE_COMMAND}" --build "${work}/build" --target hello --parallel 2)
run_or_stop("${work}/build/hello")
if(how STREQUAL "fetchcontent")
    find_program(python NAMES python3 REQUIRED)
    file(GLOB library "${work}/build/_deps/capstan-build/libcapstan.so")
    if(NOT library)
        message(FATAL_ERROR "${how}: no shared library was built in ${work}/build")
    endif()
    run_or_stop("${python}" "${source}/tools/check_symbols.py" ${library})
endif()

file(READ "${work}/build/compile_commands.json" commands)
string(REGEX MATCH "\"command\": \"[^\n]*project/hello\\.cpp\"" command "${commands}")
if(NOT command MATCHES "-ffp-contract=off")
    message(FATAL_ERROR "${how}: the user's file is compiled without -ffp-contract=off: ${command}")
endif()
if(command MATCHES "-march=|-Wconversion")
    message(FATAL_ERROR "${how}: the user's file got flags of ours: ${command}")
endif()
