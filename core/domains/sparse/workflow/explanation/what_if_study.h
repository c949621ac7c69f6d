// Which schedules a what-if ranks on which machine, and what it finds.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/simulator/schedule_ranking.h"
#include "evaluation/model_reasons/predicted_times.h"
#include "machine/machine_description.h"
#include "store/workspace.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

enum class WhatIfFormula { Mechanistic, Paper };
/// "mechanistic", "paper".
[[nodiscard]] std::string_view name(WhatIfFormula formula);

/// The two parameters of a map by their keys. Error (Input): which keys there are.
[[nodiscard]] Result<std::pair<MachineParameter, MachineParameter>>
parameters_of_map(const std::vector<std::string>& keys);

struct WhatIfRequest {
    std::string matrix;
    std::string machine; ///< as workflow/machines/named_machines.h names them; empty: this computer
    std::vector<std::string> settings; ///< "KEY=VALUE", made one after the other
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::size_t schedules = 20;
    std::string from;      ///< a file of schedules, instead of drawn ones; empty: none
    bool measured = false; ///< those that were measured on the machine, instead of drawn ones
    std::uint64_t seed = 1;
    WhatIfFormula formula = WhatIfFormula::Mechanistic;
    std::optional<std::pair<MachineParameter, MachineParameter>> map;
    int map_steps = 32;
    std::string model; ///< asked for its times as well; empty: none
};

/// What a model of the workspace says of the ranked schedules.
struct LearnedRanking {
    PredictedTimes told; ///< of one matrix, its schedules as in WhatIfAnswer::schedules
    /// Learned milliseconds; of a model that tells no times e to the score over the lowest one: 1 is the
    /// first choice.
    Ranking ranking;

    [[nodiscard]] const std::vector<PredictedTime>& times() const { return told.workloads.front().times; }
};
/// Error (Fault::Internal): it is not about one matrix with so many schedules.
[[nodiscard]] Result<LearnedRanking> learned_ranking(PredictedTimes told, std::size_t schedules);

struct WhatIfAnswer {
    std::string matrix{};
    MachineDescription machine{};
    std::vector<std::string> changes{}; ///< "cores 4 → 16", of what was set and what had to follow
    ResolvedParameters parameters{};
    std::vector<SuperSchedule> schedules{}; ///< with the machine's threads
    std::vector<std::optional<double>> recorded_ms{};
    std::vector<SimulatedTime> parts{}; ///< empty by the paper's formula
    std::optional<PaperBasis> basis{};  ///< by the paper's formula
    Ranking ranking{};
    std::optional<WinnerMap> map{};
    std::optional<LearnedRanking> learned{};
};

[[nodiscard]] Result<WhatIfAnswer> answer_what_if(const WorkspaceLocation& location,
                                                  const WhatIfRequest& request, Observer& observer,
                                                  const std::stop_token& stop);

} // namespace sparsight
