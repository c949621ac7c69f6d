// Where the tensors of a network are, and what computes with them.
#pragma once

#include "base/error.h"

#include <c10/core/Device.h>
#include <string>
#include <string_view>

namespace sparsight {

/// "cpu", "cuda" or "cuda:1". An error (Fault::Input) says what is expected, or why there is none: LibTorch
/// without CUDA, no such GPU.
[[nodiscard]] Result<at::Device> usable_device(std::string_view text);

/// The device of one of several processes that share a computer, numbered from 0: "cuda" is dealt out among
/// the GPUs, everything else stays what it is. `usable` as usable_device() takes it.
[[nodiscard]] std::string device_of_process(std::string_view usable, int local_rank);

} // namespace sparsight
