// WACO's weights as others published them: PyTorch files that hold tensors and nothing about what they are
// of.
#pragma once

#include "base/error.h"
#include "domains/sparse/encoder/network_description.h"
#include "model/checkpoints/checkpoint.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct PublishedWeights {
    NetworkDescription network;
    std::vector<NamedArray> weights; ///< those of parameter_shapes(network), in its order
    /// Tensors of the file that no score depends on, and that are left out. The third-party
    /// meta_transfer_model.pth has a "head" that its own predictor does not read.
    std::vector<std::string> unused;
};

/// The network is known by the names and shapes of its tensors ("shared_backbone." before them, as in the
/// third-party files, is dropped): "paridx" makes it SDDMM's, "jsplit" SpMM's; a predictor that reads 129
/// numbers is narrowed. `op` says whose schedules it was trained on, where that is another operator: the
/// third-party weights are SpMM's in the shape of SDDMM's. What does not fit is an error that names the
/// tensors.
[[nodiscard]] Result<PublishedWeights> read_published_weights(const std::filesystem::path& path,
                                                              std::optional<Operator> op = std::nullopt);

/// A model that was never trained here; `machine` is what it was trained for, as far as that is known.
[[nodiscard]] Checkpoint import_published_weights(const PublishedWeights& published, std::string machine);

/// Rows, columns and non-zeros of the 2,033 matrices that the third party measured (in
/// waco/collected-32-threads). WACO standardised over its own training set, which is not public; it consists
/// of SuiteSparse matrices as well. A quarter or four times of these numbers changes no more than 0.002 of
/// the ordered pair accuracy on WACO's machine.
[[nodiscard]] Standardisation published_standardisation();

} // namespace sparsight
