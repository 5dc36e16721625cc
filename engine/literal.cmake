# A file as a C++ string. A raw string ends at )PAGE", which no file that is embedded contains.
function(literal result file)
  file(READ ${file} content)
  # Compilers limit the length of one literal, so a file is a sequence of them.
  set(parts "")
  string(LENGTH "${content}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 8000 part)
    string(APPEND parts "R\"PAGE(${part})PAGE\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  set(${result} "${parts}" PARENT_SCOPE)
endfunction()
