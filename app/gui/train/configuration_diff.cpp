#include "gui/train/configuration_diff.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <map>

namespace sparsight {

namespace {

QString text_of(const QJsonValue& value) {
    switch (value.type()) {
    case QJsonValue::Bool:
        return value.toBool() ? ConfigurationModel::tr("yes") : ConfigurationModel::tr("no");
    case QJsonValue::Double:
        return QString::number(value.toDouble(), 'g', 10);
    case QJsonValue::String:
        return value.toString();
    case QJsonValue::Array: {
        QStringList parts;
        for (const QJsonValue& one : value.toArray())
            parts << text_of(one);
        return parts.join(QStringLiteral(", "));
    }
    default:
        return unknown_text();
    }
}

void flatten(const QJsonObject& object, const QString& prefix, std::map<QString, QString>& into) {
    for (auto at = object.begin(); at != object.end(); ++at) {
        if (at.value().isObject())
            flatten(at.value().toObject(), prefix + at.key() + u'.', into);
        else
            into[prefix + at.key()] = text_of(at.value());
    }
}

} // namespace

std::vector<ConfigurationRow> compare_configurations(const std::vector<ConfiguredRun>& runs) {
    std::map<QString, QStringList> values;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::map<QString, QString> flat;
        flatten(runs[i].parameters, {}, flat);
        flat.erase(QStringLiteral("name"));
        for (const auto& [setting, text] : flat) {
            QStringList& row = values[setting];
            row.resize(static_cast<qsizetype>(runs.size()), unknown_text());
            row[static_cast<qsizetype>(i)] = text;
        }
    }
    std::vector<ConfigurationRow> rows;
    for (const auto& [setting, texts] : values)
        rows.push_back({setting, texts, std::ranges::any_of(texts, [&](const QString& text) {
                            return text != texts.first();
                        })});
    std::ranges::stable_partition(rows, &ConfigurationRow::differs);
    return rows;
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
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    return section == 0 ? tr("Setting") : runs_[static_cast<std::size_t>(section) - 1].name;
}

} // namespace sparsight
