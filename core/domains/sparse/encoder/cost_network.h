// The networks that embed matrices and schedules: pure functions of their parameters, and the parameters that
// others published. Nothing here asks for gradients or refuses them; whoever calls decides.
#pragma once

#include "base/error.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "machine/machine_description.h"
#include "model/checkpoints/checkpoint.h"
#include "model/convolution/convolution_pyramid.h"
#include "model/tensors/named_tensors.h"

#include <ATen/core/Tensor.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct MatrixInput {
    std::shared_ptr<const ConvolutionPyramid> pyramid; ///< nullptr for StatisticsNet
    at::Tensor numbers;                                ///< standardised matrix_numbers(); [k]
    at::Tensor machine; ///< machine_features(); undefined where the network takes none
};

struct ScheduleInput {
    at::Tensor categories; ///< int64 [tables, n]
    at::Tensor orders;     ///< [n, loops²]
};

/// Of the statistics, WACONet looks at rows, cols and nnz only, StatisticsNet at all. `machine` is ignored
/// where the network takes none; without one where it does, every fact is unknown. Matrices that are used one
/// after the other should share workspaces (convolution_pyramid.h).
[[nodiscard]] MatrixInput matrix_input(const NetworkDescription& network, const CsrPattern& pattern,
                                       const PatternStatistics& statistics, const MachineDescription* machine,
                                       int threads,
                                       std::shared_ptr<ConvolutionWorkspaces> workspaces = nullptr);
[[nodiscard]] ScheduleInput schedule_input(const NetworkDescription& network, const ScheduleBatch& batch);

/// [embedding_width]; narrowed: [1].
[[nodiscard]] at::Tensor embed_matrix(const NetworkDescription& network, const NamedTensors& parameters,
                                      const MatrixInput& matrix);
/// [n, embedding_width]
[[nodiscard]] at::Tensor embed_schedules(const NetworkDescription& network, const NamedTensors& parameters,
                                         const ScheduleInput& schedules);
/// Both, and the predictor (model/networks/encoder.h) over them; [n].
[[nodiscard]] at::Tensor score(const NetworkDescription& network, const NamedTensors& parameters,
                               const MatrixInput& matrix, const ScheduleInput& schedules);

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
