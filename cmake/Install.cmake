# What find_package(ardent) and pkg-config find: the public headers and the archives of the components.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ardent)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ardent DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(component ${ARDENT_COMPONENTS})
  install(TARGETS ardent_${component} EXPORT ardent-${component}-targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ardent-${component}-targets NAMESPACE ardent:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ardent-config.cmake.in
  ${CMAKE_BINARY_DIR}/ardent-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ardent-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ardent-config.cmake ${CMAKE_BINARY_DIR}/ardent-config-version.cmake
        DESTINATION ${package_dir})

# Found from where the file itself lies, so that an installed tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH ARDENT_PC_PREFIX /${pkgconfig_dir} /)
string(REGEX REPLACE "/$" "" ARDENT_PC_PREFIX "${ARDENT_PC_PREFIX}")
set(packages ardent ardent-predict)
if(ARDENT_C)
  list(APPEND packages ardent-c)
endif()
foreach(package ${packages})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${CMAKE_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${package}.pc DESTINATION ${pkgconfig_dir})
endforeach()
