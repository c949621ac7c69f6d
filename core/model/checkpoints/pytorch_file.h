// Reading weights as PyTorch saves them (a .pth or .pt file of torch.save since 1.6): a zip archive with a
// pickle that describes the tensors and one file of raw numbers for each storage. It is read as data:
// nothing in it is executed (pytorch_pickle.h).
#pragma once

#include "base/error.h"
#include "model/checkpoints/named_arrays.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

/// The members of a PyTorch archive, unpacked.
struct WeightsArchive {
    std::string pickle;                          ///< data.pkl
    std::map<std::string, std::string> storages; ///< raw little-endian numbers, by the key in the pickle
};

/// Errors do not carry the path.
[[nodiscard]] Result<WeightsArchive> read_weights_archive(const std::filesystem::path& path,
                                                          std::uint64_t limit);

struct WeightsLimits {
    std::uint64_t bytes = std::uint64_t{1} << 30; ///< of the unpacked archive, and of the tensors as float32
};

/// Every tensor in the file, in its order, as float32. Names of nested containers are joined with dots
/// ("state_dict.layer1.0.kernel"); numbers and texts beside the tensors are ignored. Damaged, truncated
/// and foreign files are errors of Fault::Input, sizes over the limit of Fault::Limit.
[[nodiscard]] Result<std::vector<NamedArray>> read_pytorch_weights(const std::filesystem::path& path,
                                                                   const WeightsLimits& limits = {});

} // namespace sparsight
