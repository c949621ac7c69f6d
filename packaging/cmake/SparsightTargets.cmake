# sparsight_add_library(<folder> SOURCES ... [DEPENDS <folders> ...] [LINK <libraries> ...])
# One static library for a folder of core/: its name is sparsight_<folder>, headers are included as "<folder>/x.h".
# DEPENDS are visible to users of the library, LINK stays private.
function(sparsight_add_library folder)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
    set(target sparsight_${folder})
    add_library(${target} STATIC ${ARG_SOURCES})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/core)
    list(TRANSFORM ARG_DEPENDS PREPEND sparsight_)
    target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE sparsight_compiler ${ARG_LINK})
    sparsight_precompile(${target})
endfunction()

# sparsight_add_test(<name> SOURCES ... [LINK <targets> ...] [LABELS ...] [TIMEOUT seconds])
# One GoogleTest executable; every TEST in it is a ctest of its own.
function(sparsight_add_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINK} sparsight_test_support sparsight_compiler GTest::gmock GTest::gtest_main)
    sparsight_precompile(${name})
    set(properties TIMEOUT ${ARG_TIMEOUT})
    if(ARG_LABELS)
        list(APPEND properties LABELS "${ARG_LABELS}")
    endif()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# Standard headers that nearly every file includes, compiled once for each target's flags.
function(sparsight_precompile target)
    target_precompile_headers(${target} PRIVATE
        <algorithm> <array> <cstdint> <expected> <filesystem> <functional> <memory> <optional>
        <span> <string> <string_view> <vector> <fmt/format.h>)
endfunction()
