#include "evaluation/model_evaluation.h"

#include "evaluation/known_times.h"
#include "evaluation/rematch_times.h"
#include "evaluation/time_differences.h"
#include "store/choices.h"
#include "store/machines.h"
#include "store/workload_families.h"
#include "store/workspace.h"
#include "study/nicknames.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
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

EvaluatedCandidate look_up(const ConfigurationChoice& chosen, int rank, const ConfigurationCodec& codec,
                           const KnownTimes& times) {
    EvaluatedCandidate candidate{.rank = rank,
                                 .configuration = chosen.configuration.text,
                                 .score =
                                     std::isnan(chosen.score) ? std::nullopt : std::optional(chosen.score),
                                 .is_baseline = chosen.configuration.is_baseline};
    // Several texts mean the baseline; its time is the one that speedups are taken over.
    const auto parsed = codec.parse(candidate.configuration);
    const ResultRecord* const row = candidate.is_baseline ? times.baseline()
                                    : parsed              ? times.find(parsed->configuration)
                                                          : nullptr;
    if (row != nullptr) {
        candidate.status = row->status;
        candidate.median_ms = row->median_ms;
        candidate.spread_ms = row->spread_ms;
    }
    return candidate;
}

bool has_known_time(const EvaluatedCandidate& candidate) {
    return candidate.status && has_time(*candidate.status) && candidate.median_ms.value_or(0) > 0;
}

/// Measured candidates before abandoned ones, then the shortest time first.
bool is_faster(const EvaluatedCandidate& a, const EvaluatedCandidate& b) {
    const bool is_measured = a.status == MeasurementStatus::Measured;
    if (is_measured != (b.status == MeasurementStatus::Measured))
        return is_measured;
    return *a.median_ms < *b.median_ms;
}

std::optional<double> tau_of(const std::vector<EvaluatedCandidate>& candidates, int k) {
    std::vector<double> scores;
    std::vector<double> times;
    for (const EvaluatedCandidate& candidate : candidates) {
        if (candidate.rank > k || !candidate.score || candidate.status != MeasurementStatus::Measured)
            continue;
        scores.push_back(*candidate.score);
        times.push_back(*candidate.median_ms);
    }
    return kendall_tau_b(count_pairs(scores, times));
}

/// Absent where the baseline or all that was chosen has no time; `why` says which. Without a baseline in the
/// domain the best known configuration stands in its place.
std::optional<EvaluatedWorkload> evaluate_workload(const std::string& workload, std::string_view model,
                                                   const std::vector<ConfigurationChoice>& chosen, int k,
                                                   const ConfigurationCodec& codec, const KnownTimes& times,
                                                   const DomainWords& words, std::string& why) {
    const ResultRecord* const reference = words.baseline ? times.baseline() : times.best();
    if (reference == nullptr || !(reference->median_ms.value_or(0) > 0)) {
        why =
            fmt::format("{} has {}time there", words.baseline ? words.baseline->one : std::string("nothing"),
                        words.baseline ? "no " : "a ");
        return std::nullopt;
    }
    EvaluatedWorkload evaluated;
    const EvaluatedCandidate* best = nullptr;
    for (std::size_t at = 0; at < chosen.size(); ++at)
        evaluated.candidates.push_back(look_up(chosen[at], static_cast<int>(at) + 1, codec, times));
    for (const EvaluatedCandidate& candidate : evaluated.candidates)
        if (candidate.rank <= k && has_known_time(candidate) &&
            (best == nullptr || is_faster(candidate, *best)))
            best = &candidate;
    if (best == nullptr) {
        why = chosen.empty() ? fmt::format("{} has chosen nothing for it", model)
                             : fmt::format("none of the {} {} that {} chose has a time there",
                                           std::min(chosen.size(), static_cast<std::size_t>(k)),
                                           words.configuration.many, model);
        return std::nullopt;
    }
    evaluated.times = {workload, *reference->median_ms, *best->median_ms, *times.best()->median_ms};
    evaluated.baseline_spread_ms = reference->spread_ms;
    evaluated.best_configuration = best->configuration;
    evaluated.best_was_given_up = best->status == MeasurementStatus::GaveUp;
    evaluated.best_known_configuration = times.best()->configuration;
    evaluated.best_known_spread_ms = times.best()->spread_ms;
    evaluated.baseline_configuration = reference->configuration;
    evaluated.kendall_tau = tau_of(evaluated.candidates, k);
    return evaluated;
}

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

std::vector<WorkloadSpeedup> speedups_of(const EvaluatedModel& model) {
    std::vector<WorkloadSpeedup> speedups;
    for (const EvaluatedWorkload& workload : model.workloads)
        speedups.push_back(workload.speedup_with_errors());
    return speedups;
}

/// The spread of the fastest choice's time as it was collected.
std::optional<double> spread_of_best(const EvaluatedWorkload& workload) {
    const auto best = std::ranges::find(workload.candidates, workload.best_configuration,
                                        &EvaluatedCandidate::configuration);
    return best == workload.candidates.end() ? std::nullopt : best->spread_ms;
}

/// Of the best times of the second model over those of the first: by the same turns, or else by the spreads
/// of both times.
RatioNoise ratio_noise(const EvaluatedWorkload& first, const EvaluatedWorkload& second) {
    const std::optional<ToldTime>& one = first.best_told;
    const std::optional<ToldTime>& other = second.best_told;
    if (one && other && one->turn_ratios.size() == other->turn_ratios.size()) {
        const TurnRatio ratio =
            ratio_of_told({other->turn_ratios, other->turns_agree}, {one->turn_ratios, one->turns_agree});
        return {.error = ratio.error.value_or(0) / ratio.ratio,
                .noise = ratio.margin().value_or(0) / ratio.ratio};
    }
    const auto spread = spread_of_best(first);
    const auto other_spread = spread_of_best(second);
    if (first.turns > 0 || second.turns > 0 || !spread || !other_spread)
        return {};
    return {.error = 0,
            .noise = std::log1p(std::hypot(*spread, *other_spread) /
                                std::min(first.times.best_ms, second.times.best_ms))};
}

std::vector<RatioNoise> ratio_noise(const EvaluatedModel& first, const EvaluatedModel& second) {
    std::vector<RatioNoise> noise;
    for (std::size_t place = 0; place < first.workloads.size(); ++place)
        noise.push_back(ratio_noise(first.workloads[place], second.workloads[place]));
    return noise;
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
            std::string why;
            auto evaluated = evaluate_workload(record.name, model.name, choices[{model.id, record.id}],
                                               scope_.k, *codec_, *times, domain_.words(), why);
            if (!evaluated) {
                evaluation_.left_out.push_back({record.name, why});
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

namespace {

std::optional<double> margin_of(const std::optional<double>& error, int turns) {
    return error ? std::optional(*error * confidence_factor(static_cast<std::size_t>(std::max(turns, 2))))
                 : std::nullopt;
}

/// How far noise alone may move the logarithm of the ratio of two times: they differ beyond it where they do
/// so by more than both spreads. 0 where a spread is unknown.
double noise_of(double one_ms, const std::optional<double>& one_spread, double other_ms,
                const std::optional<double>& other_spread) {
    if (!one_spread || !other_spread)
        return 0;
    return std::log1p(std::hypot(*one_spread, *other_spread) / std::min(one_ms, other_ms));
}

/// Of the speedup; 0 where nothing is known of it.
double noise_of(const EvaluatedWorkload& workload) {
    if (const auto margin = workload.speedup_margin())
        return *margin / workload.times.speedup();
    if (workload.turns > 0)
        return 0;
    return noise_of(workload.times.baseline_ms, workload.baseline_spread_ms, workload.times.best_ms,
                    spread_of_best(workload));
}

/// Of a candidate's time over the baseline's, as over_baseline() tells it.
double noise_of(const EvaluatedCandidate& candidate, const EvaluatedWorkload& workload) {
    if (candidate.configuration == workload.best_configuration)
        return noise_of(workload);
    if (candidate.turns_ms)
        return margin_of(candidate.turns_error_ms, workload.turns).value_or(0) / *candidate.turns_ms;
    const bool is_of_turns = workload.collected_baseline_ms.has_value();
    return noise_of(workload.collected_baseline_ms.value_or(workload.times.baseline_ms),
                    is_of_turns ? workload.collected_baseline_spread_ms : workload.baseline_spread_ms,
                    candidate.median_ms.value_or(0), candidate.spread_ms);
}

} // namespace

WorkloadSpeedup EvaluatedWorkload::speedup_with_errors() const {
    WorkloadSpeedup with_errors = times;
    with_errors.family = family;
    with_errors.speedup_error = speedup_error.value_or(0) / times.speedup();
    with_errors.noise = noise_of(*this);
    with_errors.regret_error = regret_error.value_or(0) / (1 + times.regret());
    return with_errors;
}

std::optional<double> EvaluatedWorkload::speedup_margin() const {
    return margin_of(speedup_error, turns);
}

bool EvaluatedWorkload::is_uncertain() const {
    return speedup_margin().value_or(0) > precise_within * times.speedup();
}

std::optional<double> EvaluatedWorkload::regret_margin() const {
    return margin_of(regret_error, turns);
}

bool EvaluatedWorkload::is_regret_uncertain() const {
    return regret_margin().value_or(0) > precise_within * (1 + times.regret());
}

bool EvaluatedWorkload::is_best_known() const {
    return times.best_ms == times.best_known_ms ||
           (!best_configuration.empty() && best_configuration == best_known_configuration);
}

std::optional<double> EvaluatedWorkload::over_baseline(const EvaluatedCandidate& candidate) const {
    if (candidate.configuration == best_configuration)
        return times.best_ms / times.baseline_ms;
    if (candidate.turns_ms)
        return *candidate.turns_ms / times.baseline_ms;
    return candidate.median_ms
               ? std::optional(*candidate.median_ms / collected_baseline_ms.value_or(times.baseline_ms))
               : std::nullopt;
}

std::optional<Verdict> EvaluatedWorkload::verdict_of(const EvaluatedCandidate& candidate) const {
    const auto ratio = over_baseline(candidate);
    return ratio ? std::optional(sparsight::verdict_of(1 / *ratio, noise_of(candidate, *this)))
                 : std::nullopt;
}

double EvaluatedModel::margin() const {
    double squares = 0;
    double speedups = 0;
    for (const EvaluatedWorkload& workload : workloads) {
        const double margin = workload.speedup_margin().value_or(0);
        squares += margin * margin;
        speedups += workload.times.speedup();
    }
    return speedups > 0 ? std::sqrt(squares) / speedups : 0;
}

std::size_t EvaluatedModel::best_known_found() const {
    return static_cast<std::size_t>(std::ranges::count_if(workloads, &EvaluatedWorkload::is_best_known));
}

std::string ModelEvaluation::machine_with_condition() const {
    return condition && !condition->empty() ? fmt::format("{} ({})", machine, *condition) : machine;
}

std::optional<std::size_t> ModelEvaluation::workloads_with_exact_regret() const {
    std::size_t exact = 0;
    for (std::size_t at = 0; at < workloads(); ++at) {
        const std::optional<bool>& is_exact = models.front().workloads[at].is_regret_exact;
        if (!is_exact)
            return std::nullopt;
        exact += *is_exact ? 1 : 0;
    }
    return workloads() > 0 ? std::optional(exact) : std::nullopt;
}

std::string_view ModelEvaluation::name_of(std::string_view configuration) const {
    const auto found = nicknames.find(configuration);
    return found == nicknames.end() ? configuration : std::string_view(found->second);
}

std::string ModelEvaluation::exact_machine() const {
    return condition && !condition->empty() ? fmt::format("{} ({})", machine_fingerprint, *condition)
                                            : machine_fingerprint;
}

bool ModelEvaluation::is_of_description() const {
    return source == TimeSource::Simulated && !machine_fingerprint.starts_with("simulated:");
}

std::string_view ModelEvaluation::best_title() const {
    const auto exact = workloads_with_exact_regret();
    if (exact == workloads())
        return "the best (exact)";
    return exact && source == TimeSource::Recorded ? "the best of the recorded ones" : "the best known";
}

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
