// Ithemal: the words that it reads of an instruction, and its networks.
#include "domains/blocks/learning/networks/ithemal_encoder.h"

#include "base/random.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/code/decoder_process.h"
#include "domains/blocks/code/dependencies.h"
#include "domains/blocks/learning/block_payload.h"
#include "domains/blocks/learning/networks/token_sequence.h"
#include "learning/training/learning_method.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <array>
#include <cmath>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <map>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Another process decodes: this one loads LibTorch and must not load LLVM.
DecoderProcess& decoder() {
    static DecoderProcess process;
    return process;
}

DecodedBlock decoded(std::string_view hex) {
    const std::array codes{parse_hex(hex).value()};
    return decoder().decode(codes).value().front().value();
}

class DecodingTest : public ::testing::Test {
protected:
    void SetUp() override {
        const auto answer = decoder().decode(std::array{MachineCode{0x90}});
        if (!answer)
            GTEST_SKIP() << "needs sparsight-cli beside the test, which decodes: " << answer.error().text();
    }
};

class TokenSequence : public DecodingTest {
protected:
    static std::string tokens(std::string_view hex) {
        return fmt::format("{}", fmt::join(token_sequence(decoded(hex).instructions.at(0)), " "));
    }
};

TEST_F(TokenSequence, HasTheMnemonicTheSourcesAndTheDestinations) {
    EXPECT_EQ(tokens("4889d1"), "mov <S> rdx <D> rcx <E>");
    EXPECT_EQ(tokens("4801c1"), "add <S> rcx rax <D> rcx <E>")
        << "rcx is read and written; flags are left out";
    EXPECT_EQ(tokens("4883f805"), "cmp <S> rax CONST <D> <E>");
    EXPECT_EQ(tokens("75fe"), "jne <S> CONST <D> <E>");
}

TEST_F(TokenSequence, HasTheRegistersOfAnAddress) {
    EXPECT_EQ(tokens("48034308"), "add <S> rax <M> rbx CONST </M> <D> rax <E>"); // [rbx + 8]
    EXPECT_EQ(tokens("6448893491"), "mov <S> rsi <D> <M> rcx rdx fs </M> <E>");  // fs:[rcx + 4 * rdx]
    EXPECT_EQ(tokens("c5f45800"), "vaddps <S> ymm1 <M> rax </M> <D> ymm0 <E>");
    EXPECT_EQ(tokens("488d3c00"), "lea <S> <M> rax rax </M> <D> rdi <E>") << "an address alone is a source";
}

TEST_F(TokenSequence, HasImplicitOperands) {
    EXPECT_EQ(tokens("48f7e1"), "mul <S> rcx rax <D> rax rdx <E>");
    EXPECT_EQ(tokens("f7742410"), "div <S> <M> rsp CONST </M> eax edx <D> eax edx <E>");
    EXPECT_EQ(tokens("53"), "push <S> rbx rsp <D> rsp <M> rsp </M> <E>");
    EXPECT_EQ(tokens("59"), "pop <S> rsp <M> rsp </M> <D> rcx rsp <E>");
    EXPECT_EQ(tokens("f00fc107"), "lock xadd <S> <M> rdi </M> eax <D> <M> rdi </M> eax <E>");
}

std::shared_ptr<const BlockPayload> payload(std::string_view hex) {
    static const auto no_tables = std::make_shared<const MachineBounds>(MachineTables());
    return std::make_shared<const BlockPayload>(decoded(hex), no_tables);
}

// mov rcx, rdx; imul rax, rbx; add rcx, rax; add rax, qword ptr [rbx + 8]; mul rcx; addss xmm0, xmm1; push
// rbx
constexpr std::array<std::string_view, 7> instructions{"4889d1", "480fafc3", "4801c1", "48034308",
                                                       "48f7e1", "f30f58c1", "53"};

/// Blocks of 1 to 7 of these instructions.
std::vector<std::string> mixed_blocks(std::size_t count) {
    std::vector<std::string> blocks;
    Random random(5);
    for (std::size_t block = 0; block < count; ++block) {
        std::string& code = blocks.emplace_back();
        for (std::size_t at = 0; at <= block % 7; ++at)
            code += instructions[random.below(instructions.size())];
    }
    return blocks;
}

/// Each block takes as long as its bytes, on the second machine twice.
TaskSet tasks_of(const std::vector<std::string>& blocks) {
    TaskSet set;
    set.setting = {std::string(blocks_domain), {}};
    set.tasks = {{"first", {}, {}}, {"second", {}, {}}};
    for (const std::string& code : blocks) {
        for (std::size_t task = 0; task < 2; ++task)
            set.tasks[task].runtimes.push_back(
                {set.workloads.size(),
                 {Configuration()},
                 {static_cast<double>(code.size()) * static_cast<double>(1 + task)}});
        set.workloads.push_back({.name = code, .load = [data = payload(code)] { return data; }});
    }
    return set;
}

IthemalDescription fitted(const std::vector<std::string>& blocks, bool is_dag, int width) {
    const TaskSet set = tasks_of(blocks);
    std::vector<std::size_t> all(set.workloads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return fit_ithemal(set, all, is_dag, width);
}

MachineDescription machine(std::string name) {
    MachineDescription described;
    described.name = std::move(name);
    return described;
}

class EncodedBatch {
public:
    EncodedBatch(const BatchEncoder& encoder, const std::vector<std::string>& blocks) {
        for (const std::string& code : blocks)
            add(encoder.encode_workload(payload(code).get(), {}, {}));
    }
    void add(std::shared_ptr<const EncodedWorkload> workload) {
        owned_.push_back(std::move(workload));
        workloads_.push_back(owned_.back().get());
    }
    [[nodiscard]] EncodedWorkloads workloads() const { return workloads_; }

private:
    std::vector<std::shared_ptr<const EncodedWorkload>> owned_;
    std::vector<const EncodedWorkload*> workloads_;
};

std::vector<double> numbers(const at::Tensor& tensor) {
    const at::Tensor all = tensor.detach().to(at::kDouble).contiguous();
    return {all.data_ptr<double>(), all.data_ptr<double>() + all.numel()};
}

/// The network once more, one number after the other.
class PlainIthemal {
public:
    PlainIthemal(const IthemalDescription& description, const NamedTensors& weights)
        : description_(description)
        , weights_(weights)
        , width_(static_cast<std::size_t>(description.width)) {}

    [[nodiscard]] double score(const DecodedBlock& block) const {
        std::vector<State> states;
        std::vector<bool> is_read(block.instructions.size(), false);
        for (std::size_t at = 0; at < block.instructions.size(); ++at) {
            State from{Row(width_, 0), Row(width_, 0)};
            bool is_first = true;
            for (std::size_t earlier = 0; earlier < at; ++earlier) {
                if (!is_predecessor(block, earlier, at))
                    continue;
                from = is_first ? states[earlier] : larger(from, states[earlier]);
                is_first = false;
                is_read[earlier] = true;
            }
            states.push_back(step("instruction_lstm", embedding(block.instructions[at]), from));
        }
        Row last(width_, -2);
        for (std::size_t at = 0; at < states.size(); ++at)
            if (!is_read[at])
                for (std::size_t i = 0; i < width_; ++i)
                    last[i] = std::max(last[i], states[at].hidden[i]);
        const Row weight = numbers(weights_["output.0.weight"]);
        return std::inner_product(last.begin(), last.end(), weight.begin(),
                                  numbers(weights_["output.0.bias"])[0] + description_.mean_log);
    }

private:
    using Row = std::vector<double>;
    struct State {
        Row hidden;
        Row cell;
    };

    [[nodiscard]] bool is_predecessor(const DecodedBlock& block, std::size_t earlier, std::size_t at) const {
        if (!description_.is_dag)
            return earlier + 1 == at;
        return std::ranges::any_of(dependencies_of(block.instructions), [&](const Dependency& each) {
            return each.kind == DependencyKind::ReadAfterWrite && each.from == earlier && each.to == at;
        });
    }
    [[nodiscard]] State larger(State one, const State& other) const {
        for (std::size_t i = 0; i < width_; ++i) {
            one.hidden[i] = std::max(one.hidden[i], other.hidden[i]);
            one.cell[i] = std::max(one.cell[i], other.cell[i]);
        }
        return one;
    }
    [[nodiscard]] Row embedding(const Instruction& instruction) const {
        State state{Row(width_, 0), Row(width_, 0)};
        const Row all = numbers(weights_["tokens.weight"]);
        for (const std::string& token : token_sequence(instruction)) {
            const auto found = std::ranges::find(description_.tokens, token);
            const auto place = found == description_.tokens.end() ? 0 : found - description_.tokens.begin();
            const auto first = all.begin() + place * static_cast<std::ptrdiff_t>(width_);
            state = step("token_lstm", Row(first, first + static_cast<std::ptrdiff_t>(width_)), state);
        }
        return state.hidden;
    }
    [[nodiscard]] State step(const std::string& name, const Row& input, const State& from) const {
        const Row of_input = numbers(weights_[name + ".input.weight"]);
        const Row of_state = numbers(weights_[name + ".state.weight"]);
        Row gates = numbers(weights_[name + ".input.bias"]);
        for (std::size_t gate = 0; gate < gates.size(); ++gate)
            for (std::size_t i = 0; i < width_; ++i)
                gates[gate] +=
                    of_input[gate * width_ + i] * input[i] + of_state[gate * width_ + i] * from.hidden[i];
        const auto open = [&](std::size_t gate) { return 1 / (1 + std::exp(-gates[gate])); };
        State next{Row(width_), Row(width_)};
        for (std::size_t i = 0; i < width_; ++i) {
            next.cell[i] = open(width_ + i) * from.cell[i] + open(i) * std::tanh(gates[3 * width_ + i]);
            next.hidden[i] = open(2 * width_ + i) * std::tanh(next.cell[i]);
        }
        return next;
    }

    const IthemalDescription& description_;
    const NamedTensors& weights_;
    std::size_t width_;
};

/// Both variants.
class IthemalNetworks : public DecodingTest, public ::testing::WithParamInterface<bool> {
protected:
    [[nodiscard]] static std::vector<double> scores(const BatchEncoder& encoder, const NamedTensors& weights,
                                                    const std::vector<std::string>& blocks,
                                                    const std::string& machine_name = "first") {
        const MachineDescription described = machine(machine_name);
        return numbers(encoder.score_batch(weights, EncodedBatch(encoder, blocks).workloads(),
                                           machine_input(encoder, &described)));
    }
};

TEST_P(IthemalNetworks, ScoreAsAPlainLoopDoes) {
    const auto blocks = mixed_blocks(14);
    const auto description = fitted(blocks, GetParam(), 4);
    const auto encoder = ithemal_encoder(description);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 3), false, at::kDouble);
    const PlainIthemal plain(description, weights);
    const auto found = scores(*encoder, weights, blocks);
    for (std::size_t at = 0; at < blocks.size(); ++at)
        EXPECT_NEAR(found[at], plain.score(decoded(blocks[at])), 1e-9) << blocks[at];
}

TEST_P(IthemalNetworks, ScoreABlockAloneAsInABatch) {
    auto blocks = mixed_blocks(20);
    blocks.push_back(blocks[3]);
    const auto encoder = ithemal_encoder(fitted(blocks, GetParam(), 8));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const auto together = scores(*encoder, weights, blocks);
    std::vector<std::string> backwards(blocks.rbegin(), blocks.rend());
    const auto in_other_order = scores(*encoder, weights, backwards);
    for (std::size_t at = 0; at < blocks.size(); ++at) {
        EXPECT_NEAR(together[at], scores(*encoder, weights, {blocks[at]}).front(), 1e-5) << blocks[at];
        EXPECT_NEAR(together[at], in_other_order[blocks.size() - 1 - at], 1e-5);
    }
    EXPECT_NEAR(together[3], together.back(), 1e-5);
    EXPECT_GT(std::abs(together[3] - together[4]), 1e-4) << "they are not all the same";
}

TEST_P(IthemalNetworks, HaveTheGradientThatFiniteDifferencesFind) {
    const auto blocks = mixed_blocks(12);
    const auto encoder = ithemal_encoder(fitted(blocks, GetParam(), 3));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 7), true, at::kDouble);
    const EncodedBatch batch(*encoder, blocks);
    const at::Tensor first = machine_input(*encoder, nullptr);
    const MachineDescription described = machine("second");
    const at::Tensor second = machine_input(*encoder, &described);
    const ObjectiveTerm loss = [&](const NamedTensors& at) {
        return (encoder->score_batch(at, batch.workloads(), first).square() +
                encoder->score_batch(at, batch.workloads(), second).exp())
            .mean();
    };
    const Gradient found = gradient({loss}, weights);
    Random random(1);
    for (std::size_t p = 0; p < weights.size(); ++p) {
        const auto count = static_cast<std::uint64_t>(weights.tensors()[p].numel());
        for (int sample = 0; sample < 5; ++sample) {
            const auto place = static_cast<std::int64_t>(random.below(count));
            constexpr double step = 1e-6;
            double difference = 0;
            for (const double sign : {1.0, -1.0}) {
                std::vector<at::Tensor> tensors;
                for (const at::Tensor& tensor : weights.tensors())
                    tensors.push_back(tensor.detach().clone());
                tensors[p].view(-1).data_ptr<double>()[place] += sign * step;
                difference += sign * loss(weights.with(std::move(tensors))).item<double>() / (2 * step);
            }
            EXPECT_NEAR(found.tensors[p].contiguous().view(-1).data_ptr<double>()[place], difference, 1e-6)
                << weights.names()[p];
        }
    }
}

TEST_P(IthemalNetworks, CanBeDifferentiatedTwice) {
    const auto blocks = mixed_blocks(6);
    const auto encoder = ithemal_encoder(fitted(blocks, GetParam(), 3));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 7), true, at::kDouble);
    const EncodedBatch batch(*encoder, blocks);
    const at::Tensor none = machine_input(*encoder, nullptr);
    const Objective objective{[&](const NamedTensors& at) {
        return encoder->score_batch(at, batch.workloads(), none).square().mean();
    }};
    const Gradient second =
        gradient({[&](const NamedTensors& at) {
                     at::Tensor sum = at.tensors()[0].sum() * 0;
                     for (const at::Tensor& each : differentiable_gradient(objective, at).tensors)
                         sum = sum + each.square().sum();
                     return sum;
                 }},
                 weights);
    EXPECT_GT(gradient_norm(second.tensors), 0);
}

TEST_P(IthemalNetworks, ShareAllButTheLastLayerAmongMachines) {
    const auto blocks = mixed_blocks(8);
    const auto encoder = ithemal_encoder(fitted(blocks, GetParam(), 8));
    EXPECT_THAT(encoder->machine_numbers(machine("first")), ElementsAre(0));
    EXPECT_THAT(encoder->machine_numbers(machine("second")), ElementsAre(1));
    EXPECT_THAT(encoder->machine_numbers(machine("never seen")), ElementsAre(0));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    EXPECT_THAT(scores(*encoder, weights, blocks, "second"), Not(scores(*encoder, weights, blocks)));
    EXPECT_THAT(scores(*encoder, weights, blocks, "never seen"), scores(*encoder, weights, blocks));
}

TEST_P(IthemalNetworks, ScoreBlocksOfWhatTheyNeverSawAndOfNothing) {
    const auto encoder = ithemal_encoder(fitted(mixed_blocks(8), GetParam(), 8));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    EncodedBatch batch(*encoder, {"f3a4", "c5f45800", "0fa2"}); // rep movsb; vaddps; cpuid
    const BlockPayload empty({}, std::make_shared<const MachineBounds>(MachineTables()));
    batch.add(encoder->encode_workload(&empty, {}, {}));
    const auto found =
        numbers(encoder->score_batch(weights, batch.workloads(), machine_input(*encoder, nullptr)));
    ASSERT_THAT(found, SizeIs(4));
    for (const double score : found)
        EXPECT_TRUE(std::isfinite(score));
    const std::array<const EncodedWorkload*, 1> alone{batch.workloads()[3]};
    EXPECT_NEAR(numbers(encoder->score_batch(weights, alone, machine_input(*encoder, nullptr))).front(),
                found[3], 1e-5);
}

TEST_P(IthemalNetworks, LearnTheTimesOfAFewBlocks) {
    const auto blocks = mixed_blocks(20);
    const TaskSet set = tasks_of(blocks);
    const auto encoder = ithemal_encoder(fitted(blocks, GetParam(), 16));
    const EncodedBatch batch(*encoder, blocks);
    std::vector<float> logs;
    for (const WorkloadRuntimes& runtimes : set.tasks[0].runtimes)
        logs.push_back(static_cast<float>(std::log(runtimes.milliseconds[0])));
    const at::Tensor target = at::tensor(logs);
    const at::Tensor none = machine_input(*encoder, nullptr);
    const Objective objective{[&](const NamedTensors& at) {
        return (encoder->score_batch(at, batch.workloads(), none) - target).square().mean();
    }};
    NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1), true);
    AdamState state = initial_adam(weights);
    const double before = gradient(objective, weights).value;
    for (int step = 0; step < 60; ++step) {
        AdamStep next = adam_step({}, 0.01, weights, gradient(objective, weights).tensors, state);
        weights = std::move(next.parameters);
        state = std::move(next.state);
    }
    EXPECT_LT(gradient(objective, weights).value, 0.05 * before);
}

TEST_P(IthemalNetworks, ComeBackFromTheirDescription) {
    const auto description = fitted(mixed_blocks(8), GetParam(), 8);
    const auto back = read_ithemal(architecture_of(description));
    ASSERT_TRUE(back.has_value()) << back.error().text();
    EXPECT_EQ(*back, description);
    const auto encoder = ithemal_encoder(*back);
    EXPECT_EQ(encoder->architecture().name, GetParam() ? "ithemal-dag" : "ithemal");
    EXPECT_EQ(encoder->architecture().domain, blocks_domain);
}

INSTANTIATE_TEST_SUITE_P(Variants, IthemalNetworks, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Dag" : "Sequence"; });

class IthemalDag : public DecodingTest {};

TEST_F(IthemalDag, TakesIndependentInstructionsInAnyOrder) {
    const auto score_of = [](bool is_dag, const std::string& code) {
        const auto encoder = ithemal_encoder(fitted(mixed_blocks(20), is_dag, 8));
        const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
        const EncodedBatch batch(*encoder, {code});
        return numbers(encoder->score_batch(weights, batch.workloads(), machine_input(*encoder, nullptr)))
            .front();
    };
    const std::string move = "4889d1";       // mov rcx, rdx
    const std::string multiply = "480fafc3"; // imul rax, rbx
    const std::string add = "4801c1";        // add rcx, rax
    EXPECT_NEAR(score_of(true, move + multiply + add), score_of(true, multiply + move + add), 1e-6);
    EXPECT_GT(std::abs(score_of(false, move + multiply + add) - score_of(false, multiply + move + add)),
              1e-4);
    EXPECT_GT(std::abs(score_of(true, move + multiply + add) - score_of(true, add + move + multiply)), 1e-4)
        << "what depends on others is elsewhere";
}

class IthemalDescriptions : public DecodingTest {};

TEST_F(IthemalDescriptions, HaveTheTokensOfThreeBlocksAndTheMeanOfTheTrainingTimes) {
    TaskSet set = tasks_of({"4889d1", "4889d1", "480fafc3", "4889d1", "480fafc3"});
    const std::array<std::size_t, 4> train{0, 1, 2, 3};
    const auto description = fit_ithemal(set, train, true);
    EXPECT_THAT(description.tokens, ElementsAre("<unknown>", "<D>", "<E>", "<S>", "mov", "rcx", "rdx"));
    EXPECT_THAT(description.machines, ElementsAre("first", "second"));
    EXPECT_EQ(description.width, 64);
    EXPECT_NEAR(description.mean_log, (3 * std::log(6) + std::log(8)) / 4 + std::log(2) / 2, 1e-12);
    set.tasks[0].runtimes[0].milliseconds[0] = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(std::isfinite(fit_ithemal(set, train, true).mean_log)) << "a failed run has no logarithm";
}

TEST(IthemalDescription, ThatIsWrongNamesTheField) {
    const auto error_of = [](std::string_view input, std::string_view name = "ithemal") {
        const auto found = read_ithemal({std::string(name), std::string(input), std::string(blocks_domain)});
        return found ? std::string("none") : found.error().message;
    };
    const std::string good = R"({"machines":["m"],"tokens":["unknown"],"width":8,"mean_log":1})";
    EXPECT_EQ(error_of(good), "none");
    EXPECT_THAT(error_of(good, "ithemel"), HasSubstr("\"ithemel\", expected \"ithemal\" or"));
    EXPECT_EQ(error_of("nonsense"), "machines is missing");
    EXPECT_EQ(error_of(R"({"machines":[],"tokens":["u"],"width":8,"mean_log":1})"),
              "machines is empty, expected one or more names");
    EXPECT_EQ(error_of(R"({"machines":["m"],"tokens":["u","u"],"width":8,"mean_log":1})"),
              "tokens has \"u\" twice");
    EXPECT_EQ(error_of(R"({"machines":["m"],"tokens":7,"width":8,"mean_log":1})"),
              "tokens is not what was expected");
    for (const std::string_view width : {"0", "1e30", "2.5"})
        EXPECT_THAT(
            error_of(fmt::format(R"({{"machines":["m"],"tokens":["u"],"width":{},"mean_log":1}})", width)),
            HasSubstr("width is "));
    EXPECT_EQ(error_of(R"({"machines":["m"],"tokens":["u"],"width":8,"mean_log":null})"),
              "mean_log is not what was expected");
    const auto other = read_ithemal({"ithemal", good, "sparse"});
    ASSERT_FALSE(other.has_value());
    EXPECT_THAT(other.error().message, HasSubstr("domain is \"sparse\""));
}

} // namespace
} // namespace sparsight
