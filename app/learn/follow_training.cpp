#include "learn/follow_training.h"

#include "learn/network_training.h"
#include "learn/stored_model.h"
#include "learn/training_data.h"
#include "learning/trainer.h"

#include <fmt/format.h>
#include <optional>

namespace sparsight {

namespace {

Result<TrainingEnd> follow(Session& session, const TrainRequest& request, const ProcessGroup& group,
                           const std::stop_token& stop) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto data = training_data(*workspace, request, stop, {});
    if (!data)
        return std::unexpected(data.error());
    std::optional<StoredModel> parent;
    if (!request.parent.empty()) {
        auto loaded = load_model(*workspace, request.parent);
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        parent = *std::move(loaded);
    }
    // The weights and where the training stands will be those of the first process.
    const auto start = start_of_network(request, *data, parent ? &parent->checkpoint : nullptr);
    if (!start)
        return std::unexpected(start.error());
    ExampleStore examples(data->set, start->network, request.threads);
    const auto result = train(examples, data->split, request.options,
                              initial_training_state(request.options.method, request.options.inner,
                                                     to_tensors(start->weights, true)),
                              {}, stop, group);
    if (!result)
        return std::unexpected(result.error());
    return result->end;
}

} // namespace

ExitCode follow_training(Session& session, const TrainRequest& request, const ProcessGroup& group,
                         const std::stop_token& stop) {
    const auto end = follow(session, request, group, stop);
    if (end)
        return *end == TrainingEnd::Stopped ? ExitCode::Interrupted : ExitCode::Done;
    session.remark(fmt::format("process {} of {}: {}", group.rank(), group.count(), end.error().text()));
    return end.error().fault == Fault::Cancelled ? ExitCode::Interrupted : ExitCode::SomeFailed;
}

} // namespace sparsight
