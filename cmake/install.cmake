# SPDX-License-Identifier: MIT
# Installation: the libraries, the public headers, the program, and the files for find_package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(packageDir ${CMAKE_INSTALL_LIBDIR}/cmake/capstan)
install(TARGETS ${libraries} EXPORT capstanTargets)
install(DIRECTORY include/capstan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
if(TARGET capstan_cli)
    install(TARGETS capstan_cli)
endif()
configure_package_config_file(cmake/capstanConfig.cmake.in capstanConfig.cmake INSTALL_DESTINATION ${packageDir})
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(capstanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/capstanConfig.cmake" "${PROJECT_BINARY_DIR}/capstanConfigVersion.cmake"
    DESTINATION ${packageDir})
install(EXPORT capstanTargets NAMESPACE capstan:: DESTINATION ${packageDir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
