# SPDX-License-Identifier: MIT
# The renderer: GLES 3 through EGL, without a window. capstan_view is its part without GL (cameras, collected drawables,
# glTF). It is not installed, because only Capstan's applications use it.
capstan_library(capstan_view STATIC)
capstan_folders(capstan_view render/view)
target_link_libraries(capstan_view PUBLIC ${libraries} PRIVATE fmt::fmt)
capstan_no_other_folders(render render/view render/gl render/film)

if(CAPSTAN_RENDER)
    find_path(CAPSTAN_GLES_INCLUDE GLES3/gl3.h)
    find_path(CAPSTAN_EGL_INCLUDE EGL/egl.h)
    find_path(CAPSTAN_STB_INCLUDE stb/stb_easy_font.h)
    find_library(CAPSTAN_LIB_GLES GLESv2)
    find_library(CAPSTAN_LIB_EGL EGL)
    if(CAPSTAN_GLES_INCLUDE AND CAPSTAN_EGL_INCLUDE AND CAPSTAN_STB_INCLUDE AND CAPSTAN_LIB_GLES AND CAPSTAN_LIB_EGL)
        capstan_library(capstan_render STATIC)
        capstan_folders(capstan_render render/gl render/film)
        target_include_directories(capstan_render SYSTEM PUBLIC
            "${CAPSTAN_GLES_INCLUDE}" "${CAPSTAN_EGL_INCLUDE}" "${CAPSTAN_STB_INCLUDE}")
        target_link_libraries(capstan_render PUBLIC capstan_view "${CAPSTAN_LIB_GLES}" "${CAPSTAN_LIB_EGL}")
    elseif(NOT CAPSTAN_RENDER STREQUAL "AUTO")
        message(FATAL_ERROR "CAPSTAN_RENDER needs EGL, GLES 3 and stb (Debian: libegl-dev libgles-dev libstb-dev), or set it to OFF")
    endif()
endif()
if(NOT TARGET capstan_render)
    capstan_without("no EGL, GLES 3 or stb" render/gl/* render/film/*)
endif()
