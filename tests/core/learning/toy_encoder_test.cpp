// A domain that there is not goes through learning: its encoder is all that it brings.
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <array>
#include <cmath>
#include <gmock/gmock.h>

namespace sparsight::toy {
namespace {

using ::testing::HasSubstr;

constexpr int choices = 12;

/// A workload is one number, and wants the choice that is about as large.
class ToyPayload final : public Payload {
public:
    explicit ToyPayload(double number)
        : number_(number) {}
    [[nodiscard]] double number() const { return number_; }

private:
    double number_;
};

Configuration choice(int number) {
    const std::array bytes{static_cast<std::byte>(number)};
    return Configuration(bytes);
}

class ToyWorkload final : public EncodedWorkload {
public:
    explicit ToyWorkload(at::Tensor row)
        : row_(std::move(row)) {}
    [[nodiscard]] std::int64_t kept_size() const override { return 1; }
    [[nodiscard]] const at::Tensor& row() const { return row_; }

private:
    at::Tensor row_;
};

class ToyChoices final : public EncodedConfigurations {
public:
    explicit ToyChoices(at::Tensor numbers)
        : numbers_(std::move(numbers)) {}
    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    select(std::span<const std::size_t> rows) const override {
        const std::vector<std::int64_t> places(rows.begin(), rows.end());
        return std::make_shared<const ToyChoices>(
            at::index_select(numbers_, 0, at::tensor(places, at::kLong)));
    }
    [[nodiscard]] const at::Tensor& numbers() const { return numbers_; }

private:
    at::Tensor numbers_;
};

class ToyEncoder final : public EmbeddingEncoder {
public:
    [[nodiscard]] ModelArchitecture architecture() const override { return {"table", "{}", "toy"}; }
    [[nodiscard]] std::vector<NetworkParameter> parameters() const override {
        std::vector<NetworkParameter> list;
        add_linear(list, "workload.0", 32, 1);
        add_linear(list, "workload.2", embedding_width, 32);
        list.push_back({{"choice.weight", {choices, embedding_width}}, Initial::Normal, 1});
        add_predictor(list, embedding_width);
        return list;
    }
    [[nodiscard]] bool reads_payload() const override { return true; }
    [[nodiscard]] bool reads_machine() const override { return false; }
    [[nodiscard]] std::vector<double> statistics(const Payload&, int) const override { return {}; }

    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double>, const EncodingOptions&) const override {
        const double number = static_cast<const ToyPayload*>(payload)->number() / choices;
        return std::make_shared<const ToyWorkload>(at::full({1, 1}, number, at::kFloat));
    }
    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    encode_configurations(std::span<const Configuration> configurations, at::Device) const override {
        std::vector<std::int64_t> numbers;
        for (const Configuration& each : configurations)
            numbers.push_back(std::to_integer<std::int64_t>(each.bytes().front()));
        return std::make_shared<const ToyChoices>(at::tensor(numbers, at::kLong));
    }
    [[nodiscard]] at::Tensor embed_workload(const NamedTensors& parameters, const EncodedWorkload& workload,
                                            const at::Tensor&) const override {
        const at::Tensor& row = static_cast<const ToyWorkload&>(workload).row();
        return linear(parameters, "workload.2", at::relu(linear(parameters, "workload.0", row))).squeeze(0);
    }
    [[nodiscard]] at::Tensor
    embed_configurations(const NamedTensors& parameters,
                         const EncodedConfigurations& configurations) const override {
        return at::embedding(parameters["choice.weight"],
                             static_cast<const ToyChoices&>(configurations).numbers());
    }
};

class ToyModels final : public ModelDomain {
public:
    [[nodiscard]] Result<std::shared_ptr<const Encoder>>
    encoder(const ModelArchitecture& architecture) const override {
        if (architecture.domain != "toy")
            return fail(Fault::Input, "it is of another domain");
        return std::make_shared<const ToyEncoder>();
    }
    [[nodiscard]] Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture&) const override {
        return fail(Fault::Input, "there are no trees here");
    }
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override {
        return network;
    }
};

double milliseconds(double number, int chosen, double shift) {
    return std::exp(std::abs(chosen - number - shift) / 3);
}

/// Two machines, the second of which wants choices that are larger by 3.
class ToyDomain : public ::testing::Test {
protected:
    ToyDomain() {
        set_.setting = {"toy", ""};
        set_.tasks = {{"first", {}, {}}, {"second", {}, {}}};
        for (std::size_t place = 0; place < 30; ++place) {
            const double number = 0.27 * static_cast<double>(place);
            set_.workloads.push_back({fmt::format("workload {}", place), {}, {}, [number] {
                                          return std::make_shared<const ToyPayload>(number);
                                      }});
            for (std::size_t task = 0; task < 2; ++task) {
                WorkloadRuntimes runtimes{place, {}, {}};
                runtimes.baseline = 0;
                for (int each = 0; each < choices; ++each) {
                    runtimes.configurations.push_back(choice(each));
                    runtimes.milliseconds.push_back(
                        milliseconds(number, each, 3.0 * static_cast<double>(task)));
                }
                set_.tasks[task].runtimes.push_back(std::move(runtimes));
            }
            (place % 3 == 1 ? split_.test : split_.train).push_back(place);
        }
    }

    [[nodiscard]] NamedTensors trained() {
        TaskSet first = set_;
        first.tasks.resize(1);
        ExampleStore examples(first, encoder_, 1);
        TrainingOptions options;
        options.loss = Loss::PairwiseLogistic;
        options.rate = 3e-3;
        options.epochs = 60;
        const auto weights = to_tensors(draw_weights(encoder_->parameters(), 1), true);
        return train(examples, split_, options,
                     initial_training_state(options.method, options.inner, weights))
            ->state.parameters.weights;
    }
    [[nodiscard]] double accuracy(const NamedTensors& weights, std::size_t task) {
        ExampleStore examples(set_, encoder_, 1);
        return *report_ranking(examples, weights, Loss::PairwiseLogistic, task, split_.test)
                    ->ordered_pair_accuracy;
    }

    std::shared_ptr<const Encoder> encoder_ = std::make_shared<const ToyEncoder>();
    TaskSet set_;
    WorkloadSplit split_;
};

TEST_F(ToyDomain, IsLearnedAndAdaptedToAnotherMachine) {
    const NamedTensors weights = trained();
    EXPECT_GT(accuracy(weights, 0), 0.9);
    const double before = accuracy(weights, 1);
    EXPECT_LT(before, 0.85);
    ExampleStore examples(set_, encoder_, 1);
    FineTuningOptions options;
    options.loss = Loss::PairwiseLogistic;
    options.adam_rate = 3e-3;
    const auto tuned = fine_tune(examples, 1, split_.train, options, {weights, std::nullopt});
    ASSERT_TRUE(tuned) << tuned.error().text();
    EXPECT_GT(accuracy(*tuned, 1), before + 0.1);
}

TEST_F(ToyDomain, HasModelsThatAreSavedAndScore) {
    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder_->architecture();
    checkpoint.weights = to_arrays(trained());
    const auto bytes = checkpoint_bytes(checkpoint);
    const auto read = parse_checkpoint(bytes, ToyModels());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, checkpoint);
    const auto model = make_cost_model(*read, ToyModels()).value();
    const auto scorer = model->embed(std::make_shared<const ToyPayload>(8), nullptr, 1).value();
    const auto scores = scorer->score(std::array{choice(0), choice(8)}).value();
    EXPECT_GT(scores[0], scores[1]);
    EXPECT_EQ(model->embed_statistics({}, nullptr).error().fault, Fault::Input);

    checkpoint.model.architecture.domain = "another";
    EXPECT_THAT(parse_checkpoint(checkpoint_bytes(checkpoint), ToyModels()).error().message,
                HasSubstr("another domain"));
}

} // namespace
} // namespace sparsight::toy
