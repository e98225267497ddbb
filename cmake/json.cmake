# SPDX-License-Identifier: MIT
# JSON for Modern C++, which scenes are read with: found or not (nlohmann_json_FOUND).
find_package(nlohmann_json 3.10 QUIET)
if(CMAKE_CROSSCOMPILING AND NOT nlohmann_json_FOUND)
    # It is headers only, so those of this machine serve every other. They are linked into a folder of their own: beside
    # them lie the headers of this machine's C library.
    find_path(CAPSTAN_JSON_INCLUDE nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
    if(CAPSTAN_JSON_INCLUDE)
        file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/json")
        file(CREATE_LINK "${CAPSTAN_JSON_INCLUDE}/nlohmann" "${PROJECT_BINARY_DIR}/json/nlohmann" SYMBOLIC)
        add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
        target_include_directories(nlohmann_json::nlohmann_json INTERFACE "${PROJECT_BINARY_DIR}/json")
        set(nlohmann_json_FOUND ON)
    endif()
endif()
