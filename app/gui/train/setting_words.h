// What a run was told to do, in the words of the form: "Machines: laptop, server" where the file has
// fingerprints, "Measurements of laptop: 1 864" where it has a digest of them.
#pragma once

#include <QJsonObject>
#include <QString>
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

} // namespace sparsight
