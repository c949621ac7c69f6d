// Where a training run stands: all that it needs to go on, bit for bit, after it was stopped or killed.
#pragma once

#include "base/error.h"
#include "learning/training/learning_method.h"
#include "model/checkpoints/named_arrays.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

struct TrainingState {
    Method method = Method::Supervised; ///< that it was made by, and can only go on with
    MetaParameters parameters;
    AdamState adam;         ///< over the weights, then the rates
    int epoch = 0;          ///< the one that is under way, from 0
    std::size_t step = 0;   ///< steps of it that are done
    double loss_sum = 0;    ///< of these
    std::int64_t steps = 0; ///< over all epochs
    NamedTensors best;      ///< the weights with the best validation loss
    std::optional<NamedTensors> best_rates;
    std::optional<double> best_loss;
    int best_epoch = 0;
    int epochs_without_gain = 0;
};

[[nodiscard]] TrainingState initial_training_state(Method method, const InnerLoop& loop,
                                                   const NamedTensors& weights);

/// Bytes, with a checksum.
[[nodiscard]] std::vector<std::byte> training_state_bytes(const TrainingState& state);
/// Exactly what was saved, on the device; `like` has the weights' names and shapes. Damaged bytes, or those
/// of another network or method, are errors of Fault::Input.
[[nodiscard]] Result<TrainingState> parse_training_state(std::span<const std::byte> bytes, Method method,
                                                         std::span<const NamedShape> like,
                                                         at::Device device = at::Device(at::kCPU));

} // namespace sparsight
