// What the comparison of machines shows, as plain values.
#include "gui/machines/machine_comparison_view.h"
#include "gui/machines/machine_facts.h"
#include "gui/page/domain_words.h"
#include "machine/data_sheet.h"
#include "widgets/chart/plots/heat_picture.h"
#include "widgets/look/number_text.h"
#include "workflow/machines/data_sheets.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <limits>

namespace sparsight {

namespace {

struct ComparisonTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MachineComparisonView)
};

QString fact_of(const QJsonObject& sheet, const QString& key) {
    const QVariant value = fact_value(sheet.value(key));
    if (!value.isValid())
        return unknown_text();
    const DataSheetField* const field = find_data_sheet_field(key.toStdString());
    return field != nullptr && value.typeId() == QMetaType::Double
               ? sheet_number_text(*field, value.toDouble(), true)
               : fact_text(value);
}

QString utf8_text(std::string_view text) {
    return QString::fromUtf8(text.data(), std::ssize(text));
}

} // namespace

std::vector<SheetDifference> sheet_differences(const QByteArray& to, const QByteArray& from) {
    const QJsonObject here = QJsonDocument::fromJson(to).object();
    const QJsonObject there = QJsonDocument::fromJson(from).object();
    std::vector<SheetDifference> differences;
    const auto compare = [&](const QString& key, const QString& name, const QString& meaning) {
        const QString one = fact_of(here, key);
        const QString other = fact_of(there, key);
        if (one != other)
            differences.push_back({name, meaning, one, other});
    };
    for (const DataSheetField& field : data_sheet_fields())
        if (field.key != "device") // a name
            compare(utf8_text(field.key), utf8_text(field.title), utf8_text(field.meaning));
    QStringList others = here.keys() + there.keys();
    others.removeDuplicates();
    const auto is_number = [&](const QString& key) {
        return fact_value(here.value(key)).typeId() == QMetaType::Double ||
               fact_value(there.value(key)).typeId() == QMetaType::Double;
    };
    for (const QString& key : others) // texts are remarks
        if (find_data_sheet_field(key.toStdString()) == nullptr && is_number(key))
            compare(key, key, ComparisonTexts::tr("Read from the imported sheet of machines."));
    return differences;
}

HeatPicture comparison_picture(const MachineComparison& comparison, MachineFigure figure) {
    HeatPicture picture;
    picture.x_title = ComparisonTexts::tr("Copied from");
    picture.y_title = ComparisonTexts::tr("Copied to");
    picture.infinite_text = ComparisonTexts::tr("fails");
    double worst = 2; // where all copies are good, no colour says that they are bad
    for (const ComparedMachine& machine : comparison.machines)
        picture.rows.push_back({QString::fromStdString(machine.fingerprint + '\n' + machine.condition),
                                QString::fromStdString(machine.label)});
    picture.columns = picture.rows;
    for (const MachinePair& pair : comparison.matrix.pairs) {
        const auto value = figure_of(pair, figure);
        picture.values.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
        if (value && std::isfinite(*value))
            worst = std::max(worst, *value);
        picture.notes.push_back(ComparisonTexts::tr("%1 configurations in common, %2 ran on both")
                                    .arg(count_text(pair.common), count_text(pair.ran)));
    }
    const QString workload = QString::fromStdString(comparison.workload);
    switch (figure) {
    case MachineFigure::Slowdown:
        picture.title = ComparisonTexts::tr("Cost of a copied configuration on %1").arg(workload);
        picture.value_title = ComparisonTexts::tr("Time of the copy over the best time");
        picture.format = ValueFormat::Speedup;
        picture.good = 1;
        picture.bad = worst;
        picture.logarithmic = true;
        break;
    case MachineFigure::KendallTau:
        picture.title = ComparisonTexts::tr("Agreement of machines on %1").arg(workload);
        picture.value_title = ComparisonTexts::tr("Kendall τ of both machines (1: same order)");
        picture.good = 1;
        picture.bad = 0;
        break;
    case MachineFigure::PairAccuracy:
        picture.title = ComparisonTexts::tr("Pairs ordered alike on %1").arg(workload);
        picture.value_title = ComparisonTexts::tr("Share of pairs in the same order (50 %: chance)");
        picture.format = ValueFormat::Percent;
        picture.good = 1;
        picture.bad = 0.5;
        break;
    }
    return picture;
}

} // namespace sparsight
