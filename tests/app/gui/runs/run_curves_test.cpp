#include "gui/runs/run_curves.h"

#include <QJsonDocument>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pair;

QJsonObject object(const char* json) {
    const QJsonObject parsed = QJsonDocument::fromJson(json).object();
    EXPECT_FALSE(parsed.isEmpty()) << json;
    return parsed;
}

RunCurves two_epochs() {
    RunCurves curves;
    curves.take(object(R"({"event":"start","steps_per_epoch":3})"));
    curves.take(object(R"({"event":"steps","first":1,"losses":[3,2],"epoch":1,"seconds":4})"));
    curves.take(object(R"({"event":"steps","first":3,"losses":[1],"epoch":1,"seconds":6})"));
    curves.take(object(R"({"event":"epoch","epoch":1,"step":3,"training_loss":2,"rate":0.1,"seconds":6,
        "validation":{"overall":{"loss":1.5,"regret_at_20":0.2},"a/b":{"loss":1.25}}})"));
    curves.take(object(R"({"event":"steps","first":4,"losses":[0.9,0.8,0.7],"epoch":2,"seconds":12})"));
    curves.take(object(R"({"event":"epoch","epoch":2,"step":6,"training_loss":0.8,"rate":0.05,"seconds":12,
        "validation":{"overall":{"loss":1.75,"regret_at_20":0.1},"a/b":{"loss":1.0}}})"));
    return curves;
}

TEST(RunCurves, AddUpTheEventsOfATrainer) {
    const RunCurves curves = two_epochs();
    EXPECT_EQ(curves.steps(), 6);
    EXPECT_THAT(curves.losses(RunAxis::Step).y, ElementsAre(3, 2, 1, 0.9, 0.8, 0.7));
    EXPECT_THAT(curves.losses(RunAxis::Step).x, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(curves.scopes(), (QStringList{QStringLiteral("overall"), QStringLiteral("a/b")}));
    EXPECT_THAT(curves.validation(overall_scope, QStringLiteral("loss"), RunAxis::Step).x, ElementsAre(3, 6));
    EXPECT_THAT(curves.validation(QStringLiteral("a/b"), QStringLiteral("loss"), RunAxis::Epoch).y,
                ElementsAre(1.25, 1.0));
    EXPECT_EQ(curves.last(QStringLiteral("rate")), 0.05);
    EXPECT_EQ(curves.last(QStringLiteral("memory_bytes")), std::nullopt) << "not told";
    EXPECT_EQ(curves.seconds(), 12);
}

TEST(RunCurves, KnowWhatTheSimulatorDoesAlone) {
    RunCurves told = two_epochs();
    told.take(object(R"({"event":"epoch","epoch":3,"step":9,"seconds":18,
        "validation":{"overall":{"ordered_pair_accuracy":0.9}},
        "validation_of_simulator":{"overall":{"ordered_pair_accuracy":0.8},"a/b":{"loss":1.0}}})"));
    RunCurves stored;
    stored.take("epoch/step", {{3, 9}});
    stored.take("validation_of_simulator/ordered_pair_accuracy", {{3, 0.8}});
    stored.take("validation_of_simulator/a/b/loss", {{3, 1.0}});
    for (const RunCurves& curves : {told, stored}) {
        const QString pairs = QStringLiteral("ordered_pair_accuracy");
        EXPECT_THAT(curves.simulator(overall_scope, pairs, RunAxis::Step).x, ElementsAre(9)) << "since then";
        EXPECT_THAT(curves.simulator(overall_scope, pairs, RunAxis::Step).y, ElementsAre(0.8));
        EXPECT_THAT(curves.simulator(QStringLiteral("a/b"), QStringLiteral("loss"), RunAxis::Step).y,
                    ElementsAre(1.0));
    }
    EXPECT_TRUE(stored.validation(overall_scope, QStringLiteral("loss"), RunAxis::Step).y.empty());
}

TEST(RunCurves, PlaceStepsInEpochsAndInTime) {
    const RunCurves curves = two_epochs();
    const RunCurve by_epoch = curves.losses(RunAxis::Epoch);
    EXPECT_THAT(by_epoch.x[2], DoubleNear(1, 1e-12));
    EXPECT_THAT(by_epoch.x[3], DoubleNear(1 + 1.0 / 3, 1e-12));
    const RunCurve by_time = curves.losses(RunAxis::Time);
    EXPECT_THAT(by_time.x, ElementsAre(2, 4, 6, 8, 10, 12)) << "between two tellings at an even pace";
    EXPECT_THAT(curves.validation(overall_scope, QStringLiteral("loss"), RunAxis::Time).x,
                ElementsAre(6, 12));
}

TEST(RunCurves, KnowHowLongTheFirstEpochIsBeforeItIsDone) {
    RunCurves curves;
    curves.take(object(R"({"event":"start","steps_per_epoch":4})"));
    curves.take(object(R"({"event":"steps","first":1,"losses":[3,2],"seconds":1})"));
    EXPECT_THAT(curves.losses(RunAxis::Epoch).x, ElementsAre(0.25, 0.5));
}

TEST(RunCurves, ReadTheSameFromTheStoreAsFromEvents) {
    RunCurves stored;
    const auto two = [](double first, double second) {
        return std::vector<MetricPoint>{{1, first}, {2, second}};
    };
    stored.take("epoch/rate", two(0.1, 0.05));
    stored.take("epoch/seconds", two(6, 12));
    stored.take("epoch/step", two(3, 6));
    stored.take("epoch/training_loss", two(2, 0.8));
    stored.take("loss", {{1, 3}, {2, 2}, {3, 1}, {4, 0.9}, {5, 0.8}, {6, 0.7}});
    stored.take("validation/a/b/loss", two(1.25, 1.0));
    stored.take("validation/loss", two(1.5, 1.75));
    stored.take("validation/regret_at_20", two(0.2, 0.1));
    const RunCurves told = two_epochs();
    for (const RunAxis axis : {RunAxis::Step, RunAxis::Epoch, RunAxis::Time}) {
        EXPECT_EQ(stored.losses(axis).y, told.losses(axis).y);
        for (const QString& scope : told.scopes())
            EXPECT_EQ(stored.validation(scope, QStringLiteral("loss"), axis),
                      told.validation(scope, QStringLiteral("loss"), axis));
        EXPECT_EQ(stored.epoch_values(QStringLiteral("rate"), axis),
                  told.epoch_values(QStringLiteral("rate"), axis));
    }
    EXPECT_EQ(stored.losses(RunAxis::Step), told.losses(RunAxis::Step));
    EXPECT_EQ(stored.seconds(), 12);
}

TEST(RunCurves, GoOnAfterAPauseWhereTheTrainerDoes) {
    RunCurves curves = two_epochs();
    curves.take(object(R"({"event":"start","steps_per_epoch":3,"resumed_at":{"epoch":1,"step":1}})"));
    curves.take(object(R"({"event":"steps","first":5,"losses":[0.8,0.7],"seconds":4})"));
    curves.take(object(R"({"event":"epoch","epoch":2,"step":6,"seconds":4,
        "validation":{"overall":{"loss":1.75}}})"));
    EXPECT_THAT(curves.losses(RunAxis::Step).y, ElementsAre(3, 2, 1, 0.9, 0.8, 0.7));
    EXPECT_EQ(curves.epochs().size(), 2U);
    EXPECT_EQ(curves.seconds(), 6 + 4) << "what was done again after the last that is known to be stored";
    const RunCurve by_time = curves.losses(RunAxis::Time);
    EXPECT_TRUE(std::ranges::is_sorted(by_time.x));
}

TEST(RunCurves, KeepThePlaceOfALossThatIsNoNumber) {
    RunCurves curves;
    curves.take(object(R"({"event":"steps","first":1,"losses":[1,null,3],"seconds":1})"));
    EXPECT_EQ(curves.steps(), 3);
    EXPECT_TRUE(std::isnan(curves.losses(RunAxis::Step).y[1]));
}

TEST(RunCurves, AreNotLedAstrayByDamagedEvents) {
    RunCurves curves;
    curves.take(object(R"({"event":"steps","first":0,"losses":[1]})"));
    curves.take(object(R"({"event":"steps","first":9000000000000,"losses":[1]})"));
    curves.take(object(R"({"event":"steps","first":1})"));
    curves.take(object(R"({"event":"epoch","epoch":-3})"));
    curves.take("loss", {{9'000'000'000'000, 1}, {-1, 1}});
    curves.take("epoch/rate", {{std::numeric_limits<std::int64_t>::max(), 1}});
    EXPECT_TRUE(curves.empty());
}

TEST(RunCurves, KnowWhichValueIsTheBest) {
    const RunCurves curves = two_epochs();
    EXPECT_EQ(curves.best(QStringLiteral("regret_at_20")), 0.1) << "the least";
    RunCurves accuracies;
    accuracies.take("validation/ordered_pair_accuracy", {{1, 0.6}, {2, 0.8}, {3, 0.7}});
    EXPECT_EQ(accuracies.best(QStringLiteral("ordered_pair_accuracy")), 0.8) << "the most";
    EXPECT_EQ(accuracies.best(QStringLiteral("kendall_tau")), std::nullopt);
}

TEST(ShotPoints, GrowWithEachEventAndReadTheSameFromTheStore) {
    ShotPoints told;
    told.take(object(R"({"event":"shot","contender":"meta","shots":0,
        "mean":{"ordered_pair_accuracy":{"mean":0.6,"low":0.55,"high":0.65}}})"));
    told.take(object(R"({"event":"shot","contender":"scratch","shots":0,
        "mean":{"ordered_pair_accuracy":{"mean":0.5,"low":0.4,"high":0.6}}})"));
    told.take(object(R"({"event":"shot","contender":"meta","shots":5,
        "mean":{"ordered_pair_accuracy":{"mean":0.7,"low":0.68,"high":0.72}}})"));
    told.take(object(R"({"event":"shot","contender":"","shots":5})"));
    EXPECT_THAT(told.contenders(), ElementsAre(QStringLiteral("meta"), QStringLiteral("scratch")));
    const QString accuracy = QStringLiteral("ordered_pair_accuracy");
    EXPECT_THAT(told.curve(QStringLiteral("meta"), accuracy),
                ElementsAre(Pair(0, ShotInterval{0.6, 0.55, 0.65}), Pair(5, ShotInterval{0.7, 0.68, 0.72})));

    ShotPoints stored;
    stored.take("shots/meta/ordered_pair_accuracy/high", {{0, 0.65}, {5, 0.72}});
    stored.take("shots/meta/ordered_pair_accuracy/low", {{0, 0.55}, {5, 0.68}});
    stored.take("shots/meta/ordered_pair_accuracy/mean", {{0, 0.6}, {5, 0.7}});
    stored.take("loss", {{1, 1}});
    EXPECT_EQ(stored.curve(QStringLiteral("meta"), accuracy), told.curve(QStringLiteral("meta"), accuracy));
}

} // namespace
} // namespace sparsight::testing
