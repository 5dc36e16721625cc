# Sets TRELLIS_PYTHON: whether the Python module is built, which needs Python.h, NumPy's C API and pybind11
# (`third_party/install.sh python`). Without them everything else is built all the same. An interpreter without sanitizers
# loads a module with AddressSanitizer once that library is there (tests/CMakeLists.txt), and none with ThreadSanitizer.
set(TRELLIS_PYTHON OFF)
if(NOT TRELLIS_FUZZ AND NOT TRELLIS_SANITIZE_THREADS)
  # Debian's interpreter before any other: its packages are what the module and its tests are for.
  if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
  endif()
  find_package(Python3 COMPONENTS Interpreter QUIET)
  # The interpreter knows best where its own headers are; CMake would take those of another one.
  set(PYTHON_INCLUDE_DIRS)
  if(Python3_FOUND)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c
      "import sysconfig, numpy; print(sysconfig.get_path('include') + ';' + numpy.get_include(), end='')"
      OUTPUT_VARIABLE PYTHON_INCLUDE_DIRS ERROR_QUIET)
  endif()
  set(python_include)
  if(PYTHON_INCLUDE_DIRS)
    list(GET PYTHON_INCLUDE_DIRS 0 python_include)
  endif()
  find_path(PYBIND11_INCLUDE_DIR pybind11/pybind11.h)
  if(python_include AND EXISTS "${python_include}/Python.h" AND PYBIND11_INCLUDE_DIR)
    set(TRELLIS_PYTHON ON)
  else()
    message(STATUS "The Python module is not built: Python.h, NumPy or pybind11 is missing "
      "(third_party/install.sh python)")
  endif()
endif()
