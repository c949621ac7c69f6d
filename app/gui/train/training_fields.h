// The hyper-parameters of training as the form shows them: one table with their names on the command line,
// their defaults and what they mean.
#pragma once

#include <QJsonObject>
#include <QString>
#include <map>
#include <span>
#include <vector>

namespace sparsight {

enum class FieldGroup {
    Basic,
    Inner, ///< has a meaning only where the method has an inner loop
    Advanced,
};

enum class FieldKind { Whole, Real, Choice, Switch };

struct TrainingField {
    const char* option; ///< of `sparsight-cli train`, without its hyphens
    FieldGroup group = FieldGroup::Basic;
    FieldKind kind = FieldKind::Whole;
    QString label;
    QString tip;
    double fallback = 0;
    double least = 0;
    double most = 0;
    std::vector<std::pair<QString, QString>> choices = {}; ///< value on the command line and text; the first
                                                           ///< is the default
};

[[nodiscard]] std::vector<TrainingField> training_fields();

struct TrainingChoice {
    QString value; ///< on the command line
    QString text;
    QString explanation; ///< two sentences at most
    bool has_inner_loop = false;
};

[[nodiscard]] std::vector<TrainingChoice> training_methods();
[[nodiscard]] std::vector<TrainingChoice> training_architectures();

/// Values by option; what is left out keeps its default. "method" and "architecture" are among them.
using TrainingValues = std::map<QString, QString>;

struct TrainingPreset {
    const char* id; ///< "demo", "report", "best"
    QString text;
    QString tip;
    TrainingValues values;
};

/// Those of `sparsight-cli train --preset`.
[[nodiscard]] std::vector<TrainingPreset> training_presets();
/// Settings as presets and runs have them ("inner_rate": 0.05) as the form's fields do ("inner-rate",
/// "0.05").
[[nodiscard]] TrainingValues training_values(const QJsonObject& settings);

} // namespace sparsight
