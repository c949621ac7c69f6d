#include "domains/sparse/explanation/failures/stored_failures.h"

#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/failures/pattern_family.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/storage/matrices.h"
#include "evaluation/diagnosis/blame.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/stored_evaluations.h"
#include "machine/machine_parameters.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace sparsight {

namespace {

Result<std::optional<FailureMachine>> described(Workspace& workspace, const std::string& fingerprint) {
    const auto record = find_machine(workspace, fingerprint);
    if (!record)
        return std::unexpected(record.error());
    if (*record)
        if (auto known = description_of(**record))
            return FailureMachine{(*record)->name, *std::move(known), false};
    return std::nullopt;
}

} // namespace

Result<FailureMachine> failure_machine(Workspace& workspace, const std::string& fingerprint) {
    if (!fingerprint.empty()) {
        auto meant = described(workspace, fingerprint);
        if (!meant)
            return std::unexpected(std::move(meant).error());
        if (*meant)
            return **std::move(meant);
    }
    auto here = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    if (!here)
        return std::unexpected(std::move(here).error());
    auto known = described(workspace, here->fingerprint());
    if (!known)
        return std::unexpected(std::move(known).error());
    FailureMachine machine = *known ? **std::move(known) : FailureMachine{here->name, *here, false};
    machine.stands_in = here->fingerprint() != fingerprint;
    return machine;
}

std::string stand_in_sentence(const FailureMachine& machine, const std::string& meant) {
    return fmt::format("{}: this computer ({}) is simulated in its place.",
                       meant.empty() ? "Nobody says which machine was recorded"
                                     : fmt::format("Nothing is known of {} but its name", meant),
                       machine.name);
}

namespace {

using Records = std::map<std::string, MatrixRecord>;

Result<Records> matrix_records(Workspace& workspace) {
    auto listed = list_matrices(workspace);
    if (!listed)
        return std::unexpected(std::move(listed).error());
    Records records;
    for (MatrixRecord& record : *listed)
        records.emplace(record.name, std::move(record));
    return records;
}

class ContextReader {
public:
    ContextReader(Workspace& workspace, Records records, int threads)
        : workspace_(workspace)
        , records_(std::move(records))
        , threads_(threads) {}

    Result<void> add_matrices(const ModelEvaluation& evaluation) {
        if (evaluation.models.empty())
            return {};
        for (const EvaluatedWorkload& matrix : evaluation.models.front().workloads) {
            const std::string& name = matrix.times.workload;
            const auto statistics = statistics_of(name);
            if (!statistics)
                return std::unexpected(statistics.error());
            if (*statistics)
                statistics_.emplace(name, **statistics);
        }
        return {};
    }

    Result<void> add_training(const ModelLineage& lineage, ModelId model) {
        std::vector<StatisticVector> trained;
        for (const std::string& name : lineage.learned_from(model)) {
            const auto statistics = statistics_of(name);
            if (!statistics)
                return std::unexpected(statistics.error());
            if (*statistics)
                trained.push_back(statistic_vector(**statistics));
        }
        if (auto range = training_range(trained))
            trained_on_.emplace(model, std::move(*range));
        return {};
    }

    [[nodiscard]] FailureContext take(const ModelEvaluation& evaluation, std::optional<KernelTarget> target) {
        FailureContext context = failure_context(evaluation, statistics_, target);
        context.trained_on = std::move(trained_on_);
        return context;
    }

private:
    /// Nothing where the pattern is unknown, or can't be had any more: a file that moved is no reason to
    /// refuse everything else.
    Result<std::optional<PatternStatistics>> statistics_of(const std::string& name) {
        if (const auto known = known_.find(name); known != known_.end())
            return known->second;
        const auto record = records_.find(name);
        std::optional<PatternStatistics> found;
        if (record != records_.end() && record->second.pattern != PayloadPlace::Unknown)
            if (auto statistics = matrix_statistics(workspace_, record->second, threads_))
                found = *statistics;
        return known_[name] = found;
    }

    Workspace& workspace_;
    Records records_;
    int threads_;
    std::map<std::string, std::optional<PatternStatistics>> known_;
    std::map<std::string, PatternStatistics> statistics_;
    std::map<ModelId, TrainingRange> trained_on_;
};

/// Of the cases of one matrix, whose pattern is profiled once.
class MatrixDiagnosis {
public:
    MatrixDiagnosis(const CsrPattern& pattern, const SparseSetting& setting, const DiagnosisOptions& options)
        : pattern_(pattern)
        , setting_(setting)
        , options_(options)
        , clock_(pattern_, setting.dense, parameters_with_threads(options.machine, options.kernel_threads),
                 options.threads) {}

    Result<void> diagnose(FailureCase& failure) {
        const FailureSign& sign = failure.main();
        const auto from = parse_schedule(setting_.op, sign.against.configuration);
        const auto to = parse_schedule(setting_.op, sign.chosen.configuration);
        if (!from || !to) {
            failure.undiagnosed = (from ? to : from).error().message;
            return {};
        }
        const auto space = ScheduleHybrids::make(*from, *to);
        if (!space) {
            failure.undiagnosed = space.error().message;
            return {};
        }
        const auto blame = find_blame(*space, clock_, {.seed = options_.seed, .stop = options_.stop});
        if (!blame && blame.error().fault == Fault::Cancelled)
            return std::unexpected(blame.error());
        if (!blame) {
            failure.undiagnosed = blame.error().message;
            return {};
        }
        if (blame->is_same_program) {
            failure.undiagnosed = "both schedules are one program: noise alone tells their times apart";
            return {};
        }
        failure.diagnosis = diagnosis_of(*blame, blame->from.terms, blame->to.terms, time_causes(),
                                         DiagnosisBasis::Simulated);
        failure.undiagnosed = failure.diagnosis ? "" : "both schedules mean the same";
        if (failure.diagnosis)
            failure.diagnosis->simulation_agrees = sees_loss(failure.diagnosis->simulated_factor, sign);
        if (failure.diagnosis && failure.diagnosis->simulation_agrees &&
            !failure.diagnosis->names_a_cause()) {
            failure.diagnosis.reset();
            failure.undiagnosed = no_cause_text(DiagnosisBasis::Simulated);
        }
        return {};
    }

private:
    ProfiledPattern pattern_;
    SparseSetting setting_;
    const DiagnosisOptions& options_;
    SimulatedClock clock_;
};

/// Recorded kernels are not ours.
Result<std::optional<KernelTarget>> target_of(Workspace& workspace, const ModelEvaluation& evaluation) {
    if (evaluation.source == TimeSource::Recorded)
        return std::nullopt;
    const auto record = find_machine(workspace, evaluation.machine_fingerprint);
    if (!record)
        return std::unexpected(record.error());
    const auto machine = *record ? description_of(**record) : std::nullopt;
    return machine ? kernel_target_of(resolve_parameters(*machine).values) : std::nullopt;
}

} // namespace

FailureContext failure_context(const ModelEvaluation& evaluation,
                               const std::map<std::string, PatternStatistics>& statistics,
                               std::optional<KernelTarget> target) {
    FailureContext context;
    std::map<std::string, ProgramIdentity> programs;
    for (const auto& [matrix, of] : statistics) {
        context.statistics.emplace(matrix, statistic_vector(of));
        context.families.emplace(matrix, workload_family(family_of(of)));
        programs.emplace(matrix, ProgramIdentity(extents(sparse_setting(evaluation.setting).op, of.rows,
                                                         of.cols, sparse_setting(evaluation.setting).dense),
                                                 target));
    }
    context.program = [op = sparse_setting(evaluation.setting).op, programs = std::move(programs)](
                          const std::string& matrix, const std::string& schedule) {
        const auto parsed = parse_schedule(op, schedule);
        const auto known = programs.find(matrix);
        const ProgramIdentity identity =
            known == programs.end() ? ProgramIdentity({}, std::nullopt) : known->second;
        return parsed ? identity.of(*parsed) : schedule;
    };
    return context;
}

Result<FailureContext> failure_context(Workspace& workspace, const ModelEvaluation& evaluation, int threads) {
    auto records = matrix_records(workspace);
    if (!records)
        return std::unexpected(std::move(records).error());
    const auto lineage = ModelLineage::read(workspace);
    if (!lineage)
        return std::unexpected(lineage.error());
    ContextReader reader(workspace, std::move(*records), threads);
    if (auto added = reader.add_matrices(evaluation); !added)
        return std::unexpected(std::move(added).error());
    for (const EvaluatedModel& model : evaluation.models)
        if (auto added = reader.add_training(*lineage, model.id); !added)
            return std::unexpected(std::move(added).error());
    const auto target = target_of(workspace, evaluation);
    if (!target)
        return std::unexpected(target.error());
    return reader.take(evaluation, *target);
}

Result<void> diagnose(Workspace& workspace, const SparseSetting& setting, std::vector<FailureCase>& cases,
                      const DiagnosisOptions& options) {
    const auto records = matrix_records(workspace);
    if (!records)
        return std::unexpected(records.error());
    std::map<std::string, std::vector<FailureCase*>> by_matrix;
    const std::size_t most = options.most == 0 ? cases.size() : std::min(options.most, cases.size());
    for (std::size_t at = 0; at < cases.size(); ++at) {
        if (at < most)
            by_matrix[cases[at].workload].push_back(&cases[at]);
        else
            cases[at].undiagnosed = fmt::format("only the {} greatest losses are diagnosed", most);
    }
    std::uint64_t done = 0;
    for (const auto& [name, failures] : by_matrix) {
        if (options.stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        if (options.progress)
            options.progress({"diagnosing failures", done++, by_matrix.size()});
        const auto record = records->find(name);
        const auto pattern = record == records->end() ? fail(Fault::Input, "the workspace has no such matrix")
                                                      : load_pattern(workspace, record->second.id);
        if (!pattern) {
            for (FailureCase* failure : failures)
                failure->undiagnosed = pattern.error().message;
            continue;
        }
        MatrixDiagnosis diagnosis(*pattern, setting, options);
        for (FailureCase* failure : failures)
            if (auto diagnosed = diagnosis.diagnose(*failure); !diagnosed)
                return diagnosed;
    }
    return {};
}

int kernel_threads_of(const ModelEvaluation& evaluation) {
    if (evaluation.source != TimeSource::Measured || evaluation.workloads() == 0)
        return 0;
    const auto schedule = parse_schedule(sparse_setting(evaluation.setting).op,
                                         evaluation.models.front().workloads.front().baseline_configuration);
    return schedule ? schedule->threads : 0;
}

Result<StoredFailures> read_failures(Workspace& workspace, const Domain& sparse, RunId run,
                                     const FailureOptions& options,
                                     const std::optional<MachineDescription>& machine, int threads,
                                     const std::stop_token& stop, const ProgressSink& progress,
                                     std::uint64_t seed) {
    auto evaluation = read_evaluation(workspace, sparse, run);
    if (!evaluation)
        return std::unexpected(std::move(evaluation).error());
    const auto context = failure_context(workspace, *evaluation, threads);
    if (!context)
        return std::unexpected(context.error());
    auto simulated = machine ? Result<FailureMachine>(FailureMachine{machine->name, *machine, false})
                             : failure_machine(workspace, evaluation->machine_fingerprint);
    if (!simulated)
        return std::unexpected(std::move(simulated).error());
    StoredFailures failures{run, std::move(*evaluation), {}, {}, *std::move(simulated)};
    failures.cases = find_failures(failures.evaluation, *context, options);
    if (auto diagnosed = diagnose(workspace, sparse_setting(failures.evaluation.setting), failures.cases,
                                  {.machine = failures.simulated.machine,
                                   .threads = threads,
                                   .kernel_threads = kernel_threads_of(failures.evaluation),
                                   .seed = seed,
                                   .stop = stop,
                                   .progress = progress});
        !diagnosed)
        return std::unexpected(std::move(diagnosed).error());
    failures.groups = group_failures(failures.cases);
    return failures;
}

} // namespace sparsight
