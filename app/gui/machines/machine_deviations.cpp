#include "gui/machines/machine_deviations.h"

#include "gui/page/machine_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

QString factor_text(double factor) {
    return fixed_text(factor, 2) + u'×';
}

} // namespace

std::vector<RecordColumn<MachineDeviations::Row>> MachineDeviations::columns() {
    auto parameter = text_column<Row>(
        tr("Parameter"), {}, [](const Row& row) { return parameter_words(row.deviation.parameter).name; });
    parameter.hint = [](const Row& row) { return parameter_words(row.deviation.parameter).meaning; };
    const auto factor = value_column<Row>(
        tr("Factor"), tr("The machine runs as if the parameter were this many times as large"),
        [](const Row& row) { return std::optional(row.deviation.factor); }, &factor_text);
    RecordColumn<Row> interval;
    interval.title = tr("95 % interval");
    interval.tooltip = tr("The factor is in this range with a probability of 95 %");
    interval.alignment = Qt::AlignRight;
    interval.text = [](const Row& row) {
        return tr("%1 to %2").arg(factor_text(row.deviation.low), factor_text(row.deviation.high));
    };
    return {parameter, factor, interval,
            text_column<Row>(tr("Model"), tr("The gray box that was adapted to this machine"),
                             [](const Row& row) { return row.model; })};
}

MachineDeviations::MachineDeviations(QWidget* parent)
    : QWidget(parent)
    , rows_(columns(),
            [](const Row& row) { return row.model + u'/' + parameter_words(row.deviation.parameter).name; }) {
    setObjectName(QStringLiteral("deviations"));
    auto* const sentence = new QLabel(
        tr("The measured times differ from the simulated ones as if these parameters had other values. "
           "Differences that may be chance are left out."),
        this);
    sentence->setWordWrap(true);
    auto* const table = new DataTable(this);
    table->set_model(&rows_);
    table->setAccessibleName(tr("Deviations from simulation"));
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step);
    column->addWidget(sentence);
    column->addWidget(table, 1);
}

bool MachineDeviations::show_machine(const StoredLearning& learning, const QString& fingerprint) {
    std::vector<Row> rows;
    for (const KnownModel& model : learning.models) {
        const bool is_of_machine = std::ranges::any_of(learning.sources, [&](const LearningSource& source) {
            return source.machine == fingerprint && source.was_learned_by(model);
        });
        if (is_of_machine)
            for (const MachineDeviation& deviation : model.deviations)
                rows.push_back({deviation, model.name});
    }
    const bool has_some = !rows.empty();
    rows_.set_rows(std::move(rows));
    return has_some;
}

} // namespace sparsight
