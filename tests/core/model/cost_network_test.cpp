#include "model/cost_network.h"

#include "base/random.h"
#include "core/model/reference_network.h"
#include "model/losses.h"
#include "model/network_parameters.h"
#include "schedule/sampler.h"

#include <ATen/ops/empty_like.h>
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

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
        return ranking_loss(Loss::PairwiseLogistic, scores(with), runtimes, {});
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
