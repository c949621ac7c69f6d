#include "workflow/explanation/failures_study.h"

#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/smallest_change.h"
#include "evaluation/failures/find_failures.h"
#include "evaluation/known_times.h"
#include "evaluation/recorded_clock.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/failure_summary.h"
#include "evaluation/stored_evaluations.h"
#include "evaluation/time_differences.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/workloads.h"
#include "workflow/explanation/known_blame.h"
#include "workflow/explanation/misled_models.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_close_workloads = 3;

/// All statistics of the domain, in its order; absent where a fact is missing.
std::optional<StatisticVector> statistics_of(const Domain& domain, const WorkloadRecord& workload) {
    const auto facts = numeric_facts(workload);
    StatisticVector statistics;
    for (const StatisticDescription& each : domain.statistics()) {
        const auto fact = facts.find(each.name);
        if (fact == facts.end())
            return std::nullopt;
        statistics.push_back({each.name, each.title, each.unit, each.is_integer, fact->second});
    }
    return statistics;
}

class Diagnosis {
public:
    Diagnosis(Workspace& workspace, const Domain& domain, const ModelEvaluation& evaluation,
              const FailuresRequest& request, const std::stop_token& stop)
        : workspace_(workspace)
        , domain_(domain)
        , evaluation_(evaluation)
        , request_(request)
        , stop_(stop) {}

    Result<std::vector<FailureCase>> run(Observer& observer) {
        auto workloads = list_workloads(workspace_, domain_.name());
        if (!workloads)
            return std::unexpected(std::move(workloads).error());
        for (WorkloadRecord& each : *workloads)
            workloads_.emplace(each.name, std::move(each));
        auto known = context();
        if (!known)
            return std::unexpected(std::move(known).error());
        std::vector<FailureCase> cases = find_failures(evaluation_, *known);
        for (FailureCase& failure : cases)
            add_closest(failure, *known);
        std::map<std::string, std::vector<FailureCase*>> by_workload;
        for (FailureCase& failure : cases)
            by_workload[failure.workload].push_back(&failure);
        std::uint64_t done = 0;
        for (auto& [name, failures] : by_workload) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            observer.progress({.stage = "diagnosing failures", .done = done++, .total = by_workload.size()});
            if (auto diagnosed = diagnose(name, failures); !diagnosed)
                return std::unexpected(std::move(diagnosed).error());
        }
        return cases;
    }

private:
    /// By the statistics of the domain, or else by the facts that all workloads of the evaluation and of the
    /// trainings behind it share.
    [[nodiscard]] std::map<std::string, StatisticVector> known_statistics(const ModelLineage& lineage) const {
        std::map<std::string, StatisticVector> statistics;
        if (!domain_.statistics().empty()) {
            for (const auto& [name, workload] : workloads_)
                if (auto known = statistics_of(domain_, workload))
                    statistics.emplace(name, *std::move(known));
            return statistics;
        }
        std::set<std::string> names;
        for (const EvaluatedModel& model : evaluation_.models) {
            names.merge(lineage.learned_from(model.id));
            for (const EvaluatedWorkload& workload : model.workloads)
                names.insert(workload.times.workload);
        }
        std::map<std::string, std::map<std::string, double, std::less<>>> facts;
        for (const std::string& name : names)
            if (const auto found = workloads_.find(name); found != workloads_.end())
                facts.emplace(name, numeric_facts(found->second));
        return shared_facts(facts);
    }

    Result<FailureContext> context() {
        const auto lineage = ModelLineage::read(workspace_);
        if (!lineage)
            return std::unexpected(lineage.error());
        FailureContext context;
        context.statistics = known_statistics(*lineage);
        for (const EvaluatedModel& model : evaluation_.models) {
            auto& learned = learned_[model.id];
            std::vector<StatisticVector> trained;
            for (const std::string& name : lineage->learned_from(model.id))
                if (const auto known = context.statistics.find(name); known != context.statistics.end()) {
                    trained.push_back(known->second);
                    learned.insert(*known);
                }
            if (auto range = training_range(trained))
                context.trained_on.emplace(model.id, *std::move(range));
        }
        // Texts that mean the same have one time.
        context.program = [this](const std::string&, const std::string& text) {
            const auto written = domain_.written(evaluation_.setting, text);
            return written ? written->canonical : text;
        };
        return context;
    }

    void add_closest(FailureCase& failure, const FailureContext& known) const {
        const auto range = known.trained_on.find(failure.model);
        const auto statistics = known.statistics.find(failure.workload);
        if (range != known.trained_on.end() && statistics != known.statistics.end())
            failure.closest_trained = closest_to(range->second, statistics->second,
                                                 learned_.at(failure.model), most_close_workloads);
    }

    [[nodiscard]] ResultQuery query_for(const std::string& workload) const {
        return {.domain = std::string(domain_.name()),
                .workload = workload,
                .machine = evaluation_.machine_fingerprint,
                .setting = evaluation_.setting.text,
                .protocol = evaluation_.protocol,
                .condition = evaluation_.condition};
    }

    Result<void> diagnose(const std::string& name, const std::vector<FailureCase*>& failures) {
        const auto found = workloads_.find(name);
        const auto space = found == workloads_.end()
                               ? fail(Fault::Input, "it is not in the workspace any more")
                               : space_of(workspace_, domain_, evaluation_.setting, found->second);
        const auto codec = domain_.codec(evaluation_.setting);
        if (!space || !codec) {
            for (FailureCase* failure : failures)
                failure->undiagnosed = (space ? codec.error() : space.error()).message;
            return {};
        }
        const auto times = KnownTimes::read(workspace_, **codec, query_for(name));
        if (!times)
            return std::unexpected(times.error());
        KnownTimesClock clock(*times, *codec);
        for (FailureCase* failure : failures)
            if (auto diagnosed = diagnose(*failure, **space, **codec, clock); !diagnosed)
                return diagnosed;
        return {};
    }

    Result<void> diagnose(FailureCase& failure, const ConfigurationSpace& space,
                          const ConfigurationCodec& codec, Clock& clock) const {
        const auto give_up = [&](const Error& error) -> Result<void> {
            if (error.fault == Fault::Cancelled)
                return std::unexpected(error);
            failure.undiagnosed = error.message;
            return {};
        };
        const auto blame = blame_between(space, codec, clock, failure.main().against.configuration,
                                         failure.main().chosen.configuration,
                                         {.exact_up_to = most_listed_decisions,
                                          .seed = request_.seed,
                                          .stop = stop_}); // look-ups are cheap
        if (!blame)
            return give_up(blame.error());
        failure.diagnosis = diagnosis_of(*blame, {}, {}, {}, DiagnosisBasis::Recorded);
        if (!failure.diagnosis) {
            failure.undiagnosed = fmt::format("both {} mean the same", domain_.words().configuration.many);
        } else if (!failure.diagnosis->names_a_cause()) {
            failure.diagnosis.reset();
            failure.undiagnosed = no_cause_text(DiagnosisBasis::Recorded);
        }
        const auto change = smallest_configuration_change(*blame, clock, space, {.stop = stop_});
        if (!change)
            return give_up(change.error());
        if (*change)
            return add_change(failure, **change, codec, clock);
        return {};
    }

    /// The nearest change where none removes the loss, unless it changes no less than taking all back.
    static Result<void> add_change(FailureCase& failure, const ConfigurationChange& change,
                                   const ConfigurationCodec& codec, Clock& clock) {
        const bool is_nearest = !change.wins && !change.removal && change.nearest &&
                                change.nearest->decisions.size() < change.decisions.size();
        const Configuration& changed = change.removal ? change.removal->configuration
                                       : is_nearest   ? change.nearest->configuration
                                                      : change.configuration;
        const auto time = clock.time(changed);
        if (!time)
            return std::unexpected(time.error());
        failure.change =
            FailureChange{.configuration = codec.text(changed, 1),
                          .decisions = change.removal ? change.removal->decisions
                                       : is_nearest   ? change.nearest->decisions
                                                      : change.decisions,
                          .milliseconds = time->milliseconds.value_or(0),
                          .removes_loss = !is_nearest || is_equally_fast(change.nearest->ratio - 1)};
        return {};
    }

    Workspace& workspace_;
    const Domain& domain_;
    const ModelEvaluation& evaluation_;
    const FailuresRequest& request_;
    const std::stop_token& stop_;
    std::map<std::string, WorkloadRecord> workloads_;
    std::map<ModelId, std::map<std::string, StatisticVector>> learned_; ///< by name, of each model
};

} // namespace

Result<NewestEvaluation> requested_evaluation(Workspace& workspace, const Domain& domain,
                                              const FailuresRequest& request) {
    if (request.evaluation)
        return NewestEvaluation{.run = RunId{*request.evaluation}};
    EvaluationFilter filter{.domain = &domain, .model = request.model, .machine = {}};
    if (!request.machine.empty()) {
        const auto machine = require_machine(workspace, request.machine);
        if (!machine)
            return std::unexpected(machine.error());
        filter.machine = machine->fingerprint;
    }
    const auto newest = newest_evaluation(workspace, filter);
    if (!newest)
        return std::unexpected(newest.error());
    if (!*newest && !request.model.empty())
        if (const auto model = require_model(workspace, request.model); !model)
            return std::unexpected(model.error());
    if (!*newest)
        return fail(Fault::Input,
                    fmt::format("the workspace has no evaluation{}{}: expected one from `evaluate`",
                                request.model.empty() ? "" : " of " + request.model,
                                request.machine.empty() ? "" : " on " + request.machine));
    return **newest;
}

std::vector<std::string> remarks_on_evaluation(const NewestEvaluation& requested) {
    if (requested.lacks_turns)
        return {fmt::format(
            "evaluation {} has no times in turns: others have them, but not for all of its choices",
            static_cast<std::int64_t>(requested.run))};
    if (!requested.passed_over)
        return {};
    return {fmt::format("evaluation {} is newer, but has no times in turns: this is evaluation {}, which has "
                        "them (--evaluation chooses one)",
                        static_cast<std::int64_t>(*requested.passed_over),
                        static_cast<std::int64_t>(requested.run))};
}

FailuresAnswer answer_about(RunId run, ModelEvaluation evaluation, const Domain& domain) {
    FailuresAnswer answer;
    answer.run = run;
    answer.words = domain.words();
    answer.setting = evaluation.setting;
    answer.setting_members = domain.members(evaluation.setting);
    answer.machine = evaluation.machine;
    answer.sentence = setting_sentence(evaluation);
    answer.compared = evaluation.workloads() * evaluation.models.size();
    answer.date = evaluation.date;
    answer.evaluation = std::move(evaluation);
    return answer;
}

Result<void> keep_model(FailuresAnswer& answer, const std::string& model) {
    if (!model.empty()) {
        std::erase_if(answer.cases, [&](const FailureCase& each) { return each.model_name != model; });
        std::erase_if(answer.evaluation.models,
                      [&](const EvaluatedModel& each) { return each.name != model; });
        if (answer.evaluation.models.empty())
            return fail(Fault::Input, fmt::format("{} is not part of this evaluation", model));
    }
    answer.compared = answer.evaluation.workloads() * answer.evaluation.models.size();
    answer.groups = group_failures(answer.cases);
    return {};
}

Result<FailuresAnswer> answer_failures(Workspace& workspace, const Domain& domain,
                                       const FailuresRequest& request, Observer& observer,
                                       const std::stop_token& stop) {
    const auto requested = requested_evaluation(workspace, domain, request);
    if (!requested)
        return std::unexpected(requested.error());
    auto evaluation = read_evaluation(workspace, domain, requested->run);
    if (!evaluation)
        return std::unexpected(std::move(evaluation).error());
    FailuresAnswer answer = answer_about(requested->run, *std::move(evaluation), domain);
    answer.remarks = remarks_on_evaluation(*requested);
    auto cases = Diagnosis(workspace, domain, answer.evaluation, request, stop).run(observer);
    if (!cases)
        return std::unexpected(std::move(cases).error());
    answer.cases = *std::move(cases);
    if (auto kept = keep_model(answer, request.model); !kept)
        return std::unexpected(std::move(kept).error());
    return answer;
}

Result<void> ask_what_misled(FailuresAnswer& answer, Workspace& workspace, Observer& observer,
                             const std::stop_token& stop) {
    auto found = find_misleading_parts(workspace, answer.evaluation, answer.cases, observer.sink(), stop);
    if (!found)
        return std::unexpected(std::move(found).error());
    for (std::size_t at = 0; at < answer.cases.size(); ++at)
        answer.cases[at].misleading = std::move(found->of_cases[at]);
    std::ranges::move(found->remarks, std::back_inserter(answer.remarks));
    return {};
}

std::vector<std::string> reasons_arguments(const FailureCase& failure, const ModelEvaluation& evaluation,
                                           Seconds budget) {
    const FailureSign& sign = failure.main();
    std::vector<std::string> arguments{"reasons",
                                       "--model",
                                       failure.model_name,
                                       "--workload",
                                       failure.workload,
                                       "--configuration",
                                       sign.chosen.configuration,
                                       "--against",
                                       sign.against.configuration,
                                       "--setting",
                                       evaluation.setting.text,
                                       "--budget",
                                       fmt::format("{:.0f}ms", Milliseconds(budget).count())};
    if (const std::string machine = evaluation.exact_machine(); !machine.empty())
        arguments.insert(arguments.end(), {"--machine", machine});
    return arguments;
}

namespace {

Result<ChoiceReasons> reasons_of(const FailureCase& failure, const FailuresAnswer& answer,
                                 const ReasonsOfCases& asked, const std::stop_token& stop) {
    const auto told = follow_learner(
        {.workspace = asked.workspace, .seed = asked.seed},
        reasons_arguments(failure, answer.evaluation, asked.budget), [](const Json&) {}, stop);
    if (!told)
        return std::unexpected(told.error());
    return parse_choice_reasons(*told, answer.words);
}

} // namespace

Result<void> ask_for_reasons(FailuresAnswer& answer, const ReasonsOfCases& asked, Observer& observer,
                             const std::stop_token& stop) {
    std::vector<std::size_t> places;
    for (const FailureGroup& group : answer.groups)
        for (const std::size_t place :
             std::span(group.cases).first(std::min(asked.cases, group.cases.size())))
            places.push_back(place);
    for (std::size_t done = 0; done < places.size(); ++done) {
        observer.progress({"asking models for their reasons", done, places.size()});
        FailureCase& failure = answer.cases[places[done]];
        auto reasons = reasons_of(failure, answer, asked, stop);
        if (!reasons && reasons.error().fault == Fault::Cancelled)
            return std::unexpected(std::move(reasons).error());
        if (reasons)
            failure.reasons = *std::move(reasons);
        else
            failure.no_reasons_because = reasons.error().message;
    }
    return {};
}

std::string failures_page(const FailuresAnswer& answer, const PageSource& source) {
    return failure_summary_html(
        {.title = fmt::format("Where chosen {} are slow, and why", answer.words.configuration.many),
         .setting = answer.sentence,
         .words = answer.words,
         .compared = answer.compared,
         .cases = answer.cases,
         .groups = answer.groups,
         .remarks = answer.remarks,
         .sections = evaluation_sections(answer.evaluation, "The whole evaluation") +
                     evaluation_explanation(answer.words),
         .machine = answer.machine,
         .seed = source.seed,
         .date = answer.date,
         .created_by = source.created_by,
         .command = source.command});
}

} // namespace sparsight
