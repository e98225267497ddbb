# SPDX-License-Identifier: MIT
# The viewer: a library without a window, which tests use, and the window itself if GLFW and Dear ImGui are found.
set(viewerFolders apps/viewer apps/viewer/input apps/viewer/panels)
capstan_objects(capstan_session)
capstan_folders(capstan_session apps/viewer/session)
target_link_libraries(capstan_session PUBLIC capstan_view Threads::Threads)
capstan_no_other_folders(apps apps/fuzz apps/capstan apps/capstan/commands apps/viewer/session ${viewerFolders})
list(APPEND cliParts capstan_session)

if(CAPSTAN_VIEWER)
    find_path(CAPSTAN_GLFW_INCLUDE GLFW/glfw3.h)
    find_path(CAPSTAN_IMGUI_INCLUDE imgui.h PATH_SUFFIXES imgui)
    find_library(CAPSTAN_LIB_GLFW glfw)
    find_library(CAPSTAN_LIB_IMGUI imgui)
    find_library(CAPSTAN_LIB_STB stb) # Debian's ImGui is linked against it
    if(TARGET capstan_render AND CAPSTAN_GLFW_INCLUDE AND CAPSTAN_IMGUI_INCLUDE AND CAPSTAN_LIB_GLFW AND
        CAPSTAN_LIB_IMGUI AND CAPSTAN_LIB_STB)
        capstan_objects(capstan_viewer)
        capstan_folders(capstan_viewer ${viewerFolders})
        target_include_directories(capstan_viewer SYSTEM PRIVATE "${CAPSTAN_GLFW_INCLUDE}" "${CAPSTAN_IMGUI_INCLUDE}")
        target_compile_definitions(capstan_viewer PRIVATE CAPSTAN_SCENES_DIR="${PROJECT_SOURCE_DIR}/scenes")
        target_link_libraries(capstan_viewer PUBLIC capstan_session capstan_render
            "${CAPSTAN_LIB_IMGUI}" "${CAPSTAN_LIB_STB}" "${CAPSTAN_LIB_GLFW}" ${CMAKE_DL_LIBS})
        list(APPEND cliParts capstan_viewer)
    elseif(NOT CAPSTAN_VIEWER STREQUAL "AUTO")
        message(FATAL_ERROR "CAPSTAN_VIEWER needs CAPSTAN_RENDER, GLFW and Dear ImGui (Debian: libglfw3-dev "
            "libimgui-dev libegl-dev libgles-dev libstb-dev), or set it to OFF")
    endif()
endif()
if(NOT TARGET capstan_viewer)
    capstan_without("no GLFW or Dear ImGui" apps/viewer/input/* apps/viewer/panels/* apps/viewer/*)
endif()
