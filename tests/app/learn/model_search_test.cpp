#include "learn/model_search.h"

#include "matrix/generators/generator.h"
#include "model/network_parameters.h"
#include "schedule/sampler.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

constexpr std::int64_t dense = 32;

CsrPattern pattern() {
    return generate_matrix("uniform", {{"rows", 100}, {"cols", 100}, {"density", 0.05}}, 1).value();
}

Extents extents_of_pattern() {
    return extents(Operator::SpMM, 100, 100, dense);
}

Checkpoint blended() {
    NetworkDescription network;
    network.architecture = Architecture::StatisticsNet;
    const std::size_t count = matrix_numbers(network.architecture, {}).size();
    network.standardisation = {std::vector<double>(count, 0.0), std::vector<double>(count, 10.0)};
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(network, 1);
    checkpoint.model.architecture = std::move(network);
    checkpoint.model.blend = SimulatorBlend{resolve_parameters({}).values, dense, 0.5, 2};
    return checkpoint;
}

class BlendedSearch : public ::testing::TestWithParam<ChoiceMethod> {
protected:
    static ModelSearch search() {
        Random random(1);
        std::vector<SuperSchedule> pool;
        for (const SuperSchedule& each : sample_uniform(Operator::SpMM, extents_of_pattern(), 200, 2, random))
            if (std::ranges::find(pool, canonical(each)) == pool.end())
                pool.push_back(canonical(each));
        const ChoiceSettings settings{
            .method = GetParam(), .k = 5, .width = 20, .budget = 200, .shortlist = 150};
        return ModelSearch::prepare(blended(), "model", pool, settings, {}, {}).value();
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, BlendedSearch,
                         ::testing::Values(ChoiceMethod::Index, ChoiceMethod::Exhaustive,
                                           ChoiceMethod::Evolution),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(BlendedSearch, SimulatesItsShortlistAndTellsHowFarItIs) {
    std::vector<Progress> told;
    const auto choice =
        search().choose(pattern(), extents_of_pattern(), nullptr, {}, {}, [&](const Progress& progress) {
            if (progress.stage == "simulating")
                told.push_back(progress);
        });
    ASSERT_TRUE(choice) << choice.error().message;
    EXPECT_EQ(choice->simulated, 150);
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told.back().done, 128U);
    EXPECT_EQ(told.back().total, 150U);
    EXPECT_GE(choice->candidates.size(), 5U);
}

TEST_P(BlendedSearch, StopsWhileItSimulates) {
    std::stop_source stop;
    const auto choice = search().choose(pattern(), extents_of_pattern(), nullptr, {}, stop.get_token(),
                                        [&](const Progress& progress) {
                                            if (progress.stage == "simulating")
                                                stop.request_stop();
                                        });
    ASSERT_FALSE(choice);
    EXPECT_EQ(choice.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
