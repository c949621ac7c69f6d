// Cache files of Kernel Tuner: one JSON object whose member "cache" has a member for each configuration.
//
// The workload is the kernel with its problem size ("convolution_4096x4096"), the space the kernel. The time
// is the median of "times" (ms), or "time" where they are missing. A text in its place says why there is
// none. A cache that was not closed, because the run was killed, is read as far as it goes, as Kernel Tuner
// does. Format: github.com/KernelTuner/kernel_tuner, doc/source/cache_files.rst and
// kernel_tuner/schema/cache.
#pragma once

#include "domains/records/formats/json_document.h"
#include "domains/records/record_source.h"

#include <memory>

namespace sparsight {

/// RecordOptions::machine stands for the file's "device_name". Errors, with the file: no kernel, machine or
/// names of parameters; as of JsonStream.
[[nodiscard]] Result<std::unique_ptr<RecordSource>>
open_kernel_tuner_cache(const RecordFile& file, const JsonDocument& document, const RecordOptions& options);

} // namespace sparsight
