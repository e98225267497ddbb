# SPDX-License-Identifier: MIT
# The viewer: a part without a window, which tests use, and the window itself where GLFW and Dear ImGui are found.
set(CAPSTAN_VIEWER AUTO CACHE STRING "Build the viewer: ON, OFF, or AUTO (when GLFW, Dear ImGui and the renderer are there)")
capstan_glob(viewerSources apps/viewer/*.cpp)
capstan_glob(sessionSources apps/viewer/session/*.cpp)
list(REMOVE_ITEM viewerSources ${sessionSources})

capstan_objects(capstan_session ${sessionSources})
target_link_libraries(capstan_session PUBLIC capstan_view Threads::Threads)
list(APPEND cliParts capstan_session)

if(CAPSTAN_VIEWER)
    find_path(CAPSTAN_GLFW_INCLUDE GLFW/glfw3.h)
    find_path(CAPSTAN_IMGUI_INCLUDE imgui.h PATH_SUFFIXES imgui)
    find_library(CAPSTAN_LIB_GLFW glfw)
    find_library(CAPSTAN_LIB_IMGUI imgui)
    find_library(CAPSTAN_LIB_STB stb) # Debian's ImGui is linked against it
    if(TARGET capstan_render AND CAPSTAN_GLFW_INCLUDE AND CAPSTAN_IMGUI_INCLUDE AND CAPSTAN_LIB_GLFW AND
        CAPSTAN_LIB_IMGUI AND CAPSTAN_LIB_STB)
        capstan_objects(capstan_viewer ${viewerSources})
        target_include_directories(capstan_viewer SYSTEM PRIVATE "${CAPSTAN_GLFW_INCLUDE}" "${CAPSTAN_IMGUI_INCLUDE}")
        target_compile_definitions(capstan_viewer PRIVATE CAPSTAN_SCENES_DIR="${PROJECT_SOURCE_DIR}/scenes")
        target_link_libraries(capstan_viewer PUBLIC capstan_session capstan_render
            "${CAPSTAN_LIB_IMGUI}" "${CAPSTAN_LIB_STB}" "${CAPSTAN_LIB_GLFW}" ${CMAKE_DL_LIBS})
        list(APPEND cliParts capstan_viewer)
        set_source_files_properties("${PROJECT_SOURCE_DIR}/apps/capstan/commands/view.cpp" PROPERTIES
            COMPILE_DEFINITIONS CAPSTAN_HAVE_VIEWER)
    elseif(NOT CAPSTAN_VIEWER STREQUAL "AUTO")
        message(FATAL_ERROR "CAPSTAN_VIEWER needs CAPSTAN_RENDER, GLFW and Dear ImGui (Debian: libglfw3-dev "
            "libimgui-dev libegl-dev libgles-dev libstb-dev), or set it to OFF")
    endif()
endif()
