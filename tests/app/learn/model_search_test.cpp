#include "core/learning/synthetic_tasks.h"
#include "core/store/store_fixture.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learn/search_answer.h"
#include "machine/machine_family.h"
#include "model/networks/gray_box.h"
#include "workflow/learning/search/configuration_pool.h"
#include "workflow/learning/search/model_search.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <unordered_set>

namespace sparsight {
namespace {

constexpr std::int64_t dense = 32;

Extents extents_of_pattern() {
    return extents(Operator::SpMM, 100, 100, dense);
}

Result<WorkloadChoice> choose(const ModelSearch& search, const std::stop_token& stop = {},
                              const ProgressSink& progress = {},
                              const MachineDescription* machine = nullptr) {
    const ScheduleSpace space(Operator::SpMM, extents_of_pattern());
    return search.choose(
        {.payload = payload_of(
             generate_matrix("uniform", {{"rows", 100}, {"cols", 100}, {"density", 0.05}}, 1).value()),
         .space = space,
         .machine = machine},
        stop, progress);
}

/// What is printed.
class Told {
public:
    Json json(const WorkloadChoice& choice) const { return teller_.choice_json({"m", choice}); }
    std::string text(const WorkloadChoice& choice) const { return teller_.choice_text({"m", choice}); }

private:
    std::unique_ptr<const Domain> domain_ = make_sparse_domain();
    std::shared_ptr<const ConfigurationCodec> codec_ =
        domain_->codec(setting_of(Operator::SpMM, dense)).value();
    SearchTeller teller_{*domain_, *codec_};
};

Checkpoint blended(double of_network, double of_simulator) {
    NetworkDescription network;
    network.architecture = Architecture::StatisticsNet;
    const std::size_t count = matrix_numbers(network.architecture, {}).size();
    network.standardisation = {std::vector<double>(count, 0.0), std::vector<double>(count, 10.0)};
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(network, 1);
    checkpoint.model.architecture = describe(network);
    checkpoint.model.blend = SimulatorBlend{resolve_parameters({}).values, dense, of_network, of_simulator};
    return checkpoint;
}

class BlendedSearch : public ::testing::TestWithParam<ChoiceMethod> {
public:
    static ModelSearch search_by(ChoiceMethod method, bool mapped, double of_network = 0.05,
                                 double of_simulator = 0.2) {
        Random random(1);
        const std::vector<Configuration> pool =
            ScheduleSpace(Operator::SpMM, extents_of_pattern()).sample(200, random);
        const ChoiceSettings settings{
            .method = method, .k = 5, .width = 20, .budget = 4000, .mapped = mapped, .shortlist = 150};
        return ModelSearch::prepare(blended(of_network, of_simulator), SparseLearning(), "model", pool,
                                    settings, {}, {})
            .value();
    }

protected:
    static ModelSearch search(bool mapped = false) { return search_by(GetParam(), mapped); }
};
INSTANTIATE_TEST_SUITE_P(Methods, BlendedSearch,
                         ::testing::Values(ChoiceMethod::Index, ChoiceMethod::Exhaustive,
                                           ChoiceMethod::Evolution),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(BlendedSearch, SimulatesItsShortlistAndTellsHowFarItIs) {
    std::vector<Progress> told;
    const auto choice = choose(search(), {}, [&](const Progress& progress) {
        if (progress.stage == "simulating")
            told.push_back(progress);
    });
    ASSERT_TRUE(choice) << choice.error().message;
    const auto designs = designed_schedules(Operator::SpMM, extents_of_pattern(), 1).size();
    ASSERT_TRUE(choice->simulated);
    EXPECT_GT(*choice->simulated, 150) << "the designs, too";
    EXPECT_LE(*choice->simulated, static_cast<std::int64_t>(150 + designs)) << "each once";
    ASSERT_TRUE(choice->designs);
    EXPECT_EQ(*choice->simulated - *choice->designs, 150) << "of the pool, so that both numbers add up";
    EXPECT_THAT(Told().text(*choice),
                ::testing::AllOf(::testing::HasSubstr("; simulated in "),
                                 ::testing::HasSubstr(fmt::format("the best 150 of the pool and {} designs",
                                                                  *choice->designs)),
                                 ::testing::HasSubstr("  model's simulated ms  "),
                                 ::testing::HasSubstr("`whatif` simulates by the description")))
        << "which gives another time";
    ASSERT_GE(told.size(), 2U);
    EXPECT_EQ(told[1].done, 128U);
    EXPECT_EQ(told.back().total, static_cast<std::uint64_t>(*choice->simulated));
    EXPECT_GE(choice->candidates.size(), 5U);
}

TEST_P(BlendedSearch, SaysWhatItsScoresAreMadeOfAndWhichPlaceTheyHave) {
    const auto choice = choose(search());
    ASSERT_TRUE(choice) << choice.error().message;
    ASSERT_TRUE(choice->blend);
    ASSERT_EQ(choice->parts.size(), choice->candidates.size()) << "fixed CSR has them, too";
    for (std::size_t at = 0; at < choice->parts.size(); ++at) {
        const ScorePart& part = choice->parts[at];
        ASSERT_TRUE(part.simulated_ms);
        EXPECT_NEAR(choice->candidates[at].score,
                    0.05 * static_cast<double>(part.network) + 0.2 * std::log(*part.simulated_ms), 1e-4);
    }
    ASSERT_EQ(choice->places.size(), 5U) << "of the portfolio: fixed CSR was added behind it";
    EXPECT_EQ(choice->places.front(), 1) << "the best score is always worth measuring";
    for (std::size_t at = 1; at < choice->places.size(); ++at)
        EXPECT_GE(choice->places[at], choice->places[at - 1]);
    EXPECT_GT(choice->places.back(), 5) << "some that score better are left out, being alike";
    ASSERT_EQ(choice->reasons.size(), choice->places.size());
    EXPECT_EQ(choice->reasons.front(), ChosenBy::Score);
    EXPECT_EQ(std::ranges::count(choice->reasons, ChosenBy::Second), 1) << "a quarter of 5";
    const Json told = Told().json(*choice);
    const std::map<ChosenBy, std::string> names{
        {ChosenBy::Score, "score"}, {ChosenBy::Difference, "hedge"}, {ChosenBy::Second, "simulator"}};
    for (std::size_t at = 0; at < choice->reasons.size(); ++at)
        EXPECT_EQ(told["candidates"][at]["reason"], names.at(choice->reasons[at]));
    for (std::size_t at = 5; at < choice->candidates.size(); ++at)
        EXPECT_FALSE(told["candidates"][at].contains("reason")) << "fixed CSR was added";
    EXPECT_NE(Told().text(*choice).find("simulator"), std::string::npos);
}

TEST_P(BlendedSearch, KeepsNoPlaceForTheSimulatorWhereOneScoreIsAll) {
    for (const auto& [network, simulator] : {std::pair(0.0, 0.2), std::pair(0.05, 0.0)}) {
        const auto choice = choose(search_by(GetParam(), false, network, simulator));
        ASSERT_TRUE(choice) << choice.error().message;
        EXPECT_EQ(choice->reasons.size(), 5U);
        EXPECT_EQ(std::ranges::count(choice->reasons, ChosenBy::Second), 0);
    }
}

TEST_P(BlendedSearch, ItsMapHasTheTimesThatEachNodeWasSimulatedToTake) {
    const auto choice = choose(search(true));
    ASSERT_TRUE(choice) << choice.error().message;
    ASSERT_TRUE(choice->map);
    for (const SearchMap::Node& node : choice->map->nodes)
        EXPECT_TRUE(node.simulated_ms);
    for (std::size_t at = 0; at < choice->parts.size(); ++at) {
        EXPECT_EQ(choice->map->nodes[at].simulated_ms, choice->parts[at].simulated_ms);
        EXPECT_FLOAT_EQ(choice->map->nodes[at].score, choice->parts[at].network) << "what is walked by";
    }
}

/// One that states its doubt was adapted; before it learned something it scores as the simulator does.
Checkpoint gray_box(std::optional<StatedDoubt> doubt) {
    const TaskSet tasks = testing::synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 4, 20);
    const std::vector<std::size_t> all{0, 1, 2, 3};
    const auto encoder = SparseLearning().new_encoder({gray_box_architecture, false, tasks, all});
    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder->architecture();
    checkpoint.model.doubt = doubt;
    checkpoint.weights = draw_weights(encoder->parameters(), 1);
    return checkpoint;
}

std::vector<float> scores_found_by(ChoiceMethod method, std::optional<StatedDoubt> doubt,
                                   std::vector<Configuration>& found) {
    constexpr int k = 20;
    Random random(1);
    const std::vector<Configuration> pool =
        ScheduleSpace(Operator::SpMM, extents_of_pattern()).sample(600, random);
    const auto search = ModelSearch::prepare(gray_box(doubt), SparseLearning(), "model", pool,
                                             {.method = method, .k = k, .budget = 1200}, {}, {});
    EXPECT_TRUE(search) << search.error().message;
    const MachineDescription machine = sampled_machine(7, 0);
    const auto choice = choose(*search, {}, {}, &machine);
    std::vector<float> scores;
    found.clear();
    if (!choice) {
        ADD_FAILURE() << choice.error().message;
        return scores;
    }
    for (const ScoredConfiguration& each : choice->candidates)
        if (scores.size() < k) { // the baseline stands behind them
            scores.push_back(each.score);
            found.push_back(each.configuration);
        }
    return scores;
}

TEST(SearchOfAGrayBox, ThePoolGivesAPortfolioOnceTheModelStatesItsDoubt) {
    std::vector<Configuration> by_score;
    std::vector<Configuration> hedged;
    const std::vector<float> best = scores_found_by(ChoiceMethod::Exhaustive, std::nullopt, by_score);
    const std::vector<float> portfolio =
        scores_found_by(ChoiceMethod::Exhaustive, StatedDoubt{.residual = 0.1}, hedged);
    ASSERT_EQ(by_score.size(), 20U);
    ASSERT_EQ(hedged.size(), 20U);
    EXPECT_EQ(std::set(hedged.begin(), hedged.end()).size(), 20U) << "each once";
    EXPECT_EQ(hedged.front(), by_score.front()) << "the best score is always taken";
    EXPECT_NE(hedged, by_score);
    EXPECT_TRUE(std::ranges::is_sorted(portfolio)) << "the best score first";
    EXPECT_GT(portfolio.back(), best.back()) << "hedges have worse scores than those that they replace";
}

TEST(SearchOfAGrayBox, BeyondThePoolTheScoreAloneChooses) {
    std::vector<Configuration> without;
    std::vector<Configuration> with_doubt;
    scores_found_by(ChoiceMethod::Evolution, std::nullopt, without);
    scores_found_by(ChoiceMethod::Evolution, StatedDoubt{.residual = 0.1}, with_doubt);
    EXPECT_EQ(with_doubt, without);
}

TEST(WalkOfABlendedModel, HasTheRecallOfTheNetworksShortlist) {
    const auto choice = choose(BlendedSearch::search_by(ChoiceMethod::Index, false));
    ASSERT_TRUE(choice) << choice.error().message;
    EXPECT_EQ(choice->recall_at, 150);
}

TEST_P(BlendedSearch, StopsWhileItSimulates) {
    std::stop_source stop;
    const auto choice = choose(search(), stop.get_token(), [&](const Progress& progress) {
        if (progress.stage == "simulating")
            stop.request_stop();
    });
    ASSERT_FALSE(choice);
    EXPECT_EQ(choice.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight

namespace sparsight::testing {

using ::testing::Contains;

/// Two machines, on which some matrices took times that are in the order of their schedules.
class PoolOfSchedules : public StoreTest {
protected:
    static constexpr int threads = 2;

    PoolOfSchedules()
        : workspace_(create())
        , here_(must(recorded_machine(workspace_, "here")))
        , there_(must(recorded_machine(workspace_, "there"))) {}

    static Extents size() { return extents(Operator::SpMM, 200, 200, 32); }

    /// The fastest first.
    std::vector<SuperSchedule> measure(MachineId machine, const std::string& matrix, int count,
                                       std::uint64_t seed) {
        Random random(seed);
        auto schedules = sample_uniform(Operator::SpMM, size(), count, threads, random);
        must(in_one_transaction(workspace_, [&]() -> Result<void> {
            auto known = must(find_matrix(workspace_, matrix));
            const WorkloadId id =
                known ? known->id : must(add_matrix(workspace_, {matrix, "test", {}}, pattern()));
            for (std::size_t place = 0; place < schedules.size(); ++place)
                must(record_measurement(workspace_, {id, machine, 32, "waco"}, schedules[place],
                                        measured(1 + static_cast<double>(place))));
            return {};
        }));
        return schedules;
    }
    std::vector<SuperSchedule> pool(std::size_t largest, const std::set<WorkloadId>& without = {}) {
        const auto pools = must(ConfigurationPools::read(
            workspace_, *make_sparse_domain(),
            {.setting = setting_of(Operator::SpMM, 32), .machine = here_, .largest = largest}));
        return schedules_of(pools.pool_for(ScheduleSpace(Operator::SpMM, size()), without), threads);
    }

    Workspace workspace_;
    MachineId here_;
    MachineId there_;

private:
    static CsrPattern pattern() {
        CsrPattern pattern{200, 200, std::vector<std::int64_t>(201, 0), {}, {}};
        return pattern;
    }
};

TEST_F(PoolOfSchedules, TakesTurnsAmongTheMatricesOfTheMachineFirst) {
    const auto elsewhere = measure(there_, "a", 40, 1);
    const auto one = measure(here_, "b", 40, 2);
    const auto two = measure(here_, "c", 40, 3);
    const auto taken = pool(20'000);
    const auto expected = [](const SuperSchedule& schedule) { return canonical(schedule); };
    ASSERT_GT(taken.size(), 100U);
    EXPECT_EQ(taken[0], canonical(fixed_csr(Operator::SpMM, threads)));
    EXPECT_EQ(taken[1], expected(one[0]));
    EXPECT_EQ(taken[2], expected(two[0]));
    EXPECT_EQ(taken[3], expected(one[1]));
    EXPECT_EQ(taken[4], expected(two[1]));
    const auto place = [&](const SuperSchedule& schedule) {
        return std::ranges::find(taken, expected(schedule)) - taken.begin();
    };
    EXPECT_GT(place(elsewhere[0]), place(one[39])) << "what other machines know comes behind";
    EXPECT_LT(place(elsewhere[0]), std::ssize(taken));
    std::unordered_set<SuperSchedule> different(taken.begin(), taken.end());
    EXPECT_EQ(different.size(), taken.size()) << "each meaning once";
}

TEST_F(PoolOfSchedules, IsNoLargerThanItMayBeAndHalfOfItWasCollected) {
    std::unordered_set<SuperSchedule> collected;
    for (int matrix = 0; matrix < 60; ++matrix)
        for (const SuperSchedule& schedule :
             measure(here_, fmt::format("m{}", matrix), 60, 10 + static_cast<std::uint64_t>(matrix)))
            collected.insert(canonical(schedule));
    constexpr std::size_t largest = 2400;
    const auto taken = pool(largest);
    EXPECT_EQ(taken.size(), largest);
    const auto known = std::ranges::count_if(
        taken, [&](const SuperSchedule& schedule) { return collected.contains(schedule); });
    EXPECT_GE(known, static_cast<std::ptrdiff_t>(largest / 2 - 1));
    for (std::size_t place = 1; place < largest / 2; ++place)
        EXPECT_TRUE(collected.contains(taken[place])) << place << ": neighbours come behind";
}

TEST_F(PoolOfSchedules, KnowsNothingOfTheSearchedMatrix) {
    const auto own = measure(here_, "searched", 30, 1);
    measure(here_, "other", 30, 2);
    const auto searched = must(find_matrix(workspace_, "searched"))->id;
    EXPECT_THAT(pool(20'000), Contains(canonical(own[0])));
    const auto taken = pool(20'000, {searched});
    std::size_t known = 0;
    for (const SuperSchedule& schedule : own)
        known += std::ranges::count(taken, canonical(schedule)) > 0 ? 1U : 0U;
    EXPECT_LT(known, own.size() / 3) << "some are found by chance";
}

} // namespace sparsight::testing
