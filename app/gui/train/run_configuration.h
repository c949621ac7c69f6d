// What a run was told to do, in the words of the form: "Machines: laptop, server" where the file has
// fingerprints, "Measurements of laptop: 1 864" where it has a digest of them.
#pragma once

#include <QAbstractTableModel>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace sparsight {

struct WordedSetting {
    QString title;
    QString text;
    /// What tells apart values that read alike: measurements of another time, of which there are as many.
    QString identity = {};

    bool operator==(const WordedSetting&) const = default;
};

/// The name of a machine by its fingerprint.
using MachineNames = std::function<QString(const QString& fingerprint)>;

/// In the order of the form, then what it does not ask, as it is called in the file. Without the name, which
/// differs always, and without what the method of the run does not read.
[[nodiscard]] std::vector<WordedSetting> settings_in_words(const QJsonObject& parameters,
                                                           const MachineNames& machine_name);

// What runs were told to do, side by side; what differs first.

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
