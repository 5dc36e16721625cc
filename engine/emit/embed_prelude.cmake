# Writes OUTPUT, a source that holds the files of PARTS, and HEADER, as strings.
include(${CMAKE_CURRENT_LIST_DIR}/../literal.cmake)

set(text "#include \"engine/emit/helper_text.hpp\"\n\nnamespace trellis::emit {\nconst std::vector<std::string_view> prelude_files = {\n")
file(GLOB files ${PARTS}/*.c)
list(SORT files)
foreach(file IN LISTS files)
  literal(content ${file})
  string(APPEND text "${content},\n")
endforeach()
literal(header ${HEADER})
file(WRITE ${OUTPUT} "${text}};\nconst std::string_view tensor_header = ${header};\n}  // namespace trellis::emit\n")
