#include "gui/workspace/decision_columns.h"

#include <algorithm>

namespace sparsight {

QStringList values_of(const ConfigurationCodec& codec, const Configuration& configuration,
                      std::vector<ShownDecision>& decisions) {
    QStringList values;
    for (const DecisionValue& made : codec.decisions(configuration)) {
        auto known = std::ranges::find(decisions, made.key, &ShownDecision::key);
        if (known == decisions.end())
            known = decisions.insert(known, {made.key, QString::fromStdString(made.name)});
        const auto place = known - decisions.begin();
        values.resize(std::max<qsizetype>(values.size(), place + 1));
        values[place] = QString::fromStdString(made.value);
    }
    return values;
}

} // namespace sparsight
