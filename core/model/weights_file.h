// Weights as PyTorch saves them (a .pth or .pt file of torch.save since 1.6): a zip archive with a pickle
// that describes the tensors and one file of raw numbers for each storage. It is read as data: nothing in it
// is executed (pickle.h).
#pragma once

#include "base/error.h"
#include "model/named_array.h"

#include <filesystem>
#include <vector>

namespace sparsight {

struct WeightsLimits {
    std::uint64_t bytes = std::uint64_t{1} << 30; ///< of the unpacked archive, and of the tensors as float32
};

/// Every tensor in the file, in its order, as float32. Names of nested containers are joined with dots
/// ("state_dict.layer1.0.kernel"); numbers and texts beside the tensors are passed over. Damaged, truncated
/// and foreign files are errors of Fault::Input, sizes over the limit of Fault::Limit.
[[nodiscard]] Result<std::vector<NamedArray>> read_pytorch_weights(const std::filesystem::path& path,
                                                                   const WeightsLimits& limits = {});

} // namespace sparsight
