#include "gui/domains/sparse/sparse_training.h"

#include "domains/sparse/workflow/learning/learning_settings.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <algorithm>

namespace sparsight {

namespace {

struct TrainingTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SparseTraining)
};

TrainingPreset preset(const char* name, const QString& text, const QString& tip) {
    const auto found = std::ranges::find(sparse_presets, name, &Preset::name);
    const QByteArray values(found->values.data(), std::ssize(found->values));
    return {QLatin1String(name), text, tip, training_values(QJsonDocument::fromJson(values).object())};
}

} // namespace

TrainingOffer sparse_training(const DomainWords& words) {
    TrainingOffer offer = general_offer(words);
    offer.architectures.front().explanation =
        TrainingTexts::tr("A small network over the pattern’s statistics: trains in seconds.");
    offer.architectures.insert(
        offer.architectures.begin() + 1,
        {QStringLiteral("waconet"), TrainingTexts::tr("WACONet"),
         TrainingTexts::tr("WACO’s network: sparse convolutions look at the pattern itself. Hours for large "
                           "matrices.")});
    offer.presets.push_back(preset(
        "report", TrainingTexts::tr("Report"),
        TrainingTexts::tr(
            "As the report trained: WACO’s network by the report’s loop, 80 epochs at a rate of 0.0001, "
            "with its two simulated machines.")));
    offer.presets.push_back(
        preset("best", TrainingTexts::tr("Best"),
               TrainingTexts::tr(
                   "WACO’s network, meta-trained with three inner steps and a falling rate on six "
                   "simulated machines besides. It stops early where the validation loss stops falling. "
                   "Takes hours.")));
    offer.simulated = {
        {QStringLiteral("family:6"), TrainingTexts::tr("Add six random simulated machines")},
        {QStringLiteral("A,B"), TrainingTexts::tr("Add the paper’s example machines A and B")}};
    offer.simulated_tip = TrainingTexts::tr(
        "Machines that are drawn from a family disagree about which schedule is best, as real ones "
        "do: meta-learning learns what they have in common. The report’s machines A and B multiply "
        "all times by one number; to a ranking they are the same task, and can’t show that "
        "meta-learning helps.");
    offer.advice =
        TrainingTexts::tr("Fine-tune it (a blend with the simulator), measure more matrices, or take the "
                          "preset Best.");
    offer.can_measure = true;
    return offer;
}

} // namespace sparsight
