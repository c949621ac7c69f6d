// What runs were told to do, side by side; what differs first.
#pragma once

#include <QAbstractTableModel>
#include <QJsonObject>
#include <QStringList>
#include <vector>

namespace sparsight {

struct ConfiguredRun {
    QString name;
    QJsonObject parameters;
    bool operator==(const ConfiguredRun&) const = default;
};

struct ConfigurationRow {
    QString setting;    ///< "inner.rate" for what stands in an object
    QStringList values; ///< of each run; "–" where it has none
    bool differs = false;
    bool operator==(const ConfigurationRow&) const = default;
};

/// By setting, those that differ before those that are the same everywhere. Names are left out: they differ
/// always.
[[nodiscard]] std::vector<ConfigurationRow> compare_configurations(const std::vector<ConfiguredRun>& runs);

class ConfigurationModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void set_runs(const std::vector<ConfiguredRun>& runs);
    [[nodiscard]] const std::vector<ConfigurationRow>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& cell, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ConfiguredRun> runs_;
    std::vector<ConfigurationRow> rows_;
};

} // namespace sparsight
