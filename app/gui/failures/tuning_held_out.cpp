#include "gui/failures/tuning_held_out.h"

#include "matrix/name_stem.h"

#include <algorithm>
#include <set>

namespace sparsight {

HeldOutMatrices held_out_of(const FailureSetting& setting, const QStringList& learned,
                            const QStringList& families) {
    std::set<std::string> stems;
    for (const QString& matrix : learned)
        stems.insert(name_stem(matrix.toStdString()));
    HeldOutMatrices held_out;
    for (const QString& matrix : setting.matrices) {
        if (stems.contains(name_stem(matrix.toStdString())))
            continue;
        held_out.all << matrix;
        if (families.contains(family_name_of(setting, matrix)))
            held_out.family << matrix;
    }
    return held_out;
}

QStringList learned_by(const std::vector<KnownModel>& models, const QString& model) {
    QStringList learned;
    std::set<ModelId> seen; // a damaged file may have a model descend from itself
    auto found = std::ranges::find(models, model, &KnownModel::name);
    while (found != models.end() && seen.insert(found->id).second) {
        learned << found->matrices;
        found = found->parent ? std::ranges::find(models, *found->parent, &KnownModel::id) : models.end();
    }
    return learned;
}

} // namespace sparsight
