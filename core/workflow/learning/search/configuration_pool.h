// The configurations that a search chooses from: what was collected, and what lies around the best of it.
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

/// What was recorded of each workload under the same conditions: different configurations, in the order in
/// which they were recorded. Errors, too: a stored text that the domain can't read.
[[nodiscard]] Result<std::map<WorkloadId, std::vector<Configuration>>>
recorded_configurations(Workspace& workspace, const Domain& domain, const RuntimeQuery& query);

/// What can be chosen for a workload; `recorded` as in SpaceRequest.
[[nodiscard]] Result<std::shared_ptr<const ConfigurationSpace>>
space_of(const Domain& domain, const Setting& setting, const WorkloadRecord& workload,
         std::span<const Configuration> recorded);

struct PoolRequest {
    Setting setting;
    std::optional<MachineId> machine{}; ///< for which is searched: what is known of it comes first
    std::size_t largest = 20'000;       ///< an index is built over as many
    std::uint64_t seed = 1;
};

inline constexpr std::size_t fewest_in_pool = 2000;
inline constexpr std::size_t best_of_a_workload = 3; ///< whose neighbours are taken

/// What was collected in a setting, read once, and a pool of it for each workload.
class ConfigurationPools {
public:
    [[nodiscard]] static Result<ConfigurationPools> read(Workspace& workspace, const Domain& domain,
                                                         const PoolRequest& request);

    /// Each once: the baseline; collected configurations, up to half of the largest pool, a turn after the
    /// other from each workload and machine, the fastest first; in the same turns the one-step neighbours of
    /// the best of each; and, where all that is less than `fewest_in_pool`, what customary_sample() draws.
    ///
    /// `without` are the searched workload and its family: what they took on any machine is what a search is
    /// to find out, and a model would be praised for it. The pool depends on nothing but that, the space and
    /// the seed, so that a search that is cut in two chooses the same.
    [[nodiscard]] std::vector<Configuration> pool_for(const ConfigurationSpace& searched,
                                                      const std::set<WorkloadId>& without) const;

    /// Whether something was recorded of the workload in the setting.
    [[nodiscard]] bool knows(WorkloadId workload) const;
    /// In a domain that chooses among what was recorded: of the workload on all machines, sorted, each once;
    /// of one that nothing was recorded of, of all workloads.
    [[nodiscard]] std::vector<Configuration> recorded_of(WorkloadId workload) const;

private:
    /// One workload on one machine.
    struct Giver {
        WorkloadId workload{};
        bool is_first = false;                           ///< of the machine for which is searched
        std::shared_ptr<const ConfigurationSpace> space; ///< absent where too little is known of the workload
        std::vector<Configuration> configurations;       ///< the fastest first
        std::size_t measured = 0;                        ///< so many of them have a time
    };

    PoolRequest request_;
    std::vector<Giver> givers_;
};

// For whom a search chooses: this computer, or one that the workspace knows of.

struct SearchTarget {
    std::optional<MachineId> id; ///< nothing: this computer, of which the workspace knows nothing
    std::string name{};          ///< in the workspace; empty: this computer, which is not there
    std::string fingerprint{};   ///< likewise
    std::optional<MachineDescription> description;
    /// What was recorded on a named machine in the setting, with its most frequent protocol, condition and
    /// number of threads; nothing where it has no runtimes of this kind.
    std::optional<RuntimeQuery> recorded;
    int threads = available_threads();
    bool is_recorded = false; ///< elsewhere: nothing can be measured on it
};

/// `machine`: a name or fingerprint, perhaps with the condition of its runtimes, as in "A100 (run=2021)";
/// empty: this computer.
[[nodiscard]] Result<SearchTarget> search_target(Workspace& workspace, const std::string& machine,
                                                 const Setting& setting);

} // namespace sparsight
