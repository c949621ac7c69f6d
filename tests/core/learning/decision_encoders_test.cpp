// What models of domains without networks of their own read, and what the networks make of it.
#include "learning/decisions/attention_encoder.h"
#include "learning/decisions/decision_features.h"
#include "learning/decisions/perceptron_encoder.h"
#include "learning/decisions/shared_lstm.h"
#include "model/cost_model.h"
#include "model/tensors/losses.h"
#include "support/results.h"
#include "support/test_files.h"
#include "toy/digit_space.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <cmath>
#include <gmock/gmock.h>
#include <sstream>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::text_of_word;
using testing::word;

std::shared_ptr<const Payload> facts(NamedFacts::Numbers numbers) {
    return std::make_shared<const NamedFacts>(std::move(numbers));
}

/// Configurations are "key=value,key=value".
class PairCodec final : public ConfigurationCodec {
public:
    Result<ParsedConfiguration> parse(std::string_view text) const override {
        return ParsedConfiguration{word(text)};
    }
    std::string text(const Configuration& configuration, int) const override {
        return text_of_word(configuration);
    }
    std::vector<DecisionValue> decisions(const Configuration& configuration) const override {
        std::vector<DecisionValue> decisions;
        std::istringstream pairs(text_of_word(configuration));
        for (std::string pair; std::getline(pairs, pair, ',');) {
            const auto sign = pair.find('=');
            decisions.push_back({pair.substr(0, sign), pair.substr(0, sign), pair.substr(sign + 1)});
        }
        return decisions;
    }
};

/// One machine and workload with these configurations, the slower the later.
TaskSet set_of(const std::vector<std::string>& configurations, NamedFacts::Numbers numbers = {}) {
    TaskSet set;
    set.setting = {"pairs", ""};
    const auto payload = facts(std::move(numbers));
    set.workloads.push_back({.name = "w", .load = [payload] { return payload; }});
    WorkloadRuntimes runtimes{0, {}, {}};
    for (const std::string& each : configurations) {
        runtimes.configurations.push_back(word(each));
        runtimes.milliseconds.push_back(1 + static_cast<double>(runtimes.milliseconds.size()));
    }
    set.tasks.push_back({"m", {}, {std::move(runtimes)}});
    return set;
}

const std::shared_ptr<const ConfigurationCodec> pair_codec = std::make_shared<const PairCodec>();

DecisionInput fitted(const TaskSet& set) {
    std::vector<std::size_t> all(set.workloads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return fit_decision_input(set, all, *pair_codec);
}

DecisionReading read_one(const DecisionReader& reader, const std::string& configuration,
                         std::size_t decision) {
    std::vector<DecisionReading> readings(reader.columns().size());
    reader.read(word(configuration), readings);
    return readings[decision];
}

TEST(DecisionInputs, HaveTheValuesOfEachDecisionInTheOrderInWhichTheyAreShown) {
    const auto input = fitted(set_of({"tile=8,layout=row", "tile=16,layout=col,pad=1", "tile=2,layout=row"}));
    ASSERT_THAT(input.decisions, SizeIs(3));
    EXPECT_EQ(input.decisions[0].key, "tile");
    EXPECT_TRUE(input.decisions[0].are_numbers);
    EXPECT_THAT(input.decisions[0].values, ElementsAre("16", "2", "8"));
    EXPECT_EQ(input.decisions[1].key, "layout");
    EXPECT_FALSE(input.decisions[1].are_numbers);
    EXPECT_THAT(input.decisions[1].values, ElementsAre("col", "row"));
    EXPECT_EQ(input.decisions[2].key, "pad");
}

TEST(DecisionInputs, AreThoseOfTheWorkloadsThatAreTrainedOn) {
    TaskSet set = set_of({"tile=8"}, {{"rows", 100}});
    set.workloads.push_back({.name = "other", .load = [] { return facts({{"cols", 5}}); }});
    set.tasks[0].runtimes.push_back({1, {word("tile=9")}, {1}});
    const auto input = fit_decision_input(set, {{0}}, *pair_codec);
    EXPECT_THAT(input.decisions[0].values, ElementsAre("8"));
    ASSERT_THAT(input.facts, SizeIs(1));
    EXPECT_EQ(input.facts[0].name, "rows");
    EXPECT_THAT(fitted(set).facts, SizeIs(2));
}

TEST(DecisionInputs, TellUnknownFromAbsentValues) {
    const DecisionReader reader(fitted(set_of({"tile=8,layout=row", "tile=16,layout=col"})).decisions,
                                pair_codec);
    EXPECT_EQ(read_one(reader, "tile=8", 0).category, 3);
    EXPECT_EQ(read_one(reader, "tile=8", 0).number, 8);
    EXPECT_EQ(read_one(reader, "tile=8", 1).category, DecisionReading::absent);
    EXPECT_EQ(read_one(reader, "tile=64,layout=blocked", 0).category, DecisionReading::unknown);
    EXPECT_EQ(read_one(reader, "tile=64,layout=blocked", 0).number, 64) << "a number says something yet";
    EXPECT_EQ(read_one(reader, "tile=64,layout=blocked", 1).category, DecisionReading::unknown);
    EXPECT_EQ(read_one(reader, "swizzle=1,tile=big", 0).number, std::nullopt);
}

/// Of every kind: numbers, other values, absent ones and unknown facts.
class DecisionEncoders : public ::testing::TestWithParam<std::string_view> {
protected:
    DecisionEncoders() {
        set_ = set_of({"tile=8,layout=row", "tile=16,layout=col,pad=1", "tile=2,layout=row"},
                      {{"rows", 1000}, {"depth", -3}});
        set_.workloads.push_back({.name = "v", .load = [] { return facts({{"rows", 20}}); }});
        set_.tasks[0].runtimes.push_back({1, {word("tile=8,layout=row"), word("tile=2")}, {1, 2}});
        input_ = fitted(set_);
        input_.reads_machine = true;
    }

    [[nodiscard]] static std::shared_ptr<const Encoder> encoder_of(const DecisionInput& input) {
        return GetParam() == attention_architecture ? attention_encoder(input, pair_codec)
                                                    : perceptron_encoder(input, pair_codec);
    }

    [[nodiscard]] std::vector<float> scores(const Encoder& encoder, const NamedTensors& weights,
                                            const Payload& payload,
                                            const std::vector<std::string>& configurations) const {
        std::vector<Configuration> words;
        for (const std::string& each : configurations)
            words.push_back(word(each));
        const at::Tensor found =
            encoder
                .score(weights, *encoder.encode_workload(&payload, {}, {}), machine_input(encoder, nullptr),
                       *encoder.embeds()->encode_configurations(words, at::kCPU))
                .contiguous();
        return {found.data_ptr<float>(), found.data_ptr<float>() + found.numel()};
    }

    TaskSet set_;
    DecisionInput input_;
};

TEST_P(DecisionEncoders, HaveTheGradientThatFiniteDifferencesFind) {
    const auto encoder = encoder_of(input_);
    const auto arrays = draw_weights(encoder->parameters(), 7);
    const NamedTensors weights = to_tensors(arrays, true, at::kDouble);
    const auto workload = encoder->encode_workload(facts({{"rows", 300}}).get(), {}, {});
    const auto configurations = encoder->embeds()->encode_configurations(
        std::array{word("tile=8,layout=row"), word("tile=64,layout=blocked"), word("pad=1")}, at::kCPU);
    const at::Tensor machine = machine_input(*encoder, nullptr);
    const std::array times{1.0, 3.0, 2.0};
    const auto loss_of = [&](const NamedTensors& at) {
        return ranking_loss(Loss::LogSquaredError, encoder->score(at, *workload, machine, *configurations),
                            {times});
    };
    const auto gradients = torch::autograd::grad({loss_of(weights)}, weights.tensors(), {}, c10::nullopt,
                                                 false, /*allow_unused=*/true);
    Random random(1);
    for (std::size_t p = 0; p < weights.size(); ++p) {
        ASSERT_TRUE(gradients[p].defined()) << weights.names()[p];
        const auto count = static_cast<std::uint64_t>(weights.tensors()[p].numel());
        for (int sample = 0; sample < 3; ++sample) {
            const auto place = static_cast<std::int64_t>(random.below(count));
            constexpr double step = 1e-6;
            double difference = 0;
            for (const double sign : {1.0, -1.0}) {
                NamedTensors moved = weights;
                std::vector<at::Tensor> tensors;
                for (const at::Tensor& tensor : weights.tensors())
                    tensors.push_back(tensor.detach().clone());
                tensors[p].view(-1).data_ptr<double>()[place] += sign * step;
                difference += sign * loss_of(moved.with(std::move(tensors))).item<double>() / (2 * step);
            }
            EXPECT_NEAR(gradients[p].contiguous().view(-1).data_ptr<double>()[place], difference, 1e-6)
                << weights.names()[p];
        }
    }
}

TEST_P(DecisionEncoders, ScoreValuesAndFactsThatTheyNeverSaw) {
    const auto encoder = encoder_of(input_);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    for (const float score :
         scores(*encoder, weights, *facts({{"new", 1e300}}), {"tile=1e9,layout=x", "unheard=1", "tile=a"}))
        EXPECT_TRUE(std::isfinite(score));
    const auto same = scores(*encoder, weights, *facts({}), {"layout=x", "layout=y", "layout=row"});
    EXPECT_EQ(same[0], same[1]) << "what is unknown is all alike";
    EXPECT_NE(same[0], same[2]);
}

TEST_P(DecisionEncoders, ReadFactsByNameAndWhetherTheyAreKnown) {
    const auto encoder = encoder_of(input_);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const auto score_of = [&](NamedFacts::Numbers numbers) {
        return scores(*encoder, weights, *facts(std::move(numbers)), {"tile=8,layout=row"}).front();
    };
    EXPECT_NE(score_of({{"rows", 20}}), score_of({{"rows", 30}}));
    EXPECT_NE(score_of({{"depth", std::sinh(input_.facts[0].scale.mean)}}), score_of({}))
        << "the mean itself is not the same as unknown";
    EXPECT_EQ(score_of({{"rows", 20}, {"unheard", 5}}), score_of({{"rows", 20}}));
}

TEST_P(DecisionEncoders, ReadFactsOfMachinesThatTheTrainingMachinesHave) {
    TaskSet set = set_;
    set.tasks.push_back({"n", {}, set_.tasks[0].runtimes});
    set.tasks.push_back({"unknown", {}, {{2, {word("tile=2")}, {1}}}});
    set.workloads.push_back({.name = "of the test", .load = [] { return facts({}); }});
    set.tasks[0].description.facts = {{"lanes", 1000}, {"cache", 7}};
    set.tasks[1].description.facts = {{"lanes", 3000}};
    set.tasks[2].description.facts = {{"lanes", 9000}, {"new", 1}};
    const std::array<std::size_t, 2> train{0, 1};
    const DecisionInput input = fit_decision_input(set, train, *pair_codec, true);
    ASSERT_THAT(input.machine_facts, SizeIs(2)) << "what only the test has is ignored";
    EXPECT_EQ(input.machine_facts[0].name, "cache");
    EXPECT_DOUBLE_EQ(input.machine_facts[1].scale.mean, (std::asinh(1000) + std::asinh(3000)) / 2);
    EXPECT_THAT(fit_decision_input(set, train, *pair_codec).machine_facts, IsEmpty()) << "it reads none";

    const auto encoder = encoder_of(input);
    const auto numbers = [&](std::map<std::string, double, std::less<>> known) {
        MachineDescription machine;
        machine.facts = std::move(known);
        const auto all = encoder->machine_numbers(machine);
        return std::vector(all.begin() + static_cast<std::ptrdiff_t>(machine_feature_count()), all.end());
    };
    EXPECT_THAT(numbers({{"lanes", 1000}, {"new", 5}}),
                ElementsAre(0, 0, ::testing::FloatNear(-1, 1e-5F), 1));
    EXPECT_THAT(numbers({{"cache", 7}}), ElementsAre(0, 1, 0, 0)) << "what it lacks is unknown";
    EXPECT_NE(numbers({{"lanes", 0}}), numbers({})) << "and not zero";
}

TEST_P(DecisionEncoders, WorkWithoutAFactAndWithoutADecision) {
    const auto encoder = encoder_of(fitted(set_of({"", "tile="})));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    EXPECT_THAT(scores(*encoder, weights, *facts({}), {"", "tile=3"}), SizeIs(2));
    DecisionInput nothing;
    const auto empty = encoder_of(nothing);
    EXPECT_THAT(scores(*empty, to_tensors(draw_weights(empty->parameters(), 1)), *facts({}), {"a=1", "a=2"}),
                SizeIs(2));
}

TEST_P(DecisionEncoders, SelectRows) {
    const auto encoder = encoder_of(input_);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const std::array words{word("tile=8,layout=row"), word("tile=2"), word("layout=x")};
    const auto all = encoder->embeds()->encode_configurations(words, at::kCPU);
    const at::Tensor of_all = encoder->embeds()->embed_configurations(weights, *all);
    const at::Tensor of_two =
        encoder->embeds()->embed_configurations(weights, *all->select(std::array<std::size_t, 2>{2, 0}));
    // Some processors sum in another order where there are more rows.
    constexpr double rounding = 1e-5;
    EXPECT_TRUE(of_two.select(0, 0).allclose(of_all.select(0, 2), rounding, rounding));
    EXPECT_TRUE(of_two.select(0, 1).allclose(of_all.select(0, 0), rounding, rounding));
}

TEST_P(DecisionEncoders, ScoreAsTheyAreTrained) {
    std::vector<std::string> texts;
    for (int number = 0; number < 700; ++number)
        texts.push_back(fmt::format("tile={},layout={}{}{}", 1 << (number % 7),
                                    number % 3 == 0 ? "row" : "col", number % 5 == 0 ? ",pad=1" : "",
                                    number % 11 == 0 ? ",depth=2" : ""));
    const auto encoder = encoder_of(fitted(set_of(texts, {{"rows", 10}})));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 4));
    texts.push_back("tile=77,layout=blocked"); // unknown, with a number and without
    texts.push_back("pad=5");
    std::vector<Configuration> configurations;
    for (const std::string& text : texts)
        configurations.push_back(word(text));
    const auto encoded = encoder->embeds()->encode_configurations(configurations, at::kCPU);
    const at::Tensor trained = encoder->embeds()->embed_configurations(weights, *encoded);
    const at::NoGradGuard no_gradients;
    const at::Tensor scored = encoder->embeds()->embed_configurations(weights, *encoded);
    EXPECT_LT((scored - trained).abs().max().item<double>(), 1e-5);
}

TEST(SharedLstm, GivesTheSameWithEveryInstructionSet) {
    const TaskSet set = set_of({"tile=8,layout=row", "tile=16,layout=col,pad=1", "tile=2,layout=row"});
    const auto encoder = attention_encoder(fitted(set), pair_codec);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 4));
    const at::NoGradGuard no_gradients;
    // tile=8 layout=row, tile=16 layout=col pad=1, tile=2: rows of the table of embeddings
    const DecisionTensors decisions{at::tensor({3, 6, 7, 1, 5, 8, 2, 4, 7}, at::kLong).view({3, 3}),
                                    at::ones({3, 3, 1}), at::zeros({3, 3})};
    const at::Tensor portable = read_shared_decisions(weights, decisions, VectorInstructions::Portable);
    EXPECT_GT((portable.select(0, 0) - portable.select(0, 1)).abs().max().item<double>(), 1e-3);
    for (const VectorInstructions instructions : supported_vector_instructions())
        EXPECT_LT(
            (read_shared_decisions(weights, decisions, instructions) - portable).abs().max().item<double>(),
            1e-5)
            << name_of(instructions);
}

TEST_P(DecisionEncoders, EmbedAWholeSpaceAtOnce) {
    std::vector<std::string> texts;
    for (int number = 0; number < 18'000; ++number) {
        std::string text;
        for (int decision = 0; decision < 12; ++decision)
            text += fmt::format("{}decision_{}={}", decision > 0 ? "," : "", decision,
                                1 << ((number >> decision) % 7));
        texts.push_back(std::move(text));
    }
    const TaskSet set = set_of(texts);
    const auto encoder = encoder_of(fitted(set));
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const at::Tensor embedded = encoder->embeds()->embed_configurations(
        weights,
        *encoder->embeds()->encode_configurations(set.tasks[0].runtimes[0].configurations, at::kCPU));
    EXPECT_EQ(embedded.size(0), 18'000);
}

INSTANTIATE_TEST_SUITE_P(Architectures, DecisionEncoders,
                         ::testing::Values(perceptron_architecture, attention_architecture),
                         [](const auto& of) { return std::string(of.param); });

TEST(DecisionFeatures, AreRowsForTreesWithoutHoles) {
    const TaskSet set = set_of({"tile=8,layout=row", "tile=16,layout=col,pad=1", "tile=2,layout=row"},
                               {{"rows", 1000}, {"depth", -3}});
    const auto features = decision_features(fitted(set), pair_codec);
    EXPECT_THAT(features->names(),
                ElementsAre("depth", "depth is known", "rows", "rows is known", "tile", "layout", "pad"));
    const auto statistics = features->statistics(*facts({{"rows", 7}}), 1);
    EXPECT_THAT(statistics, ElementsAre(0, 0, 7, 1));
    const auto rows =
        features->rows(statistics, std::array{word("tile=16,layout=col"), word("tile=5,layout=x")});
    ASSERT_THAT(rows, SizeIs(14));
    EXPECT_EQ(rows[2], 7);
    EXPECT_EQ(rows[4], 16);
    EXPECT_EQ(rows[5], 2);
    EXPECT_LT(rows[6], -1e30F) << "absent";
    EXPECT_EQ(rows[11], 5);
    EXPECT_EQ(rows[12], 0) << "unknown";
    for (const float number : rows)
        EXPECT_FALSE(std::isnan(number));
    for (const float number :
         features->rows(std::array{1e300, 1.0, -1e300, 1.0}, std::array{word("tile=1e99")}))
        EXPECT_TRUE(std::isfinite(number)) << "trees take no others";
}

} // namespace
} // namespace sparsight
