#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "gui/candidates/candidate_rows.h"
#include "gui/candidates/search_map.h"
#include "gui/candidates/search_words.h"
#include "gui/candidates/stored_searches.h"
#include "gui/domains/sparse/schedule_search.h"
#include "searched_events.h"
#include "widgets/look/number_text.h"

#include <QAbstractItemModelTester>
#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::schedule_text;
using testing::searched_events;

CandidateSearch searched() {
    auto search = read_search(searched_events("m0"), sparse_words(), QStringLiteral("m0"));
    EXPECT_TRUE(search.has_value());
    search->asked.k = 2;
    search->setting = setting_of(Operator::SpMM, 256);
    return *search;
}

const Domain& sparse() {
    static const std::unique_ptr<const Domain> domain = make_sparse_domain();
    return *domain;
}

WalkPicture drawing(const CandidateSearch& search, MapColours colours = MapColours::Score) {
    return walk_drawing(search, sparse(), &name_schedules, colours);
}

TEST(StoredSearches, AreReadFromTheEventsOfTheirJobs) {
    const CandidateSearch search = searched();
    EXPECT_EQ(search.method, QStringLiteral("index"));
    EXPECT_EQ(search.pool, 2500);
    EXPECT_EQ(search.scored, 400);
    EXPECT_EQ(search.recall, 0.95);
    ASSERT_EQ(search.candidates.size(), 3U);
    EXPECT_EQ(search.candidates[1].configuration.toStdString(), schedule_text(8));
    ASSERT_TRUE(search.map.has_value());
    EXPECT_EQ(search.map->nodes.size(), 6U);
    EXPECT_EQ(search.map->walk.size(), 4U);
    EXPECT_FALSE(read_search(searched_events("m0"), sparse_words(), QStringLiteral("m1")).has_value());
    EXPECT_FALSE(
        read_search({QStringLiteral("no json"), QStringLiteral("{}")}, sparse_words(), QStringLiteral("m0"))
            .has_value());
}

TEST(StoredSearches, AWalkToNodesThatAreNotThereIsNone) {
    QStringList events = searched_events("m0");
    events[2].replace(QStringLiteral("\"node\":3"), QStringLiteral("\"node\":6"));
    const auto search = read_search(events, sparse_words(), QStringLiteral("m0"));
    ASSERT_TRUE(search.has_value());
    EXPECT_FALSE(search->map.has_value());
    events[2].replace(QStringLiteral("\"node\":6"), QStringLiteral("\"node\":-1"));
    EXPECT_FALSE(read_search(events, sparse_words(), QStringLiteral("m0"))->map.has_value());
}

TEST(StoredSearches, BelongToOneModelMatrixMachineAndDenseExtent) {
    const SearchSubject subject{QStringLiteral("/w"),
                                QStringLiteral("first"),
                                QStringLiteral("m"),
                                {},
                                {QStringLiteral("--dense=256")}};
    Job job;
    job.kind = JobKind::Search;
    job.workspace = QStringLiteral("/w");
    job.created = QDateTime::currentDateTimeUtc();
    job.arguments =
        QStringList{QStringLiteral("search"), QStringLiteral("--model=first"), QStringLiteral("--matrix=n"),
                    QStringLiteral("--matrix=m"), QStringLiteral("--dense=256")};
    EXPECT_TRUE(is_of(job, subject));
    for (const auto& change : std::vector<std::function<void(SearchSubject&)>>{
             [](SearchSubject& one) { one.workspace = QStringLiteral("/v"); },
             [](SearchSubject& one) { one.model = QStringLiteral("second"); },
             [](SearchSubject& one) { one.workload = QStringLiteral("o"); },
             [](SearchSubject& one) { one.machine = QStringLiteral("recorded:x"); },
             [](SearchSubject& one) { one.options = {QStringLiteral("--dense=32")}; },
             [&](SearchSubject& one) { one.model_made = job.created.addMSecs(1); }}) {
        SearchSubject other = subject;
        change(other);
        EXPECT_FALSE(is_of(job, other));
    }
    job.kind = JobKind::Evaluate;
    EXPECT_FALSE(is_of(job, subject));
}

TEST(StoredSearches, TheFactsSayTheRecallHowManyWereScoredAndTheTimes) {
    CandidateSearch search = searched();
    search.asked.k = 20;
    EXPECT_EQ(search_facts(search, sparse_words()).toStdString(),
              "recall@20 against exhaustive 95.0\u00A0% · 400 of 2\u202F500 "
              "scored · 750\u00A0µs for the walk, 6.50\u00A0ms for all "
              "of them · 3.50\u00A0ms to look at the matrix");
    search.recall.reset();
    search.exhaustive_ms.reset();
    search.scored = 7500;
    EXPECT_THAT(search_facts(search, sparse_words()).toStdString(),
                HasSubstr("7\u202F500 scored, of which 2\u202F500 are the pool · 750\u00A0µs · "));
}

TEST(WalkDrawing, NamesANodeOnlyWhenItIsLookedAt) {
    int named = 0;
    const NameConfigurations counting = [&named](const Setting& setting, const QStringList& texts) {
        named += static_cast<int>(texts.size());
        return name_schedules(setting, texts);
    };
    const CandidateSearch search = searched();
    const WalkPicture picture = walk_drawing(search, sparse(), counting);
    EXPECT_EQ(named, 0) << "a map has thousands of nodes";
    EXPECT_EQ(picture.label_of(0), QStringLiteral("CSR, chunk 4")) << "as the table names it";
    EXPECT_FALSE(picture.label_of(5).isEmpty());
    EXPECT_NE(picture.label_of(5), picture.label_of(0));
    EXPECT_LE(named, 4 * static_cast<int>(search.candidates.size() + 1)) << "four times asked";
}

TEST(WalkDrawing, MarksWhatWasFoundFixedCsrAndTheWay) {
    const WalkPicture picture = drawing(searched());
    ASSERT_EQ(picture.nodes.size(), 6U);
    EXPECT_EQ(picture.nodes[0].rank, 1);
    EXPECT_EQ(picture.nodes[1].rank, 2);
    EXPECT_EQ(picture.nodes[2].rank, 0) << "fixed CSR was added, and not found";
    EXPECT_TRUE(picture.nodes[2].reference);
    EXPECT_EQ(picture.label_of(2), QStringLiteral("fixed CSR"));
    EXPECT_EQ(picture.label_of(0), QStringLiteral("CSR, chunk 4"));
    EXPECT_EQ(picture.nodes[0].key.toString().toStdString(), schedule_text(4));
    EXPECT_FALSE(picture.nodes[5].seen);
    EXPECT_THAT(path_to_best(picture), ElementsAre(4, 3, 0));
    CandidateSearch without = searched();
    without.map.reset();
    EXPECT_TRUE(drawing(without).nodes.empty());
}

CandidateSearch blended() {
    auto search = read_search(testing::blended_events("m0"), sparse_words(), QStringLiteral("m0"));
    EXPECT_TRUE(search.has_value());
    search->asked.k = 2;
    search->setting = setting_of(Operator::SpMM, 256);
    return *search;
}

TEST(StoredSearches, OfABlendedModelHaveWhatTheScoreIsMadeOf) {
    const CandidateSearch search = blended();
    EXPECT_EQ(search.blend, (BlendShares{0.5, 2}));
    EXPECT_EQ(search.candidates[1].network, 1);
    EXPECT_EQ(search.candidates[1].simulated_ms, 0.75);
    EXPECT_EQ(search.candidates[1].place, 32);
    EXPECT_EQ(search.candidates[0].reason, ChosenBy::Score);
    EXPECT_EQ(search.candidates[1].reason, ChosenBy::Difference);
    EXPECT_FALSE(search.candidates[2].place) << "fixed CSR was added, and not chosen";
    EXPECT_FALSE(search.candidates[2].reason);
    EXPECT_FALSE(searched().blend);
}

TEST(StoredSearches, TheRecallOfABlendedModelIsThatOfItsNetworksShortlist) {
    const std::string facts = search_facts(blended(), sparse_words()).toStdString();
    EXPECT_THAT(facts, HasSubstr("the walk found 75.0\u00A0% of the network’s best 3\u202F000"));
    EXPECT_THAT(facts, ::testing::Not(HasSubstr("recall@2")));
    EXPECT_THAT(facts, HasSubstr("3\u202F000 simulated in 120\u00A0ms"));
    EXPECT_THAT(facts, HasSubstr("score = 0.500 · network + 2.00 · ln(simulated ms)"));
}

TEST(WalkDrawing, OfABlendedModelIsTheNetworksWalkInTheColoursThatAreChosen) {
    const WalkPicture whole = drawing(blended());
    EXPECT_EQ(whole.title, QStringLiteral("The walk, by the network’s score alone"));
    EXPECT_NEAR(whole.nodes[0].score, 0.5 * 2 + 2 * std::log(0.25), 1e-9);
    EXPECT_TRUE(std::isnan(whole.nodes[1].score)) << "what was not simulated has no blended score";
    const WalkPicture network = drawing(blended(), MapColours::Network);
    EXPECT_EQ(network.nodes[0].score, 2);
    EXPECT_EQ(network.score_name, QStringLiteral("network’s score"));
    const WalkPicture simulated = drawing(blended(), MapColours::Simulated);
    EXPECT_EQ(simulated.nodes[0].score, 0.25);
    EXPECT_EQ(score_text(simulated, 0.25).toStdString(), "250\u00A0µs");
    EXPECT_EQ(drawing(searched(), MapColours::Simulated).nodes[0].score, -1.5)
        << "another model has one score";
}

ResultRecord timed(int chunk, double time, double spread = 0.01) {
    ResultRecord result;
    result.workload = "m0";
    result.setting = setting_of(Operator::SpMM, 256);
    result.configuration = schedule_text(chunk);
    result.is_baseline = chunk == 32;
    result.status = MeasurementStatus::Measured;
    result.median_ms = time;
    result.spread_ms = spread;
    result.speedup = 4 / time;
    return result;
}

std::vector<CandidateRow> rows_of(const CandidateSearch& search, std::vector<ResultRecord> results,
                                  TimeSource origin) {
    const std::vector<TimeSet> sets = time_sets(sparse(), std::move(results));
    const auto space = sparse().space({search.setting, {{"rows", 60}, {"cols", 60}}});
    EXPECT_TRUE(space.has_value());
    return candidate_table(search, {.domain = sparse(),
                                    .times = sets.empty() ? TimeSet() : sets.front(),
                                    .origin = origin,
                                    .space = space->get(),
                                    .name = &name_schedules})
        .rows;
}

QString cell(const CandidatesModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

TEST(CandidateRows, HaveTheTimesThatAreKnown) {
    CandidatesModel model(sparse_words());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.set_rows(rows_of(searched(), {}, TimeSource::Measured));
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(cell(model, 0, CandidatesModel::Configuration), QStringLiteral("CSR, chunk 4"));
    EXPECT_EQ(cell(model, 2, CandidatesModel::Configuration), QStringLiteral("fixed CSR"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Score), QStringLiteral("−1.50"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), unknown_text());
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("predicted only"));

    const auto rows = rows_of(searched(), {timed(4, 2), timed(32, 4)}, TimeSource::Measured);
    model.set_rows(rows);
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00\u00A0ms"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Comparison), QStringLiteral("2.00×"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("measured"));
    EXPECT_EQ(cell(model, 1, CandidatesModel::Status), QStringLiteral("predicted only"));
    EXPECT_EQ(best_of(rows), &rows[0]);
}

TEST(CandidateRows, SimulatedTimesAreMarkedAsSuch) {
    CandidatesModel model(sparse_words());
    const std::vector<ResultRecord> results{timed(4, 2), timed(32, 4)};
    model.set_rows(rows_of(searched(), results, TimeSource::Simulated));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00\u00A0ms sim"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Comparison), QStringLiteral("2.00× sim"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("simulated"));
    model.set_rows(rows_of(searched(), results, TimeSource::Recorded));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00\u00A0ms"));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("recorded"));
}

TEST(CandidateRows, ALeadWithinTheSpreadIsMarked) {
    CandidatesModel model(sparse_words());
    model.set_rows(rows_of(searched(), {timed(4, 3.9, 0.3), timed(32, 4, 0.3)}, TimeSource::Measured));
    EXPECT_TRUE(cell(model, 0, CandidatesModel::Comparison).startsWith(u'~'));
    EXPECT_THAT(model.index(0, CandidatesModel::Comparison).data(Qt::ToolTipRole).toString().toStdString(),
                HasSubstr("may be noise"));
}

TEST(CandidateRows, ALeadIsJudgedAtTheMomentThatItsSpeedupIsOf) {
    CandidatesModel model(sparse_words());
    ResultRecord lead = timed(4, 3, 0.1);
    lead.reference_ms = 3.05; // fixed CSR takes 4 ms since
    lead.speedup = 3.05 / 3;
    model.set_rows(rows_of(searched(), {lead, timed(32, 4, 0.1)}, TimeSource::Measured));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Comparison), QStringLiteral("~1.02×"));
    lead.reference_ms = 4;
    lead.speedup = 4.0 / 3;
    model.set_rows(rows_of(searched(), {lead, timed(32, 3.05, 0.1)}, TimeSource::Measured));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Comparison), QStringLiteral("1.33×"));
}

TEST(SearchNoise, SaysWhoseTimesSpreadAndOffersToMeasureAgain) {
    const auto noise = [](const std::vector<ResultRecord>& results) {
        return search_noise(rows_of(searched(), results, TimeSource::Measured), sparse_words()).toStdString();
    };
    EXPECT_EQ(noise({}), "");
    EXPECT_EQ(noise({timed(4, 2, 0.4), timed(32, 4, 0.9)}), "") << "20 % and 23 %";
    EXPECT_EQ(noise({timed(4, 2, 0.4), timed(32, 4, 1.24)}),
              "The times of fixed CSR spread by 31 %: the computer may be busy. <a href='again'>Measure "
              "again</a> when the computer is idle.");
    EXPECT_THAT(noise({timed(4, 2, 0.6), timed(32, 4, 0.1)}),
                HasSubstr("The times of the best spread by 30 %"));
}

TEST(CandidateRows, OfOneMeaningAreOneHoweverTheyAreWritten) {
    // The inner loop of an index that is not split may stand anywhere.
    ResultRecord other = timed(4, 2);
    other.configuration.replace(other.configuration.find("k1 k0 j1 j0"), 11, "k1 j1 k0 j0");
    ASSERT_TRUE(parse_schedule(Operator::SpMM, other.configuration).has_value());
    const auto rows = rows_of(searched(), {other}, TimeSource::Measured);
    ASSERT_TRUE(rows[0].time.has_value());
    EXPECT_EQ(rows[0].median_ms(), 2);
}

TEST(CandidateRows, SayWhyEachWasChosenAndNotByItsPlace) {
    const auto told = [](const char* reason) {
        QStringList events = testing::blended_events("m0");
        events[1].replace(QStringLiteral(R"("reason":"hedge")"), QLatin1String(reason));
        auto search = read_search(events, sparse_words(), QStringLiteral("m0"));
        EXPECT_TRUE(search.has_value());
        search->setting = setting_of(Operator::SpMM, 256);
        CandidatesModel model(sparse_words());
        model.set_rows(rows_of(*search, {}, TimeSource::Measured));
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
    CandidatesModel model(sparse_words());
    model.set_rows(rows_of(searched(), {timed(4, 2)}, TimeSource::Simulated));
    EXPECT_EQ(cell(model, 0, CandidatesModel::Time), QStringLiteral("2.00\u00A0ms sim"))
        << "never taken for measured";
    EXPECT_EQ(cell(model, 0, CandidatesModel::Status), QStringLiteral("simulated"));
    ResultRecord slow = timed(8, 9);
    slow.status = MeasurementStatus::GaveUp;
    slow.speedup.reset();
    const auto rows = rows_of(searched(), {slow}, TimeSource::Recorded);
    model.set_rows(rows);
    EXPECT_EQ(cell(model, 1, CandidatesModel::Time), QStringLiteral("> 9.00\u00A0ms"));
    EXPECT_EQ(cell(model, 1, CandidatesModel::Status), QStringLiteral("abandoned"));
    EXPECT_EQ(best_of(rows), nullptr) << "it has no time of its own";
}

} // namespace
} // namespace sparsight
