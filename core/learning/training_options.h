// What a training run is asked to do. Together with the data and nothing else it decides the result.
#pragma once

#include "base/error.h"
#include "learning/meta_method.h"
#include "model/losses.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sparsight {

enum class RateSchedule {
    Constant,
    Cosine, ///< from the full rate to none over all epochs (Loshchilov and Hutter: SGDR, ICLR 2017)
};

/// "constant", "cosine".
[[nodiscard]] std::string_view name(RateSchedule schedule);
[[nodiscard]] std::optional<RateSchedule> parse_rate_schedule(std::string_view text);

/// The defaults are WACO's where it has them.
struct TrainingOptions {
    Method method = Method::Supervised;
    Loss loss = Loss::PairwiseMargin;
    int epochs = 80;
    int schedules_per_matrix = 32; ///< drawn anew for every step
    double rate = 1e-4;            ///< of the outer loop's Adam
    RateSchedule rate_schedule = RateSchedule::Constant;
    double weight_decay = 0;
    double longest_gradient = 0; ///< clipped to this norm; 0: never
    InnerLoop inner;
    int support_matrices = 5; ///< of an episode
    int query_matrices = 5;
    int tasks_per_step = 4; ///< whose gradients are averaged
    int patience = 0;       ///< epochs without a better validation loss after which training ends; 0: never
    std::uint64_t seed = 1;

    bool operator==(const TrainingOptions&) const;
};

/// The first option that can't be, with its value and what was expected (Fault::Input).
[[nodiscard]] Result<void> check(const TrainingOptions& options);

/// One JSON object with every option.
[[nodiscard]] std::string to_json(const TrainingOptions& options);
/// What is left out keeps its default; an error (Fault::Input) names the option that is unknown or wrong.
[[nodiscard]] Result<TrainingOptions> parse_training_options(std::string_view json);

/// The rate of an epoch (counted from 0) of so many.
[[nodiscard]] double rate_of_epoch(const TrainingOptions& options, int epoch);

} // namespace sparsight
