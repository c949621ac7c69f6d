#include "evaluation/tuning_experiment.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace sparsight {
namespace {

/// Equal but for rounding.
constexpr double equal_time = 1 + 1e-9;

} // namespace

const TunedStep& step_within(const TunedSteps& steps, std::size_t measurements) {
    return steps[std::clamp<std::size_t>(measurements, 1, steps.size()) - 1];
}

const TunedStep* first_within(const TunedSteps& steps, double milliseconds) {
    for (const TunedStep& step : steps)
        if (step.milliseconds <= milliseconds * equal_time)
            return &step;
    return nullptr;
}

const std::vector<std::string>& scratch_rules() {
    static const std::vector<std::string> rules{"plain", "scratch"};
    return rules;
}

namespace {

TargetSaving saving_of(const TunedSteps& scratch, const TunedSteps& transfer) {
    const TunedStep& end = *first_within(scratch, scratch.back().milliseconds);
    const TunedStep* const reached = first_within(transfer, end.milliseconds);
    const TunedStep& needed = reached != nullptr ? *reached : transfer.back();
    return {.target = 0,
            .scratch = static_cast<double>(end.measurements),
            .transfer = static_cast<double>(needed.measurements),
            .measurements =
                1 - static_cast<double>(needed.measurements) / static_cast<double>(end.measurements),
            .time = end.spent > 0 ? 1 - needed.spent / end.spent : 0,
            .is_reached = reached != nullptr};
}

} // namespace

std::vector<TargetSaving> target_savings(const std::vector<WorkloadTuning>& tunings,
                                         std::string_view scratch_rule) {
    std::map<std::size_t, std::vector<TargetSaving>> of_targets;
    for (const WorkloadTuning& scratch : tunings) {
        if (scratch.rule != scratch_rule)
            continue;
        const auto transfer = std::ranges::find_if(tunings, [&](const WorkloadTuning& tuning) {
            return tuning.rule == transfer_rule && tuning.target == scratch.target;
        });
        if (transfer != tunings.end())
            of_targets[scratch.target].push_back(saving_of(scratch.steps, transfer->steps));
    }
    std::vector<TargetSaving> savings;
    for (const auto& [target, seeds] : of_targets) {
        TargetSaving mean{.target = target};
        const auto count = static_cast<double>(seeds.size());
        for (const TargetSaving& seed : seeds) {
            mean.scratch += seed.scratch / count;
            mean.transfer += seed.transfer / count;
            mean.measurements += seed.measurements / count;
            mean.time += seed.time / count;
            mean.is_reached = mean.is_reached && seed.is_reached;
        }
        savings.push_back(mean);
    }
    return savings;
}

TunedSum tuned_sum(const std::vector<WorkloadTuning>& tunings, std::string_view rule,
                   const std::vector<std::size_t>& targets) {
    TunedSum sum;
    for (const std::size_t target : targets) {
        const auto is_of_it = [&](const WorkloadTuning& tuning) {
            return tuning.target == target && tuning.rule == rule;
        };
        const auto seeds = static_cast<double>(std::ranges::count_if(tunings, is_of_it));
        for (const WorkloadTuning& tuning : tunings)
            if (is_of_it(tuning)) {
                sum.milliseconds += tuning.steps.back().milliseconds / seeds;
                sum.spent += tuning.steps.back().spent / seeds;
            }
    }
    return sum;
}

double TunedNetwork::optimum() const {
    double sum = 0;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        double best = std::numeric_limits<double>::infinity();
        for (const TunedTask& task : tasks)
            if (task.layer == layer)
                best = std::min(best, task.best);
        sum += layers[layer].occurrences * best;
    }
    return sum;
}

std::size_t TunedNetwork::most_measurements() const {
    std::size_t most = 0;
    for (const auto& [seed, of] : tunings)
        for (const TaskTuning& tuning : of)
            most = std::max(most, tuning.scratch.back().measurements);
    return most;
}

NetworkFigure network_figure(const TunedNetwork& network, int seed, NetworkWay way,
                             std::size_t measurements) {
    const std::vector<TaskTuning>& tunings = network.tunings.at(seed);
    NetworkFigure figure;
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        const bool is_measured = way != NetworkWay::Selective || network.layers[layer].is_significant;
        double fastest = std::numeric_limits<double>::infinity();
        for (std::size_t task = 0; task < network.tasks.size(); ++task) {
            if (network.tasks[task].layer != layer)
                continue;
            const TaskTuning& tuning = tunings[task];
            if (!is_measured) {
                if (tuning.is_chosen)
                    fastest = tuning.unmeasured;
                continue;
            }
            const TunedStep& step =
                step_within(way == NetworkWay::Scratch ? tuning.scratch : tuning.transfer, measurements);
            figure.measurements += static_cast<double>(step.measurements);
            figure.spent += step.spent;
            fastest = std::min(fastest, step.milliseconds);
        }
        figure.inference += network.layers[layer].occurrences * fastest;
    }
    return figure;
}

std::vector<NetworkFigure> network_figures(const TunedNetwork& network, NetworkWay way,
                                           std::size_t measurements) {
    std::vector<NetworkFigure> figures;
    for (const auto& [seed, of] : network.tunings)
        figures.push_back(network_figure(network, seed, way, measurements));
    return figures;
}

std::vector<NetworkFigure> figures_on_reach(const TunedNetwork& network, NetworkWay way) {
    const std::size_t most = network.most_measurements();
    std::vector<NetworkFigure> figures;
    for (const auto& [seed, of] : network.tunings) {
        const double end = network_figure(network, seed, NetworkWay::Scratch, most).inference;
        for (std::size_t count = 1; count <= most; ++count)
            if (const auto figure = network_figure(network, seed, way, count);
                figure.inference <= end * equal_time) {
                figures.push_back(figure);
                break;
            }
    }
    return figures;
}

NetworkFigure mean_figure(const std::vector<NetworkFigure>& figures) {
    NetworkFigure mean;
    const auto count = static_cast<double>(figures.size());
    for (const NetworkFigure& figure : figures) {
        mean.measurements += figure.measurements / count;
        mean.spent += figure.spent / count;
        mean.inference += figure.inference / count;
    }
    return mean;
}

TunedSteps read_steps(const nlohmann::ordered_json& json) {
    TunedSteps steps;
    for (const auto& step : json)
        steps.push_back({step.at(0).get<std::size_t>(), step.at(1).get<double>(), step.at(2).get<double>()});
    if (steps.empty())
        throw std::invalid_argument("a tuning has no steps");
    return steps;
}

TunedNetwork read_network(const nlohmann::ordered_json& json) {
    TunedNetwork network{.network = json.at("network").get<std::string>(),
                         .source = json.at("source").get<std::string>(),
                         .machine = json.at("machine").get<std::string>(),
                         .missing = json.at("missing").get<std::vector<std::string>>(),
                         .layers = {},
                         .tasks = {},
                         .tunings = {}};
    for (const auto& layer : json.at("layers"))
        network.layers.push_back({layer.at("workload").get<std::string>(), layer.at("occurrences").get<int>(),
                                  layer.at("gflop").get<double>(), layer.at("is_significant").get<bool>()});
    for (const auto& task : json.at("tasks"))
        network.tasks.push_back({task.at("layer").get<std::size_t>(), task.at("space").get<std::string>(),
                                 task.at("best").get<double>()});
    for (const auto& tuning : json.at("tunings")) {
        std::vector<TaskTuning>& of = network.tunings[tuning.at("seed").get<int>()];
        for (const auto& task : tuning.at("tasks"))
            of.push_back({read_steps(task.at("scratch")), read_steps(task.at("transfer")),
                          task.at("unmeasured").get<double>(), task.at("is_chosen").get<bool>()});
        if (of.size() != network.tasks.size())
            throw std::invalid_argument("a tuning of a network lacks tasks");
    }
    return network;
}

} // namespace sparsight
