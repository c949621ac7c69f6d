// What runs were told to do, side by side; what differs first.
#pragma once

#include "gui/train/setting_words.h"

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace sparsight {

struct ConfiguredRun {
    QString name;
    std::vector<WordedSetting> settings;
    bool operator==(const ConfiguredRun&) const = default;
};

struct ConfigurationRow {
    QString setting;
    QStringList values; ///< of each run; "–" where it has none, "1 864, other ones" where only that differs
    bool differs = false;
    bool operator==(const ConfigurationRow&) const = default;
};

/// Those that differ before those that are the same everywhere, each in the order of the settings.
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
