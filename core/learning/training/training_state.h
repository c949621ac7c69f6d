// The state of a training run: all that it needs to resume bit for bit after it was stopped or killed.
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
    Method method = Method::Supervised; ///< the method of the run, which cannot change
    MetaParameters parameters;
    AdamState adam;         ///< over the weights, then the rates
    int epoch = 0;          ///< the epoch in progress, from 0
    std::size_t step = 0;   ///< finished steps of this epoch
    double loss_sum = 0;    ///< sum of the losses of these steps
    std::int64_t steps = 0; ///< over all epochs
    NamedTensors best;      ///< the weights with the best validation loss
    std::optional<NamedTensors> best_rates;
    std::optional<double> best_loss;
    int best_epoch = 0;
    int epochs_without_gain = 0;
};

[[nodiscard]] TrainingState initial_training_state(Method method, const InnerLoop& loop,
                                                   const NamedTensors& weights);

/// The state as bytes, with a checksum.
[[nodiscard]] std::vector<std::byte> training_state_bytes(const TrainingState& state);
/// Exactly the state that was saved, on the device; `like` has the names and shapes of the weights. Damaged
/// bytes, or a state of another network or method, are errors of Fault::Input.
[[nodiscard]] Result<TrainingState> parse_training_state(std::span<const std::byte> bytes, Method method,
                                                         std::span<const NamedShape> like,
                                                         at::Device device = at::Device(at::kCPU));

} // namespace sparsight
