// A matrix out of a file.
#pragma once

#include "matrix/pattern.h"
#include "matrix/read_report.h"

#include <string>

namespace sparsight {

struct LoadedMatrix {
    std::string name; ///< of the file without folder and suffixes: "cage8" for "data/cage8.mtx.gz"
    CsrPattern pattern;
    ReadReport report;
};

} // namespace sparsight
