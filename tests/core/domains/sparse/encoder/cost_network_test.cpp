#include "base/random.h"
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "model/networks/encoder.h"
#include "model/tensors/losses.h"
#include "reference_network.h"

#include <ATen/ops/empty_like.h>
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

std::vector<std::string> names(const ScheduleLayout& layout) {
    std::vector<std::string> list;
    for (const CategoryTable& table : category_tables(layout))
        list.push_back(table.name + " " + std::to_string(table.categories));
    return list;
}

TEST(ScheduleLayout, HasTheTablesOfWacosWeights) {
    EXPECT_THAT(names(schedule_layout(Operator::SpMM, ScheduleTables::Waco)),
                ElementsAre("isplit 17", "ksplit 17", "jsplit 8", "formati1 2", "formati0 2", "formatk1 2",
                            "formatk0 2", "parchunk 9"));
    EXPECT_THAT(names(schedule_layout(Operator::SpMV, ScheduleTables::Waco)),
                ElementsAre("isplit 17", "ksplit 17", "formati1 2", "formati0 2", "formatk1 2", "formatk0 2",
                            "parchunk 9"));
    EXPECT_THAT(names(schedule_layout(Operator::SDDMM, ScheduleTables::Waco)),
                ElementsAre("isplit 17", "jsplit 17", "ksplit 8", "formati1 2", "formati0 2", "formatj1 2",
                            "formatj0 2", "paridx 6", "parchunk 6"));
}

TEST(ScheduleLayout, MayReadOneOperatorWithTheTablesOfAnother) {
    const ScheduleLayout layout{Operator::SpMM, ScheduleTables::Waco, Operator::SDDMM};
    const auto schedule =
        parse_schedule(Operator::SpMM, "4 8 16 i1 k1 j1 i0 k0 j0 1 0 0 1 i1 48 256").value();
    const ScheduleBatch batch = encode_batch(layout, std::vector{schedule});
    EXPECT_THAT(batch.categories, ElementsAre(2, 3, 4, 1, 0, 0, 1, /*i1*/ 0, /*of 6*/ 5));
}

TEST(ScheduleLayout, GivesLargerSplitsAndChunksTheLastCategory) {
    const auto schedule =
        parse_schedule(Operator::SpMM, "131072 65536 256 i1 k1 j1 i0 k0 j0 1 0 0 1 i1 48 1024").value();
    const auto waco =
        encode_batch(schedule_layout(Operator::SpMM, ScheduleTables::Waco), std::vector{schedule});
    EXPECT_THAT(waco.categories, ElementsAre(16, 16, 7, 1, 0, 0, 1, 8));
    const auto full =
        encode_batch(schedule_layout(Operator::SpMM, ScheduleTables::Full), std::vector{schedule});
    EXPECT_THAT(full.categories, ElementsAre(17, 16, 8, 1, 0, 0, 1, 0, 10));
}

TEST(ScheduleLayout, EncodesEachScheduleAfterTheOther) {
    const std::vector schedules{fixed_csr(Operator::SpMV, 4), fixed_csr(Operator::SpMV, 8)};
    const ScheduleBatch batch =
        encode_batch(schedule_layout(Operator::SpMV, ScheduleTables::Waco), schedules);
    EXPECT_EQ(batch.count, 2U);
    EXPECT_EQ(batch.categories.size(), 14U);
    EXPECT_EQ(batch.orders.size(), 32U);
}

TEST(Standardisation, ShiftsAndScalesItsTrainingSetToMeanZeroAndDeviationOne) {
    const std::vector<std::vector<double>> rows{{1, 7, 1e9}, {3, 7, 3e9}, {5, 7, 5e9}};
    const Standardisation fitted = fit_standardisation(rows);
    EXPECT_THAT(fitted.mean, ElementsAre(3, 7, 3e9));
    EXPECT_NEAR(fitted.deviation[0], std::sqrt(8.0 / 3), 1e-12);
    EXPECT_EQ(fitted.deviation[1], 1.0) << "a column that never varies";
    EXPECT_THAT(fitted.apply(rows[2]), ElementsAre(FloatEq(std::sqrt(1.5F)), 0, FloatEq(std::sqrt(1.5F))));
}

TEST(MatrixNumbers, AreTheSizesForWacoNetAndAllStatisticsOtherwise) {
    PatternStatistics of;
    of.rows = 99;
    of.cols = 50;
    of.nnz = 1000;
    of.symmetry = 0.25;
    EXPECT_THAT(matrix_numbers(Architecture::WacoNet, of), ElementsAre(99, 50, 1000));
    const auto all = matrix_numbers(Architecture::StatisticsNet, of);
    ASSERT_EQ(all.size(), statistics().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (statistics()[i].name == "rows") {
            EXPECT_DOUBLE_EQ(all[i], std::log(100.0));
        }
        if (statistics()[i].name == "symmetry") {
            EXPECT_EQ(all[i], 0.25);
        }
    }
}

NetworkDescription waconet(Operator op) {
    NetworkDescription network;
    network.schedules = schedule_layout(op, ScheduleTables::Waco);
    return network;
}

std::map<std::string, std::vector<std::int64_t>> shapes(const NetworkDescription& network) {
    std::map<std::string, std::vector<std::int64_t>> by_name;
    for (const NamedShape& shape : parameter_shapes(network))
        EXPECT_TRUE(by_name.emplace(shape.name, shape.shape).second) << shape.name;
    return by_name;
}

TEST(NetworkParameters, HaveWacosShapes) {
    auto spmm = shapes(waconet(Operator::SpMM));
    EXPECT_EQ(spmm.size(), 42U);
    EXPECT_THAT(spmm["layer1.0.kernel"], ElementsAre(25, 1, 32));
    EXPECT_THAT(spmm["layer14.0.kernel"], ElementsAre(9, 32, 32));
    EXPECT_THAT(spmm["matrix_embedding.0.weight"], ElementsAre(256, 480));
    EXPECT_THAT(spmm["order.weight"], ElementsAre(32, 36));
    EXPECT_THAT(spmm["schedule_embedding.0.weight"], ElementsAre(128, 288));
    EXPECT_THAT(spmm["final.0.weight"], ElementsAre(128, 256));
    EXPECT_THAT(shapes(waconet(Operator::SpMV))["order.weight"], ElementsAre(32, 16));
    EXPECT_THAT(shapes(waconet(Operator::SDDMM))["schedule_embedding.0.weight"], ElementsAre(128, 320));
}

TEST(NetworkParameters, GrowWithAMachine) {
    NetworkDescription network = waconet(Operator::SpMM);
    network.machine = true;
    auto with = shapes(network);
    EXPECT_THAT(with["machine.0.weight"],
                ElementsAre(64, static_cast<std::int64_t>(machine_feature_count())));
    EXPECT_THAT(with["matrix_embedding.0.weight"], ElementsAre(256, 480 + 32));
}

double deviation(const NamedArray& array) {
    double sum = 0;
    for (const float value : array.values)
        sum += static_cast<double>(value) * value;
    return std::sqrt(sum / static_cast<double>(array.values.size()));
}

TEST(InitialWeights, AreDrawnAsPyTorchAndMinkowskiEngineDo) {
    for (const NamedArray& array : initial_weights(waconet(Operator::SpMM), 1)) {
        if (array.name == "layer2.0.kernel") {
            EXPECT_NEAR(deviation(array), std::sqrt(2.0 / (9 * 32)), 0.002);
        }
        if (array.name == "layer1.0.kernel") {
            EXPECT_NEAR(deviation(array), std::sqrt(2.0 / (25 * 32)), 0.005);
        }
        if (array.name == "isplit.weight") {
            EXPECT_NEAR(deviation(array), 1, 0.1);
        }
        if (array.name.starts_with("matrix_embedding.0")) {
            EXPECT_THAT(array.values, Each(AllOf(::testing::Ge(-1 / std::sqrt(480.0F)),
                                                 ::testing::Le(1 / std::sqrt(480.0F)))));
        }
        if (array.name == "matrix_embedding.0.weight") {
            EXPECT_NEAR(deviation(array), 1 / std::sqrt(480.0 * 3), 0.001);
        }
    }
}

TEST(InitialWeights, FollowTheSeed) {
    const NetworkDescription network = waconet(Operator::SpMV);
    EXPECT_EQ(initial_weights(network, 5), initial_weights(network, 5));
    const auto one = initial_weights(network, 5);
    const auto other = initial_weights(network, 6);
    for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_NE(one[i].values, other[i].values) << one[i].name;
    EXPECT_NE(one[1].values, one[2].values) << "two layers of one shape";
}

TEST(MatchByName, PutsArraysIntoTheOrderOfTheShapes) {
    const std::vector<NamedShape> wanted{{"a", {2}}, {"b", {}}};
    const auto matched = match_by_name({{"b", {}, {1}}, {"a", {2}, {2, 3}}}, wanted);
    ASSERT_TRUE(matched);
    EXPECT_THAT(*matched, ElementsAre(NamedArray{"a", {2}, {2, 3}}, NamedArray{"b", {}, {1}}));
}

TEST(MatchByName, NamesEverythingThatDoesNotFit) {
    const std::vector<NamedShape> wanted{{"a", {2}}, {"b", {}}};
    const auto matched = match_by_name({{"c", {}, {1}}, {"a", {1, 2}, {2, 3}}}, wanted);
    ASSERT_FALSE(matched);
    EXPECT_THAT(matched.error().message,
                AllOf(HasSubstr("a is [1, 2], expected [2]"), HasSubstr("b is missing"),
                      HasSubstr("c does not belong to the network")));
}

TEST(MachineFeatures, MarkWhatIsUnknown) {
    EXPECT_THAT(machine_features({}), Each(0));
    EXPECT_EQ(machine_features({}).size(), machine_feature_count());
    MachineDescription machine;
    machine.cores = 64;
    machine.memory_latency = Nanoseconds(100);
    const auto features = machine_features(machine);
    for (std::size_t fact = 0; fact < machine_facts().size(); ++fact) {
        const auto& name = machine_facts()[fact].name;
        const bool known = name == "cores" || name == "memory latency";
        EXPECT_EQ(features[2 * fact + 1], known ? 1 : 0) << name;
        if (name == "cores") {
            EXPECT_FLOAT_EQ(features[2 * fact], 1) << "2^6 cores, about 2^4, spread 2";
        }
    }
}

TEST(MachineFeatures, TakeTheLargestCacheOfALevel) {
    MachineDescription machine;
    machine.caches = {{1, 32768, 64, 2, 4}, {1, 65536, 64, 2, 4}};
    const auto features = machine_features(machine);
    const auto fact = static_cast<std::size_t>(
        std::ranges::find(machine_facts(), "L1 cache", &MachineFeature::name) - machine_facts().begin());
    EXPECT_FLOAT_EQ(features[2 * fact], 1);
}

CsrPattern random_pattern(std::int64_t rows, std::int64_t cols, double density, std::uint64_t seed) {
    Random random(seed);
    CooPattern entries{rows, cols, {}, {}, {}};
    for (std::int32_t row = 0; row < rows; ++row)
        for (std::int32_t column = 0; column < cols; ++column)
            if (random.chance(density)) {
                entries.row_ids.push_back(row);
                entries.column_ids.push_back(column);
            }
    return compress(std::move(entries), 1).pattern;
}

std::vector<SuperSchedule> schedules(Operator op, int count) {
    Random random(3);
    return sample_uniform(op, extents(op, 60, 50, 256), count, 8, random);
}

NetworkDescription network(Architecture architecture, Operator op,
                           ScheduleTables tables = ScheduleTables::Waco) {
    NetworkDescription description;
    description.architecture = architecture;
    description.schedules = schedule_layout(op, tables);
    const std::size_t count = matrix_numbers(architecture, {}).size();
    description.standardisation = {std::vector<double>(count, 3.0), std::vector<double>(count, 50.0)};
    return description;
}

struct Example {
    explicit Example(NetworkDescription of, const MachineDescription* machine = nullptr,
                     const CsrPattern& pattern = random_pattern(60, 50, 0.05, 1))
        : network(std::move(of))
        , matrix(matrix_input(network, pattern, compute_statistics(pattern, 1), machine, 1))
        , candidates(schedules(network.schedules.op, 12))
        , batch(schedule_input(network, encode_batch(network.schedules, candidates))) {}

    [[nodiscard]] NamedTensors parameters(bool requires_grad = true, std::uint64_t seed = 1) const {
        return to_tensors(initial_weights(network, seed), requires_grad, at::kDouble);
    }
    [[nodiscard]] at::Tensor scores(const NamedTensors& with) const {
        return score(network, with, matrix, batch);
    }
    [[nodiscard]] at::Tensor loss(const NamedTensors& with) const {
        std::vector<double> runtimes;
        for (std::size_t i = 0; i < candidates.size(); ++i)
            runtimes.push_back(static_cast<double>((7 * i) % 12 + 1));
        return ranking_loss(Loss::PairwiseLogistic, scores(with), {runtimes});
    }

    NetworkDescription network;
    MatrixInput matrix;
    std::vector<SuperSchedule> candidates;
    ScheduleInput batch;
};

std::vector<double> numbers(const at::Tensor& of) {
    const at::Tensor whole = of.detach().to(at::kDouble).contiguous();
    return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
}

class EveryOperator : public ::testing::TestWithParam<Operator> {};
INSTANTIATE_TEST_SUITE_P(WacoNet, EveryOperator, ::testing::ValuesIn(all_operators),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(EveryOperator, ScoresAsPlainLoopsDo) {
    const Example example(network(Architecture::WacoNet, GetParam()));
    const testing::ReferenceNetwork reference(example.network, initial_weights(example.network, 1));
    const CsrPattern pattern = random_pattern(60, 50, 0.05, 1);
    const std::vector<double> sizes{(60.0 - 3) / 50, (50.0 - 3) / 50,
                                    (static_cast<double>(pattern.nnz()) - 3) / 50};
    const auto matrix = reference.embed_matrix(pattern, sizes);
    const auto exact = numbers(example.scores(example.parameters(false)));
    const auto single =
        numbers(example.scores(to_tensors(initial_weights(example.network, 1), false, at::kFloat)));
    for (std::size_t i = 0; i < example.candidates.size(); ++i) {
        const double expected = reference.predict(matrix, reference.embed_schedule(example.candidates[i]));
        EXPECT_NEAR(exact[i], expected, 1e-7); // the sizes are standardised in single precision
        EXPECT_NEAR(single[i], expected, 1e-5);
    }
}

struct Kind {
    std::string label;
    NetworkDescription network;
};

std::vector<Kind> kinds() {
    std::vector<Kind> list{
        {"WacoNet", network(Architecture::WacoNet, Operator::SpMV)},
        {"StatisticsNet", network(Architecture::StatisticsNet, Operator::SDDMM, ScheduleTables::Full)},
        {"WacoNetWithMachine", network(Architecture::WacoNet, Operator::SpMM)},
        {"StatisticsNetWithMachine", network(Architecture::StatisticsNet, Operator::SpMM)},
        {"NarrowedWacoNet", network(Architecture::WacoNet, Operator::SpMM)}};
    list[2].network.machine = true;
    list[3].network.machine = true;
    list[4].network.narrowed = true;
    return list;
}

class EveryNetwork : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Networks, EveryNetwork, ::testing::ValuesIn(kinds()),
                         [](const auto& test) { return test.param.label; });

TEST_P(EveryNetwork, LetsEveryParameterLearn) {
    MachineDescription machine;
    machine.cores = 32;
    const Example example(GetParam().network, &machine);
    const NamedTensors parameters = example.parameters();
    const auto gradients = torch::autograd::grad({example.loss(parameters)}, parameters.tensors());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        const auto slopes = numbers(gradients[i]);
        // Twelve schedules may agree in a decision, and the last bias moves all scores alike.
        if (parameters.names()[i] == "final.4.bias")
            continue;
        EXPECT_TRUE(std::ranges::any_of(slopes, [](double slope) { return slope != 0; }))
            << parameters.names()[i];
    }
}

/// L(θ − α ∇L(θ)): what MAML makes small.
at::Tensor after_one_step(const Example& example, const NamedTensors& parameters) {
    constexpr double rate = 0.05;
    const auto gradients =
        torch::autograd::grad({example.loss(parameters)}, parameters.tensors(), {}, true, true);
    std::vector<at::Tensor> moved;
    for (std::size_t i = 0; i < gradients.size(); ++i)
        moved.push_back(parameters.tensors()[i].sub(gradients[i], rate));
    return example.loss(parameters.with(std::move(moved)));
}

TEST_P(EveryNetwork, IsDifferentiatedThroughAStepAsFiniteDifferencesFind) {
    const Example example(GetParam().network);
    const NamedTensors parameters = example.parameters();
    const auto gradients = torch::autograd::grad({after_one_step(example, parameters)}, parameters.tensors());
    Random random(17);
    double slope = 0;
    std::vector<at::Tensor> direction;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        at::Tensor part = at::empty_like(parameters.tensors()[i]).detach();
        std::generate_n(part.data_ptr<double>(), part.numel(), [&] { return random.normal(); });
        slope += part.mul(gradients[i]).sum().item<double>();
        direction.push_back(part);
    }
    const auto moved = [&](double step) {
        std::vector<at::Tensor> tensors;
        for (std::size_t i = 0; i < direction.size(); ++i)
            tensors.push_back(
                parameters.tensors()[i].detach().add(direction[i], step).set_requires_grad(true));
        return after_one_step(example, parameters.with(std::move(tensors))).item<double>();
    };
    constexpr double step = 1e-6;
    EXPECT_NEAR(slope, (moved(step) - moved(-step)) / (2 * step), 1e-4 * (1 + std::abs(slope)));
}

TEST_P(EveryNetwork, TellsMatricesApart) {
    const Example one(GetParam().network);
    const Example other(GetParam().network, nullptr, random_pattern(60, 50, 0.2, 2));
    EXPECT_NE(numbers(one.scores(one.parameters(false))), numbers(other.scores(one.parameters(false))));
}

TEST_P(EveryNetwork, HasFiniteScoresForAMatrixWithoutEntries) {
    CsrPattern empty;
    empty.rows = 5;
    empty.cols = 4;
    empty.row_pointers.assign(6, 0);
    const Example example(GetParam().network, nullptr, empty);
    for (const double score : numbers(example.scores(example.parameters(false))))
        EXPECT_TRUE(std::isfinite(score));
}

TEST_P(EveryNetwork, LooksAtTheMachineOnlyWhereItIsAnInput) {
    MachineDescription machine;
    machine.cores = 32;
    const Example without(GetParam().network);
    const Example with(GetParam().network, &machine);
    const auto parameters = with.parameters(false);
    EXPECT_EQ(numbers(without.scores(parameters)) != numbers(with.scores(parameters)),
              GetParam().network.machine);
}

TEST(CostNetwork, ScoresSchedulesOneByOneAsTogether) {
    const Example example(network(Architecture::WacoNet, Operator::SpMM));
    const NamedTensors parameters = example.parameters(false);
    const auto together = numbers(example.scores(parameters));
    for (std::size_t i = 0; i < example.candidates.size(); ++i) {
        const ScheduleInput one = schedule_input(
            example.network, encode_batch(example.network.schedules, std::span(&example.candidates[i], 1)));
        EXPECT_NEAR(numbers(score(example.network, parameters, example.matrix, one))[0], together[i], 1e-12);
    }
}

TEST(NamedTensors, GiveBackTheArraysTheyWereMadeOf) {
    const auto weights = initial_weights(network(Architecture::StatisticsNet, Operator::SpMV), 9);
    EXPECT_EQ(to_arrays(to_tensors(weights)), weights);
    EXPECT_EQ(to_arrays(to_tensors(weights, true, at::kDouble)), weights);
    const NamedTensors tensors = to_tensors(weights);
    EXPECT_EQ(tensors.size(), weights.size());
    EXPECT_EQ(tensors["order.bias"].size(0), 32);
}

} // namespace
} // namespace sparsight
