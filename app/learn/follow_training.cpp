#include "learn/follow_training.h"

#include "learn/network_training.h"
#include "learn/stored_model.h"
#include "learn/training_data.h"
#include "learning/common_start.h"
#include "learning/trainer.h"

#include <fmt/format.h>
#include <optional>

namespace sparsight {

namespace {

/// What the first process reads as well.
struct Followed {
    TrainingData data;
    NetworkStart start;
};

Result<Followed> read(Workspace& workspace, const TrainRequest& request, const std::stop_token& stop) {
    auto data = training_data(workspace, request, stop, {});
    if (!data)
        return std::unexpected(std::move(data).error());
    std::optional<StoredModel> parent;
    if (!request.parent.empty()) {
        auto loaded = load_model(workspace, request.parent);
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        parent = *std::move(loaded);
    }
    // The weights and where the training stands will be those of the first process.
    auto start = start_of_network(request, *data, parent ? &parent->checkpoint : nullptr);
    if (!start)
        return std::unexpected(std::move(start).error());
    return Followed{*std::move(data), *std::move(start)};
}

Result<TrainingEnd> follow(Session& session, const TrainRequest& request, ProcessGroup& group,
                           const std::stop_token& stop) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    const auto followed =
        workspace ? read(*workspace, request, stop) : Result<Followed>(std::unexpected(workspace.error()));
    const auto agreed = agree_on_start(
        group, followed ? Result<CommonStart>(CommonStart::Train) : std::unexpected(followed.error()), stop);
    if (!agreed)
        return std::unexpected(agreed.error());
    if (*agreed == CommonStart::NothingToDo)
        return TrainingEnd::Finished;
    const at::Device device(request.device);
    ExampleStore examples(followed->data.set, followed->start.network, request.threads,
                          default_kept_coordinates, device);
    const auto result =
        train(examples, followed->data.split, request.options,
              initial_training_state(request.options.method, request.options.inner,
                                     to_tensors(followed->start.weights, true, at::kFloat, device)),
              {}, stop, group);
    if (!result)
        return std::unexpected(result.error());
    return result->end;
}

} // namespace

ExitCode follow_training(Session& session, const TrainRequest& request, ProcessGroup& group,
                         const std::stop_token& stop) {
    const auto end = follow(session, request, group, stop);
    if (end)
        return *end == TrainingEnd::Stopped ? ExitCode::Interrupted : ExitCode::Done;
    Error error = end.error();
    error.message = fmt::format("process {} of {}: {}", group.rank(), group.count(), error.message);
    if (error.fault == Fault::Cancelled) {
        session.remark(error.text());
        return ExitCode::Interrupted;
    }
    session.complain(error);
    return ExitCode::SomeFailed;
}

} // namespace sparsight
