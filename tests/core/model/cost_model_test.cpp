#include "base/random.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/boosted_trees.h"
#include "model/cost_model.h"

#include <cmath>
#include <gmock/gmock.h>

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

} // namespace

// What reasons of a model are found with, beside its scores.
namespace {

std::vector<SuperSchedule> some_schedules(int count) {
    Random random(3);
    return sample_uniform(Operator::SpMM, extents(Operator::SpMM, 100, 100, 256), count, 8, random);
}

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

Checkpoint untrained(Architecture architecture) {
    NetworkDescription description;
    description.architecture = architecture;
    const std::size_t count = matrix_numbers(architecture, {}).size();
    description.standardisation = {std::vector<double>(count, 0.0), std::vector<double>(count, 10.0)};
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(description, 1);
    checkpoint.model.architecture = describe(description);
    return checkpoint;
}

Checkpoint some_trees() {
    TreesGroup group{statistics_vector({}), configurations_of(some_schedules(60)), {}};
    for (const SuperSchedule& schedule : some_schedules(60))
        group.milliseconds.push_back(schedule.chunk + static_cast<double>(schedule.split(Index::I)));
    Checkpoint checkpoint;
    checkpoint.model.architecture = describe_trees(Operator::SpMM);
    checkpoint.trees =
        BoostedTrees::train(schedule_features(Operator::SpMM), std::span(&group, 1), {.rounds = 25})
            .value()
            .save()
            .value();
    return checkpoint;
}

Checkpoint some_blend() {
    Checkpoint checkpoint = untrained(Architecture::StatisticsNet);
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
        return architecture                              ? untrained(*architecture)
               : GetParam() == std::string_view("trees") ? some_trees()
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
    const auto schedules = configurations_of(some_schedules(40));
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
    const auto schedules = configurations_of(some_schedules(20));
    EXPECT_EQ((*by_statistics)->score(schedules).value(),
              of->embed(payload_of(pattern), nullptr, 1).value()->score(schedules).value());
}

} // namespace
} // namespace sparsight
