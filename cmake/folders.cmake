# SPDX-License-Identifier: MIT
# Build files name folders and never files. Flags and unity builds are also set per folder. tools/check_sources.py compares
# the result with the files that git knows.

# capstan_folders(TARGET [ALONE] FOLDER...): adds the sources directly in these folders, without subfolders.
# Files of a folder include the same large headers and instantiate the same templates. With CAPSTAN_UNITY one compiler
# reads them all, in half of the time. ALONE compiles each file by itself, whatever CAPSTAN_UNITY is.
function(capstan_folders target)
    cmake_parse_arguments(PARSE_ARGV 1 arg ALONE "" "")
    set(files)
    foreach(folder IN LISTS arg_UNPARSED_ARGUMENTS)
        file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
        list(APPEND files ${found})
        if(haveCuda AND target STREQUAL "capstan")
            file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cu")
            list(APPEND files ${found})
        endif()
    endforeach()
    target_sources(${target} PRIVATE ${files})
    if(NOT arg_ALONE)
        capstan_together(${target})
    endif()
endfunction()

# capstan_together(TARGET): compiles the sources of a target folder by folder, if CAPSTAN_UNITY asks for it.
function(capstan_together target)
    if(NOT CAPSTAN_UNITY OR (CAPSTAN_UNITY STREQUAL "PARTS" AND target IN_LIST libraries))
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(files ${target} SOURCES)
    foreach(file IN LISTS files)
        cmake_path(GET file PARENT_PATH folder)
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
        string(MAKE_C_IDENTIFIER "${folder}" group)
        set_source_files_properties("${file}" PROPERTIES UNITY_GROUP ${group})
    endforeach()
endfunction()

# capstan_flags(FLAGS FOLDER...): adds flags for every file of these folders.
function(capstan_flags flags)
    foreach(folder IN LISTS ARGN)
        file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
        set_property(SOURCE ${found} APPEND PROPERTY COMPILE_OPTIONS ${flags})
    endforeach()
endfunction()

# capstan_measured(FLAGS FILE REASON): adds flags for one file. This exception needs a measurement, given as the reason.
function(capstan_measured flags file reason)
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${flags})
    set_property(SOURCE ${file} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    set_property(GLOBAL APPEND_STRING PROPERTY CAPSTAN_SOURCE_LIST "measured\t${file}\t${reason}\n")
endfunction()

# capstan_without(REASON PATTERN...): records sources that this tree does not build, and the reason.
function(capstan_without reason)
    foreach(pattern IN LISTS ARGN)
        set_property(GLOBAL APPEND_STRING PROPERTY CAPSTAN_SOURCE_LIST "without\t${pattern}\t${reason}\n")
    endforeach()
endfunction()

# capstan_no_other_folders(ROOT FOLDER...): fails if a folder below ROOT has sources and is not named.
function(capstan_no_other_folders root)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${root}/*.cpp")
    foreach(file IN LISTS found)
        cmake_path(GET file PARENT_PATH folder)
        if(NOT folder IN_LIST ARGN)
            message(FATAL_ERROR "${file}: no target has the folder ${folder}; name it in CMakeLists.txt")
        endif()
    endforeach()
endfunction()

# capstan_list_sources(DIRECTORY...): writes the sources of each target: lines "source, file, target, its own flags",
# separated by tabs.
function(capstan_list_sources)
    get_property(list GLOBAL PROPERTY CAPSTAN_SOURCE_LIST)
    foreach(directory IN LISTS ARGN)
        get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
        foreach(target IN LISTS targets)
            get_target_property(sources ${target} SOURCES)
            get_target_property(from ${target} SOURCE_DIR)
            foreach(source IN LISTS sources)
                if(source MATCHES "\\.(cpp|cu)$")
                    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${from}")
                    get_source_file_property(flags "${source}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
                    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
                    string(REPLACE "NOTFOUND" "" flags "${flags}")
                    string(APPEND list "source\t${source}\t${target}\t${flags}\n")
                endif()
            endforeach()
        endforeach()
    endforeach()
    file(WRITE "${PROJECT_BINARY_DIR}/sources.txt" "${list}")
endfunction()
