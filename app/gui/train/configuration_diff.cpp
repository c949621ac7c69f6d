#include "gui/train/configuration_diff.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <algorithm>

namespace sparsight {

namespace {

/// As many measurements as those of an earlier run, and other ones.
QString told_apart(const WordedSetting& setting, const std::vector<QString>& identities,
                   const QStringList& texts) {
    for (qsizetype i = 0; i < texts.size() && !setting.identity.isEmpty(); ++i)
        if (texts[i] == setting.text && identities[static_cast<std::size_t>(i)] != setting.identity)
            return ConfigurationModel::tr("%1, other ones").arg(setting.text);
    return setting.text;
}

} // namespace

std::vector<ConfigurationRow> compare_configurations(const std::vector<ConfiguredRun>& runs) {
    struct Row {
        ConfigurationRow row;
        std::vector<QString> identities;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < runs.size(); ++i)
        for (const WordedSetting& setting : runs[i].settings) {
            auto row = std::ranges::find(rows, setting.title, [](const Row& one) { return one.row.setting; });
            if (row == rows.end()) {
                const auto count = static_cast<qsizetype>(runs.size());
                rows.push_back({{setting.title, QStringList(count, unknown_text()), false},
                                std::vector<QString>(runs.size())});
                row = rows.end() - 1;
            }
            row->row.values[static_cast<qsizetype>(i)] =
                told_apart(setting, row->identities, row->row.values);
            row->identities[i] = setting.identity;
        }
    std::vector<ConfigurationRow> compared;
    for (Row& one : rows) {
        one.row.differs = std::ranges::any_of(
            one.row.values, [&](const QString& text) { return text != one.row.values.first(); });
        compared.push_back(std::move(one.row));
    }
    std::ranges::stable_partition(compared, &ConfigurationRow::differs);
    return compared;
}

void ConfigurationModel::set_runs(const std::vector<ConfiguredRun>& runs) {
    if (runs == runs_)
        return;
    beginResetModel();
    runs_ = runs;
    rows_ = compare_configurations(runs);
    endResetModel();
}

int ConfigurationModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ConfigurationModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs_.size()) + 1;
}

QVariant ConfigurationModel::data(const QModelIndex& cell, int role) const {
    if (!checkIndex(cell, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ConfigurationRow& row = rows_[static_cast<std::size_t>(cell.row())];
    if (role == Qt::DisplayRole)
        return cell.column() == 0 ? row.setting : row.values[cell.column() - 1];
    if (role == Qt::ForegroundRole && !row.differs)
        return runs_.size() > 1 ? QVariant(current_theme().dim_text) : QVariant();
    if (role == Qt::ToolTipRole && runs_.size() > 1)
        return row.differs ? tr("Differs between these runs") : tr("The same in all of these runs");
    return {};
}

QVariant ConfigurationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter); // as what stands below
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? tr("Setting") : runs_[static_cast<std::size_t>(section) - 1].name;
}

} // namespace sparsight
