// What the experiment on tasks is asked to do.
#pragma once

#include "learn/settings.h"
#include "learning/fine_tuning.h"
#include "learning/meta_source.h"
#include "learning/training_options.h"
#include "model/network_description.h"
#include "schedule/operator.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

struct TransferRequest {
    std::vector<std::string> targets; ///< empty: every machine with matrices enough
    std::vector<MetaSource> sources;
    std::vector<std::size_t> shots; ///< ascending, each once
    int seeds = 5;
    std::int64_t steps = 100; ///< of meta-training, where there are matrices and schedules enough
    std::size_t family = 16;  ///< machines
    TrainingOptions meta;
    FineTuningOptions tuning;
    double test_share = 0.3;
    Architecture architecture = Architecture::StatisticsNet;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::uint64_t seed = 1; ///< of the splits and the family
    int threads = 1;
};

[[nodiscard]] std::vector<SettingDefinition> transfer_setting_definitions();

/// Errors (Fault::Input) name the setting, its value, what was expected, and where it was said.
[[nodiscard]] Result<TransferRequest> read_transfer_request(const RunSettings& settings);

} // namespace sparsight
