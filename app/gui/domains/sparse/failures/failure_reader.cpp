#include "gui/domains/sparse/failures/failure_reader.h"

#include "domains/sparse/explanation/failures/recorded_failures.h"
#include "domains/sparse/explanation/failures/stored_failures.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/jobs/job_texts.h"
#include "store/workspace.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <set>

namespace sparsight {

namespace {

FailureSetting setting_of(const StoredEvaluation& stored, const ModelEvaluation& evaluation) {
    FailureSetting setting;
    setting.run = stored.run;
    setting.machine = stored.machine;
    setting.machine_name = QString::fromStdString(evaluation.machine);
    setting.op = sparse_setting(evaluation.setting).op;
    setting.dense = sparse_setting(evaluation.setting).dense;
    setting.k = evaluation.k;
    setting.source = evaluation.source;
    if (const int threads = kernel_threads_of(evaluation); threads > 0)
        setting.threads = threads;
    for (const EvaluatedModel& model : evaluation.models)
        setting.models << QString::fromStdString(model.name);
    if (!evaluation.models.empty())
        for (const EvaluatedWorkload& matrix : evaluation.models.front().workloads)
            setting.matrices << QString::fromStdString(matrix.times.workload);
    return setting;
}

struct ReaderTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

QString text_of(const Error& error) {
    return QString::fromStdString(error.text());
}

QStringList measured_matrices(Workspace& workspace, const std::string& machine, Operator op,
                              QStringList& remarks) {
    const auto rows = list_results(workspace, ResultFilter{.machine = machine, .op = op});
    if (!rows) {
        remarks << ReaderTexts::tr("What was measured can’t be read, so a fine-tuning would leave it out: %1")
                       .arg(text_of(rows.error()));
        return {};
    }
    std::set<QString> names;
    for (const ResultRow& row : *rows)
        if (row.status == MeasurementStatus::Measured)
            names.insert(QString::fromStdString(row.matrix));
    return {names.begin(), names.end()};
}

/// Of all matrices that were compared, whether they failed or not.
void add_families(Workspace& workspace, const ModelEvaluation& evaluation, int threads,
                  SparseFailures& answer) {
    const auto context = failure_context(workspace, evaluation, threads);
    if (!context) {
        answer.remarks << ReaderTexts::tr("The patterns can’t be read, so their families are unknown: %1")
                              .arg(text_of(context.error()));
        return;
    }
    for (const auto& [matrix, family] : context->families)
        answer.setting.families.emplace(QString::fromStdString(matrix), pattern_family(family));
}

/// With the domain that it refers to.
struct MatrixForms {
    std::unique_ptr<const Domain> domain;
    WorkloadFamilies families;
};

Result<std::shared_ptr<const WorkloadFamilies>> forms_in(Workspace& workspace) {
    std::unique_ptr<const Domain> domain = make_sparse_domain();
    auto families = WorkloadFamilies::read(workspace, *domain);
    if (!families)
        return std::unexpected(std::move(families).error());
    const auto forms =
        std::make_shared<const MatrixForms>(MatrixForms{std::move(domain), *std::move(families)});
    return std::shared_ptr<const WorkloadFamilies>(forms, &forms->families);
}

/// Whose machine nobody knows is simulated on this computer.
void remark_on_machine(const FailureMachine& machine, const QString& meant, QStringList& remarks) {
    if (machine.stands_in)
        remarks << ReaderTexts::tr(
                       "Nothing is known of %1 but its name: this computer (%2) is simulated in its "
                       "place.")
                       .arg(meant, QString::fromStdString(machine.name));
}

Result<void> read_table(const WantedFailures& wanted, Workspace* workspace, const std::stop_token& stop,
                        SparseFailures& answer) {
    auto found =
        read_table_failures(workspace, {.file = wanted.table, .threads = wanted.threads, .stop = stop});
    if (!found)
        return std::unexpected(std::move(found.error()));
    answer.cases = std::move(found->cases);
    answer.groups = std::move(found->groups);
    answer.setting.table = QString::fromStdString(wanted.table);
    answer.setting.source = TimeSource::Recorded;
    answer.setting.models = QStringList{QString::fromStdString(found->chooser)};
    answer.setting.left_out = found->recorded.left_out;
    answer.setting.explained = found->explained;
    if (found->one_program > 0)
        answer.remarks << ReaderTexts::tr(
                              "%1 slower than fixed CSR but one program with it: noise, or the code "
                              "that others generate, tells them apart.")
                              .arg(matrices_text(found->one_program));
    if (found->simulated)
        remark_on_machine(*found->simulated, ReaderTexts::tr("the machine of the table"), answer.remarks);
    for (const RecordedChoice& choice : found->recorded.choices)
        answer.setting.matrices << QString::fromStdString(choice.matrix);
    return {};
}

Result<void> read_run(Workspace& workspace, const StoredEvaluation& stored, int threads,
                      const std::stop_token& stop, SparseFailures& answer) {
    const auto domain = make_sparse_domain();
    auto found = read_failures(workspace, *domain, stored.run, {}, std::nullopt, threads, stop);
    if (!found)
        return std::unexpected(std::move(found.error()));
    answer.setting = setting_of(stored, found->evaluation);
    remark_on_machine(found->simulated, answer.setting.machine_name, answer.remarks);
    answer.setting.measured =
        measured_matrices(workspace, stored.machine.toStdString(), answer.setting.op, answer.remarks);
    auto forms = forms_in(workspace);
    if (!forms)
        return std::unexpected(std::move(forms).error());
    answer.setting.forms = *std::move(forms);
    add_families(workspace, found->evaluation, threads, answer);
    if (auto told = remark_on_learned(workspace, *domain, found->evaluation, answer.remarks); !told)
        return told;
    const auto has_one = has_gray_box(workspace, found->cases);
    if (!has_one)
        return std::unexpected(has_one.error());
    answer.has_gray_box = *has_one;
    answer.cases = std::move(found->cases);
    answer.groups = std::move(found->groups);
    answer.evaluation = std::move(found->evaluation);
    return {};
}

} // namespace

Result<std::shared_ptr<const SparseFailures>> read_failures_of(const WantedFailures& wanted,
                                                               const std::stop_token& stop) {
    auto answer = std::make_shared<SparseFailures>();
    std::optional<Workspace> workspace;
    if (!wanted.workspace.empty()) {
        auto opened = Workspace::open(
            wanted.workspace, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
        if (!opened)
            return std::unexpected(std::move(opened.error()));
        workspace = std::move(*opened);
        DomainRegistry domains;
        if (const auto added = domains.add(make_sparse_domain()); !added)
            return std::unexpected(added.error());
        auto evaluations = list_evaluations(*workspace, *domains.all().front(), domains);
        if (!evaluations)
            return std::unexpected(std::move(evaluations.error()));
        answer->evaluations = std::move(*evaluations);
    }
    if (!wanted.table.empty()) {
        if (auto read = read_table(wanted, workspace ? &*workspace : nullptr, stop, *answer); !read)
            return std::unexpected(std::move(read.error()));
        return answer;
    }
    if (!workspace)
        return answer;
    if (auto read = read_newest_failures(wanted, *answer,
                                         [&](const StoredEvaluation& stored) -> Result<bool> {
                                             auto done =
                                                 read_run(*workspace, stored, wanted.threads, stop, *answer);
                                             if (!done)
                                                 return std::unexpected(std::move(done).error());
                                             return !answer->setting.matrices.isEmpty();
                                         });
        !read)
        return std::unexpected(std::move(read).error());
    return answer;
}

QString family_name_of(const FailureSetting& setting, const QString& matrix) {
    const auto found = setting.families.find(matrix);
    const std::string_view named =
        name(found == setting.families.end() ? PatternFamily::Unknown : found->second);
    return QString::fromUtf8(named.data(), static_cast<qsizetype>(named.size()));
}

} // namespace sparsight
