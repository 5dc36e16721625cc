# How each dependency is found. All come from Debian's packages; third_party/README.md says which and why.
find_package(nlohmann_json REQUIRED)
find_package(doctest REQUIRED)
find_package(ZLIB REQUIRED)

# isl's own .pc file asks for gmp's development package, which we do not need.
find_path(ISL_INCLUDE_DIR isl/ctx.h REQUIRED)
find_library(ISL_LIBRARY isl REQUIRED)
if(NOT TARGET isl::isl)
  add_library(isl::isl UNKNOWN IMPORTED)
  set_target_properties(isl::isl PROPERTIES IMPORTED_LOCATION ${ISL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ISL_INCLUDE_DIR})
endif()

# libtcc has no package file and comes as a static library only.
find_path(LIBTCC_INCLUDE_DIR libtcc.h REQUIRED)
find_library(LIBTCC_LIBRARY NAMES libtcc.a REQUIRED)
if(NOT TARGET libtcc::libtcc)
  add_library(libtcc::libtcc STATIC IMPORTED)
  set_target_properties(libtcc::libtcc PROPERTIES IMPORTED_LOCATION ${LIBTCC_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LIBTCC_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
endif()
# Graphviz without its search for plug-ins: the two that lay graphs out are linked, so that no text engine comes along.
find_path(GRAPHVIZ_INCLUDE_DIR graphviz/gvc.h REQUIRED)
foreach(library gvc cgraph gvplugin_dot_layout gvplugin_core)
  find_library(GRAPHVIZ_${library} ${library} PATH_SUFFIXES graphviz REQUIRED)
  list(APPEND graphviz_libraries ${GRAPHVIZ_${library}})
endforeach()
if(NOT TARGET graphviz::graphviz)
  add_library(graphviz::graphviz INTERFACE IMPORTED)
  set_target_properties(graphviz::graphviz PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${GRAPHVIZ_INCLUDE_DIR};${GRAPHVIZ_INCLUDE_DIR}/graphviz" INTERFACE_LINK_LIBRARIES "${graphviz_libraries}")
endif()
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
if(NOT TARGET xxhash::xxhash)
  add_library(xxhash::xxhash UNKNOWN IMPORTED)
  set_target_properties(xxhash::xxhash PROPERTIES IMPORTED_LOCATION ${XXHASH_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${XXHASH_INCLUDE_DIR})
endif()
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
if(NOT TARGET metis::metis)
  add_library(metis::metis UNKNOWN IMPORTED)
  set_target_properties(metis::metis PROPERTIES IMPORTED_LOCATION ${METIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})
endif()
find_path(LIBEDIT_INCLUDE_DIR histedit.h REQUIRED)
# Proofs about what users promise of indices; without it they are not made, and what needs them is not done.
find_path(Z3_INCLUDE_DIR z3++.h)
find_library(Z3_LIBRARY z3)
if(Z3_INCLUDE_DIR AND Z3_LIBRARY AND NOT TARGET z3::z3)
  add_library(z3::z3 UNKNOWN IMPORTED)
  set_target_properties(z3::z3 PROPERTIES IMPORTED_LOCATION ${Z3_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Z3_INCLUDE_DIR})
endif()

find_library(LIBEDIT_LIBRARY edit REQUIRED)
if(NOT TARGET libedit::libedit)
  add_library(libedit::libedit UNKNOWN IMPORTED)
  set_target_properties(libedit::libedit PROPERTIES IMPORTED_LOCATION ${LIBEDIT_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LIBEDIT_INCLUDE_DIR})
endif()

# The explorer.
find_package(PkgConfig REQUIRED)
find_package(glfw3 3.3 REQUIRED)
find_package(OpenGL REQUIRED)
find_package(Freetype REQUIRED)
pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)
if(NOT TARGET imgui::imgui)
  add_library(imgui::imgui INTERFACE IMPORTED)
  # Before the libraries that it needs, as it is static.
  set_target_properties(imgui::imgui PROPERTIES INTERFACE_LINK_LIBRARIES "PkgConfig::IMGUI;Freetype::Freetype;OpenGL::GL;${CMAKE_DL_LIBS}")
endif()

# Headers only, without a package file.
find_path(STB_INCLUDE_DIR stb/stb_image_write.h REQUIRED)
set(Dependencies_FOUND TRUE)
