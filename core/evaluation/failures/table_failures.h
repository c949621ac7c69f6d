// The failures of a table that others have published, from its file to diagnosed cases and stories.
#pragma once

#include "base/progress.h"
#include "evaluation/failures/failure_machine.h"
#include "evaluation/failures/failure_story.h"
#include "evaluation/failures/recorded_failures.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct TableRequest {
    std::filesystem::path file;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    double noise = 0.025; ///< assumed of a recorded time, as a share of it
    /// That is simulated. Absent: this computer, for nobody says which machine was recorded.
    std::optional<MachineDescription> machine{};
    int threads = 1;        ///< that count patterns
    std::uint64_t seed = 1; ///< of drawn orders, where more than 8 decisions differ
    std::stop_token stop{};
    ProgressSink progress{};
};

struct TableFailures {
    RecordedChoices recorded;
    std::string chooser; ///< the name of the file without its ending
    /// Of how log(chosen / fixed CSR) varies over the lines: what decisions explain (decision_effects.h).
    double explained = 0;
    std::vector<FailureCase> cases;
    std::int64_t one_program = 0; ///< losing lines that are no cases (RecordedFailures)
    std::vector<FailureStory> stories;
    std::optional<FailureMachine> simulated{}; ///< absent: no pattern is known, so nothing was simulated
};

/// Cases whose pattern the workspace has are simulated, the others are diagnosed by what goes along with
/// losing in the table. Without a workspace no pattern is known. Errors: those of the file, with its line;
/// those of the workspace; Fault::Cancelled.
[[nodiscard]] Result<TableFailures> read_table_failures(Workspace* workspace, const TableRequest& request);

} // namespace sparsight
