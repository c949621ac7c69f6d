// Every kind of cost model; boosted trees by themselves.
#include "base/random.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/boosted_trees.h"
#include "model/cost_model.h"
#include "study/ranking_metrics.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

namespace sparsight {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

CsrPattern diagonal(std::int64_t rows) {
    CsrPattern pattern;
    pattern.rows = rows;
    pattern.cols = rows;
    pattern.row_pointers.clear();
    for (std::int64_t row = 0; row <= rows; ++row)
        pattern.row_pointers.push_back(row);
    for (std::int32_t row = 0; row < rows; ++row)
        pattern.column_ids.push_back(row);
    return pattern;
}

std::vector<SuperSchedule> schedules(int count) {
    Random random(3);
    return sample_uniform(Operator::SpMM, extents(Operator::SpMM, 100, 100, 256), count, 8, random);
}

std::vector<Configuration> configurations(int count) {
    return configurations_of(schedules(count));
}

Checkpoint network(Architecture architecture) {
    NetworkDescription description;
    description.architecture = architecture;
    const std::size_t count = matrix_numbers(architecture, {}).size();
    description.standardisation = {std::vector<double>(count, 0.0), std::vector<double>(count, 10.0)};
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(description, 1);
    checkpoint.model.architecture = describe(description);
    return checkpoint;
}

Checkpoint trees() {
    TreesGroup group{statistics_vector({}), configurations(30), {}};
    for (const SuperSchedule& schedule : schedules(30))
        group.milliseconds.push_back(schedule.chunk);
    Checkpoint checkpoint;
    checkpoint.model.architecture = describe_trees(Operator::SpMM);
    checkpoint.trees =
        BoostedTrees::train(schedule_features(Operator::SpMM), std::span(&group, 1), {.rounds = 10})
            .value()
            .save()
            .value();
    return checkpoint;
}

class EveryCostModel : public ::testing::TestWithParam<const char*> {
protected:
    static Checkpoint checkpoint() {
        const auto architecture = parse_architecture(GetParam());
        return architecture ? network(*architecture) : trees();
    }
};
INSTANTIATE_TEST_SUITE_P(CostModels, EveryCostModel, ::testing::Values("waconet", "statistics", "trees"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(EveryCostModel, ScoresEveryConfiguration) {
    const auto model = make_cost_model(checkpoint(), SparseLearning()).value();
    EXPECT_EQ(model->description().architecture.name, GetParam());
    const auto scorer = model->embed(payload_of(diagonal(100)), nullptr, 1).value();
    const auto scores = scorer->score(configurations(50)).value();
    ASSERT_EQ(scores.size(), 50U);
    EXPECT_NE(std::ranges::min(scores), std::ranges::max(scores));
    EXPECT_TRUE(scorer->score({}).value().empty());
}

TEST_P(EveryCostModel, IsTheSameAfterASave) {
    const auto scores = [](const Checkpoint& of) {
        return make_cost_model(of, SparseLearning())
            .value()
            ->embed(payload_of(diagonal(100)), nullptr, 1)
            .value()
            ->score(configurations(50))
            .value();
    };
    const Checkpoint saved = checkpoint();
    EXPECT_EQ(scores(saved), scores(parse_checkpoint(checkpoint_bytes(saved), SparseLearning()).value()));
}

TEST_P(EveryCostModel, GivesItsScorersALifeOfTheirOwn) {
    auto model = make_cost_model(checkpoint(), SparseLearning()).value();
    const auto scorer = model->embed(payload_of(diagonal(100)), nullptr, 1).value();
    const auto before = scorer->score(configurations(5)).value();
    model.reset();
    EXPECT_EQ(scorer->score(configurations(5)).value(), before);
}

TEST_P(EveryCostModel, ScoresEmbeddingsLikeTheirConfigurations) {
    const auto model = make_cost_model(checkpoint(), SparseLearning()).value();
    const auto scorer = model->embed(payload_of(diagonal(100)), nullptr, 1).value();
    const auto embeddings = model->embed_configurations(configurations(50));
    if (model->embedding_width() == 0) {
        EXPECT_THAT(embeddings.error().message, HasSubstr("no embeddings"));
        EXPECT_THAT(scorer->score_embeddings({}).error().message, HasSubstr("no embeddings"));
        return;
    }
    ASSERT_TRUE(embeddings);
    EXPECT_EQ(embeddings->size(), 50 * model->embedding_width());
    EXPECT_THAT(scorer->score_embeddings(*embeddings).value(),
                Pointwise(FloatNear(1e-5F), scorer->score(configurations(50)).value()));
    EXPECT_TRUE(scorer->score_embeddings({}).value().empty());
}

Checkpoint blended() {
    Checkpoint checkpoint = network(Architecture::StatisticsNet);
    SimulatorBlend blend{resolve_parameters({}).values, 256, 0.5, 2};
    blend.machine[MachineParameter::ChunkCost] *= 3;
    checkpoint.model.blend = blend;
    return checkpoint;
}

TEST(BlendedCostModel, WeighsTheNetworkAgainstSimulatedTime) {
    const Checkpoint both = blended();
    const auto model = make_cost_model(both, SparseLearning()).value();
    const CsrPattern pattern = diagonal(100);
    const auto scores =
        model->embed(payload_of(pattern), nullptr, 2).value()->score(configurations(20)).value();
    const auto alone = make_cost_model(network(Architecture::StatisticsNet), SparseLearning()).value();
    const auto network_scores =
        alone->embed(payload_of(pattern), nullptr, 1).value()->score(configurations(20)).value();
    const ProfiledPattern profiled(pattern);
    for (std::size_t at = 0; at < scores.size(); ++at) {
        const double simulated =
            simulate(both.model.blend->machine, profiled.profile(schedules(20)[at], 256).value()).total();
        EXPECT_NEAR(scores[at], 0.5 * network_scores[at] + 2 * std::log(simulated), 1e-4);
    }
    const auto scorer = model->embed(payload_of(pattern), nullptr, 1).value();
    EXPECT_EQ(scorer->score_embeddings(model->embed_configurations(configurations(20)).value()).value(),
              alone->embed(payload_of(pattern), nullptr, 1)
                  .value()
                  ->score_embeddings(alone->embed_configurations(configurations(20)).value())
                  .value())
        << "the network's share alone";
}

TEST(BlendedCostModel, IsTheSameAfterASave) {
    const Checkpoint saved = blended();
    EXPECT_EQ(parse_checkpoint(checkpoint_bytes(saved), SparseLearning()).value(), saved);
}

/// The description of a blended model in a stored checkpoint.
constexpr std::string_view written_blend =
    R"({"architecture": "statistics", "input": {"operator": "spmm", "tables": "waco",
"tables_of": "spmm", "machine": false, "narrowed": false, "standardisation": {"mean": [0.0,
0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "deviation": [10.0, 10.0, 10.0, 10.0, 10.0,
10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0,
10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0]}}, "training": {"method": "",
"machines": [], "matrices": [], "seed": 0, "metrics": {}, "parent": null, "settings": {},
"remarks": []}, "blend": {"network": 0.5, "simulator": 2.0, "network_share": 0.25,
"dense": 256, "machine": {"sockets": 1.0, "cores": 8.0, "threads": 8.0, "smt_gain": 1.2,
"clock_ghz": 2.8, "lone_gain": 1.1, "lanes": 8.0, "accumulators": 12.0, "unrolled_extent": 0.0,
"l1_bytes": 32768.0, "l2_bytes": 1048576.0, "l3_bytes": 16000000.0, "l3_caches": 1.0,
"l2_bytes_per_cycle": 24.0, "l3_gb_per_s": 20.0, "core_gb_per_s": 12.0,
"socket_gb_per_s": 80.0, "l3_latency_ns": 20.0, "memory_latency_ns": 95.0,
"outstanding_misses": 10.0, "remote_penalty": 2.0, "overlap": 1.6, "team_start_us": 5.0,
"region_us": 4.0, "chunk_us": 0.96, "compressed_start": 8.0, "mispredicted_exit": 15.0,
"compressed_iteration": 2.0, "dense_start": 4.0, "dense_iteration": 1.5, "vector_start": 3.0,
"tiled_vector": 0.8, "updated_vector": 1.5, "tiled_scalar": 1.5, "updated_scalar": 3.0,
"tile_vector": 2.0, "noise": 0.05}}})";

TEST(BlendedCostModel, OfAnEarlierVersionLoadsAndScoresAsItDid) {
    Checkpoint checkpoint = network(Architecture::StatisticsNet);
    checkpoint.model = parse_model_description(written_blend, SparseLearning()).value();
    ASSERT_TRUE(checkpoint.model.blend);
    EXPECT_EQ(checkpoint.model.blend->network_share, 0.25);
    const Checkpoint read = parse_checkpoint(checkpoint_bytes(checkpoint), SparseLearning()).value();
    const auto model = make_cost_model(read, SparseLearning()).value();
    const auto scorer = model->embed(payload_of(diagonal(100)), nullptr, 1).value();
    EXPECT_THAT(scorer->score(configurations(8)).value(),
                Pointwise(FloatNear(1e-3F), {-1.285937F, -3.827515F, -7.648853F, -7.476574F, -2.483962F,
                                             -9.977937F, 3.013686F, -7.766799F}));
}

TEST(BlendedCostModel, RefusesAMachineThatCannotBe) {
    std::string json = to_json(blended().model);
    const std::string key = "\"chunk_";
    ASSERT_NE(json.find(key), std::string::npos);
    json.replace(json.find(key), key.size(), "\"junk_");
    EXPECT_THAT(parse_model_description(json, SparseLearning()).error().message,
                HasSubstr("no parameter of a machine"));
    Checkpoint wrong = blended();
    wrong.model.blend->machine[MachineParameter::Lanes] = -1;
    EXPECT_THAT(parse_model_description(to_json(wrong.model), SparseLearning()).error().message,
                HasSubstr("expected"));
}

TEST(CostModel, RefusesWeightsThatDoNotFit) {
    Checkpoint wrong = network(Architecture::StatisticsNet);
    wrong.weights.pop_back();
    EXPECT_THAT(make_cost_model(wrong, SparseLearning()).error().message,
                HasSubstr("final.4.bias is missing"));
    Checkpoint no_trees = trees();
    no_trees.trees.resize(10);
    EXPECT_EQ(make_cost_model(no_trees, SparseLearning()).error().fault, Fault::Input);
}

// What reasons of a model are found with, beside its scores.

CsrPattern tridiagonal(std::int32_t rows) {
    CsrPattern pattern;
    pattern.rows = rows;
    pattern.cols = rows;
    for (std::int32_t row = 0; row < rows; ++row) {
        for (std::int32_t column = std::max(0, row - 1); column <= std::min(rows - 1, row + 1); ++column)
            pattern.column_ids.push_back(column);
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

Checkpoint some_blend() {
    Checkpoint checkpoint = network(Architecture::StatisticsNet);
    SimulatorBlend& blend = checkpoint.model.blend.emplace();
    blend.network = 0.5;
    blend.simulator = 2;
    for (const ParameterInfo& info : all_parameters())
        blend.machine[info.parameter] = info.typical;
    return checkpoint;
}

class ModelInsides : public ::testing::TestWithParam<const char*> {
protected:
    static Checkpoint checkpoint() {
        const auto architecture = parse_architecture(GetParam());
        return architecture                              ? network(*architecture)
               : GetParam() == std::string_view("trees") ? trees()
                                                         : some_blend();
    }
    static std::unique_ptr<CostModel> model() {
        return make_cost_model(checkpoint(), SparseLearning()).value();
    }
};
INSTANTIATE_TEST_SUITE_P(CostModels, ModelInsides,
                         ::testing::Values("waconet", "statistics", "trees", "blend"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ModelInsides, TellWhatScoresAreSumsOf) {
    const auto of = model();
    const auto scorer = of->embed(payload_of(tridiagonal(100)), nullptr, 1).value();
    const auto schedules = configurations(40);
    const auto scores = scorer->score(schedules).value();
    const auto inputs = scorer->last_inputs(schedules).value();
    const std::size_t width = of->last_width();
    ASSERT_GT(width, 0U);
    ASSERT_EQ(inputs.size(), schedules.size() * width);
    std::vector<float> weights(width, 1.0F); // of trees, and of the simulator's share
    if (const auto arrays = checkpoint().weights; !arrays.empty())
        std::ranges::copy(std::ranges::find(arrays, "final.4.weight", &NamedArray::name)->values,
                          weights.begin());
    const auto sum = [&](std::size_t row) {
        double total = 0;
        for (std::size_t place = 0; place < width; ++place)
            total += static_cast<double>(weights[place]) * static_cast<double>(inputs[row * width + place]);
        return total;
    };
    for (std::size_t row = 1; row < schedules.size(); ++row)
        EXPECT_NEAR(sum(row) - sum(0), static_cast<double>(scores[row]) - static_cast<double>(scores[0]),
                    1e-4);
    EXPECT_TRUE(scorer->last_inputs({}).value().empty());
}

TEST_P(ModelInsides, ScoreAPatternByItsStatisticsWhereTheyAreAllThatIsRead) {
    const auto of = model();
    const auto pattern = tridiagonal(100);
    const auto by_statistics =
        of->embed_statistics(statistics_vector(compute_statistics(pattern, 1)), nullptr);
    const std::string_view kind = GetParam();
    EXPECT_EQ(of->reads_statistics(), kind == "statistics" || kind == "trees")
        << "the simulator reads patterns";
    if (!of->reads_statistics()) {
        ASSERT_FALSE(by_statistics);
        EXPECT_EQ(by_statistics.error().fault, Fault::Input);
        return;
    }
    const auto schedules = configurations(20);
    EXPECT_EQ((*by_statistics)->score(schedules).value(),
              of->embed(payload_of(pattern), nullptr, 1).value()->score(schedules).value());
}

const std::shared_ptr<const TreeFeatures> spmm_features = schedule_features(Operator::SpMM);

/// A world with a rule: small matrices like large chunks, large ones small chunks, and a split of i costs.
TreesGroup group(std::uint64_t seed, int schedules) {
    Random random(seed);
    PatternStatistics statistics;
    statistics.rows = random.between(100, 100'000);
    statistics.cols = 1000;
    statistics.nnz = 10 * statistics.rows;
    const std::vector<SuperSchedule> drawn =
        sample_uniform(Operator::SpMM, extents(Operator::SpMM, 1000, 1000, 256), schedules, 8, random);
    TreesGroup made{statistics_vector(statistics), configurations_of(drawn), {}};
    for (const SuperSchedule& schedule : drawn) {
        const double chunk = std::log2(schedule.chunk);
        const double wanted = statistics.rows > 50'000 ? 0 : 8;
        made.milliseconds.push_back(1 + std::abs(chunk - wanted) +
                                    std::log2(static_cast<double>(schedule.split(Index::I))));
    }
    return made;
}

std::vector<TreesGroup> groups(std::uint64_t first, int count) {
    std::vector<TreesGroup> made;
    for (int i = 0; i < count; ++i)
        made.push_back(group(first + static_cast<std::uint64_t>(i), 40));
    return made;
}

double accuracy(const BoostedTrees& trees, const TreesGroup& on) {
    return ordered_pair_accuracy(
               count_pairs(trees.score(on.statistics, on.configurations).value(), on.milliseconds))
        .value();
}

constexpr TreesOptions quick{.rounds = 60, .depth = 6, .rate = 0.3};

TEST(BoostedTrees, LearnToRankMatricesTheyHaveNotSeen) {
    const auto trees = BoostedTrees::train(spmm_features, groups(1, 40), quick).value();
    double sum = 0;
    for (std::uint64_t seed = 1000; seed < 1010; ++seed)
        sum += accuracy(trees, group(seed, 200)) / 10;
    EXPECT_GT(sum, 0.9);
}

TEST(BoostedTrees, AreReproducible) {
    const auto first = BoostedTrees::train(spmm_features, groups(1, 10), quick).value();
    const auto second = BoostedTrees::train(spmm_features, groups(1, 10), quick).value();
    const TreesGroup on = group(77, 50);
    EXPECT_EQ(first.score(on.statistics, on.configurations).value(),
              second.score(on.statistics, on.configurations).value());
}

TEST(BoostedTrees, AreSavedAndLoaded) {
    const auto trees = BoostedTrees::train(spmm_features, groups(1, 10), quick).value();
    const std::string bytes = trees.save().value();
    const auto loaded = BoostedTrees::load(spmm_features, bytes);
    ASSERT_TRUE(loaded) << loaded.error().text();
    const TreesGroup on = group(77, 50);
    EXPECT_EQ(trees.score(on.statistics, on.configurations).value(),
              loaded->score(on.statistics, on.configurations).value());
}

TEST(BoostedTrees, RefuseWhatIsNotTheirs) {
    const std::string bytes = BoostedTrees::train(spmm_features, groups(1, 3), quick).value().save().value();
    for (const std::string& foreign :
         {std::string(), std::string("binf"), std::string("{}"), std::string("[1]"),
          bytes.substr(0, bytes.size() / 2), bytes.substr(0, 900) + "}"}) {
        const auto loaded = BoostedTrees::load(spmm_features, foreign);
        ASSERT_FALSE(loaded) << foreign.substr(0, 20);
        EXPECT_EQ(loaded.error().fault, Fault::Input);
        EXPECT_EQ(loaded.error().message, "are no trees of xgboost");
    }
}

TEST(BoostedTrees, RefuseTreesThatPointOutOfThemselves) {
    const auto whole =
        nlohmann::json::parse(BoostedTrees::train(spmm_features, groups(1, 3), quick).value().save().value());
    const auto refusal = [&](const char* list, std::size_t place, int value) {
        nlohmann::json changed = whole;
        auto& tree = changed["learner"]["gradient_booster"]["model"]["trees"][1];
        EXPECT_NE(tree[list][place], value) << list;
        tree[list][place] = value;
        const auto loaded = BoostedTrees::load(spmm_features, changed.dump());
        return loaded ? "was read" : loaded.error().message;
    };
    EXPECT_EQ(refusal("left_children", 0, 1'000'000), "tree 2 has nodes that do not make a tree");
    EXPECT_THAT(refusal("right_children", 1, 0), HasSubstr("do not make a tree")); // a circle
    EXPECT_THAT(refusal("left_children", 0, 2), HasSubstr("do not make a tree"));  // two parents
    EXPECT_THAT(refusal("parents", 1, -7), HasSubstr("do not make a tree"));
    EXPECT_THAT(refusal("split_indices", 0, 4711), HasSubstr("looks at feature 4711 of"));
    const std::size_t nodes = whole["learner"]["gradient_booster"]["model"]["trees"][1]["parents"].size();
    EXPECT_THAT(refusal("parents", nodes, 5), HasSubstr("lists of different lengths"));
}

TEST(BoostedTrees, BelongToAnOperator) {
    const std::string bytes = BoostedTrees::train(spmm_features, groups(1, 3), quick).value().save().value();
    EXPECT_FALSE(BoostedTrees::load(schedule_features(Operator::SpMV), bytes));
}

TEST(BoostedTrees, KnowThatFailuresAreTheSlowest) {
    auto training = groups(1, 30);
    for (TreesGroup& of : training)
        for (std::size_t i = 0; i < of.configurations.size(); ++i)
            if (schedule_of(of.configurations[i], 8).split(Index::K) > 64)
                of.milliseconds[i] = std::numeric_limits<double>::infinity();
    const auto trees = BoostedTrees::train(spmm_features, training, quick).value();
    SuperSchedule small = fixed_csr(Operator::SpMM, 8);
    SuperSchedule large = small;
    large.splits[static_cast<std::size_t>(Index::K)] = 512;
    const auto scores =
        trees.score(training[0].statistics, configurations_of(std::vector{small, large})).value();
    EXPECT_LT(scores[0], scores[1]);
}

TEST(BoostedTrees, NeedRuntimesAndStopWhenAsked) {
    EXPECT_EQ(BoostedTrees::train(spmm_features, {}, quick).error().fault, Fault::Input);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(BoostedTrees::train(spmm_features, groups(1, 2), quick, stop.get_token()).error().fault,
              Fault::Cancelled);
}

TEST(BoostedTrees, ScoreNothingForNoSchedules) {
    const auto trees = BoostedTrees::train(spmm_features, groups(1, 2), quick).value();
    EXPECT_TRUE(trees.score({}, {}).value().empty());
}

} // namespace
} // namespace sparsight
