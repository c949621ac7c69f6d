// How times are taken, as an option.
#pragma once

#include "collection/schedule_choice.h"
#include "command/session.h"
#include "domains/sparse/kernel/lowering/lowering.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"
#include "study/measurement.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sparsight {

CLI::Option* add_protocol_option(CLI::App& command, Protocol& protocol);

// How schedules are drawn, as an option.

CLI::Option* add_sampler_option(CLI::App& command, Sampler& sampler);

// A schedule that a command is given on one line, with the extents that its loop nest is made for: those of a
// matrix, or what --rows, --cols and --dense say.

struct ScheduleForm {
    Operator op = Operator::SpMM;
    std::string line;
    std::string matrix; ///< a file or a name; empty: none
    std::int64_t rows = 4096;
    std::int64_t cols = 4096;
    std::int64_t dense = 256;
};

/// Adds LINE and the options; returns LINE.
CLI::Option* add_schedule_options(CLI::App& command, ScheduleForm& form);

struct ScheduleArgument {
    SuperSchedule schedule;
    Extents extents;
    std::optional<CsrPattern> pattern; ///< of the matrix, if one was named
};

/// Errors: a line that is no schedule of the operator; those of load_named_matrix().
[[nodiscard]] Result<ScheduleArgument> schedule_argument(const Session& session, const ScheduleForm& form);

/// {"i": rows, …}
[[nodiscard]] Json extents_json(const LoopNest& nest);

} // namespace sparsight
