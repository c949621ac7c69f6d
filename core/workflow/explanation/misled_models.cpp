#include "workflow/explanation/misled_models.h"

#include "store/models.h"
#include "workflow/explanation/learned_times.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace sparsight {

Result<void> find_misleading_parts(Workspace& workspace, const ModelEvaluation& evaluation,
                                   std::vector<FailureCase>& cases, std::vector<std::string>& remarks,
                                   const ProgressSink& progress, const std::stop_token& stop) {
    const auto models = list_models(workspace);
    if (!models)
        return std::unexpected(models.error());
    for (const ModelRecord& model : *models) {
        if (!is_gray_box(model))
            continue;
        std::set<std::pair<std::string, std::string>> pairs;
        for (const FailureCase& failure : cases)
            if (failure.model == model.id)
                for (const TimedConfiguration* const side : {&failure.main().chosen, &failure.main().against})
                    pairs.emplace(failure.workload, side->configuration);
        if (pairs.empty())
            continue;
        const auto told = ask_for_learned_times({.workspace = workspace.path().string(),
                                                 .model = model.name,
                                                 .machine = evaluation.exact_machine(),
                                                 .setting = evaluation.setting,
                                                 .pairs = {pairs.begin(), pairs.end()}},
                                                evaluation.words, progress, stop);
        if (!told && told.error().fault == Fault::Cancelled)
            return std::unexpected(told.error());
        if (!told) {
            remarks.push_back(
                fmt::format("what misled {} is not known: {}", model.name, told.error().message));
            continue;
        }
        for (FailureCase& failure : cases) {
            if (failure.model != model.id)
                continue;
            const FailureSign& sign = failure.main();
            const auto* const chosen = told->find(failure.workload, sign.chosen.configuration);
            const auto* const against = told->find(failure.workload, sign.against.configuration);
            if (chosen != nullptr && against != nullptr)
                failure.misleading =
                    misleading_part(*chosen, *against, sign.chosen.milliseconds / sign.against.milliseconds);
        }
    }
    return {};
}

} // namespace sparsight
