# The library a second time, under the address and undefined-behaviour sanitizers, as
# objects of which the command (cli/) and one program of all tests (tests/) are linked. Tests are
# compiled once for both: half of the time of a build of its own. Their own code is not checked (the preset
# dev does that); the library's templates are, since its objects come first and the linker keeps
# the first definition.
function(ardent_sanitized_flags target)
  ardent_flags(${target} QUIET)
  ardent_sanitize(${target} address,undefined)
  target_compile_options(${target} PRIVATE -O1 -g1 -UNDEBUG)
endfunction()
# The same units as the library's: names that never met there need not differ.
get_property(ARDENT_LINKS GLOBAL PROPERTY ARDENT_LINKS)
set(ARDENT_SANITIZED_PARTS "")
set(ARDENT_SANITIZED_OBJECTS "")
foreach(part ${ARDENT_PARTS})
  set(sanitized ${part}_sanitized)
  add_library(${sanitized} OBJECT)
  target_compile_features(${sanitized} PUBLIC cxx_std_20)
  target_sources(${sanitized} PRIVATE
    $<FILTER:$<TARGET_PROPERTY:${part},SOURCES>,INCLUDE,\\.cpp$>)
  target_link_libraries(${sanitized} PUBLIC ardent_internal ${ARDENT_LINKS})
  get_target_property(batch ${part} UNITY_BUILD_BATCH_SIZE)
  set_target_properties(${sanitized} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  ardent_sanitized_flags(${sanitized})
  list(APPEND ARDENT_SANITIZED_PARTS ${sanitized})
  list(APPEND ARDENT_SANITIZED_OBJECTS $<TARGET_OBJECTS:${sanitized}>)
endforeach()
