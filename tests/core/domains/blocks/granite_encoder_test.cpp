// GRANITE as an encoder: what it reads, and that its scores and gradients are right.
#include "domains/blocks/learning/networks/granite_encoder.h"

#include "base/random.h"
#include "decoded_fixture.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/networks/block_graph.h"
#include "learning/training/learning_method.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using testing::error_text;
using ::testing::HasSubstr;
using testing::must;
using ReadOut = GraniteDescription::ReadOut;

/// A few blocks with all kinds of edges.
constexpr std::array<std::string_view, 4> some_blocks{
    "4801d8",                                // add rax, rbx
    "b801000000 4801c3 f0015c8b10",          // mov eax, 1; add rbx, rax; lock add [rbx + 4*rcx + 16], ebx
    "50 58 48f7e1 64488b03",                 // push rax; pop rax; mul rcx; mov rax, fs:[rbx]
    "0f58c1 0f58c1 0f58c1 0f58c1 4883c008"}; // four times addps xmm0, xmm1; add rax, 8

class GraniteTest : public testing::DecodedBlockTest {
protected:
    [[nodiscard]] static GraniteDescription small(ReadOut read_out = ReadOut::Instructions) {
        return {.machines = {"ivb", "hsw"},
                .tokens = {"<unknown>", "<address>", "<immediate>", "<memory>", "add", "addps", "eax",
                           "eflags", "lock", "mov", "mul", "rax", "rbx"},
                .width = 5,
                .iterations = 3,
                .read_out = read_out,
                .mean_log = -13};
    }

    [[nodiscard]] static std::vector<std::shared_ptr<const EncodedWorkload>>
    encoded(const Encoder& encoder, std::span<const std::string_view> blocks) {
        std::vector<std::shared_ptr<const EncodedWorkload>> list;
        for (const std::string_view each : blocks)
            list.push_back(encoder.encode_workload(payload(block(each)).get(), {}, {}));
        return list;
    }

    [[nodiscard]] static std::vector<const EncodedWorkload*>
    pointers(const std::vector<std::shared_ptr<const EncodedWorkload>>& workloads) {
        std::vector<const EncodedWorkload*> list;
        for (const auto& each : workloads)
            list.push_back(each.get());
        return list;
    }

    [[nodiscard]] static at::Tensor machine(const Encoder& encoder, const std::string& name) {
        MachineDescription description;
        description.name = name;
        return machine_input(encoder, &description);
    }

    [[nodiscard]] static std::vector<float> scores(const BatchEncoder& encoder, const NamedTensors& weights,
                                                   std::span<const EncodedWorkload* const> workloads,
                                                   const std::string& on = "ivb") {
        const at::Tensor found =
            encoder.score_batch(weights, workloads, machine(encoder, on)).detach().contiguous();
        return {found.data_ptr<float>(), found.data_ptr<float>() + found.numel()};
    }
    [[nodiscard]] static std::vector<float> scores(const BatchEncoder& encoder, const NamedTensors& weights,
                                                   std::span<const std::string_view> blocks,
                                                   const std::string& on = "ivb") {
        return scores(encoder, weights, pointers(encoded(encoder, blocks)), on);
    }

    [[nodiscard]] static NamedTensors moved(const NamedTensors& weights, std::size_t tensor,
                                            std::int64_t place, double step, bool requires_grad = false) {
        std::vector<at::Tensor> tensors;
        for (const at::Tensor& each : weights.tensors())
            tensors.push_back(each.detach().clone());
        tensors[tensor].view(-1).data_ptr<double>()[place] += step;
        for (at::Tensor& each : tensors)
            each.set_requires_grad(requires_grad);
        return weights.with(std::move(tensors));
    }

    /// Weights away from zero, so that every parameter has an effect.
    [[nodiscard]] static NamedTensors double_weights(const Encoder& encoder) {
        auto arrays = draw_weights(encoder.parameters(), 7);
        Random random(3);
        for (NamedArray& array : arrays)
            for (float& value : array.values)
                value += 0.1F * static_cast<float>(random.normal());
        return to_tensors(arrays, true, at::kDouble);
    }
};

class GraniteReadOuts : public GraniteTest, public ::testing::WithParamInterface<ReadOut> {};

TEST_P(GraniteReadOuts, HaveTheGradientThatFiniteDifferencesFind) {
    const auto encoder = granite_encoder(small(GetParam()));
    const NamedTensors weights = double_weights(*encoder);
    const auto workloads = encoded(*encoder, some_blocks);
    const at::Tensor on = machine(*encoder, "hsw");
    const at::Tensor factors = at::tensor({1.0, -2.0, 3.0, 0.5}, at::kDouble);
    const auto loss_of = [&](const NamedTensors& at) {
        return (encoder->score_batch(at, pointers(workloads), on) * factors).sum();
    };
    const auto gradients = torch::autograd::grad({loss_of(weights)}, weights.tensors(), {}, c10::nullopt,
                                                 /*create_graph=*/false, /*allow_unused=*/true);
    Random random(1);
    for (std::size_t p = 0; p < weights.size(); ++p) {
        if (weights.names()[p].starts_with("decoder.0")) {
            EXPECT_FALSE(gradients[p].defined()) << "the decoder of another machine";
            continue;
        }
        ASSERT_TRUE(gradients[p].defined()) << weights.names()[p];
        const auto count = static_cast<std::uint64_t>(weights.tensors()[p].numel());
        for (int sample = 0; sample < 4; ++sample) {
            const auto place = static_cast<std::int64_t>(random.below(count));
            constexpr double step = 1e-6;
            const double difference = (loss_of(moved(weights, p, place, step)).item<double>() -
                                       loss_of(moved(weights, p, place, -step)).item<double>()) /
                                      (2 * step);
            EXPECT_NEAR(gradients[p].contiguous().view(-1).data_ptr<double>()[place], difference,
                        1e-6 * (1 + std::abs(difference)))
                << weights.names()[p];
        }
    }
}

TEST_P(GraniteReadOuts, CanBeDifferentiatedTwice) {
    const auto encoder = granite_encoder(small(GetParam()));
    const NamedTensors weights = double_weights(*encoder);
    const auto workloads = encoded(*encoder, some_blocks);
    const at::Tensor on = machine(*encoder, "ivb");
    const auto inner = [&](const NamedTensors& at) { // the squares of the gradient, as in a step of MAML
        const at::Tensor loss = encoder->score_batch(at, pointers(workloads), on).square().mean();
        at::Tensor sum = at::zeros({}, at::kDouble);
        for (const at::Tensor& gradient : torch::autograd::grad({loss}, at.tensors(), {}, c10::nullopt,
                                                                /*create_graph=*/true,
                                                                /*allow_unused=*/true))
            if (gradient.defined())
                sum = sum + gradient.square().sum();
        return sum;
    };
    const auto gradients = torch::autograd::grad({inner(weights)}, weights.tensors(), {}, c10::nullopt, false,
                                                 /*allow_unused=*/true);
    Random random(1);
    for (std::size_t p = 0; p < weights.size(); ++p) {
        if (!gradients[p].defined()) { // of another decoder, or of a last bias
            EXPECT_THAT(weights.names()[p], AnyOf(HasSubstr("decoder"), HasSubstr("bias")));
            continue;
        }
        const auto place =
            static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(weights.tensors()[p].numel())));
        constexpr double step = 1e-6;
        const double difference = (inner(moved(weights, p, place, step, true)).item<double>() -
                                   inner(moved(weights, p, place, -step, true)).item<double>()) /
                                  (2 * step);
        EXPECT_NEAR(gradients[p].contiguous().view(-1).data_ptr<double>()[place], difference,
                    1e-5 * (1 + std::abs(difference)))
            << weights.names()[p];
    }
}

TEST_P(GraniteReadOuts, ScoreABatchLikeEachBlockAlone) {
    const auto encoder = granite_encoder(small(GetParam()));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const auto workloads = encoded(*encoder, some_blocks);
    std::vector<const EncodedWorkload*> batch = pointers(workloads);
    const auto together = scores(*encoder, weights, batch);
    ASSERT_EQ(together.size(), some_blocks.size());
    constexpr float rounding = 1e-4F;
    for (std::size_t place = 0; place < batch.size(); ++place) {
        EXPECT_NEAR(scores(*encoder, weights, std::array{batch[place]})[0], together[place], rounding);
        const at::Tensor of_three = encoder->score(weights, *batch[place], machine(*encoder, "ivb"),
                                                   *BatchEncoder::encode_configurations(3));
        EXPECT_EQ(of_three.numel(), 3);
        EXPECT_NEAR(of_three.select(0, 2).item<float>(), together[place], rounding);
    }
    std::ranges::reverse(batch);
    auto reversed = scores(*encoder, weights, batch);
    std::ranges::reverse(reversed);
    for (std::size_t place = 0; place < batch.size(); ++place)
        EXPECT_NEAR(reversed[place], together[place], rounding);
}

TEST_P(GraniteReadOuts, AreFiniteForEveryBlock) {
    const auto encoder = granite_encoder(small(GetParam()));
    auto arrays = draw_weights(encoder->parameters(), 1);
    std::string long_block;
    for (int instruction = 0; instruction < 400; ++instruction)
        long_block += "4801d8";
    const auto empty = encoder->encode_workload(payload({}).get(), {}, {});
    auto workloads = encoded(*encoder, std::array<std::string_view, 2>{"0fa2", long_block});
    workloads.push_back(empty);
    for (const float factor : {1.0F, 1000.0F}) {
        for (NamedArray& array : arrays)
            if (array.name.starts_with("decoder.0.4"))
                for (float& value : array.values)
                    value = -factor * std::abs(value);
        const NamedTensors weights = to_tensors(arrays);
        for (const float score : scores(*encoder, weights, pointers(workloads)))
            EXPECT_TRUE(std::isfinite(score));
        EXPECT_TRUE(std::isfinite(scores(*encoder, weights, std::array{empty.get()})[0]));
    }
}

TEST_P(GraniteReadOuts, PredictAboutTheMeanBeforeTraining) {
    GraniteDescription description = small(GetParam());
    description.width = 64;
    const auto encoder = granite_encoder(description);
    for (const std::uint64_t seed : {1, 2, 3}) {
        const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), seed));
        const auto found = scores(*encoder, weights, some_blocks);
        for (std::size_t place = 0; place < found.size(); ++place) {
            const auto instructions = static_cast<double>(block(some_blocks[place]).instructions.size());
            const double parts = GetParam() == ReadOut::Global ? 1 : instructions;
            EXPECT_NEAR(found[place], description.mean_log + std::log(parts), 0.5);
        }
    }
}

TEST_P(GraniteReadOuts, DescribeThemselves) {
    GraniteDescription description = small(GetParam());
    description.has_edge_types = false;
    const ModelArchitecture architecture = granite_encoder(description)->architecture();
    EXPECT_EQ(architecture.name, granite_variant_of(description));
    EXPECT_EQ(architecture.domain, blocks_domain);
    EXPECT_EQ(must(read_granite(architecture)), description);
}

INSTANTIATE_TEST_SUITE_P(Both, GraniteReadOuts, ::testing::Values(ReadOut::Instructions, ReadOut::Global),
                         [](const auto& of) {
                             return of.param == ReadOut::Global ? "Global" : "Instructions";
                         });

TEST_F(GraniteTest, HasADecoderForEachMachine) {
    const auto encoder = granite_encoder(small());
    EXPECT_TRUE(encoder->reads_machine());
    MachineDescription description;
    const auto place_of = [&](const std::string& name) {
        description.name = name;
        return encoder->machine_numbers(description);
    };
    EXPECT_THAT(place_of("ivb"), ElementsAre(0));
    EXPECT_THAT(place_of("hsw"), ElementsAre(1));
    EXPECT_THAT(place_of("skl"), ElementsAre(0)) << "not known";
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    EXPECT_NE(scores(*encoder, weights, some_blocks, "ivb"), scores(*encoder, weights, some_blocks, "hsw"));
    EXPECT_EQ(scores(*encoder, weights, some_blocks, "ivb"), scores(*encoder, weights, some_blocks, "skl"));
}

TEST_F(GraniteTest, WithoutEdgeTypesTakesAllEdgesForTheSame) {
    // The same nodes and ends of edges; the register is the base of the address, or its index.
    DecodedBlock by_base = block("488b03"); // mov rax, [rbx]
    DecodedBlock by_index = by_base;
    MemoryAddress& address = by_index.instructions.at(0).operands.at(1).address;
    std::swap(address.base, address.index);
    const auto differ = [&](bool has_edge_types) {
        GraniteDescription description = small();
        description.has_edge_types = has_edge_types;
        const auto encoder = granite_encoder(description);
        const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
        EXPECT_EQ(weights["edges.weight"].size(0), has_edge_types ? static_cast<int>(edge_kinds) : 1);
        const auto one = encoder->encode_workload(payload(by_base).get(), {}, {});
        const auto other = encoder->encode_workload(payload(by_index).get(), {}, {});
        return scores(*encoder, weights, std::array{one.get()}) !=
               scores(*encoder, weights, std::array{other.get()});
    };
    EXPECT_TRUE(differ(true));
    EXPECT_FALSE(differ(false));
}

TEST_F(GraniteTest, TakesUnlistedTokensForOneAnother) {
    const auto encoder = granite_encoder(small());
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    // sub rcx, rdx; xor rsi, rdi
    const auto found = scores(*encoder, weights, std::array<std::string_view, 2>{"4829d1", "4831fe"});
    EXPECT_NEAR(found[0], found[1], 1e-5F);
}

TEST_F(GraniteTest, NamesTheFieldOfADescriptionThatIsWrong) {
    const ModelArchitecture right = architecture_of(small());
    const auto error_with = [&](const char* key, const nlohmann::ordered_json& value) {
        auto json = nlohmann::ordered_json::parse(right.input);
        if (value.is_null())
            json.erase(key);
        else
            json[key] = value;
        return error_text(read_granite({right.name, json.dump(), right.domain}));
    };
    EXPECT_THAT(error_with("width", 0), HasSubstr("width is 0, expected a whole number from 1 to 4096"));
    EXPECT_THAT(error_with("width", 1e300), HasSubstr("width is 1e+300"));
    EXPECT_THAT(error_with("iterations", 2.5), HasSubstr("iterations is 2.5"));
    EXPECT_THAT(error_with("iterations", nullptr), HasSubstr("iterations is missing"));
    EXPECT_THAT(error_with("machines", nlohmann::ordered_json::array()), HasSubstr("machines is empty"));
    EXPECT_THAT(error_with("tokens", {"a", "b", "a"}), HasSubstr("tokens has \"a\" twice"));
    EXPECT_THAT(error_with("tokens", 3), HasSubstr("tokens is not what was expected"));
    EXPECT_THAT(error_with("read_out", "words"), HasSubstr("read_out is \"words\""));
    EXPECT_THAT(error_with("has_edge_types", "yes"), HasSubstr("has_edge_types"));
    EXPECT_THAT(error_with("mean_log", "x"), HasSubstr("mean_log"));
    EXPECT_THAT(error_text(read_granite({right.name, "[", right.domain})), HasSubstr("machines is missing"));
    EXPECT_THAT(error_text(read_granite({right.name, right.input, "toy"})), HasSubstr("domain is \"toy\""));
}

/// Blocks of 1 to 5 instructions: a quarter of a cycle for each addition, three for each product.
class GraniteFit : public GraniteTest {
protected:
    static constexpr std::size_t count = 20;

    GraniteFit() {
        set_.tasks.resize(2);
        set_.tasks[0].machine = "ivb";
        set_.tasks[1].machine = "of another installation";
        set_.tasks[1].description.name = "ivb";
        Random random(5);
        for (std::size_t place = 0; place < count; ++place) {
            std::string hex;
            double cycles = 0;
            for (std::size_t left = 1 + place % 5; left > 0; --left) {
                const bool is_product = random.chance(0.4);
                hex += is_product ? "480fafc1" : "4801d8"; // imul rax, rcx or add rax, rbx
                cycles += is_product ? 3 : 0.25;
            }
            const auto data = payload(block(hex));
            set_.workloads.push_back(
                {.name = hex, .load = [data] { return Result<std::shared_ptr<const Payload>>(data); }});
            milliseconds_.push_back(time_of_cycles(cycles).count());
            set_.tasks[0].runtimes.push_back({place, {Configuration()}, {milliseconds_.back()}});
        }
        all_.resize(count);
        std::iota(all_.begin(), all_.end(), std::size_t{0});
    }

    TaskSet set_;
    std::vector<double> milliseconds_;
    std::vector<std::size_t> all_;
};

TEST_F(GraniteFit, ListsMachinesAndTokensOfTheTrainingData) {
    const GraniteDescription fitted = fit_granite(set_, all_, {.width = 32, .has_edge_types = false});
    EXPECT_THAT(fitted.machines, ElementsAre("ivb"));
    ASSERT_FALSE(fitted.tokens.empty());
    EXPECT_EQ(fitted.tokens.front(), "<unknown>");
    EXPECT_THAT(fitted.tokens,
                ::testing::UnorderedElementsAre("<unknown>", "add", "eflags", "imul", "rax", "rbx", "rcx"));
    EXPECT_EQ(fitted.width, 32);
    EXPECT_FALSE(fitted.has_edge_types);
    const std::array<std::size_t, 2> two{0, 1};
    EXPECT_THAT(fit_granite(set_, two).tokens, ElementsAre("<unknown>")) << "all are rare";
}

TEST_F(GraniteFit, CentresTimesOnThoseOfTheTrainingData) {
    const std::array<std::size_t, 2> two{0, 7}; // of 1 and of 3 instructions
    EXPECT_NEAR(fit_granite(set_, two).mean_log,
                (std::log(milliseconds_[0]) + std::log(milliseconds_[7] / 3)) / 2, 1e-9);
    EXPECT_NEAR(fit_granite(set_, two, {.read_out = ReadOut::Global}).mean_log,
                (std::log(milliseconds_[0]) + std::log(milliseconds_[7])) / 2, 1e-9);
    set_.tasks[0].runtimes[0].milliseconds[0] = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(fit_granite(set_, two).mean_log, std::log(milliseconds_[7] / 3), 1e-9) << "the other failed";
    EXPECT_EQ(fit_granite(set_, {}).mean_log, 0);
}

TEST_F(GraniteFit, LearnsTheTimesOfBlocks) {
    const auto encoder = granite_encoder(fit_granite(set_, all_, {.width = 16, .iterations = 4}));
    std::vector<std::shared_ptr<const EncodedWorkload>> workloads;
    for (const TaskWorkload& workload : set_.workloads)
        workloads.push_back(encoder->encode_workload(must(workload.load()).get(), {}, {}));
    std::vector<double> logarithms;
    for (const double each : milliseconds_)
        logarithms.push_back(std::log(each));
    const at::Tensor wanted = at::tensor(logarithms, at::kFloat);
    const at::Tensor on = machine(*encoder, "ivb");
    const Objective objective{[&](const NamedTensors& at) {
        return (encoder->score_batch(at, pointers(workloads), on) - wanted).square().mean();
    }};
    NamedTensors weights = leaves(to_tensors(draw_weights(encoder->parameters(), 1)));
    AdamState state = initial_adam(weights);
    const double before = gradient(objective, weights).value;
    for (int step = 0; step < 40; ++step) {
        AdamStep next = adam_step({}, 3e-3, weights, gradient(objective, weights).tensors, state);
        weights = std::move(next.parameters);
        state = std::move(next.state);
    }
    EXPECT_LT(gradient(objective, weights).value, before / 5);
}

} // namespace
} // namespace sparsight
