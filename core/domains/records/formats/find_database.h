// Find-databases of MIOpen, of the system (.fdb.txt) and of a user (.ufdb.txt): a line has a convolution and
// the solvers that were tried for it.
//
//   1-2-2-3x3-2-5-5-16-0x0-2x2-1x1-0-NCHW-FP32-F=ALGORITHM:SOLVER,MS,WORKSPACE,…;…    until MIOpen 2.x
//   1-2-2-3x3-2-5-5-16-0x0-2x2-1x1-0-NCHW-FP32-F=SOLVER:MS,WORKSPACE,ALGORITHM;…      since then
//
// The space is "miopen_conv", its one decision the "solver", the workload "miopen_conv:KEY" with the sizes in
// the key as its facts. The machine is in the file's name: "gfx906_60" of gfx906_60.HIP.fdb.txt, and
// "gfx90a_110" of gfx90a6e.HIP.fdb.txt, where the number of compute units is hexadecimal. Format:
// github.com/ROCm/MIOpen, src/include/miopen/perf_field.hpp and src/problem_description.cpp.
#pragma once

#include "domains/records/formats/record_file.h"
#include "domains/records/record_source.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Memory does not depend on how long the file is. RecordOptions::machine stands for that of the file's name.
/// Errors as of RecordFile::open(); no machine.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> open_find_database(const RecordFile& file,
                                                                       const RecordOptions& options);

/// What the key of a convolution says of it (in_c, in_h, …, as the published tables call it); empty where the
/// text is no such key.
[[nodiscard]] std::vector<WorkloadFact> facts_of_convolution(std::string_view key);

/// "gfx906_60" of "databases/gfx906_60.HIP.fdb.txt"; empty where the name has no GPU of AMD in it.
[[nodiscard]] std::string machine_of_database(std::string_view file);

} // namespace sparsight
