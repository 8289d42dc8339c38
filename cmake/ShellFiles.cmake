# Manual pages and completion for bash, zsh and fish: the command itself prints them, from the option
# schemas. That is done when installing: a build alone never runs what it built. Where it cannot run
# (another processor's instructions), all else is installed with a word.
set(shell_files ${CMAKE_CURRENT_BINARY_DIR}/shell)
install(CODE "
  file(REMOVE_RECURSE \"${shell_files}\")
  file(MAKE_DIRECTORY \"${shell_files}/man\")
  foreach(shell bash zsh fish)
    execute_process(COMMAND \"$<TARGET_FILE:ardent_command>\" completion \${shell}
      OUTPUT_FILE \"${shell_files}/\${shell}\" RESULT_VARIABLE failed)
  endforeach()
  execute_process(COMMAND \"$<TARGET_FILE:ardent_command>\" manual --folder \"${shell_files}/man\"
    RESULT_VARIABLE failed)
  if(failed)
    message(WARNING \"ardent does not run on this machine: no manual pages, no completion\")
    file(REMOVE_RECURSE \"${shell_files}\")
  endif()
")
install(FILES ${shell_files}/bash RENAME ardent OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${shell_files}/zsh RENAME _ardent OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${shell_files}/fish RENAME ardent.fish OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${shell_files}/man/ OPTIONAL DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
