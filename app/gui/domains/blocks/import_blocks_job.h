// Tables of basic blocks, as the worker imports them; see gui/jobs/job_request.h.
#pragma once

#include "gui/jobs/job_request.h"

namespace sparsight {

struct ImportBlocksJob {
    QString workspace;
    QStringList tables;
    QStringList port_tables = {};     ///< ports and latencies of instructions
    QString machines = {};            ///< with commas; empty: all
    bool leaves_out_aliasing = false; ///< blocks whose measurement may be disturbed
};

[[nodiscard]] const JobKind& import_blocks_kind();
[[nodiscard]] JobDescription describe(const ImportBlocksJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const ImportBlocksJob& job,
                                                    const LaunchConditions& conditions);

} // namespace sparsight
