// The experiment on tuners of tensor programs: each learns the same times, split by row, workload and
// machine, and from all data or a sample of them (Verma et al., "Transfer Learning Across Heterogeneous
// Features For Efficient Tensor Program Generation", 2023, Tables 5 and 6 and Figure 2).
#pragma once

#include "base/observer.h"
#include "learning/learning_domain.h"
#include "learning/tasks/split_tasks.h"
#include "learning/training/training_sample.h"
#include "workflow/learning/training/training_journal.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

/// The tuners beside the networks of the domain, which are called by their architectures.
inline constexpr std::string_view tree_tuner = "trees";
inline constexpr std::string_view leaf_wise_tuner = "leaf-wise";

struct TunerRequest {
    std::vector<std::string> settings{}; ///< their texts; empty: all of the domain that have times
    std::vector<std::string> tuners{};   ///< empty: both kinds of trees, and every network of the domain
    std::vector<SplitBy> splits{SplitBy::Row, SplitBy::Workload, SplitBy::Machine};
    std::vector<SampleRule> samples{SampleRule::All, SampleRule::Random, SampleRule::HardwareAware};
    double share = 0.55;              ///< of the training data, in a sample
    std::size_t measurements = 20000; ///< drawn of each setting, at most
    int epochs = 200;                 ///< of networks; trees have 300 rounds
    int seeds = 2;
    std::uint64_t seed = 1; ///< the first one
    bool reads_machine = true;
    int threads = 1;
    std::string device = "cpu";
};

/// A training.
struct TunerCell {
    std::string setting{};
    SplitBy split = SplitBy::Row;
    std::string tuner{};
    SampleRule sample = SampleRule::All;
    int seed = 1;
    auto operator<=>(const TunerCell&) const = default;
};

/// By name: "measurements" before and "kept" after sampling, "seconds" of training, and of the test
/// "ordered_pair_accuracy", "speed_error", "regret_at_1", "regret_at_5" (RankingReport). The curve is the
/// "speed_error" of the validation by epoch, or by round of trees.
struct TunerFigures {
    std::map<std::string, double> figures{};
    std::vector<std::pair<std::int64_t, double>> curve{};
};

struct TunerOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< where the end is Stopped
    std::int64_t run = 0;
    std::vector<std::pair<TunerCell, TunerFigures>> cells; ///< in their order; finished ones
    std::vector<std::string> notes;                        ///< sentences: what cannot be split, and why
};

[[nodiscard]] Json cell_json(const TunerCell& cell, const TunerFigures& figures);

/// Work that the user stopped is an outcome: the same order goes on with it, and loses at most the training
/// in flight. Errors (Input): unknown settings and tuners; nothing to learn from.
[[nodiscard]] Result<TunerOutcome> run_tuners(Workspace& workspace, const LearningDomain& domain,
                                              const TunerRequest& request, Observer& observer,
                                              const std::stop_token& stop);

} // namespace sparsight
