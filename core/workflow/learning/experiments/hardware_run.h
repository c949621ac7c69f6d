// The experiment on transfer to a machine on which nothing or little was measured: for each workload and each
// machine that has times of it, as if the machine were new.
#pragma once

#include "base/observer.h"
#include "learning/learning_domain.h"
#include "learning/transfer/network_tuning.h"
#include "learning/transfer/order_transfer.h"
#include "workflow/learning/training/training_journal.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct HardwareRequest {
    std::string domain{};                   ///< empty: that of the workspace
    std::vector<std::string> settings{};    ///< their texts; empty: all of the domain that have times
    std::vector<std::string> workloads{};   ///< empty: all
    std::vector<std::string> targets{};     ///< machines; empty: all
    std::vector<std::size_t> shots{10, 50}; ///< measurements on the target, ascending
    std::size_t tuning = 100;               ///< measurements of a whole tuning; 0: none is compared
    bool orders = false;                    ///< whether the order of all configurations is asked for
    std::string networks{};                 ///< a table for read_networks(); empty: known_networks()
    double significant = 0.9;               ///< share of a network's work that layers to tune carry
    int seeds = 5;
    std::uint64_t seed = 1; ///< the first one
    int threads = 1;
};

/// A workload on a machine that is taken for new.
struct HardwarePair {
    std::string setting;
    std::string workload;
    std::string machine;
    std::size_t configurations = 0; ///< that were tried there
    std::size_t sources = 0;        ///< times of other machines: two installations of one count twice
    double best = 0;                ///< milliseconds of the fastest
    double headroom = 1;            ///< median time over the best
    std::string nearest;            ///< by sheet
    double distance = 0;            ///< to that one
    std::string most_alike;         ///< by τ
    double tau = 0;
};

/// What a regret is of.
struct HardwareCell {
    std::size_t pair = 0; ///< place in HardwareOutcome::pairs
    std::string rule{};   ///< how a configuration is chosen
    std::size_t shots = 0;
    int seed = 1;
    auto operator<=>(const HardwareCell&) const = default;
};

/// A tuning from the first measurement on.
struct TuningCell {
    std::size_t pair = 0; ///< place in HardwareOutcome::pairs
    std::string rule{};   ///< how measurements are chosen
    int seed = 1;
    auto operator<=>(const TuningCell&) const = default;
};

/// The order of all configurations after the fewest measurements of the request.
struct OrderCell {
    std::size_t pair = 0;         ///< place in HardwareOutcome::pairs
    bool is_without_kind = false; ///< no machine of the target's kind is a source
    int seed = 1;
    auto operator<=>(const OrderCell&) const = default;
};

/// A space of a layer on the machine.
struct NetworkTaskTimes {
    std::size_t layer = 0; ///< place in NetworkTimes::layers
    std::string setting;
    double best = 0; ///< milliseconds of the fastest that was recorded
};

/// A network on a machine that is taken for new.
struct NetworkTimes {
    std::string network;
    std::string source; ///< of the occurrences
    std::string machine;
    std::vector<NetworkLayer> layers;
    std::vector<std::string> missing; ///< layers without times
    std::size_t significant = 0;      ///< layers, from the first on
    std::vector<NetworkTaskTimes> tasks;
    std::map<int, std::vector<NetworkTaskTuning>> tunings; ///< of each seed, as the tasks
};

struct HardwareOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< where the end is Stopped
    std::int64_t run = 0;
    std::vector<HardwarePair> pairs;
    std::vector<HardwarePair> flat;        ///< left out: best and median differ by less than flat_below
    std::map<HardwareCell, double> points; ///< regrets
    std::map<TuningCell, std::vector<TuningStep>> tunings;
    std::vector<NetworkTimes> networks;
    std::map<OrderCell, LearnedOrder> orders;
    std::vector<std::string> notes;
};
/// What events tell, and the answer as well.
[[nodiscard]] Json pair_json(const HardwarePair& pair);
[[nodiscard]] Json point_json(const HardwareOutcome& outcome, const HardwareCell& cell, double regret);

[[nodiscard]] Json tuning_json(const HardwareOutcome& outcome, const TuningCell& cell,
                               const std::vector<TuningStep>& steps);
[[nodiscard]] Json order_json(const HardwareOutcome& outcome, const OrderCell& cell,
                              const LearnedOrder& order);
[[nodiscard]] Json network_json(const NetworkTimes& network);

/// Work that the user stopped is an outcome: the same order goes on with it. Errors (Input): nothing to
/// transfer; unknown machines and settings.
[[nodiscard]] Result<HardwareOutcome> run_hardware(Workspace& workspace, const LearningDomain& domain,
                                                   const HardwareRequest& request, Observer& observer,
                                                   const std::stop_token& stop);

} // namespace sparsight
