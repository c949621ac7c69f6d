// The members of a PyTorch archive, unpacked.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace sparsight {

struct WeightsArchive {
    std::string pickle;                          ///< data.pkl
    std::map<std::string, std::string> storages; ///< raw little-endian numbers, by the key in the pickle
};

/// Errors carry no path.
[[nodiscard]] Result<WeightsArchive> read_weights_archive(const std::filesystem::path& path,
                                                          std::uint64_t limit);

} // namespace sparsight
