# The library is three archives, which are the components of find_package(ardent): predict, train and
# imaging. A program that only predicts needs none of the libraries that images need. Within an archive few large
# units compile in half the time of one library per module, which would each read and instantiate Eigen
# anew. What a module may include is checked by tests/modules.
set(ARDENT_COMPONENTS predict train imaging)
set(ARDENT_PARTS "")  # targets that sources belong to

# One unit per part compiles in a fifth less time altogether than units of 50 sources, in 3 GiB instead of 2; with
# more cores the units of 50 are done sooner.
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set(ARDENT_BATCH 50)
if(cores LESS 4)
  set(ARDENT_BATCH 0)
endif()

function(ardent_part target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:ardent_internal>)
  ardent_flags(${target})
  ardent_hardened(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${ARDENT_BATCH})
  if(ARDENT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
  else()
    target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <functional>
      <map> <memory> <string> <vector>)
  endif()
  set(ARDENT_PARTS ${ARDENT_PARTS} ${target} PARENT_SCOPE)
endfunction()

# What another object takes the place of: make mutation.
foreach(source ${ARDENT_ALONE})
  set_source_files_properties(${PROJECT_SOURCE_DIR}/${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()

foreach(component ${ARDENT_COMPONENTS})
  set(archive ardent_${component})
  add_library(${archive} STATIC)
  add_library(ardent::${component} ALIAS ${archive})
  set_target_properties(${archive} PROPERTIES EXPORT_NAME ${component})
  target_include_directories(${archive} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${archive} PRIVATE Threads::Threads)
  ardent_part(${archive})
endforeach()
target_link_libraries(ardent_train PUBLIC ardent_predict)
target_link_libraries(ardent_imaging PUBLIC ardent_predict)
# All of it.
add_library(ardent INTERFACE)
add_library(ardent::ardent ALIAS ardent)
target_link_libraries(ardent INTERFACE ardent_train ardent_imaging)

# Modules without hot loops: -O3 gains codes and images a fifth, these nothing, and -O2 compiles in
# four fifths of the time.
add_library(ardent_predict_plain OBJECT)
ardent_part(ardent_predict_plain)
target_sources(ardent_predict PRIVATE $<TARGET_OBJECTS:ardent_predict_plain>)
foreach(part ardent_predict_plain ardent_train)
  target_compile_options(${part} PRIVATE $<$<CONFIG:Release>:-O2>)
endforeach()

# ardent_module(NAME [PLAIN] [COMPONENT name] [FOLDER name] [USES module ...] [LINKS private-library ...])
# Every source in the folder of the calling CMakeLists.txt, or in that FOLDER of it; COMPONENT is predict unless given; USES names the
# modules above it that it needs (read by tests/modules).
function(ardent_module name)
  cmake_parse_arguments(MODULE "PLAIN" "COMPONENT;FOLDER" "USES;LINKS" ${ARGN})
  if(NOT MODULE_COMPONENT)
    set(MODULE_COMPONENT predict)
  endif()
  set(archive ardent_${MODULE_COMPONENT})
  set(part ${archive})
  if(MODULE_PLAIN AND TARGET ${archive}_plain)
    set(part ${archive}_plain)
    target_link_libraries(${part} PRIVATE ${MODULE_LINKS})
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${MODULE_FOLDER}/*.cpp)
  target_sources(${part} PRIVATE ${sources})
  target_link_libraries(${archive} PRIVATE ${MODULE_LINKS})
  set_property(GLOBAL APPEND PROPERTY ARDENT_LINKS ${MODULE_LINKS})
endfunction()
