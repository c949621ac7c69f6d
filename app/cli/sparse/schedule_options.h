// Options that several commands on matrices share: what is computed, how schedules are drawn, and one
// schedule on a line with the extents that its loop nest is made for.
#pragma once

#include "command/session.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/workflow/import/named_schedules.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sparsight {

struct ExplainRequest;

CLI::Option* add_operator_option(CLI::App& command, Operator& op);
CLI::Option* add_dense_option(CLI::App& command, std::int64_t& dense);
/// --rows and --cols.
void add_extent_options(CLI::App& command, std::int64_t& rows, std::int64_t& cols);

CLI::Option* add_sampler_option(CLI::App& command, Sampler& sampler);

/// Adds LINE and the options; returns LINE.
CLI::Option* add_schedule_options(CLI::App& command, ScheduleInput& form);

/// What differs between the options of `explain` and `timeline`.
struct SubjectHelp {
    const char* schedule;
    const char* measured;
    const char* threads;
};
struct SubjectOptions {
    CLI::Option* schedule;
    CLI::Option* measured; ///< --threads needs it
};
/// A schedule on a matrix, simulated on any machine or measured on this computer: --matrix, --schedule,
/// --operator, --dense, --machine, --measured, --simulated and --threads (default: all).
SubjectOptions add_subject_options(CLI::App& command, ExplainRequest& request, const SubjectHelp& help);

/// {"i": rows, …}
[[nodiscard]] Json extents_json(const LoopNest& nest);

} // namespace sparsight
