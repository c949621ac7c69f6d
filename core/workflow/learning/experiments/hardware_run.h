// The experiment on transfer to a machine on which nothing or little was measured: for each workload and each
// machine that has times of it, as if the machine were new.
#pragma once

#include "base/observer.h"
#include "learning/learning_domain.h"
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
    std::vector<std::string> targets{};     ///< machines; empty: all
    std::vector<std::size_t> shots{10, 50}; ///< measurements on the target, ascending
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

struct HardwareOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< where the end is Stopped
    std::int64_t run = 0;
    std::vector<HardwarePair> pairs;
    std::vector<HardwarePair> flat;        ///< left out: best and median differ by less than flat_below
    std::map<HardwareCell, double> points; ///< regrets
    std::vector<std::string> notes;
};
/// What events tell, and the answer as well.
[[nodiscard]] Json pair_json(const HardwarePair& pair);
[[nodiscard]] Json point_json(const HardwareOutcome& outcome, const HardwareCell& cell, double regret);

/// Work that the user stopped is an outcome: the same order goes on with it. Errors (Input): nothing to
/// transfer; unknown machines and settings.
[[nodiscard]] Result<HardwareOutcome> run_hardware(Workspace& workspace, const LearningDomain& domain,
                                                   const HardwareRequest& request, Observer& observer,
                                                   const std::stop_token& stop);

} // namespace sparsight
