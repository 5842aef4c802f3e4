# Builds fxtref.c and fxtref-trace.c: for FetchContent, add_subdirectory and CPM.
#   FetchContent_Declare(fxtref URL ...)    FetchContent_MakeAvailable(fxtref)
#   target_link_libraries(program fxtref::fxt)
cmake_minimum_required(VERSION 3.14)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/fxtref.h version REGEX "^#define FXT_VERSION \"")
string(REGEX REPLACE ".*\"(.*)\"" "\\1" version "${version}")
project(fxtref VERSION ${version} LANGUAGES C)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS fxtref.h) # its version

function(fxtref_part name part)
  add_library(${name} ${PROJECT_SOURCE_DIR}/${name}.c)
  add_library(fxtref::${part} ALIAS ${name})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  set_target_properties(${name} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_link_libraries(${name} PUBLIC ${ARGN})
endfunction()

fxtref_part(fxtref fxt)

find_package(Threads QUIET)
if(Threads_FOUND)
  fxtref_part(fxtref-trace trace fxtref Threads::Threads)
endif()
