#include "gui/about/library_versions.h"

#include <QCoreApplication>

#include <archive.h>
#include <fmt/core.h>
#include <llvm-c/Core.h>
#include <nlohmann/detail/macro_scope.hpp>
#include <png.h>
#include <sqlite3.h>
#include <zlib.h>

namespace sparsight {

namespace {

QString dotted(int major, int minor, int patch) {
    return QStringLiteral("%1.%2.%3").arg(major).arg(minor).arg(patch);
}

QString llvm_version() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned patch = 0;
    LLVMGetVersion(&major, &minor, &patch);
    return dotted(static_cast<int>(major), static_cast<int>(minor), static_cast<int>(patch));
}

/// libarchive, libpng and fmt write 3.6.2 as 3006002, 10639 and 90100.
QString from_digits(int number, int step) {
    return dotted(number / (step * step), number / step % step, number % step);
}

} // namespace

std::vector<LibraryVersion> library_versions() {
    struct Text {
        Q_DECLARE_TR_FUNCTIONS(sparsight::LibraryVersions)
    };
    const auto latin = [](const char* text) { return QString::fromLatin1(text); };
    return {
        {latin("Qt"), latin(qVersion()), latin("LGPL-3.0-only"), Text::tr("the window")},
        {latin("Qt Charts"), latin(qVersion()), latin("GPL-3.0-only"), Text::tr("charts")},
        {latin("LLVM"), llvm_version(), latin("Apache-2.0 WITH LLVM-exception"),
         Text::tr("compiles kernels while the program runs")},
        {latin("SQLite"), latin(sqlite3_libversion()), Text::tr("public domain"),
         Text::tr("the workspace file")},
        {latin("libarchive"), from_digits(archive_version_number(), 1000), latin("BSD-2-Clause"),
         Text::tr("compressed matrices and archives")},
        {latin("zlib"), latin(zlibVersion()), latin("Zlib"), Text::tr("patterns in the workspace")},
        {latin("libpng"), from_digits(static_cast<int>(png_access_version_number()), 100),
         latin("libpng-2.0"), Text::tr("pictures in reports")},
        {latin("{fmt}"), from_digits(FMT_VERSION, 100), latin("MIT"), Text::tr("texts")},
        {latin("JSON for Modern C++"),
         dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH),
         latin("MIT"), Text::tr("descriptions of machines, events of jobs")},
        {latin("fast_float"), latin(SPARSIGHT_FAST_FLOAT_VERSION), latin("MIT OR Apache-2.0"),
         Text::tr("numbers in matrix files")},
        {latin("CLI11"), latin(SPARSIGHT_CLI11_VERSION), latin("BSD-3-Clause"),
         Text::tr("the command line, in sparsight-cli")},
        {latin("Eigen"), latin(SPARSIGHT_EIGEN_VERSION), latin("MPL-2.0"),
         Text::tr("the reference of kernels; tests only")},
        {latin("GoogleTest"), latin(SPARSIGHT_GTEST_VERSION), latin("BSD-3-Clause"), Text::tr("tests only")},
        {latin("Google Benchmark"), latin(SPARSIGHT_BENCHMARK_VERSION), latin("Apache-2.0"),
         Text::tr("benchmarks only")},
    };
}

} // namespace sparsight
