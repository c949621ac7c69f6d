// Results in the T4 format of the auto-tuning community: one JSON object with a list "results".
//
// A result has its configuration, times.runtimes (ms), measurements with units, and an invalidity: why there
// is no time. The format names neither the workload nor the machine: an object "metadata" in a result or in
// the file may ("workload" or "kernel_name", "machine" or "device_name", "space", "run"), as record_export.h
// writes them. Otherwise the file's name is that of the workload and of the space. Format:
// github.com/odgaard/TuningSchema (branch T4), results-schema.json; "FAIR sharing of data in autotuning
// research", doi.org/10.1145/3629527.3651429.
#pragma once

#include "domains/records/formats/json_document.h"
#include "domains/records/record_source.h"

#include <memory>

namespace sparsight {

/// RecordOptions::machine is for results that name none. Errors, with the file: as of JsonStream.
[[nodiscard]] Result<std::unique_ptr<RecordSource>>
open_t4_results(const RecordFile& file, const JsonDocument& document, const RecordOptions& options);

} // namespace sparsight
