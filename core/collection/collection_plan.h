// What a collection has to do on each matrix, beside what is stored.
#pragma once

#include "collection/collector.h"
#include "collection/schedule_choice.h"
#include "domains/sparse/storage/schedules.h"

#include <optional>
#include <vector>

namespace sparsight {

/// What is to be done on one matrix: a list of schedules, or a search that adds to the list when all in it
/// are measured.
class MatrixPlan {
public:
    /// `missing` are those of the `wanted` schedules that are not stored.
    MatrixPlan(MatrixRecord matrix, std::size_t wanted, std::vector<SuperSchedule> missing);
    /// Until `wanted` schedules are known.
    MatrixPlan(MatrixRecord matrix, std::size_t wanted, MeasuredSearch search);

    [[nodiscard]] const MatrixRecord& matrix() const { return matrix_; }
    /// In all, stored ones included; fewer than wanted at first where a search found no more.
    [[nodiscard]] std::size_t wanted() const { return wanted_; }
    [[nodiscard]] std::size_t stored() const { return stored_; } ///< before the collection began

    [[nodiscard]] bool is_done() const { return next_ == missing_.size(); }
    /// The next one to measure; there is one unless it is done.
    [[nodiscard]] const SuperSchedule& current() const { return missing_[next_]; }
    /// The current one was measured; without a measurement it could not be, for no fault of its own.
    void finish(const Measurement* measurement);
    /// The matrix can't be measured.
    void give_up() { next_ = missing_.size(); }

private:
    void ask_search();

    MatrixRecord matrix_;
    std::size_t wanted_ = 0;
    std::size_t stored_ = 0;
    std::vector<SuperSchedule> missing_;
    std::size_t next_ = 0; ///< of the missing ones: those before it were tried
    std::optional<MeasuredSearch> search_;
};

struct CollectionPlan {
    std::vector<MatrixPlan> matrices;
    std::vector<CollectionFailure> failures; ///< matrices that are not there
};

/// The dense extent that measurements are stored with: 1 for SpMV, which has none.
[[nodiscard]] std::int64_t dense_of(const CollectionRequest& request);
[[nodiscard]] MeasurementSetting setting_of(const CollectionRequest& request, MachineId machine,
                                            WorkloadId matrix);

/// Errors: not one of the matrices is there; those of the workspace.
[[nodiscard]] Result<CollectionPlan> plan_collection(Workspace& workspace, MachineId machine,
                                                     const CollectionRequest& request);

} // namespace sparsight
