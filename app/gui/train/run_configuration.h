// The configurations of runs in the words of the form ("Machines: laptop, server" where the file has
// fingerprints, "Measurements of laptop: 1 864" where it has a digest), and a table that compares several
// runs, differing settings first.
#pragma once

#include "gui/train/training_fields.h"

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
    /// Distinguishes values with equal texts: as many measurements, but taken at another time.
    QString identity = {};

    bool operator==(const WordedSetting&) const = default;
};

/// The name of a machine by its fingerprint.
using MachineNames = std::function<QString(const QString& fingerprint)>;

/// Settings in the order of the form, then the settings that the form does not have, under their names in the
/// file. The name of the model, which always differs, and settings that the run's method does not read are
/// left out.
[[nodiscard]] std::vector<WordedSetting> settings_in_words(const QJsonObject& parameters,
                                                           const MachineNames& machine_name,
                                                           const Domain& domain, const TrainingOffer& offer);

struct ConfiguredRun {
    QString name;
    std::vector<WordedSetting> settings;
    bool operator==(const ConfiguredRun&) const = default;
};

struct ConfigurationRow {
    QString setting;
    /// One per run; "–" where it has none, "1 864, other ones" where only the identity differs.
    QStringList values;
    bool differs = false;
    bool operator==(const ConfigurationRow&) const = default;
};

/// Settings that differ come before those that are equal for all runs, each group in the order of the
/// settings.
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
