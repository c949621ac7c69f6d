// The pool of configurations that a search chooses from: collected ones, and neighbours of the best of them.
#pragma once

#include "base/error.h"
#include "base/parallel.h"
#include "machine/machine_description.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workloads.h"
#include "study/domain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// The configurations that were recorded for each workload under the same conditions: distinct, in the order
/// in which they were recorded. Errors: also a stored text that the domain can't parse.
[[nodiscard]] Result<std::map<WorkloadId, std::vector<Configuration>>>
recorded_configurations(Workspace& workspace, const Domain& domain, const RuntimeQuery& query);

/// The space of a workload; `recorded` as in SpaceRequest.
[[nodiscard]] Result<std::shared_ptr<const ConfigurationSpace>>
space_of(const Domain& domain, const Setting& setting, const WorkloadRecord& workload,
         std::span<const Configuration> recorded);

struct PoolRequest {
    Setting setting;
    std::optional<MachineId> machine{}; ///< the machine to search for: its times come first
    std::size_t largest = 20'000;       ///< the largest pool, which an index is built over
    std::uint64_t seed = 1;
};

inline constexpr std::size_t fewest_in_pool = 2000;
inline constexpr std::size_t best_of_a_workload =
    3; ///< how many of a workload's best configurations contribute neighbours

/// All collected configurations of a setting, read once; they give a pool for each workload.
class ConfigurationPools {
public:
    [[nodiscard]] static Result<ConfigurationPools> read(Workspace& workspace, const Domain& domain,
                                                         const PoolRequest& request);

    /// The pool, without duplicates: the baseline; collected configurations, in turns from each workload and
    /// machine, the fastest first, up to half of the largest pool; in the same turns, the one-step neighbours
    /// of the best of each; and, if there are fewer than `fewest_in_pool`, those of customary_sample().
    ///
    /// `without` are the searched workload and its family: their times on any machine are what a search is to
    /// find out, so using them would flatter the model. The pool depends only on `without`, the space and the
    /// seed, so that a resumed search makes the same choices.
    [[nodiscard]] std::vector<Configuration> pool_for(const ConfigurationSpace& searched,
                                                      const std::set<WorkloadId>& without) const;

    /// Whether a time of the workload is recorded in the setting.
    [[nodiscard]] bool knows(WorkloadId workload) const;
    /// For a domain that chooses among recorded configurations: those of the workload on all machines,
    /// sorted, without duplicates; if there are none, those of all workloads.
    [[nodiscard]] std::vector<Configuration> recorded_of(WorkloadId workload) const;

private:
    /// One workload on one machine.
    struct Giver {
        WorkloadId workload{};
        bool is_first = false; ///< a workload on the machine to search for
        /// Absent where too little is known about the workload.
        std::shared_ptr<const ConfigurationSpace> space;
        std::vector<Configuration> configurations; ///< the fastest first
        std::size_t measured = 0;                  ///< number of configurations with a time
    };

    PoolRequest request_;
    std::vector<Giver> givers_;
};

// The machine that a search chooses for: this computer, or a machine of the workspace.

struct SearchTarget {
    std::optional<MachineId> id; ///< absent: this computer, before the workspace knows it
    std::string name{};          ///< name in the workspace; empty: this computer is not in it
    std::string fingerprint{};   ///< fingerprint, likewise
    std::optional<MachineDescription> description;
    /// The recorded times of a named machine in the setting, with its most frequent protocol, condition and
    /// number of threads; absent without such times.
    std::optional<RuntimeQuery> recorded;
    int threads = available_threads();
    bool is_recorded = false; ///< another machine: nothing can be measured on it
};

/// `machine`: a name or fingerprint, optionally with the condition of its runtimes, as in "A100 (run=2021)";
/// empty: this computer.
[[nodiscard]] Result<SearchTarget> search_target(Workspace& workspace, const std::string& machine,
                                                 const Setting& setting);

} // namespace sparsight
