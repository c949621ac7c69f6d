// Tables of tuning records, as the worker imports them; see gui/jobs/job_request.h.
#pragma once

#include "gui/jobs/job_request.h"

namespace sparsight {

struct ImportRecordsJob {
    QString workspace;
    QStringList tables;
    QString decisions = {}; ///< columns, with commas; empty: as the table says
    QString machine = {};   ///< of a table without a column for it
    QString workloads = {}; ///< sheets of facts; may be empty
    QString machines = {};
};

[[nodiscard]] const JobKind& import_records_kind();
[[nodiscard]] JobDescription describe(const ImportRecordsJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const ImportRecordsJob& job,
                                                    const LaunchConditions& conditions);

} // namespace sparsight
