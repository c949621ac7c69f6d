// What reasons of a model are found with, beside its scores.
#include "base/random.h"
#include "model/boosted_trees.h"
#include "model/cost_model.h"
#include "model/network_parameters.h"
#include "schedule/sampler.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
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
    checkpoint.model.architecture = std::move(description);
    return checkpoint;
}

Checkpoint some_trees() {
    TreesGroup group{{}, some_schedules(60), {}};
    for (const SuperSchedule& schedule : group.schedules)
        group.milliseconds.push_back(schedule.chunk + static_cast<double>(schedule.split(Index::I)));
    Checkpoint checkpoint;
    checkpoint.model.architecture = TreesDescription{Operator::SpMM};
    checkpoint.trees =
        BoostedTrees::train(Operator::SpMM, std::span(&group, 1), {.rounds = 25}).value().save().value();
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
    static std::unique_ptr<CostModel> model() { return make_cost_model(checkpoint()).value(); }
};
INSTANTIATE_TEST_SUITE_P(CostModels, ModelInsides,
                         ::testing::Values("waconet", "statistics", "trees", "blend"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ModelInsides, TellWhatScoresAreSumsOf) {
    const auto of = model();
    const auto scorer = of->embed(tridiagonal(100), nullptr, 1).value();
    const auto schedules = some_schedules(40);
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
    const auto by_statistics = of->embed_statistics(compute_statistics(pattern, 1), nullptr);
    const std::string_view kind = GetParam();
    EXPECT_EQ(of->reads_statistics(), kind == "statistics" || kind == "trees")
        << "the simulator reads patterns";
    if (!of->reads_statistics()) {
        ASSERT_FALSE(by_statistics);
        EXPECT_EQ(by_statistics.error().fault, Fault::Input);
        return;
    }
    const auto schedules = some_schedules(20);
    EXPECT_EQ((*by_statistics)->score(schedules).value(),
              of->embed(pattern, nullptr, 1).value()->score(schedules).value());
}

} // namespace
} // namespace sparsight
