#include "gui/candidates/candidate_rows.h"
#include "searched_events.h"
#include "widgets/look/number_text.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::schedule_text;
using testing::searched_events;

CandidateSearch search_of_m0() {
    auto search = read_search(searched_events("m0"), QStringLiteral("m0"));
    EXPECT_TRUE(search.has_value());
    return *search;
}

ResultRow timed(int chunk, double time, double spread = 0.01) {
    ResultRow row;
    row.matrix = "m0";
    row.schedule = schedule_text(chunk);
    row.is_fixed_csr = chunk == 32;
    row.status = MeasurementStatus::Measured;
    row.median_ms = time;
    row.spread_ms = spread;
    row.speedup_over_fixed_csr = 4 / time;
    return row;
}

QString cell(const CandidatesModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

TEST(CandidateRows, HaveTheTimesThatAreKnown) {
    CandidatesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_rows(candidate_rows(search_of_m0(), {}, TimeSource::Measured));
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(cell(model, 0, CandidatesModel::Schedule), QStringLiteral("i k j · UC · 4"));
    EXPECT_EQ(cell(model, 2, CandidatesModel::Schedule), QStringLiteral("fixed CSR"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Score), QStringLiteral("−1.50"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), unknown_text());
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("predicted only"));

    const auto rows =
        candidate_rows(search_of_m0(), rank_results({timed(4, 2), timed(32, 4)}), TimeSource::Measured);
    model.set_rows(rows);
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00 ms"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Speedup), QStringLiteral("2.00×"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("measured"));
    EXPECT_EQ(cell(model, 1, CandidatesModel::Status), QStringLiteral("predicted only"));
    EXPECT_EQ(best_of(rows), &rows[0]);
}

TEST(CandidateRows, SimulatedTimesAreMarkedAsSuch) {
    CandidatesModel model;
    const auto results = rank_results({timed(4, 2), timed(32, 4)});
    model.set_rows(candidate_rows(search_of_m0(), results, TimeSource::Simulated));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00 ms sim"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Speedup), QStringLiteral("2.00× sim"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("simulated"));
    model.set_rows(candidate_rows(search_of_m0(), results, TimeSource::Recorded));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00 ms"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("recorded"));
}

TEST(CandidateRows, ALeadWithinTheSpreadIsMarked) {
    CandidatesModel model;
    model.set_rows(candidate_rows(search_of_m0(), rank_results({timed(4, 3.9, 0.3), timed(32, 4, 0.3)}),
                                  TimeSource::Measured));
    EXPECT_TRUE(cell(model, 0, CandidatesModel::Speedup).startsWith(u'~'));
    EXPECT_THAT(model.index(0, CandidatesModel::Speedup).data(Qt::ToolTipRole).toString().toStdString(),
                HasSubstr("within the spread"));
}

TEST(CandidateRows, OfOneMeaningAreOneHoweverTheyAreWritten) {
    // The inner loop of an index that is not split may stand anywhere.
    ResultRow other = timed(4, 2);
    other.schedule.replace(other.schedule.find("k1 k0 j1 j0"), 11, "k1 j1 k0 j0");
    ASSERT_TRUE(parse_schedule(Operator::SpMM, other.schedule).has_value());
    const auto rows = candidate_rows(search_of_m0(), rank_results({other}), TimeSource::Measured);
    ASSERT_TRUE(rows[0].time.has_value());
    EXPECT_EQ(rows[0].time->row.median_ms, 2);
}

TEST(CandidateRows, SayWhyEachWasChosenAndNotByItsPlace) {
    const auto told = [](const char* reason) {
        QStringList events = testing::blended_events("m0");
        events[1].replace(QStringLiteral(R"("reason":"hedge")"), QLatin1String(reason));
        const auto search = read_search(events, QStringLiteral("m0"));
        EXPECT_TRUE(search.has_value());
        CandidatesModel model;
        model.set_rows(candidate_rows(*search, {}, TimeSource::Measured));
        const QModelIndex why = model.index(1, CandidatesModel::Why);
        return std::pair(why.data().toString().toStdString(),
                         why.data(Qt::ToolTipRole).toString().toStdString());
    };
    EXPECT_EQ(told(R"("reason":"score")").first, "best score") << "though its place exceeds its rank";
    EXPECT_THAT(told(R"("reason":"hedge")").second, HasSubstr("Others score better and were left out"));
    const auto [simulator, in_full] = told(R"("reason":"simulator")");
    EXPECT_EQ(simulator, "simulator’s choice");
    EXPECT_THAT(in_full, HasSubstr("The simulator alone chose it"));
    EXPECT_THAT(in_full, ::testing::Not(HasSubstr("left out")));
    EXPECT_EQ(told(R"("of_an_older_search":true)").first, "place 32") << "which did not tell why";
}

TEST(CandidateRows, SayWhereTimesComeFrom) {
    CandidatesModel model;
    model.set_rows(candidate_rows(search_of_m0(), rank_results({timed(4, 2)}), TimeSource::Simulated));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00 ms sim"))
        << "never taken for measured";
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("simulated"));
    ResultRow slow = timed(8, 9);
    slow.status = MeasurementStatus::GaveUp;
    slow.speedup_over_fixed_csr.reset();
    const auto rows = candidate_rows(search_of_m0(), rank_results({slow}), TimeSource::Recorded);
    model.set_rows(rows);
    EXPECT_EQ(cell(model, 1, CandidatesModel::Time), QStringLiteral("> 9.00 ms"));
    EXPECT_EQ(cell(model, 1, CandidatesModel::Status), QStringLiteral("gave up"));
    EXPECT_EQ(best_of(rows), nullptr) << "it has no time of its own";
}

} // namespace
} // namespace sparsight
