// Where the tensors of a network are, and what computes with them.
#pragma once

#include "base/error.h"

#include <c10/core/Device.h>
#include <string_view>

namespace sparsight {

/// "cpu", "cuda" or "cuda:1". An error (Fault::Input) says what is expected, or why there is none: LibTorch
/// without CUDA, no such GPU.
[[nodiscard]] Result<at::Device> usable_device(std::string_view text);

} // namespace sparsight
