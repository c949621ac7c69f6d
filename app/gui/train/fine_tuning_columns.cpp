#include "gui/train/fine_tuning_columns.h"

#include "gui/runs/training_runs.h"
#include "widgets/table/record_columns.h"

#include <QCoreApplication>
#include <QJsonArray>

namespace sparsight {

namespace {

struct FineTunings {
    Q_DECLARE_TR_FUNCTIONS(sparsight::FineTunings)
};

/// A text or a list of them, as it was told.
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

/// What was learned from, not what was asked for: the machine may have fewer.
RecordColumn<RunRow> matrices_column() {
    auto column = value_column<RunRow>(
        FineTunings::tr("Matrices"), FineTunings::tr("That were learned from"),
        [](const RunRow& row) {
            return row.run.matrices > 0 ? std::optional(row.run.matrices) : std::nullopt;
        },
        [](int matrices) { return count_text(matrices); });
    column.hint = [asked = setting("matrices")](const RunRow& row) {
        return FineTunings::tr("Asked for: %1").arg(asked(row));
    };
    return column;
}

} // namespace

std::vector<RecordColumn<RunRow>> fine_tuning_columns(const TrainingRuns& runs) {
    return {
        text_column<RunRow>(FineTunings::tr("New model"), {}, [](const RunRow& row) { return row.run.name; }),
        text_column<RunRow>(FineTunings::tr("From"), FineTunings::tr("The model that it began with"),
                            setting("model")),
        text_column<RunRow>(FineTunings::tr("Machine"), {},
                            [&runs, machine = setting("machine")](const RunRow& row) {
                                return runs.machine_name(machine(row));
                            }),
        matrices_column(),
        accuracy_column(FineTunings::tr("Before"),
                        FineTunings::tr("Ordered pair accuracy on the test matrices, of the model as it was"),
                        &TrainingRun::accuracy_before),
        accuracy_column(FineTunings::tr("After"), FineTunings::tr("The same after fine-tuning"),
                        &TrainingRun::test_accuracy),
        state_column(),
        started_column()};
}

} // namespace sparsight
