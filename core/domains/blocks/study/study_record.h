// The cells of the study as the workspace keeps them: each is a run of its own, which is found again by what
// it depends on. So a study that was stopped or killed goes on, one of other sizes takes what it can use, and
// several processes share one study.
#pragma once

#include "base/error.h"
#include "domains/blocks/study/study_blocks.h"
#include "domains/blocks/study/study_plan.h"
#include "store/runs.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

/// Cycles of an iteration, by the block.
using PredictedCycles = std::map<WorkloadId, double>;

// Figures of a cell besides its predictions.
inline constexpr std::string_view wall_seconds = "wall_seconds"; ///< of training, without pauses
/// Of training on one core: what the wall clock would tell if nothing else ran.
inline constexpr std::string_view core_seconds = "core_seconds";
inline constexpr std::string_view blocks_trained = "blocks_trained";       ///< over all epochs
inline constexpr std::string_view inference_seconds = "inference_seconds"; ///< on one core, decoded blocks
inline constexpr std::string_view blocks_predicted = "blocks_predicted";
inline constexpr std::string_view weights_count = "weights";

struct CellResult {
    std::map<std::string, PredictedCycles> predicted; ///< by machine: of test blocks with a time there
    std::map<std::string, double> figures;
    /// Of a network, by epoch: seconds of training until then and the validation's mean relative error.
    std::vector<std::pair<double, double>> curve;
};

/// A cell that this process works on.
struct ClaimedCell {
    RunId run{};
    std::optional<StoredTrainingState> state; ///< from which its training goes on
    RunHold hold;
};

class StudyRecord {
public:
    /// Both must outlive it.
    StudyRecord(Workspace& workspace, const StudyBlocks& blocks)
        : workspace_(workspace)
        , blocks_(blocks) {}

    /// Absent unless it is finished.
    [[nodiscard]] Result<std::optional<CellResult>> find(const StudyCell& cell) const;
    [[nodiscard]] Result<bool> is_finished(const StudyCell& cell) const;
    /// Absent where another process works on it, or has finished it.
    [[nodiscard]] Result<std::optional<ClaimedCell>> claim(const StudyCell& cell);
    /// The result, what `more` adds, and the end of the run, all at once.
    [[nodiscard]] Result<void> finish(const ClaimedCell& claimed, const CellResult& result,
                                      const std::function<Result<void>()>& more = {});
    /// Stopped, to go on later (Fault::Cancelled), or failed.
    [[nodiscard]] Result<void> leave(const ClaimedCell& claimed, const Error& why);

    /// The name of the model of a cell.
    [[nodiscard]] std::string model_name(const StudyCell& cell) const;

private:
    [[nodiscard]] std::string parameters(const StudyCell& cell) const;
    [[nodiscard]] Result<std::optional<RunRecord>> run_of(const StudyCell& cell) const;

    Workspace& workspace_;
    const StudyBlocks& blocks_;
};

} // namespace sparsight
