#include "workflow/explanation/misled_models.h"

#include "store/models.h"
#include "workflow/explanation/learned_times.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace sparsight {

namespace {

Result<std::vector<ModelRecord>> gray_boxes_of(Workspace& workspace, std::span<const FailureCase> cases) {
    auto models = list_models(workspace);
    if (!models)
        return models;
    std::erase_if(*models, [&](const ModelRecord& model) {
        return !is_gray_box(model) || std::ranges::find(cases, model.id, &FailureCase::model) == cases.end();
    });
    return models;
}

} // namespace

Result<bool> has_gray_box(Workspace& workspace, std::span<const FailureCase> cases) {
    const auto models = gray_boxes_of(workspace, cases);
    if (!models)
        return std::unexpected(models.error());
    return !models->empty();
}

Result<MisleadingParts> find_misleading_parts(Workspace& workspace, const ModelEvaluation& evaluation,
                                              std::span<const FailureCase> cases,
                                              const ProgressSink& progress, const std::stop_token& stop) {
    const auto models = gray_boxes_of(workspace, cases);
    if (!models)
        return std::unexpected(models.error());
    MisleadingParts found;
    found.of_cases.resize(cases.size());
    for (const ModelRecord& model : *models) {
        std::set<std::pair<std::string, std::string>> pairs;
        for (const FailureCase& failure : cases)
            if (failure.model == model.id)
                for (const TimedConfiguration* const side : {&failure.main().chosen, &failure.main().against})
                    pairs.emplace(failure.workload, side->configuration);
        const auto told = ask_for_learned_times({.workspace = workspace.path().string(),
                                                 .model = model.name,
                                                 .machine = evaluation.exact_machine(),
                                                 .setting = evaluation.setting,
                                                 .pairs = {pairs.begin(), pairs.end()}},
                                                evaluation.words, progress, stop);
        if (!told && told.error().fault == Fault::Cancelled)
            return std::unexpected(told.error());
        if (!told) {
            found.remarks.push_back(
                fmt::format("what misled {} is not known: {}", model.name, told.error().message));
            continue;
        }
        for (std::size_t at = 0; at < cases.size(); ++at) {
            const FailureCase& failure = cases[at];
            if (failure.model != model.id)
                continue;
            const FailureSign& sign = failure.main();
            const auto* const chosen = told->find(failure.workload, sign.chosen.configuration);
            const auto* const against = told->find(failure.workload, sign.against.configuration);
            if (chosen != nullptr && against != nullptr)
                found.of_cases[at] =
                    misleading_part(*chosen, *against, sign.chosen.milliseconds / sign.against.milliseconds);
        }
    }
    return found;
}

} // namespace sparsight
