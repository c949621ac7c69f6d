#include "evaluation/model_evaluation.h"

#include "evaluation/figures/evaluated_figures.h"
#include "evaluation/figures/workload_evaluation.h"
#include "evaluation/known_times.h"
#include "evaluation/rematch_times.h"
#include "store/choices.h"
#include "store/machines.h"
#include "store/workload_families.h"
#include "store/workspace.h"
#include "study/nicknames.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

namespace sparsight {

namespace {

using Choices = std::map<std::pair<ModelId, WorkloadId>, std::vector<ConfigurationChoice>>;

TimeSource source_of(const MachineRecord& machine) {
    const auto description = description_of(machine);
    if (machine.fingerprint.starts_with("simulated:") ||
        (description && description->source == MachineSource::Simulated))
        return TimeSource::Simulated;
    return is_recording(machine.fingerprint) ? TimeSource::Recorded : TimeSource::Measured;
}

void summarise(EvaluatedModel& model, int k, const BootstrapOptions& bootstrap) {
    std::vector<WorkloadSpeedup> speedups;
    std::vector<double> agreements;
    for (const EvaluatedWorkload& workload : model.workloads) {
        speedups.push_back(workload.speedup_with_errors());
        if (workload.kendall_tau)
            agreements.push_back(*workload.kendall_tau);
        for (const EvaluatedCandidate& candidate : workload.candidates) {
            if (candidate.rank > k)
                continue;
            ++model.chosen;
            model.without_time += has_known_time(candidate) ? 0 : 1;
        }
    }
    model.summary = summarise_speedups(speedups, bootstrap);
    if (!agreements.empty())
        model.kendall_tau = mean(agreements);
}

class Evaluation {
public:
    Evaluation(Workspace& workspace, const Domain& domain, const EvaluationScope& scope)
        : workspace_(workspace)
        , domain_(domain)
        , scope_(scope) {}

    Result<ModelEvaluation> run() {
        auto codec = domain_.codec(scope_.setting);
        if (!codec)
            return std::unexpected(std::move(codec).error());
        codec_ = *std::move(codec);
        evaluation_.machine = scope_.machine.name;
        evaluation_.machine_fingerprint = scope_.machine.fingerprint;
        evaluation_.source = source_of(scope_.machine);
        evaluation_.setting = scope_.setting;
        evaluation_.words = domain_.words();
        evaluation_.setting_members = domain_.members(scope_.setting);
        evaluation_.protocol = scope_.protocol;
        evaluation_.condition = scope_.condition;
        evaluation_.k = scope_.k;
        evaluation_.bootstrap = scope_.bootstrap;
        if (auto done = read_models(); !done)
            return std::unexpected(done.error());
        if (auto done = read_workloads(); !done)
            return std::unexpected(done.error());
        for (EvaluatedModel& model : evaluation_.models)
            summarise(model, scope_.k, scope_.bootstrap);
        for (const EvaluatedModel& model : evaluation_.models)
            compare_with_first(model);
        name_configurations();
        return std::move(evaluation_);
    }

private:
    void name_configurations() {
        std::set<std::string> texts;
        for (const EvaluatedModel& model : evaluation_.models)
            for (const EvaluatedWorkload& workload : model.workloads) {
                texts.insert({workload.best_configuration, workload.best_known_configuration,
                              workload.baseline_configuration});
                for (const EvaluatedCandidate& candidate : workload.candidates)
                    texts.insert(candidate.configuration);
            }
        for (const MissedTurns& missed : evaluation_.missed_turns)
            texts.insert(missed.configuration);
        const std::vector<std::string> named(texts.begin(), texts.end());
        const std::vector<std::string> names = nicknames(domain_, scope_.setting, named);
        for (std::size_t each = 0; each < named.size(); ++each)
            if (!names[each].empty())
                evaluation_.nicknames.emplace(named[each], names[each]);
    }

    Result<void> read_models() {
        const auto records = list_models(workspace_);
        if (!records)
            return std::unexpected(records.error());
        std::set<ModelId> told;
        for (const ModelId id : scope_.models) {
            const auto record = std::ranges::find(*records, id, &ModelRecord::id);
            if (record == records->end())
                return fail(Fault::Input,
                            fmt::format("the workspace has no model {}", static_cast<std::int64_t>(id)));
            evaluation_.models.push_back({.id = id, .name = record->name, .workloads = {}});
            // The parents' runs, too: a fine-tuned model learned most of what it knows there.
            for (auto each = record; each != records->end() && told.insert(each->id).second;
                 each = each->parent ? std::ranges::find(*records, *each->parent, &ModelRecord::id)
                                     : records->end())
                if (auto done = read_curves(*each); !done)
                    return done;
        }
        return {};
    }

    Result<void> read_curves(const ModelRecord& model) {
        if (!model.run)
            return {};
        LossCurves curves{.model = model.name, .training = {}, .validation = {}};
        for (const auto& [name, points] : {std::pair("epoch/training_loss", &curves.training),
                                           std::pair("validation/loss", &curves.validation)}) {
            auto read = list_metric(workspace_, *model.run, name);
            if (!read)
                return std::unexpected(read.error());
            *points = std::move(*read);
        }
        if (!curves.training.empty() || !curves.validation.empty())
            evaluation_.curves.push_back(std::move(curves));
        return {};
    }

    Result<void> read_workloads() {
        const auto records = list_workloads(workspace_, domain_.name());
        if (!records)
            return std::unexpected(records.error());
        auto families = WorkloadFamilies::read(workspace_, domain_);
        if (!families)
            return std::unexpected(std::move(families).error());
        families_ = *std::move(families);
        const auto rows = list_choice_records(workspace_, scope_.run);
        if (!rows)
            return std::unexpected(rows.error());
        Choices choices;
        for (const ChoiceRecord& row : *rows)
            choices[{row.model, row.workload}].push_back(row.chosen);
        for (const WorkloadId id : scope_.workloads) {
            const auto record = std::ranges::find(*records, id, &WorkloadRecord::id);
            if (record != records->end())
                if (auto done = read_workload(*record, choices); !done)
                    return done;
        }
        return {};
    }

    Result<void> read_workload(const WorkloadRecord& record, Choices& choices) {
        const auto times = KnownTimes::read(workspace_, *codec_, query_of(scope_, record.name));
        if (!times)
            return std::unexpected(times.error());
        const auto rematch = RematchTimes::read(workspace_, codec_, scope_.run, record.id);
        if (!rematch)
            return std::unexpected(rematch.error());
        const std::optional<bool> is_regret_exact = are_all_tried(record, *times);
        const std::string family = *families_->with_relatives({record.name}).begin();
        std::vector<EvaluatedWorkload> of_models;
        for (const EvaluatedModel& model : evaluation_.models) {
            auto evaluated = evaluate_workload(record.name, model.name, choices[{model.id, record.id}],
                                               scope_.k, *codec_, *times, domain_.words());
            if (!evaluated) {
                evaluation_.left_out.push_back({record.name, evaluated.error()});
                return {};
            }
            evaluated->family = family;
            evaluated->is_regret_exact = is_regret_exact;
            rematch->apply_to(*evaluated, scope_.k);
            of_models.push_back(std::move(*evaluated));
        }
        std::ranges::move(rematch->missed(record.name), std::back_inserter(evaluation_.missed_turns));
        for (std::size_t model = 0; model < of_models.size(); ++model)
            evaluation_.models[model].workloads.push_back(std::move(of_models[model]));
        evaluation_.date = std::max(evaluation_.date, times->newest());
        return {};
    }

    [[nodiscard]] std::optional<bool> are_all_tried(const WorkloadRecord& record,
                                                    const KnownTimes& times) const {
        const auto space = space_of(workspace_, domain_, scope_.setting, record);
        if (!space || (*space)->configurations().empty())
            return std::nullopt;
        return std::ranges::all_of((*space)->configurations(), [&](const Configuration& each) {
            const ResultRecord* const found = times.find(each);
            return found != nullptr && found->status != MeasurementStatus::Damaged;
        });
    }

    void compare_with_first(const EvaluatedModel& model) {
        const EvaluatedModel& reference = evaluation_.models.front();
        if (&model == &reference)
            return;
        if (const auto figures = compare_speedups(speedups_of(model), speedups_of(reference),
                                                  scope_.bootstrap, ratio_noise(model, reference)))
            evaluation_.comparisons.push_back({model.name, reference.name, *figures});
    }

    Workspace& workspace_;
    const Domain& domain_;
    const EvaluationScope& scope_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::optional<WorkloadFamilies> families_;
    ModelEvaluation evaluation_;
};

} // namespace

ResultQuery query_of(const EvaluationScope& scope, const std::string& workload) {
    return {.domain = scope.setting.domain,
            .workload = workload,
            .machine = scope.machine.fingerprint,
            .setting = scope.setting.text,
            .protocol = scope.protocol,
            .threads = scope.threads,
            .condition = scope.condition};
}

Result<ModelEvaluation> evaluate_models(Workspace& workspace, const Domain& domain,
                                        const EvaluationScope& scope) {
    return Evaluation(workspace, domain, scope).run();
}

} // namespace sparsight
