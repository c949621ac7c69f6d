// Times that were measured again beside those that they replaced: what is read of them, and the rows of the
// table.
#pragma once

#include "widgets/table/record_model.h"
#include "workflow/evaluation/changed_times.h"

#include <QDateTime>
#include <QString>
#include <string>
#include <vector>

namespace sparsight {

/// Measurements of what had a time already, which followed each other within minutes.
struct RepeatedRun {
    QString since; ///< when it began, as of start_of()
    QDateTime started;
    qint64 measurements = 0;

    bool operator==(const RepeatedRun&) const = default;
};

/// Of dates_measured_again(); the newest run first.
[[nodiscard]] std::vector<RepeatedRun> repeated_runs(const std::vector<std::string>& dates);

struct ChangeRow {
    ChangedTime change;
    QString conditions; ///< setting, condition, threads and protocol
    QString nickname;   ///< of the configuration; empty in a domain that has none
};

struct ReadChanges {
    std::vector<RepeatedRun> runs;
    std::vector<ChangeRow> rows;
    QString sentence; ///< of all rows; empty without anything to compare
};

/// Takes its time: for another thread. `since` as of start_of(); empty: each time against the one before.
[[nodiscard]] Result<ReadChanges> read_changes(const std::string& workspace, const Domain& domain,
                                               const std::string& since);

class ChangesModel : public RecordModel<ChangeRow> {
public:
    explicit ChangesModel(const DomainWords& words, QObject* parent = nullptr);

    enum Column {
        Workload,
        Machine,
        Conditions,
        Configuration,
        Before,
        After,
        Change,
        Noise,
        MeasuredBefore,
        MeasuredAfter,
        Code
    };
};

} // namespace sparsight
