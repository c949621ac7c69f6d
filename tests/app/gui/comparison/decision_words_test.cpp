#include "gui/page/decision_words.h"

#include "evaluation/diagnosis/decision.h"
#include "schedule/text.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(DecisionWords, EveryDecisionHasANameAndAMeaning) {
    const SuperSchedule csr = fixed_csr(Operator::SpMM, 2);
    const SuperSchedule other = *parse_schedule(Operator::SpMM, "4 8 16 k1 i1 j1 i0 k0 j0 0 0 1 0 k1 2 256");
    const auto decisions = differing_decisions(csr, other);
    ASSERT_GE(decisions.size(), 5);
    for (const Decision& decision : decisions) {
        const QString key = QString::fromStdString(sparsight::key(decision));
        EXPECT_FALSE(decision_name(key).contains(u'_')) << key.toStdString();
        EXPECT_FALSE(decision_meaning(key).isEmpty()) << key.toStdString();
    }
}

TEST(DecisionWords, ValuesThatAreNoWordsStayAsTheyAre) {
    EXPECT_EQ(decision_change(QStringLiteral("not split"), QStringLiteral("16")),
              QStringLiteral("not split → 16"));
    EXPECT_EQ(decision_name(QStringLiteral("of_tomorrow")), QStringLiteral("of_tomorrow"));
}

} // namespace
} // namespace sparsight
