#include "gui/domains/blocks/block_training.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct TrainingTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::BlockTraining)
};

} // namespace

TrainingOffer blocks_training() {
    return {{{QStringLiteral("gray-trees"), TrainingTexts::tr("Boosted trees on the bound"),
              TrainingTexts::tr(
                  "They correct the bound of a block’s cycles. The workspace needs tables of ports, "
                  "which are imported with the blocks.")},
             boosted_trees(),
             {QStringLiteral("ithemal"), TrainingTexts::tr("Ithemal"),
              TrainingTexts::tr("An LSTM over the tokens of instructions, and one over these. Hours for many "
                                "blocks.")},
             {QStringLiteral("granite"), TrainingTexts::tr("GRANITE"),
              TrainingTexts::tr("A graph network over instructions and what they depend on. Hours for many "
                                "blocks.")}},
            {{QStringLiteral("quick"),
              TrainingTexts::tr("Quick"),
              TrainingTexts::tr("Boosted trees, from what was measured. They take some seconds."),
              {{QStringLiteral("architecture"), QStringLiteral("trees")}}}}};
}

} // namespace sparsight
