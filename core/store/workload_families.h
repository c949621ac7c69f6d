// Which workloads of a workspace are forms of one another: the one relation by which training, fine-tuning,
// calibration and evaluation keep what is tested apart from what was learned.
#pragma once

#include "base/error.h"
#include "store/workloads.h"
#include "study/domain.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// Computes Domain::statistics() from the data of a workload; absent where it can't be read.
using StatisticsReader = std::function<std::optional<std::vector<double>>(const WorkloadRecord& workload)>;

/// Two workloads are of one family where their names say so (Domain::family_key()), where their data are
/// equal, where their shapes are (Domain::shape_key()), or where both are related to a third. Used by one
/// thread; keeps a reference to the domain.
class WorkloadFamilies {
public:
    /// Statistics that the workspace does not have are read only where the sizes of two workloads agree
    /// (Domain::size_key()). Without a reader such workloads are compared by name and content alone.
    [[nodiscard]] static Result<WorkloadFamilies> read(Workspace& workspace, const Domain& domain,
                                                       StatisticsReader read_statistics = {});

    /// These names, known to the workspace or not, and all members of their families. A workload whose data
    /// the reader can't read counts as a member if its size allows it.
    [[nodiscard]] std::set<std::string> with_relatives(const std::set<std::string>& names) const;
    [[nodiscard]] std::set<WorkloadId> ids_with_relatives(const std::string& name) const;

    [[nodiscard]] const Domain& domain() const { return *domain_; }

private:
    using Shape = std::optional<std::vector<double>>; ///< absent: not known

    WorkloadFamilies(const Domain& domain, StatisticsReader read_statistics)
        : domain_(&domain)
        , read_statistics_(std::move(read_statistics)) {}
    [[nodiscard]] const Shape& shape(const WorkloadRecord& workload) const;
    [[nodiscard]] bool are_alike(const WorkloadRecord& one, const WorkloadRecord& other) const;

    const Domain* domain_;
    StatisticsReader read_statistics_;
    std::map<std::string, WorkloadRecord> by_name_;
    std::map<std::string, std::string> size_of_; ///< of a name; without those that are unknown
    std::map<std::string, std::vector<std::string>> by_family_;
    std::map<std::string, std::vector<std::string>> by_size_;
    mutable std::map<std::string, Shape> shapes_; ///< those that were needed
};

} // namespace sparsight
