// The hyper-parameters of training as the form shows them: one table with their names on the command line,
// their defaults and what they mean.
#pragma once

#include "study/domain.h"

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

/// In the words of a domain.
[[nodiscard]] std::vector<TrainingField> training_fields(const DomainWords& words);

struct TrainingChoice {
    QString value; ///< on the command line
    QString text;
    QString explanation; ///< two sentences at most
    bool has_inner_loop = false;
};

[[nodiscard]] std::vector<TrainingChoice> training_methods(const DomainWords& words);
/// They learn in every domain.
[[nodiscard]] TrainingChoice boosted_trees();

/// What may be kept on one side only, learned from or tested with: --split-by.
[[nodiscard]] std::vector<TrainingChoice> training_splits(const DomainWords& words);

/// Values by option; what is left out keeps its default. "method" and "architecture" are among them.
using TrainingValues = std::map<QString, QString>;

struct TrainingPreset {
    QString id; ///< "demo"
    QString text;
    QString tip;
    TrainingValues values;
};

/// The preset "demo" of `sparsight-cli train`, which every domain has: from what was measured.
[[nodiscard]] TrainingPreset quick_preset();

/// What can be trained in a domain, and on what.
struct TrainingOffer {
    std::vector<TrainingChoice> architectures;
    std::vector<TrainingPreset>
        presets; ///< the first is what the form begins with where nothing was measured
    /// Simulated machines: words of the command line, and texts. Empty in a domain without a simulator.
    std::vector<std::pair<QString, QString>> simulated{};
    QString simulated_tip{};
    /// How many workloads a workspace with too few of them has after a training on simulated machines alone,
    /// which generates the missing ones. 0: it generates none.
    int generated_workloads = 0;
    QString advice{};         ///< see baseline_sentence()
    bool can_measure = false; ///< by the worker program, from the page of configurations
};
/// Of a domain that brings no networks of its own.
[[nodiscard]] TrainingOffer general_offer(const DomainWords& words);
/// Settings as presets and runs have them ("inner_rate": 0.05) as the form's fields do ("inner-rate",
/// "0.05").
[[nodiscard]] TrainingValues training_values(const QJsonObject& settings);

} // namespace sparsight
