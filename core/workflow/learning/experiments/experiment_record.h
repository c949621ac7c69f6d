// The experiment on transfer to other machines as the workspace keeps it: each point once, so that the same
// order goes on where it was stopped or killed.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "store/runs.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

/// What a point is of.
struct HardwareCell {
    std::size_t pair = 0; ///< place of the workload on the machine among those of the experiment
    std::string rule;     ///< how a configuration is chosen
    std::size_t shots = 0;
    int seed = 1;
    auto operator<=>(const HardwareCell&) const = default;
};

class HardwareRecord {
public:
    using Points = std::map<HardwareCell, double>;

    /// Finds the run of exactly these parameters, or starts one. Error (Environment): another process works
    /// on it.
    [[nodiscard]] static Result<HardwareRecord> claim(Workspace& workspace, const Json& parameters);

    [[nodiscard]] std::int64_t run() const { return static_cast<std::int64_t>(run_); }
    [[nodiscard]] bool is_finished() const { return is_finished_; }
    [[nodiscard]] const Points& points() const { return points_; }
    /// In one transaction.
    [[nodiscard]] Result<void> add(std::span<const std::pair<HardwareCell, double>> points);
    [[nodiscard]] Result<void> end(RunState state, std::string_view message = {});

private:
    HardwareRecord(Workspace& workspace, RunId run, std::optional<RunHold> hold, bool is_finished)
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
