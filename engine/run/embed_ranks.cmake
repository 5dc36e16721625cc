# Writes OUTPUT, a source that holds the files of a rank: those of PARTS, and the header HEADER.
include(${CMAKE_CURRENT_LIST_DIR}/../literal.cmake)

set(text "#include \"engine/run/on_mpi.hpp\"\n\nnamespace trellis::run {\nconst std::vector<std::pair<std::string_view, std::string_view>> rank_files = {\n")
file(GLOB files ${PARTS}/*)
list(SORT files)
foreach(file IN LISTS files ITEMS ${HEADER})
  literal(content ${file})
  get_filename_component(name ${file} NAME)
  string(APPEND text "{\"${name}\", ${content}},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}};\n}  // namespace trellis::run\n")
