#include "learn/kept_model.h"

#include "learn/stored_model.h"
#include "store/workspace.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

/// By its date, too: the number of a model that was removed is given again.
bool is_same(const ModelRecord& one, const std::optional<ModelRecord>& other) {
    return other && one.id == other->id && one.created == other->created;
}

Result<void> free_name(Workspace& workspace, const MadeModel& model) {
    const auto now = find_model(workspace, model.name);
    if (!now)
        return std::unexpected(now.error());
    if (!*now)
        return {};
    if (!is_same(**now, model.replaced))
        return fail(Fault::Input,
                    fmt::format("the name {} has become that of another model (of {}) while this one was "
                                "made, and it is not replaced: remove it with `models remove`, and run the "
                                "same command again",
                                model.name, (*now)->created));
    return remove_model(workspace, (*now)->id);
}

} // namespace

Result<void> keep_made_model(Workspace& workspace, TrainingJournal& journal, const MadeModel& model,
                             const std::function<Result<void>()>& more) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto freed = free_name(workspace, model); !freed)
            return freed;
        if (auto kept = keep_model(workspace, {model.name, journal.run(), model.parent}, model.checkpoint);
            !kept)
            return std::unexpected(std::move(kept).error());
        if (more)
            if (auto kept = more(); !kept)
                return kept;
        if (auto flushed = journal.flush(); !flushed)
            return flushed;
        if (auto removed = remove_training_state(workspace, journal.run()); !removed)
            return removed;
        return end_run(workspace, journal.run(), RunState::Finished, model.ending);
    });
}

} // namespace sparsight
