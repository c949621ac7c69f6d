// Presets of `train` for tuning records.
#pragma once

#include "workflow/learning_settings.h"

#include <array>

namespace sparsight {

/// Table 4 of Verma et al., "Transfer Learning Across Heterogeneous Features For Efficient Tensor Program
/// Generation", 2023: a batch of 16, 200 epochs, Adam at 1e-3. They found a squared error better than
/// ranking.
inline constexpr std::array record_presets{
    Preset{"verma2023", "records: an LSTM with attention over the decisions, as published, 200 epochs", R"({
        "architecture": "attention", "method": "supervised", "loss": "log-squared", "epochs": 200,
        "rate": 0.001, "configurations_per_workload": 16, "machine_features": true})"},
};

} // namespace sparsight
