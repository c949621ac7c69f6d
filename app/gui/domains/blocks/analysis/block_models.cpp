#include "gui/domains/blocks/analysis/block_models.h"

#include <QComboBox>
#include <QCoreApplication>
#include <fmt/format.h>

namespace sparsight {

namespace {

struct ModelTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::BlockModels)
};

} // namespace

QString title_of(OfferedModel model) {
    switch (model) {
    case OfferedModel::Bound:
        return ModelTexts::tr("Bound");
    case OfferedModel::McaThroughput:
        return ModelTexts::tr("LLVM-MCA, throughput");
    case OfferedModel::McaCycles:
        return ModelTexts::tr("LLVM-MCA, 100 iterations");
    }
    return {};
}

void offer_models(QComboBox& box) {
    for (const OfferedModel model :
         {OfferedModel::Bound, OfferedModel::McaThroughput, OfferedModel::McaCycles})
        box.addItem(title_of(model), static_cast<int>(model));
}

OfferedModel chosen_model(const QComboBox& box) {
    return static_cast<OfferedModel>(box.currentData().toInt());
}

Result<std::unique_ptr<const BlockModel>> make_model(OfferedModel model, const BlockDecoder& decoder,
                                                     const std::string& machine, const PortTables& tables) {
    if (model != OfferedModel::Bound)
        return McaModel::make(decoder, machine,
                              model == OfferedModel::McaThroughput ? McaFigure::ReciprocalThroughput
                                                                   : McaFigure::TotalCycles);
    const auto known = find_microarchitecture(machine);
    if (!known)
        return fail(Fault::Internal, fmt::format("there is no microarchitecture '{}'", machine));
    if (const auto table = tables.find(known->name); table != tables.end())
        return std::make_unique<const BoundModel>(table->second, front_end_of(*known));
    auto costs = ScheduledCosts::make(decoder, *known);
    if (!costs)
        return std::unexpected(std::move(costs).error());
    return std::make_unique<const ScheduledBoundModel>(*std::move(costs), front_end_of(*known));
}

} // namespace sparsight
