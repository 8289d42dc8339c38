# The library a second time, under the address and undefined-behaviour sanitizers, warnings as errors, as
# objects of which the command (cli/) and the test programs (tests/) are linked a second time. Tests are
# compiled once for both: half of the time of a build of its own. Their own code is not checked (the preset
# dev does that); the library's templates are, since its objects come first and the linker keeps
# the first definition.
add_library(ardent_sanitized OBJECT)
target_compile_features(ardent_sanitized PUBLIC cxx_std_20)
foreach(part ardent ardent_plain)
  target_sources(ardent_sanitized PRIVATE
    $<FILTER:$<TARGET_PROPERTY:${part},SOURCES>,INCLUDE,\\.cpp$>)
endforeach()
target_include_directories(ardent_sanitized PUBLIC $<TARGET_PROPERTY:ardent,INCLUDE_DIRECTORIES>)
target_compile_definitions(ardent_sanitized PUBLIC $<TARGET_PROPERTY:ardent,COMPILE_DEFINITIONS>)
target_link_libraries(ardent_sanitized PUBLIC $<TARGET_PROPERTY:ardent,LINK_LIBRARIES>)
set_target_properties(ardent_sanitized PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 50)

function(ardent_sanitized_flags target)
  ardent_flags(${target})
  ardent_sanitize(${target} address,undefined)
  target_compile_options(${target} PRIVATE -O1 -g1 -UNDEBUG -Werror)
endfunction()
ardent_sanitized_flags(ardent_sanitized)
