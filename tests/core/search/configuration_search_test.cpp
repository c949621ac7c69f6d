#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "search/configuration_search.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <unordered_set>

namespace sparsight {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int threads = 8;

/// A stand-in for a model: any function of a schedule. Refuses what a search must not ask for.
class FunctionScorer final : public WorkloadScorer {
public:
    explicit FunctionScorer(std::function<float(const SuperSchedule&)> function)
        : function_(std::move(function)) {}

    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        if (fails_after_ == 0)
            return fail(Fault::Limit, "no memory for this model");
        --fails_after_;
        std::vector<float> scores;
        for (const Configuration& configuration : configurations) {
            const SuperSchedule schedule = schedule_of(configuration, threads);
            EXPECT_TRUE(check(schedule));
            EXPECT_EQ(configuration, configuration_of(schedule));
            EXPECT_TRUE(seen_.insert(configuration).second) << "asked for twice";
            scores.push_back(function_(schedule));
        }
        return scores;
    }
    Result<std::vector<float>> score_embeddings(std::span<const float>) const override {
        return fail(Fault::Internal, "not asked for");
    }
    void fail_after(int calls) { fails_after_ = calls; }
    std::size_t scored() const { return seen_.size(); }

private:
    std::function<float(const SuperSchedule&)> function_;
    mutable std::unordered_set<Configuration> seen_;
    mutable int fails_after_ = -1;
};

double log2_of(std::int64_t number) {
    return std::log2(static_cast<double>(number));
}

/// Wants splits of 8, compressed levels and large chunks; the two splits pull each other, so that no decision
/// is right by itself, and a wrong order makes a valley between.
float rugged(const SuperSchedule& schedule) {
    const double i = log2_of(schedule.split(Index::I)) - 3;
    const double k = log2_of(schedule.split(Index::K)) - 3;
    double score = i * i + k * k + 1.5 * i * k + 0.3 * std::abs(log2_of(schedule.chunk) - 6);
    for (const LevelFormat format : schedule.formats)
        score += format == LevelFormat::Uncompressed ? 0.7 : 0.0;
    for (std::size_t depth = 0; depth < loop_count(schedule.op); ++depth)
        score += 0.4 * static_cast<double>(depth) * (schedule.order[depth].index == Index::K ? 1.0 : -0.3) *
                 (schedule.order[depth].part == Part::Inner ? 1.0 : 0.5);
    return static_cast<float>(score);
}

const Extents small_extents = extents(Operator::SpMV, 64, 64, 1);
const ScheduleSpace small(Operator::SpMV, small_extents);

std::vector<float> all_scores(Operator op, const Extents& extents) {
    const SearchSpace space(op, extents, threads);
    std::vector<float> scores;
    for (std::uint64_t rank = 0; rank < space.size(); ++rank)
        scores.push_back(rugged(space.at(rank)));
    return scores;
}

class SearchOfSchedulesBy : public ::testing::TestWithParam<SearchMethod> {
protected:
    SearchSettings settings(std::int64_t budget) const {
        return {.method = GetParam(), .budget = budget, .k = 20, .seed = 1, .starts = {}};
    }
};

TEST_P(SearchOfSchedulesBy, FindsTheBestOfTheWholeSpaceWithATenthOfItsScores) {
    const std::vector<float> all = all_scores(Operator::SpMV, small_extents);
    ASSERT_GT(all.size(), 15'000U);
    const FunctionScorer scorer(rugged);
    const ConfigurationSearch search =
        search_configurations(small, scorer, settings(static_cast<std::int64_t>(all.size()) / 10)).value();
    EXPECT_EQ(search.best.front().score, std::ranges::min(all));
    EXPECT_FALSE(search.stopped);
}

TEST_P(SearchOfSchedulesBy, SpendsItsBudgetAndNoMoreOnDifferentValidSchedules) {
    for (const Operator op : all_operators) {
        for (const std::int64_t budget : {1, 2, 7, 500}) {
            const FunctionScorer scorer(rugged);
            const ConfigurationSearch search =
                search_configurations(ScheduleSpace(op, extents(op, 5000, 3000, 256)), scorer,
                                      settings(budget))
                    .value();
            EXPECT_EQ(search.scored, budget);
            EXPECT_EQ(scorer.scored(), static_cast<std::size_t>(budget));
            // Fixed CSR may stand behind the 20 best.
            EXPECT_THAT(search.best, SizeIs(AnyOf(std::min<std::int64_t>(budget, 20), 21)));
            std::unordered_set<Configuration> different;
            for (const ScoredConfiguration& found : search.best) {
                EXPECT_TRUE(different.insert(found.configuration).second);
                EXPECT_EQ(found.score, rugged(schedule_of(found.configuration, threads)));
            }
            EXPECT_TRUE(std::ranges::is_sorted(search.best, {}, &ScoredConfiguration::score));
        }
    }
}

TEST_P(SearchOfSchedulesBy, GoesOnElsewhereWhereItHasSettled) {
    // One deep pit: once in it, nothing near is better.
    const SuperSchedule csr = canonical(fixed_csr(Operator::SpMV, threads));
    const FunctionScorer scorer(
        [&](const SuperSchedule& schedule) { return schedule == csr ? -100.0F : rugged(schedule); });
    EXPECT_EQ(search_configurations(small, scorer, settings(8000)).value().scored, 8000);
}

TEST_P(SearchOfSchedulesBy, AlwaysHasTheBaselineAmongItsBest) {
    const SuperSchedule csr = canonical(fixed_csr(Operator::SpMV, threads));
    const FunctionScorer bad(
        [&](const SuperSchedule& schedule) { return schedule == csr ? 1000.0F : rugged(schedule); });
    const ConfigurationSearch search = search_configurations(small, bad, settings(300)).value();
    EXPECT_THAT(search.best, SizeIs(21));
    EXPECT_EQ(search.best.back().configuration, configuration_of(csr));
    EXPECT_EQ(search.best.back().score, 1000.0F);

    const FunctionScorer good(
        [&](const SuperSchedule& schedule) { return schedule == csr ? -1000.0F : rugged(schedule); });
    const ConfigurationSearch other = search_configurations(small, good, settings(300)).value();
    EXPECT_EQ(other.best.front().configuration, configuration_of(csr));
    EXPECT_THAT(other.best, SizeIs(20));
}

TEST_P(SearchOfSchedulesBy, IsTheSameForASeed) {
    const auto run = [&](std::uint64_t seed) {
        const FunctionScorer scorer(rugged);
        SearchSettings of = settings(400);
        of.seed = seed;
        return search_configurations(small, scorer, of).value();
    };
    EXPECT_EQ(run(3).best, run(3).best);
    EXPECT_EQ(run(3).progress, run(3).progress);
    EXPECT_NE(run(3).progress, run(4).progress);
}

TEST_P(SearchOfSchedulesBy, RecordsEachImprovementWithWhatItTook) {
    const FunctionScorer scorer(rugged);
    const ConfigurationSearch search = search_configurations(small, scorer, settings(800)).value();
    ASSERT_GT(search.progress.size(), 2U);
    EXPECT_EQ(search.progress.front().scored, 1);
    EXPECT_EQ(search.progress.back().score, search.best.front().score);
    for (std::size_t at = 1; at < search.progress.size(); ++at) {
        EXPECT_GT(search.progress[at].scored, search.progress[at - 1].scored);
        EXPECT_LT(search.progress[at].score, search.progress[at - 1].score);
    }
}

TEST_P(SearchOfSchedulesBy, EndsWhereNothingNewIsLeft) {
    const Extents tiny = extents(Operator::SpMV, 1, 2, 1);
    const SearchSpace space(Operator::SpMV, tiny, threads);
    ASSERT_LT(space.size(), 500U);
    const FunctionScorer scorer(rugged);
    const ConfigurationSearch search =
        search_configurations(ScheduleSpace(Operator::SpMV, tiny), scorer, settings(100'000)).value();
    EXPECT_FALSE(search.stopped);
    EXPECT_LT(search.scored, 1000);
    EXPECT_EQ(search.best.front().score, std::ranges::min(all_scores(Operator::SpMV, tiny)));
}

TEST_P(SearchOfSchedulesBy, BeginsAtTheGivenPlaces) {
    SuperSchedule start = fixed_csr(Operator::SpMV, threads);
    start.chunk = 77; // one that no random schedule has
    SearchSettings of = settings(50);
    of.starts = {configuration_of(start), configuration_of(start)};
    const FunctionScorer scorer(
        [](const SuperSchedule& schedule) { return schedule.chunk == 77 ? -100.0F : rugged(schedule); });
    const ConfigurationSearch search = search_configurations(small, scorer, of).value();
    EXPECT_THAT(search.best, Contains(Field(&ScoredConfiguration::configuration, configuration_of(start))));
    EXPECT_EQ(schedule_of(search.best.front().configuration, threads).chunk, 77);
}

TEST_P(SearchOfSchedulesBy, GivesWhatItHasWhenItIsStopped) {
    std::stop_source source;
    std::uint64_t told = 0;
    const FunctionScorer scorer(rugged);
    const ConfigurationSearch search =
        search_configurations(small, scorer, settings(10'000), source.get_token(),
                              [&](const Progress& progress) {
                                  told = progress.done;
                                  EXPECT_EQ(progress.total, 10'000U);
                                  if (progress.done > 100)
                                      source.request_stop();
                              })
            .value();
    EXPECT_TRUE(search.stopped);
    EXPECT_GT(told, 100U);
    EXPECT_LT(search.scored, 1000);
    EXPECT_THAT(search.best, SizeIs(AnyOf(20, 21)));

    const FunctionScorer unused(rugged);
    const ConfigurationSearch at_once =
        search_configurations(small, unused, settings(10'000), source.get_token()).value();
    EXPECT_TRUE(at_once.stopped);
    ASSERT_THAT(at_once.best, SizeIs(1));
    EXPECT_EQ(at_once.best.front().configuration, small.baseline());
}

TEST_P(SearchOfSchedulesBy, SurvivesAModelWithoutNumbersOrPreferences) {
    const FunctionScorer broken([](const SuperSchedule&) { return std::numeric_limits<float>::quiet_NaN(); });
    EXPECT_THAT(search_configurations(small, broken, settings(300)).value().best, SizeIs(20));
    const FunctionScorer indifferent([](const SuperSchedule&) { return 1.0F; });
    EXPECT_EQ(search_configurations(small, indifferent, settings(300)).value().scored, 300);
}

TEST_P(SearchOfSchedulesBy, PassesOnWhatTheModelCannotDo) {
    for (const int calls : {0, 1, 3}) {
        FunctionScorer scorer(rugged);
        scorer.fail_after(calls);
        const auto search = search_configurations(small, scorer, settings(3000));
        ASSERT_FALSE(search);
        EXPECT_EQ(search.error().message, "no memory for this model");
    }
}

INSTANTIATE_TEST_SUITE_P(EachMethod, SearchOfSchedulesBy,
                         ::testing::Values(SearchMethod::Annealing, SearchMethod::Evolution),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST(ConfigurationSearch, RefusesSettingsThatCannotBe) {
    const FunctionScorer scorer(rugged);
    const auto error_of = [&](const SearchSettings& settings) {
        const auto search = search_configurations(small, scorer, settings);
        return search ? std::string() : search.error().message;
    };
    EXPECT_THAT(error_of({.budget = 0}), HasSubstr("at least 1"));
    EXPECT_THAT(error_of({.k = 0}), HasSubstr("at least 1"));
    EXPECT_THAT(error_of({.starts = {configuration_of(fixed_csr(Operator::SpMM, threads))}}),
                HasSubstr("spmm"));
    SuperSchedule invalid = fixed_csr(Operator::SpMV, threads);
    invalid.chunk = 0;
    EXPECT_THAT(error_of({.starts = {configuration_of(invalid)}}), HasSubstr("chunk"));
}

} // namespace
} // namespace sparsight
