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
    sparsight_compile_united(${target})
endfunction()

# sparsight_add_test(<name> SOURCES ... [LINK <targets> ...] [LABELS ...] [TIMEOUT seconds] [ENVIRONMENT NAME=value]
#                    [TOGETHER])
# One GoogleTest executable; every TEST in it is a ctest of its own. TOGETHER, all of them are one: for programs whose
# start takes longer than most of their tests, as LibTorch's half a second.
function(sparsight_add_test name)
    cmake_parse_arguments(ARG "TOGETHER" "TIMEOUT;ENVIRONMENT" "SOURCES;LINK;LABELS" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE ${ARG_LINK} sparsight_test_support sparsight_compiler GTest::gmock GTest::gtest_main)
    sparsight_precompile(${name})
    sparsight_compile_united(${name})
    set(properties TIMEOUT ${ARG_TIMEOUT})
    if(ARG_LABELS)
        list(APPEND properties LABELS "${ARG_LABELS}")
    endif()
    if(ARG_ENVIRONMENT)
        list(APPEND properties ENVIRONMENT "${ARG_ENVIRONMENT}")
    endif()
    if(ARG_TOGETHER)
        add_test(NAME ${name} COMMAND ${name})
        set_tests_properties(${name} PROPERTIES ${properties})
        return()
    endif()
    gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# Headers that nearly every file of a target includes, compiled once for all targets of its kind: a precompiled header
# for each target costs 3 s a target, more than it saves in a folder of few files. GCC takes it only where it was
# made with the same flags; that is why sparsight_compiler asks for -fPIC everywhere.
function(sparsight_precompile target)
    set(owner sparsight_precompiled)
    set(headers
        <algorithm> <array> <cstdint> <expected> <filesystem> <functional> <memory> <optional>
        <span> <string> <string_view> <vector> <fmt/format.h>)
    set(libraries sparsight_compiler fmt::fmt)
    get_target_property(links ${target} LINK_LIBRARIES)
    if(links MATCHES "sparsight_(torch|model|learning)(;|$)")
        string(APPEND owner _tensors)
        list(APPEND headers <ATen/core/Tensor.h> <ATen/TensorOperators.h>)
        list(APPEND libraries sparsight_torch)
    elseif(links MATCHES "sparsight_(widgets|gui)")
        string(APPEND owner _window)
        # Not QtTest: its target names the folder of each test, and the header would fit that one alone.
        list(APPEND headers <QtCore> <QtGui> <QtWidgets>)
        list(APPEND libraries Qt6::Widgets)
    endif()
    if("GTest::gmock" IN_LIST links)
        string(APPEND owner _tests)
        list(APPEND headers <gmock/gmock.h> <gtest/gtest.h>)
        list(APPEND libraries GTest::gmock)
    endif()

    if(NOT TARGET ${owner})
        set(source ${PROJECT_BINARY_DIR}/precompiled/${owner}.cpp)
        file(CONFIGURE OUTPUT ${source} CONTENT "")
        add_library(${owner} OBJECT ${source})
        target_link_libraries(${owner} PRIVATE ${libraries})
        target_precompile_headers(${owner} PRIVATE ${headers})
    endif()
    target_link_libraries(${target} PRIVATE fmt::fmt) # its definitions are part of the precompiled header
    target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# Several files are compiled as one, in a third to half of the time: headers cost more than the code of a file. Names in
# anonymous namespaces have to differ within such a target. Tools that want one command a file set SPARSIGHT_UNITED=OFF.
function(sparsight_compile_united target)
    if(SPARSIGHT_UNITED)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
    endif()
endfunction()
