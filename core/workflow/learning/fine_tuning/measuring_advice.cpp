#include "workflow/learning/fine_tuning/measuring_advice.h"

#include "learning/fine_tuning/telling_workloads.h"
#include "model/networks/gray_box.h"
#include "store/machines.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/training/machine_tasks.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace sparsight {
namespace {

/// The workloads that the machine has times of in this setting.
Result<std::set<std::string>> measured_on(Workspace& workspace, const LearningDomain& domain,
                                          const Setting& setting, const std::string& machine, int threads,
                                          const std::stop_token& stop) {
    const auto tasks =
        domain.tasks(workspace, {.setting = setting, .sources = {{machine}}, .threads = threads}, stop);
    if (!tasks && tasks.error().fault != Fault::Input) // which says that there are none
        return std::unexpected(tasks.error());
    std::set<std::string> names;
    if (tasks)
        for (const Task& task : tasks->set.tasks)
            for (const WorkloadRuntimes& runtimes : task.runtimes)
                names.insert(tasks->set.workloads[runtimes.workload].whole_name());
    return names;
}

} // namespace

Result<MeasuringAdvice> advise_measuring(Workspace& workspace, const LearningDomains& domains,
                                         const AdviceRequest& request, const std::stop_token& stop,
                                         const ProgressSink& progress) {
    const auto model = load_model(workspace, domains, request.model);
    if (!model)
        return std::unexpected(model.error());
    if (!is_network(model->checkpoint.model) || model->encoder()->gray_box() == nullptr)
        return fail(
            Fault::Input,
            fmt::format("{} is no gray box: only such a model knows what it is not sure of", request.model));
    const auto machine = require_machine(workspace, request.machine);
    if (!machine)
        return std::unexpected(machine.error());
    const auto setting = model->domain->setting_of(model->architecture(), {});
    if (!setting)
        return std::unexpected(setting.error());
    const auto measured =
        measured_on(workspace, *model->domain, *setting, machine->fingerprint, request.threads, stop);
    if (!measured)
        return std::unexpected(measured.error());
    const auto stored = model->domain->task_storage(workspace)->workloads();
    if (!stored)
        return std::unexpected(stored.error());
    const bool is_all_known = std::ranges::all_of(*stored, [&](const StoredWorkload& workload) {
        return !workload.has_data || measured->contains(workload.name);
    });
    if (is_all_known)
        return MeasuringAdvice{machine->name, *setting, {}, measured->size(), {}};
    auto tasks = machine_tasks(workspace, *model->domain,
                               {.setting = *setting,
                                .machines = {std::string(no_machine)},
                                .simulated = {machine->name},
                                .seed = request.seed,
                                .threads = request.threads,
                                .draws_always = true},
                               stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    std::vector<std::size_t> known;
    std::vector<std::size_t> candidates;
    for (std::size_t place = 0; place < tasks->set.workloads.size(); ++place)
        (measured->contains(tasks->set.workloads[place].name) ? known : candidates).push_back(place);
    ExampleStore examples(tasks->set, model->encoder(), request.threads);
    const auto chosen = telling_workloads(examples, 0, known, candidates,
                                          to_tensors(model->checkpoint.weights), request.count, stop);
    if (!chosen)
        return std::unexpected(chosen.error());
    MeasuringAdvice advice{machine->name, *setting, {}, known.size(), std::move(tasks->notes)};
    for (const TellingWorkload& each : *chosen)
        advice.workloads.push_back({tasks->set.workloads[each.workload].name, each.doubt_left});
    return advice;
}

} // namespace sparsight
