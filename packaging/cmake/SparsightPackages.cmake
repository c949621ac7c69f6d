# Everything we stand on, each with the reason, so that a missing one is named with what it is for.
include(FeatureSummary)

macro(sparsight_require name purpose)
    find_package(${name} QUIET ${ARGN})
    set_package_properties(${name} PROPERTIES TYPE REQUIRED PURPOSE "${purpose}")
endmacro()

sparsight_require(Threads "the thread team that runs kernels")
sparsight_require(fmt "text formatting")
sparsight_require(nlohmann_json "machine-readable output and descriptions")
sparsight_require(SQLite3 "the workspace file")
sparsight_require(ZLIB "patterns stored in the workspace")
sparsight_require(BZip2 "compressed matrices")
sparsight_require(LibArchive "compressed matrices and SuiteSparse archives")
sparsight_require(FastFloat "parsing numbers in Matrix Market files")
sparsight_require(PNG "sparsity pictures in reports")

# By name and not by find_package(LLVM): its exported targets want every optional library of LLVM installed.
if(SPARSIGHT_KERNELS)
    find_program(SPARSIGHT_LLVM_CONFIG NAMES llvm-config-19)
    if(SPARSIGHT_LLVM_CONFIG)
        set_property(GLOBAL APPEND PROPERTY PACKAGES_FOUND llvm-config-19)
    else()
        set_property(GLOBAL APPEND PROPERTY PACKAGES_NOT_FOUND llvm-config-19)
    endif()
    set_package_properties(llvm-config-19 PROPERTIES TYPE REQUIRED PURPOSE "compiling kernels while the program runs")
endif()

if(NOT SPARSIGHT_FUZZ)
    sparsight_require(CLI11 "the command line")
    sparsight_require(tomlplusplus "configuration files of training runs")
    sparsight_require(Eigen3 "the plane that schedules are drawn on, and the reference that kernels are checked against")
    sparsight_require(GTest "the tests")
    sparsight_require(benchmark "the benchmarks")
    if(SPARSIGHT_WINDOW)
        sparsight_require(Qt6 "the window" COMPONENTS Core Gui Widgets Concurrent Charts Svg Test)
    endif()
    # Debian's, or an official LibTorch 2.x (with CUDA or without) that Torch_DIR points at.
    sparsight_require(Torch "tensors and derivatives for the cost models")
    # By name: Debian's package file for find_package(xgboost) names targets that are not there.
    find_library(SPARSIGHT_XGBOOST xgboost)
    find_path(SPARSIGHT_XGBOOST_INCLUDES xgboost/c_api.h)
    if(SPARSIGHT_XGBOOST AND SPARSIGHT_XGBOOST_INCLUDES)
        set_property(GLOBAL APPEND PROPERTY PACKAGES_FOUND xgboost)
    else()
        set_property(GLOBAL APPEND PROPERTY PACKAGES_NOT_FOUND xgboost)
    endif()
    set_package_properties(xgboost PROPERTIES TYPE REQUIRED PURPOSE "boosted trees, the baseline of the cost models")
    find_path(SPARSIGHT_HNSWLIB_INCLUDES hnswlib/hnswlib.h)
    if(SPARSIGHT_HNSWLIB_INCLUDES)
        set_property(GLOBAL APPEND PROPERTY PACKAGES_FOUND hnswlib)
    else()
        set_property(GLOBAL APPEND PROPERTY PACKAGES_NOT_FOUND hnswlib)
    endif()
    set_package_properties(hnswlib PROPERTIES TYPE REQUIRED PURPOSE "the graph that schedules are searched in")
    # LibTorch brings the library; its headers include these.
    find_path(SPARSIGHT_GLOO_INCLUDES gloo/algorithm.h HINTS ${TORCH_INCLUDE_DIRS})
    if(SPARSIGHT_GLOO_INCLUDES)
        set_property(GLOBAL APPEND PROPERTY PACKAGES_FOUND gloo)
    else()
        set_property(GLOBAL APPEND PROPERTY PACKAGES_NOT_FOUND gloo)
    endif()
    set_package_properties(gloo PROPERTIES TYPE OPTIONAL PURPOSE "training by several processes together")
    include(GoogleTest)
endif()

# Here and not at the end of the build: without a package our targets would fail first, with less to say.
feature_summary(WHAT REQUIRED_PACKAGES_NOT_FOUND QUIET_ON_EMPTY FATAL_ON_MISSING_REQUIRED_PACKAGES
    DESCRIPTION "These are missing (packaging/dependencies installs them on Debian 12):")

if(SPARSIGHT_KERNELS)
    execute_process(COMMAND ${SPARSIGHT_LLVM_CONFIG} --includedir
        OUTPUT_VARIABLE SPARSIGHT_LLVM_INCLUDES OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${SPARSIGHT_LLVM_CONFIG} --libdir
        OUTPUT_VARIABLE SPARSIGHT_LLVM_LIBRARIES OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    add_library(sparsight_llvm INTERFACE)
    target_include_directories(sparsight_llvm SYSTEM INTERFACE ${SPARSIGHT_LLVM_INCLUDES})
    target_link_directories(sparsight_llvm INTERFACE ${SPARSIGHT_LLVM_LIBRARIES})
    target_link_libraries(sparsight_llvm INTERFACE LLVM-19)
endif()

# LibTorch for core/model and what is above it. It costs a process 0.36 s and 165 MB at its start, so that programs
# which train nothing do not link it. Its headers are the system's: their warnings are not ours.
if(NOT SPARSIGHT_FUZZ)
    if("${TORCH_CXX_FLAGS}" MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
        message(FATAL_ERROR "The LibTorch in ${Torch_DIR} has the old C++ ABI; take its \"cxx11 ABI\" download.")
    endif()
    # The other value is what the compiler takes anyway, and saying it once more would keep the precompiled
    # header from being used.
    set_property(TARGET torch PROPERTY INTERFACE_COMPILE_OPTIONS "")
    add_library(sparsight_torch INTERFACE)
    target_include_directories(sparsight_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
    target_link_libraries(sparsight_torch INTERFACE ${TORCH_LIBRARIES})
    # PyTorch's packages bring headers of another fmt, which hide those of ours, and no library for them.
    foreach(folder IN LISTS TORCH_INCLUDE_DIRS)
        if(EXISTS ${folder}/torch AND EXISTS ${folder}/fmt/format.h AND NOT folder STREQUAL "/usr/include")
            target_compile_definitions(sparsight_torch INTERFACE FMT_HEADER_ONLY)
        endif()
    endforeach()

    add_library(sparsight_xgboost INTERFACE)
    target_include_directories(sparsight_xgboost SYSTEM INTERFACE ${SPARSIGHT_XGBOOST_INCLUDES})
    target_link_libraries(sparsight_xgboost INTERFACE ${SPARSIGHT_XGBOOST})

    add_library(sparsight_hnswlib INTERFACE)
    target_include_directories(sparsight_hnswlib SYSTEM INTERFACE ${SPARSIGHT_HNSWLIB_INCLUDES})
endif()
