#include "gui/train/runs_model.h"

#include "gui/jobs/job_texts.h"
#include "gui/page/domain_words.h"
#include "gui/runs/model_verdicts.h"
#include "gui/runs/training_runs.h"
#include "gui/train/training_fields.h"
#include "widgets/chart/chart_content.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>
#include <algorithm>

namespace sparsight {

namespace {

struct RunsTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::RunsModel)
};

// The trainer's ending of a stopped run that still became a model.
const QString stopped_ending = QStringLiteral("stopped");
const QString early_ending = QStringLiteral("stopped early");

constexpr auto percent = [](double share) { return share_text(share); };

RecordColumn<RunRow> shown_column() {
    RecordColumn<RunRow> column;
    column.title = QStringLiteral(" ");
    column.export_title = QStringLiteral("shown");
    column.tooltip = RunsTable::tr("The colour of its curves; select several runs to compare them");
    column.text = [](const RunRow& row) { return row.colour ? QStringLiteral("●") : QString(); };
    column.raw = [](const RunRow& row) { return QVariant(row.colour.has_value()); };
    column.alignment = Qt::AlignHCenter;
    column.colour = [](const RunRow& row) {
        return row.colour ? QVariant(colour_from(*row.colour, current_theme())) : QVariant();
    };
    return column;
}

RecordColumn<RunRow> test_column(const Noun& workload) {
    auto column = value_column<RunRow>(
        RunsTable::tr("Test"),
        RunsTable::tr("Pairs in the right order on %1 that neither training nor the choice of the best epoch "
                      "saw. Orange: boosted trees put more pairs in the right order, on 3 %1 or more")
            .arg(many(workload)),
        [](const RunRow& row) { return row.run.test_accuracy; }, percent);
    column.colour = [](const RunRow& row) {
        return is_behind_trees(row.run) ? QVariant(current_theme().lose) : QVariant();
    };
    column.hint = [workload](const RunRow& row) { return baseline_sentence(row.run, workload); };
    return column;
}

} // namespace

int rows_of(const TrainingRun& run) {
    return run.parameters.value(QStringLiteral("rows")).toInt();
}

bool counts_rows(const TrainingRun& run) {
    return rows_of(run) > 0 ||
           run.parameters.value(QStringLiteral("shot")).toString() == QStringLiteral("row");
}

QString key_of(RunId run) {
    return QString::number(static_cast<qint64>(run));
}

QString state_text(const RunRow& row) {
    if (row.job && !is_over(*row.job))
        return state_text(*row.job);
    switch (row.run.state) {
    case RunState::Running:
        if (row.is_outdated && (row.job == JobState::Finished || row.job == JobState::Stopped))
            return state_text(*row.job);
        return row.run.worker != 0 ? state_text(JobState::Running) : RunsTable::tr("interrupted");
    case RunState::Finished:
        return row.run.message == stopped_ending ? RunsTable::tr("stopped, kept")
                                                 : state_text(JobState::Finished);
    case RunState::Stopped:
        return state_text(JobState::Stopped);
    case RunState::Failed:
        return state_text(JobState::Failed);
    }
    return {};
}

QString ending_text(const TrainingRun& run) {
    if (run.state == RunState::Finished && run.message == stopped_ending)
        return RunsTable::tr("stopped after epoch %1, and the best until then kept").arg(run.epochs);
    // Workspaces of older versions append the number of epochs.
    if (run.state == RunState::Finished && run.message.startsWith(early_ending))
        return RunsTable::tr("stopped early after %1: validation loss stopped falling")
            .arg(epochs_text(run.epochs));
    return run.message;
}

RecordColumn<RunRow> state_column() {
    auto column =
        text_column<RunRow>(RunsTable::tr("State"), {}, [](const RunRow& row) { return state_text(row); });
    column.hint = [](const RunRow& row) {
        const QString ending = ending_text(row.run);
        return ending.isEmpty() ? state_text(row) : ending;
    };
    column.colour = [](const RunRow& row) {
        return row.run.state == RunState::Failed ? QVariant(current_theme().error) : QVariant();
    };
    return column;
}

RecordColumn<RunRow> started_column() {
    auto column = text_column<RunRow>(RunsTable::tr("Started"), {}, [](const RunRow& row) {
        return QLocale().toString(row.run.started.toLocalTime(), QLocale::ShortFormat);
    });
    column.raw = [](const RunRow& row) { return QVariant(row.run.started); };
    return column;
}

QString method_text(const QString& method, const DomainWords& words) {
    const auto methods = training_methods(words);
    const auto found = std::ranges::find(methods, method, &TrainingChoice::value);
    return found == methods.end() ? method : found->text;
}

RunsModel::RunsModel(const TrainingRuns& runs, const DomainWords& words, QObject* parent)
    : RecordModel(
          {shown_column(),
           text_column<RunRow>(RunsTable::tr("Run"), RunsTable::tr("Named by the model that it makes"),
                               [](const RunRow& row) { return row.run.name; }),
           state_column(),
           text_column<RunRow>(RunsTable::tr("Method"), {},
                               [words](const RunRow& row) {
                                   return row.run.kind == QStringLiteral("finetune")
                                              ? RunsTable::tr("fine-tuning")
                                          : row.run.is_of_trees() ? RunsTable::tr("boosted trees")
                                                                  : method_text(row.run.method, words);
                               }),
           text_column<RunRow>(RunsTable::tr("Model"), {},
                               [](const RunRow& row) { return row.run.architecture; }),
           value_column<RunRow>(
               RunsTable::tr("Pairs"),
               RunsTable::tr("Pairs in the right order on the validation %1, in the best epoch")
                   .arg(many(words.workload)),
               [](const RunRow& row) { return row.run.accuracy; }, percent),
           value_column<RunRow>(
               RunsTable::tr("Regret"),
               RunsTable::tr(
                   "How much slower the best of the model’s first 20 is than the best of all, in the best "
                   "epoch"),
               [](const RunRow& row) { return row.run.regret; }, percent),
           test_column(words.workload),
           value_column<RunRow>(
               RunsTable::tr("Trees"),
               RunsTable::tr("The same of boosted trees trained on the same data: the baseline to beat"),
               [](const RunRow& row) { return row.run.baseline_accuracy; }, percent),
           value_column<RunRow>(
               title_of_many(words.workload), RunsTable::tr("Number that the model has learned from"),
               [](const RunRow& row) {
                   return row.run.workloads > 0 ? std::optional(row.run.workloads) : std::nullopt;
               },
               [](int workloads) { return count_text(workloads); }),
           value_column<RunRow>(
               RunsTable::tr("Epochs"), RunsTable::tr("Epochs done; rounds for boosted trees"),
               [](const RunRow& row) {
                   return row.run.epochs > 0 ? std::optional(row.run.epochs) : std::nullopt;
               },
               [](int epochs) { return count_text(epochs); }),
           value_column<RunRow>(
               RunsTable::tr("Time"), RunsTable::tr("Time of training without pauses"),
               [](const RunRow& row) {
                   return row.run.seconds > 0 ? std::optional(row.run.seconds) : std::nullopt;
               },
               [](double seconds) { return duration_text(1000 * seconds); }),
           text_column<RunRow>(RunsTable::tr("Machines"), {},
                               [&runs](const RunRow& row) {
                                   QStringList names;
                                   for (const QString& machine : row.run.machines)
                                       names << runs.machine_name(machine);
                                   return names.join(QStringLiteral(", "));
                               }),
           started_column()},
          [](const RunRow& row) { return key_of(row.run.id); }, parent) {}

namespace {

struct FineTunings {
    Q_DECLARE_TR_FUNCTIONS(sparsight::FineTunings)
};

/// A text or a list of texts, as recorded.
auto setting(const char* name) {
    return [name](const RunRow& row) {
        const QJsonValue value = row.run.parameters.value(QLatin1String(name));
        QStringList texts;
        for (const QJsonValue& one : value.toArray())
            texts << one.toString();
        return value.isArray() ? texts.join(QStringLiteral(", ")) : value.toString();
    };
}

RecordColumn<RunRow> accuracy_column(const QString& title, const QString& tip,
                                     std::optional<double> TrainingRun::* member) {
    return value_column<RunRow>(
        title, tip, [member](const RunRow& row) { return row.run.*member; },
        [](double share) { return share_text(share); });
}

/// The number learned from, not the number requested: the machine may have fewer.
RecordColumn<RunRow> learned_from_column(const DomainWords& words) {
    const auto count = [](const RunRow& row) {
        return counts_rows(row.run) ? rows_of(row.run) : row.run.workloads;
    };
    auto column = text_column<RunRow>(
        FineTunings::tr("Learned from"), FineTunings::tr("What the new model learned from"),
        [count, words](const RunRow& row) {
            return count(row) > 0
                       ? counted(count(row), counts_rows(row.run) ? words.configuration : words.workload)
                       : unknown_text();
        });
    column.raw = [count](const RunRow& row) { return QVariant(count(row)); };
    column.hint = [asked = setting("matrices"), words](const RunRow& row) {
        const int rows = rows_of(row.run);
        return FineTunings::tr("Asked for: %1")
            .arg(rows > 0 ? counted(rows, words.configuration) : asked(row));
    };
    return column;
}

} // namespace

std::vector<RecordColumn<RunRow>> fine_tuning_columns(const TrainingRuns& runs, const DomainWords& words) {
    return {
        text_column<RunRow>(FineTunings::tr("New model"), {}, [](const RunRow& row) { return row.run.name; }),
        text_column<RunRow>(FineTunings::tr("From"), FineTunings::tr("The model that it began with"),
                            setting("model")),
        text_column<RunRow>(FineTunings::tr("Machine"), {},
                            [&runs, machine = setting("machine")](const RunRow& row) {
                                return runs.machine_name(machine(row));
                            }),
        learned_from_column(words),
        accuracy_column(FineTunings::tr("Before"),
                        FineTunings::tr("Pairs in the right order on the test %1, of the model as it was")
                            .arg(many(words.workload)),
                        &TrainingRun::accuracy_before),
        accuracy_column(FineTunings::tr("After"), FineTunings::tr("The same after fine-tuning"),
                        &TrainingRun::test_accuracy),
        state_column(),
        started_column()};
}

} // namespace sparsight
