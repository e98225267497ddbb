# SPDX-License-Identifier: MIT
# Folders are named in the build files, files never. What a file needs, its folder needs: flags, and being compiled together.
# tools/check_sources.py compares the outcome with the files that git knows.

# capstan_folders(TARGET [ALONE] FOLDER...): the sources that lie in these folders, not below them.
# Files of a folder include the same large headers and instantiate the same templates: one compiler that reads them all
# (CAPSTAN_UNITY) does so once, in half of the time. ALONE: each file by itself whatever the options say.
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

# The sources of a target are compiled folder by folder, where the options say so.
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

# capstan_flags(FLAGS FOLDER...): more flags for every file of these folders.
function(capstan_flags flags)
    foreach(folder IN LISTS ARGN)
        file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
        set_property(SOURCE ${found} APPEND PROPERTY COMPILE_OPTIONS ${flags})
    endforeach()
endfunction()

# capstan_measured(FLAGS FILE REASON): the exception. One file has flags of its own, because they were measured.
function(capstan_measured flags file reason)
    set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${flags})
    set_property(SOURCE ${file} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
    set_property(GLOBAL APPEND_STRING PROPERTY CAPSTAN_SOURCE_LIST "measured\t${file}\t${reason}\n")
endfunction()

# capstan_without(REASON PATTERN...): sources that this tree does not build, and why.
function(capstan_without reason)
    foreach(pattern IN LISTS ARGN)
        set_property(GLOBAL APPEND_STRING PROPERTY CAPSTAN_SOURCE_LIST "without\t${pattern}\t${reason}\n")
    endforeach()
endfunction()

# Every folder below ROOT that holds sources is named in ARGN: a new folder must get a place.
function(capstan_no_other_folders root)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${root}/*.cpp")
    foreach(file IN LISTS found)
        cmake_path(GET file PARENT_PATH folder)
        if(NOT folder IN_LIST ARGN)
            message(FATAL_ERROR "${file}: no target has the folder ${folder}; name it in CMakeLists.txt")
        endif()
    endforeach()
endfunction()

# Writes what each target is made of: lines "source, file, target, its own flags", parted by tabs.
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
