// A schedule that a command is given on one line, with the extents that its loop nest is made for: those of a
// matrix, or what --rows, --cols and --dense say.
#pragma once

#include "command/session.h"
#include "kernel/lowering.h"
#include "matrix/pattern.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sparsight {

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

struct GivenSchedule {
    SuperSchedule schedule;
    Extents extents;
    std::optional<CsrPattern> pattern; ///< of the matrix, if one was named
};

/// Errors: a line that is no schedule of the operator; those of load_named_matrix().
[[nodiscard]] Result<GivenSchedule> given_schedule(const Session& session, const ScheduleForm& form);

/// {"i": rows, …}
[[nodiscard]] Json extents_json(const LoopNest& nest);

} // namespace sparsight
