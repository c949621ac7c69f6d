// The columns of the Workloads page: what its domain says of each workload, and of the selected one how fast
// it is on each machine.
#pragma once

#include "gui/workloads/workload_times.h"
#include "store/workloads.h"
#include "study/domain.h"
#include "widgets/table/record_model.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <vector>

namespace sparsight {

struct WorkloadRow {
    WorkloadRecord record;
    QJsonObject facts;
    bool is_new = false; ///< came with the last import

    bool operator==(const WorkloadRow&) const = default;
    [[nodiscard]] QString name() const { return QString::fromStdString(record.name); }
};

struct WorkloadColumns {
    std::vector<RecordColumn<WorkloadRow>> columns; ///< name, facts, source, the time when it was added
    QStringList keys; ///< the domain, and the facts in the order of their columns
};

/// The numbers that the domain describes its workloads by come first, then whatever else is known of some.
[[nodiscard]] WorkloadColumns workload_columns(const Domain& domain, const std::vector<WorkloadRow>& rows);

enum class BestColumn { Machine, Condition, Setting };

/// Of the table of machines.
[[nodiscard]] std::vector<RecordColumn<MachineTimes>> best_columns();
[[nodiscard]] QString best_key(const MachineTimes& times);

} // namespace sparsight
