# What every target of ours is compiled with. No -march here: hot paths choose the instruction set at run time.
# -fPIC in programs too: Qt asks for it, and one precompiled header then fits all targets.
add_library(sparsight_compiler INTERFACE)
target_compile_options(sparsight_compiler INTERFACE
    -fPIC -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<BOOL:${SPARSIGHT_WARNINGS_AS_ERRORS}>:-Werror>)
target_compile_definitions(sparsight_compiler INTERFACE
    QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII)
# libstdc++ 12 hides std::expected from a compiler that announces an older state of concepts, as Clang 19 does.
target_compile_options(sparsight_compiler INTERFACE
    $<$<CXX_COMPILER_ID:Clang>:-Wno-builtin-macro-redefined;-D__cpp_concepts=202002L>)

if(SPARSIGHT_SANITIZE)
    add_compile_options(-fsanitize=${SPARSIGHT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${SPARSIGHT_SANITIZE})
    # GCC's own manual: false alarms under sanitizers.
    target_compile_options(sparsight_compiler INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# A compiler cache only when one is installed; a fresh machine builds without it.
find_program(SPARSIGHT_CCACHE ccache)
if(SPARSIGHT_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SPARSIGHT_CCACHE})
endif()
