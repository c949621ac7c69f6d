// Tuning logs of TVM: one JSON object a line, of AutoTVM (tvm_task.cpp) or of its auto-scheduler
// (transform_steps.cpp), TopHub's packages among them. Lines that begin with '#' are comments.
//
// The machine is the target's model, or else its mcpu, device or whole text; RecordOptions::machine stands
// for all of them. Costs are seconds, of which a record gets the median in milliseconds. An error number is
// the reason why there is none. Formats: github.com/apache/tvm (v0.6 to v0.13), python/tvm/autotvm/record.py
// and src/auto_scheduler/measure_record.cc; packages: github.com/tlc-pack/tophub.
#pragma once

#include "domains/records/formats/json_values.h"
#include "domains/records/formats/parsed_record.h"
#include "domains/records/formats/record_file.h"
#include "domains/records/record_source.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Memory does not depend on how long the file is. Errors as of RecordFile::open().
[[nodiscard]] Result<std::unique_ptr<RecordSource>> open_tvm_log(const RecordFile& file,
                                                                 const RecordOptions& options);

/// "titanx" of "cuda -keys=cuda,gpu -model=titanx"; also of a target that is written as JSON.
[[nodiscard]] std::string machine_of_target(std::string_view target);

// What its lines have in common. A text that is not empty says what is wrong with a line.

/// A line as both kinds of it are decoded.
struct TvmLine {
    const Json* target = nullptr;
    const Json* result = nullptr; ///< [[costs], error number, all costs, time stamp]
    ParsedRecord record{};        ///< its space, variant, workload and decisions
    std::vector<WorkloadFact> facts{};
};
/// `line` is of AutoTVM; `space` is the one that the user named, or empty.
[[nodiscard]] std::string decode_task(const Json& line, std::string_view space, TvmLine& into);
/// `line` is of the auto-scheduler.
[[nodiscard]] std::string decode_transform_steps(const Json& line, std::string_view space, TvmLine& into);

} // namespace sparsight
