// The schedules that a search chooses from: what was collected, and what lies around the best of it.
#pragma once

#include "base/error.h"
#include "base/parallel.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/matrices.h"
#include "machine/machine_description.h"
#include "store/machines.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct PoolRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int threads = 1;                    ///< of every schedule
    std::optional<MachineId> machine{}; ///< for which is searched: what is known of it comes first
    std::size_t largest = 20'000;       ///< an index is built over as many
    std::uint64_t seed = 1;
};

inline constexpr std::size_t fewest_in_pool = 2000;
inline constexpr std::size_t best_of_a_matrix = 3; ///< whose neighbours are taken

/// What was collected of the operator, read once, and a pool of it for each matrix.
class SchedulePools {
public:
    [[nodiscard]] static Result<SchedulePools> read(Workspace& workspace, const PoolRequest& request);

    /// Each meaning once, canonical: fixed CSR; collected schedules, up to half of the largest pool, a turn
    /// after the other from each matrix and machine, the fastest first; in the same turns the one-step
    /// neighbours of the best of each; and, where all that is less than `fewest_in_pool`, what WACO's
    /// generator draws for these extents.
    ///
    /// `without` are the searched matrix and its siblings: what they took on any machine is what a search is
    /// to find out, and a model would be praised for it. The pool depends on nothing but that, the extents
    /// and the seed, so that a search that is cut in two chooses the same.
    [[nodiscard]] std::vector<SuperSchedule> pool_for(const Extents& searched,
                                                      const std::set<WorkloadId>& without) const;

private:
    /// One matrix on one machine.
    struct Giver {
        WorkloadId matrix{};
        bool is_first = false; ///< of the machine for which is searched
        std::optional<Extents> extents;
        std::vector<SuperSchedule> schedules; ///< the fastest first
        std::size_t measured = 0;             ///< so many of them have a time
    };

    PoolRequest request_;
    std::vector<Giver> givers_;
};

/// What was recorded of each matrix on one machine with its most frequent protocol and number of threads.
struct RecordedSchedules {
    int threads = 1;
    std::map<WorkloadId, std::vector<SuperSchedule>> schedules; ///< canonical, each meaning once
};
/// Nothing where the machine has no runtimes of this kind.
[[nodiscard]] Result<std::optional<RecordedSchedules>>
recorded_schedules(Workspace& workspace, MachineId machine, Operator op, std::int64_t dense);

// For whom a search chooses: this computer, or one that the workspace knows of.

struct SearchTarget {
    std::optional<MachineId> id; ///< nothing: this computer, of which the workspace knows nothing
    std::string name{};          ///< in the workspace; empty: this computer, which is not there
    std::optional<MachineDescription> description;
    std::optional<RecordedSchedules> recorded;
    int threads = available_threads();
    bool is_recorded = false; ///< elsewhere: nothing can be measured on it
};

/// `machine`: a name or fingerprint; empty: this computer.
[[nodiscard]] Result<SearchTarget> search_target(Workspace& workspace, const std::string& machine,
                                                 Operator op, std::int64_t dense);

} // namespace sparsight
