# What find_package(ardent) finds: ardent::ardent.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ardent)

install(TARGETS ardent EXPORT ardent-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/ardent/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ardent
        FILES_MATCHING PATTERN "*.h" PATTERN "cfitsio.h" EXCLUDE PATTERN "fits_memory.h" EXCLUDE)
install(EXPORT ardent-targets NAMESPACE ardent:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ardent-config.cmake.in
  ${CMAKE_BINARY_DIR}/ardent-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ardent-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ardent-config.cmake ${CMAKE_BINARY_DIR}/ardent-config-version.cmake
        DESTINATION ${package_dir})
