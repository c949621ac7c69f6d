// An experiment of many points as the workspace keeps it: each point once, so that the same order goes on
// where it was stopped or killed.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "store/runs.h"
#include "workflow/learning/training/training_journal.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sparsight {

class Workspace;

class ExperimentRecord {
public:
    /// A series of points and the step at which one stands.
    using Place = std::pair<std::string, std::int64_t>;
    using Points = std::map<Place, double>;

    /// Finds the run of this kind with exactly these parameters, or starts one. Error (Environment): another
    /// process works on it.
    [[nodiscard]] static Result<ExperimentRecord> claim(Workspace& workspace, std::string_view kind,
                                                        const Json& parameters);

    [[nodiscard]] std::int64_t run() const { return static_cast<std::int64_t>(run_); }
    [[nodiscard]] bool is_finished() const { return is_finished_; }
    [[nodiscard]] const Points& points() const { return points_; }
    /// In one transaction.
    [[nodiscard]] Result<void> add(std::span<const std::pair<Place, double>> points);
    /// Ends the run as its work did: finished, or stopped, to go on later (Fault::Cancelled). Another error
    /// is kept with the run and returned.
    [[nodiscard]] Result<RunEnd> finish(const Result<void>& done);

private:
    ExperimentRecord(Workspace& workspace, RunId run, std::optional<RunHold> hold, bool is_finished)
        : workspace_(&workspace)
        , run_(run)
        , hold_(std::move(hold))
        , is_finished_(is_finished) {}

    Workspace* workspace_;
    RunId run_;
    std::optional<RunHold> hold_;
    bool is_finished_;
    Points points_;
};

} // namespace sparsight
