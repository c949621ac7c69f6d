// gray_box_benchmark [--threads N] [--seed N]
// What a gray box costs beside a network that is blended with the simulator, in one run on generated matrices
// and a simulated machine: adapting to the machine, the first look at a matrix, and scoring. Prints one JSON
// object; times are in s, and `goal` is the most that a gray box may take with two threads. Models are
// untrained: what they cost does not depend on their weights.

#include "base/random.h"
#include "domains/sparse/encoder/deviating_simulator.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/simulator_blending.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/fine_tuning/adapted_model.h"
#include "learning/tasks/transfer_tasks.h"
#include "machine/machine_family.h"
#include "model/cost_model.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace sparsight;
using Json = nlohmann::ordered_json;

constexpr Operator op = Operator::SpMM;
constexpr std::int64_t dense = 256;
constexpr std::size_t matrices_to_adapt_to = 96;
constexpr int schedules_to_adapt_to = 100;
constexpr int schedules_to_score = 3500;
constexpr int any_threads = 1; // they are no part of a configuration

struct BenchmarkSettings {
    int threads = 2;
    std::uint64_t seed = 1;
};

BenchmarkSettings parse(int count, char** words) {
    BenchmarkSettings settings;
    for (int at = 1; at + 1 < count; at += 2) {
        const std::string word = words[at];
        if (word == "--threads")
            settings.threads = std::stoi(words[at + 1]);
        else if (word == "--seed")
            settings.seed = std::stoull(words[at + 1]);
    }
    return settings;
}

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What the work takes where nothing disturbs it.
double shortest(const std::function<void()>& work) {
    double best = seconds(work);
    for (int run = 1; run < 5; ++run)
        best = std::min(best, seconds(work));
    return best;
}

Json beside(double gray_box, double blend) {
    return {{"gray box", gray_box}, {"blend", blend}, {"ratio", gray_box / blend}};
}
Json beside(double gray_box, double blend, double goal) {
    Json result = beside(gray_box, blend);
    result["goal"] = goal;
    return result;
}

CsrPattern matrix(double entries, std::uint64_t seed) {
    constexpr double mean_length = 8;
    const double rows = entries / mean_length;
    return generate_matrix("row-skewed", {{"rows", rows}, {"cols", rows}, {"mean-length", mean_length}}, seed)
        .value();
}

std::vector<SuperSchedule> drawn(const CsrPattern& pattern, int count, std::uint64_t seed) {
    Random random(seed);
    return sample_waco(op, extents(op, pattern.rows, pattern.cols, dense), count, any_threads, random);
}

/// Matrices of 4,000 to 128,000 entries, measured on one machine that deviates from the simulator.
TaskSet measured_tasks(const BenchmarkSettings& settings) {
    TaskSet tasks;
    tasks.setting = setting_of(op, dense);
    Task drawn_schedules;
    for (std::size_t at = 0; at < matrices_to_adapt_to; ++at) {
        const double entries = 4000.0 * static_cast<double>(std::size_t{1} << (at % 6));
        auto pattern = std::make_shared<const CsrPattern>(matrix(entries, settings.seed + at));
        drawn_schedules.runtimes.push_back(
            {at, configurations_of(drawn(*pattern, schedules_to_adapt_to, settings.seed + at)), {}});
        tasks.workloads.push_back(task_workload(fmt::format("generated {}", at),
                                                compute_statistics(*pattern, settings.threads),
                                                [pattern] { return Result<CsrPattern>(*pattern); }));
    }
    const std::vector machines{sampled_machine(settings.seed, 0)};
    tasks.tasks = simulated_tasks(tasks, drawn_schedules, machines, DeviatingSimulator()).value();
    return tasks;
}

std::shared_ptr<const Encoder> new_encoder(std::string_view architecture, const TaskSet& tasks,
                                           const std::vector<std::size_t>& all) {
    return SparseLearning().new_encoder(
        {.architecture = architecture, .reads_machine = false, .tasks = tasks, .train = all});
}

MetaParameters untrained(const Encoder& encoder) {
    return {to_tensors(draw_weights(encoder.parameters(), 1), true), std::nullopt};
}

Json adapting(const BenchmarkSettings& settings, const TaskSet& tasks, const std::vector<std::size_t>& all) {
    const double gray_box = seconds([&] {
        const auto encoder = new_encoder(gray_box_architecture, tasks, all);
        ExampleStore examples(tasks, encoder, settings.threads);
        const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
        (void)adapt(examples, 0, all, options, untrained(*encoder)).value();
    });
    const double blend = seconds([&] {
        const auto encoder = new_encoder("statistics", tasks, all);
        ExampleStore examples(tasks, encoder, settings.threads);
        const FineTuningOptions options{.loss = Loss::PairwiseLogistic};
        (void)fine_tune(examples, 0, all, options, untrained(*encoder)).value();
        (void)MechanisticBlending()
            .fit(examples, 0, all, {.fine_tuning = options, .threads = settings.threads}, untrained(*encoder))
            .value();
    });
    constexpr double goal = 60;
    return beside(gray_box, blend, goal);
}

/// Adapted to a few of the workloads, with trees as large as those that learned from all.
std::unique_ptr<CostModel> gray_box_model(const TaskSet& tasks, const std::vector<std::size_t>& all,
                                          int threads) {
    const auto encoder = new_encoder(gray_box_architecture, tasks, all);
    ExampleStore examples(tasks, encoder, threads);
    const std::span<const std::size_t> few = std::span(all).first(std::min<std::size_t>(10, all.size()));
    const AdaptedModel adapted =
        adapt(examples, 0, few, usual_options(FineTuningRule::ClosedForm), untrained(*encoder)).value();
    Checkpoint checkpoint;
    checkpoint.weights = to_arrays(adapted.weights);
    checkpoint.trees = adapted.trees->save().value();
    checkpoint.model.architecture = encoder->architecture();
    return make_cost_model(checkpoint, SparseLearning()).value();
}

std::unique_ptr<CostModel> blended_model(const TaskSet& tasks, const std::vector<std::size_t>& all) {
    const auto encoder = new_encoder("statistics", tasks, all);
    Checkpoint checkpoint;
    checkpoint.weights = draw_weights(encoder->parameters(), 1);
    checkpoint.model.architecture = encoder->architecture();
    checkpoint.model.blend =
        SimulatorBlend{resolve_parameters(tasks.tasks[0].description).values, dense, 0.2, 5};
    return make_cost_model(checkpoint, SparseLearning()).value();
}

/// Of one model on one matrix.
struct Costs {
    double first_look = 0;  ///< until fixed CSR has a score
    double first_score = 0; ///< of all schedules, with what is counted of the matrix for them
    double score = 0;       ///< of as many others
    double again = 0;       ///< of the same ones
};

Costs costs_of(const CostModel& model, const std::shared_ptr<const Payload>& payload,
               const MachineDescription& machine, int threads) {
    const auto schedules = configurations_of(drawn(pattern_of(*payload), schedules_to_score, 1));
    const auto baseline = configurations_of(std::array{fixed_csr(op, any_threads)});
    std::unique_ptr<WorkloadScorer> scorer;
    Costs costs;
    costs.first_look = shortest([&] {
        scorer = model.embed(payload, &machine, threads).value();
        (void)scorer->score(baseline).value();
    });
    costs.first_score = seconds([&] { (void)scorer->score(schedules).value(); });
    std::uint64_t seed = 1;
    costs.score = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 5; ++run) {
        const auto others = configurations_of(drawn(pattern_of(*payload), schedules_to_score, ++seed));
        costs.score = std::min(costs.score, seconds([&] { (void)scorer->score(others).value(); }));
        costs.again = seconds([&] { (void)scorer->score(others).value(); });
    }
    return costs;
}

Json scoring(const BenchmarkSettings& settings, const TaskSet& tasks, const std::vector<std::size_t>& all) {
    const auto gray_box = gray_box_model(tasks, all, settings.threads);
    const auto blend = blended_model(tasks, all);
    Json sizes;
    for (const double entries : {1e5, 1e6}) {
        const auto payload = payload_of(matrix(entries, settings.seed));
        const MachineDescription& machine = tasks.tasks[0].description;
        const Costs of_box = costs_of(*gray_box, payload, machine, settings.threads);
        const Costs of_blend = costs_of(*blend, payload, machine, settings.threads);
        constexpr double first_look_goal = 1.5;
        constexpr double score_goal = 0.05;
        sizes.push_back({{"entries", pattern_of(*payload).nnz()},
                         {"first look", beside(of_box.first_look, of_blend.first_look, first_look_goal)},
                         {"first score", beside(of_box.first_score, of_blend.first_score)},
                         {"score", beside(of_box.score, of_blend.score, score_goal)},
                         {"again", beside(of_box.again, of_blend.again)}});
    }
    return sizes;
}

} // namespace

int main(int count, char** words) {
    const BenchmarkSettings settings = parse(count, words);
    if (const auto runtime = prepare_torch(settings.threads); runtime && !runtime->warning.empty())
        std::fprintf(stderr, "%s\n", runtime->warning.c_str());
    const TaskSet tasks = measured_tasks(settings);
    std::vector<std::size_t> all(tasks.workloads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Json result{{"threads", settings.threads},
                      {"schedules", schedules_to_score},
                      {"scoring", scoring(settings, tasks, all)},
                      {"adapting", adapting(settings, tasks, all)}};
    std::printf("%s\n", result.dump(2).c_str());
}
