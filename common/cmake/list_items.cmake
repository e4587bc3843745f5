# Writes the items of GRADER to OUTPUT, one JSON object a line.
execute_process(COMMAND "${GRADER}" --list-items OUTPUT_FILE "${OUTPUT}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  file(REMOVE "${OUTPUT}")
  message(FATAL_ERROR "${GRADER} --list-items ended with status ${status}")
endif()
