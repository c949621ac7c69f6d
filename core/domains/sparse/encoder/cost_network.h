// The networks that embed matrices and schedules: pure functions of their parameters. Nothing
// here asks for gradients or refuses them; whoever calls decides.
#pragma once

#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "machine/machine_description.h"
#include "model/convolution/convolution_pyramid.h"
#include "model/tensors/named_tensors.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <span>

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

} // namespace sparsight
