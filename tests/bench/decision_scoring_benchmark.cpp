// How long networks of domains without networks of their own take to score a space of 18,000 configurations
// on one thread. Each is measured twice in one run: as it scores, and by the formulas that it is trained
// with.
#include "base/random.h"
#include "domains/records/record_space.h"
#include "domains/records/records.h"
#include "learning/decisions/attention_encoder.h"
#include "learning/decisions/decision_learning.h"
#include "learning/decisions/perceptron_encoder.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"
#include "model/tensors/torch_runtime.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

namespace sparsight {
namespace {

constexpr std::size_t space_size = 18'000;

/// The decisions of a matrix product on a GPU (CLBlast's), drawn from all combinations.
const std::vector<Configuration>& space() {
    static const std::vector<Configuration> drawn = [] {
        const std::vector<std::pair<const char*, std::vector<int>>> decisions{
            {"MDIMA", {8, 16, 32}}, {"MDIMC", {8, 16, 32}}, {"MWG", {16, 32, 64, 128}},
            {"NDIMB", {8, 16, 32}}, {"NDIMC", {8, 16, 32}}, {"NWG", {16, 32, 64, 128}},
            {"SA", {0, 1}},         {"SB", {0, 1}},         {"VWM", {1, 2, 4, 8}},
            {"VWN", {1, 2, 4, 8}}};
        std::vector<std::string> texts{""};
        for (const auto& [name, values] : decisions) {
            std::vector<std::string> longer;
            for (const std::string& text : texts)
                for (const int value : values)
                    longer.push_back(fmt::format("{}{}{}={}", text, text.empty() ? "" : " ", name, value));
            texts = std::move(longer);
        }
        Random random(1);
        random.shuffle(texts);
        texts.resize(space_size);
        std::ranges::sort(texts);
        std::vector<Configuration> configurations;
        for (const std::string& text : texts)
            configurations.push_back(parse_record(text).value());
        return configurations;
    }();
    return drawn;
}

struct Subject {
    explicit Subject(std::string_view architecture) {
        set.setting = domain->parse_setting("gemm").value();
        set.workloads.push_back({.name = "gemm", .load = [this] { return payload; }});
        set.tasks.push_back({"machine", {}, {{0, space(), std::vector<double>(space_size, 1.0)}}});
        encoder = learning.new_encoder({architecture, true, set, std::array<std::size_t, 1>{0}});
        checkpoint.model.architecture = encoder->architecture();
        checkpoint.weights = draw_weights(encoder->parameters(), 1);
        model = make_cost_model(checkpoint, learning).value();
        scorer = model->embed(payload, nullptr, 1).value();
    }

    std::unique_ptr<const Domain> domain = make_records_domain();
    DecisionLearning learning{*domain};
    std::shared_ptr<const Payload> payload =
        std::make_shared<const NamedFacts>(NamedFacts::Numbers{{"n", 4096}});
    TaskSet set;
    std::shared_ptr<const Encoder> encoder;
    Checkpoint checkpoint;
    std::unique_ptr<CostModel> model;
    std::unique_ptr<WorkloadScorer> scorer;
};

void read_decisions(benchmark::State& state) {
    const Subject of(perceptron_architecture);
    for (auto _ : state)
        benchmark::DoNotOptimize(of.encoder->embeds()->encode_configurations(space(), at::kCPU));
}
BENCHMARK(read_decisions)->Unit(benchmark::kMillisecond);

void score(benchmark::State& state, std::string_view architecture) {
    static_cast<void>(prepare_torch(1));
    const Subject of(architecture);
    for (auto _ : state)
        benchmark::DoNotOptimize(of.scorer->score(space()).value());
}
BENCHMARK_CAPTURE(score, perceptron, perceptron_architecture)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(score, attention, attention_architecture)->Unit(benchmark::kMillisecond);

/// By the formulas of training, without a graph; in the same blocks as a cost model.
void score_as_in_training(benchmark::State& state, std::string_view architecture) {
    static_cast<void>(prepare_torch(1));
    const Subject of(architecture);
    const NamedTensors weights = to_tensors(of.checkpoint.weights);
    const auto workload = of.encoder->encode_workload(of.payload.get(), {}, {});
    const at::Tensor machine = machine_input(*of.encoder, nullptr);
    constexpr std::size_t block = 2048;
    for (auto _ : state)
        for (std::size_t first = 0; first < space_size; first += block) {
            const auto some = std::span(space()).subspan(first, std::min(block, space_size - first));
            benchmark::DoNotOptimize(of.encoder->score(
                weights, *workload, machine, *of.encoder->embeds()->encode_configurations(some, at::kCPU)));
        }
}
BENCHMARK_CAPTURE(score_as_in_training, perceptron, perceptron_architecture)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(score_as_in_training, attention, attention_architecture)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace sparsight
