// Which run of the workspace a training or a fine-tuning works at: a new one, or one that was left; that it
// is nobody else's; and when there is nothing to do.
#pragma once

#include "base/observer.h"
#include "store/models.h"
#include "store/runs.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sparsight {

/// Where a model of the name is there already, and a run made it.
enum class Redo {
    Never,       ///< done before where the settings are the same, otherwise refused
    WhenChanged, ///< made anew where the settings, or what was learned from, are not the same
    Always,
};

struct RunRequest {
    std::string_view kind; ///< "train" or "finetune"
    std::string name;      ///< of the model
    Json parameters;       ///< the effective configuration, and what tells the data apart
    Redo redo = Redo::Never;
    bool only_left = false; ///< one that was left, and no new one
};

struct FinishedRun {
    ModelRecord model;
    std::string message; ///< that its run ended with
};

struct ClaimedRun {
    RunId id{};
    bool goes_on = false;                     ///< it was left before its end
    std::optional<StoredTrainingState> state; ///< of one that goes on, where it came so far
    std::string replaces; ///< a sentence: which model will be replaced, and why; empty: none, or as was asked
    std::optional<ModelRecord> model; ///< of this name, which will be replaced
    RunHold hold;
};

/// Errors: the name is taken, or none (Fault::Input); a live process works at a run of this name
/// (Fault::Environment); no run was left where one has to be (Fault::Input).
[[nodiscard]] Result<std::variant<FinishedRun, ClaimedRun>> claim_run(Workspace& workspace,
                                                                      const RunRequest& request);

/// How the work at a run came to its end, where no error ended it.
enum class RunEnd {
    Finished,
    DoneBefore, ///< an earlier run did the same; what it came to is told again
    Stopped,    ///< by the user: the same request goes on with the run
    Refused,    ///< by claim_run(): nothing was begun. Fault::Input: the request is wrong
};

} // namespace sparsight
