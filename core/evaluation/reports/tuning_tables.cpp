#include "evaluation/reports/tuning_tables.h"

#include "base/text.h"
#include "evaluation/reports/curve_figure.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array network_ways{NetworkWay::Scratch, NetworkWay::Transfer, NetworkWay::Selective};

/// Table 8 of Verma et al. (2023): seconds of tuning and milliseconds of inference, without and with
/// transfer.
struct PublishedTuning {
    std::string_view network;
    double tuning_without;
    double inference_without;
    double tuning_with;
    double inference_with;
};
constexpr std::array published_tunings{
    PublishedTuning{"ResNet_50 on a Xeon", 128, 11.93, 86, 12.12},
    PublishedTuning{"MobileNet_v3 on a Xeon", 236, 5.48, 71, 5.57},
    PublishedTuning{"Inception_v3 on a Xeon", 614, 75.27, 61, 73.80},
    PublishedTuning{"ResNet_50 on an A100", 817, 3.79, 226, 3.78},
    PublishedTuning{"MobileNet_v3 on an A100", 1092, 1.72, 136, 1.75},
    PublishedTuning{"Inception_v3 on an A100", 2510, 28.72, 191, 28.73},
};

/// Its Table 7, with all of its data: seconds of inference.
struct PublishedInference {
    std::string_view machine;
    double without;
    double with;
};
constexpr std::array published_inferences{
    PublishedInference{"A100", 578, 391},
    PublishedInference{"A40", 627, 416},
    PublishedInference{"RTX 2020", 18.67, 27.68},
    PublishedInference{"Xeon", 91.34, 282.2},
};

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string change(double ratio) {
    return fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

std::string percent(const Estimate& estimate) {
    return estimate.interval ? fmt::format("{:.0f} % [{:.0f}, {:.0f}]", 100 * estimate.value,
                                           100 * estimate.interval->low, 100 * estimate.interval->high)
                             : percent(estimate.value);
}

TextTable saving_table(const HardwareExperiment& experiment) {
    TextTable table{{"from scratch by", "measurements", "with transfer", "measurements saved",
                     "tuning time saved", "as fast on", "at least 70 % saved on"},
                    {}};
    for (const std::string& rule : scratch_rules())
        if (const auto saving = tuning_saving(experiment, rule))
            table.rows.push_back({rule_title(rule), fmt::format("{:.0f}", saving->scratch),
                                  fmt::format("{:.0f}", saving->transfer), percent(saving->measurements),
                                  percent(saving->time),
                                  fmt::format("{} of {}", saving->reached, saving->targets),
                                  fmt::format("{} of {}", saving->mostly_saved, saving->targets)});
    return table;
}

/// The targets with tunings, by machine.
std::map<std::string, std::vector<std::size_t>> targets_by_machine(const HardwareExperiment& experiment) {
    std::map<std::string, std::vector<std::size_t>> targets;
    for (const WorkloadTuning& tuning : experiment.tunings)
        if (tuning.rule == transfer_rule)
            targets[experiment.targets[tuning.target].machine].push_back(tuning.target);
    return targets;
}

std::vector<std::string> machine_row(const HardwareExperiment& experiment, std::string machine,
                                     const std::vector<std::size_t>& targets) {
    std::vector<std::string> row{std::move(machine), fmt::to_string(targets.size())};
    double best = 0;
    for (const std::size_t target : targets)
        best += experiment.targets[target].best;
    std::vector<std::string> spent;
    for (const std::string& rule : {scratch_rules()[0], scratch_rules()[1], std::string(transfer_rule)}) {
        const TunedSum sum = tuned_sum(experiment.tunings, rule, targets);
        row.push_back(fmt::format("{:.2f}", sum.milliseconds));
        spent.push_back(fmt::format("{:.2f}", sum.spent / 1000));
    }
    row.push_back(fmt::format("{:.2f}", best));
    row.insert(row.end(), spent.begin(), spent.end());
    return row;
}

TextTable machine_table(const HardwareExperiment& experiment) {
    TextTable table{{"machine", "kernels", "plain (ms)", "scratch (ms)", "transfer (ms)", "fastest (ms)",
                     "tuning: plain (s)", "tuning: scratch (s)", "tuning: transfer (s)"},
                    {}};
    std::vector<std::size_t> all;
    for (const auto& [machine, targets] : targets_by_machine(experiment)) {
        table.rows.push_back(machine_row(experiment, machine, targets));
        all.insert(all.end(), targets.begin(), targets.end());
    }
    table.rows.push_back(machine_row(experiment, "all machines", all));
    return table;
}

TextTable target_saving_table(const HardwareExperiment& experiment) {
    TextTable table{{"workload", "machine", "from scratch by", "measurements", "with transfer",
                     "measurements saved", "tuning time saved", "as fast"},
                    {}};
    for (const std::string& rule : scratch_rules())
        for (const TargetSaving& saving : target_savings(experiment.tunings, rule)) {
            const HardwareTarget& target = experiment.targets[saving.target];
            table.rows.push_back({target.workload, target.machine, rule,
                                  fmt::format("{:.0f}", saving.scratch),
                                  fmt::format("{:.0f}", saving.transfer), percent(saving.measurements),
                                  percent(saving.time), saving.is_reached ? "yes" : "no"});
        }
    return table;
}

/// "+2.6 % [0.7, 4.5]": over the seeds.
std::string over_fastest(const TunedNetwork& network, const std::vector<NetworkFigure>& figures) {
    std::vector<double> over;
    for (const NetworkFigure& figure : figures)
        over.push_back(figure.inference / network.optimum() - 1);
    const Estimate estimate = bootstrap(over, mean);
    if (!estimate.interval)
        return change(1 + estimate.value);
    return fmt::format("{} [{:.1f}, {:.1f}]", change(1 + estimate.value),
                       100 * std::max(estimate.interval->low, 0.0), 100 * estimate.interval->high);
}

std::vector<std::string> figure_row(const TunedNetwork& network, std::string way,
                                    const std::vector<NetworkFigure>& figures) {
    if (figures.empty())
        return {std::move(way), "", "", "", "", ""};
    const NetworkFigure scratch =
        mean_figure(network_figures(network, NetworkWay::Scratch, network.most_measurements()));
    const NetworkFigure figure = mean_figure(figures);
    return {std::move(way),
            fmt::format("{:.0f}", figure.measurements),
            fmt::format("{:.0f}", figure.spent),
            percent(scratch.spent > 0 ? figure.spent / scratch.spent : 0),
            fmt::format("{:.2f}", figure.inference),
            over_fastest(network, figures)};
}

TextTable network_table(const TunedNetwork& network) {
    TextTable table{{"tuned", "measurements", "tuning time (ms)", "of that from scratch", "inference (ms)",
                     "over the fastest recorded"},
                    {}};
    const std::size_t most = network.most_measurements();
    for (const std::size_t count : {most / 10, most})
        for (const NetworkWay way : network_ways)
            if (count > 0)
                table.rows.push_back(figure_row(network,
                                                fmt::format("{}, {} each", network_way_title(way), count),
                                                network_figures(network, way, count)));
    for (const NetworkWay way : {NetworkWay::Transfer, NetworkWay::Selective}) {
        const auto reached = figures_on_reach(network, way);
        table.rows.push_back(
            figure_row(network,
                       fmt::format("{}, until as fast as from scratch ({} of {} seeds)",
                                   network_way_title(way), reached.size(), network.tunings.size()),
                       reached));
    }
    table.rows.push_back({"fastest recorded", "", "", "", fmt::format("{:.2f}", network.optimum()), ""});
    return table;
}

/// The mean over seeds of the layer's time, of whatever its tasks say.
template <typename Time>
std::optional<double> layer_time(const TunedNetwork& network, std::size_t layer, const Time& time) {
    double sum = 0;
    std::size_t count = 0;
    for (const auto& [seed, tunings] : network.tunings) {
        std::optional<double> fastest;
        for (std::size_t task = 0; task < network.tasks.size(); ++task)
            if (network.tasks[task].layer == layer)
                if (const std::optional<double> of = time(tunings[task]); of && (!fastest || *of < *fastest))
                    fastest = of;
        if (fastest) {
            sum += *fastest;
            ++count;
        }
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

TextTable layer_table(const TunedNetwork& network) {
    TextTable table{{"layer", "occurrences", "share of operations", "fastest recorded (ms)", "from scratch",
                     "transfer", "transfer, unmeasured"},
                    {}};
    double all = 0;
    for (const TunedLayer& layer : network.layers)
        all += layer.work();
    for (std::size_t place = 0; place < network.layers.size(); ++place) {
        const TunedLayer& layer = network.layers[place];
        double best = 0;
        for (const TunedTask& task : network.tasks)
            if (task.layer == place && (best == 0 || task.best < best))
                best = task.best;
        const auto over = [&](std::optional<double> time) { return time ? change(*time / best) : ""; };
        const auto last = [](const TunedSteps& steps) { return std::optional(steps.back().milliseconds); };
        table.rows.push_back(
            {layer.workload, fmt::to_string(layer.occurrences),
             fmt::format("{:.1f} %", 100 * layer.work() / all), fmt::format("{:.4g}", best),
             over(layer_time(network, place, [&](const TaskTuning& task) { return last(task.scratch); })),
             over(layer_time(network, place, [&](const TaskTuning& task) { return last(task.transfer); })),
             layer.is_significant ? "measured" : over(layer_time(network, place, [](const TaskTuning& task) {
                 return task.is_chosen ? std::optional(task.unmeasured) : std::nullopt;
             }))});
    }
    return table;
}

/// Shares of tuning from scratch, so that other networks, tuners and units compare.
TextTable published_table(const HardwareExperiment& experiment) {
    TextTable table{{"tuning with transfer", "tuning time, of that from scratch", "final time"}, {}};
    for (const std::string& rule : scratch_rules())
        if (const auto saving = tuning_saving(experiment, rule))
            table.rows.push_back(
                {fmt::format("here: median of {}, against {}",
                             counted(saving->targets, "kernel and machine", "kernels and machines"),
                             rule_title(rule)),
                 percent(1 - saving->time.value),
                 fmt::format("as fast on {} of {}", saving->reached, saving->targets)});
    for (const TunedNetwork& network : experiment.networks)
        for (const NetworkWay way : {NetworkWay::Transfer, NetworkWay::Selective}) {
            const std::size_t most = network.most_measurements();
            const NetworkFigure scratch = mean_figure(network_figures(network, NetworkWay::Scratch, most));
            const NetworkFigure figure = mean_figure(network_figures(network, way, most));
            table.rows.push_back(
                {fmt::format("here: {} on {}, {}", network.network, network.machine, network_way_title(way)),
                 percent(figure.spent / scratch.spent), change(figure.inference / scratch.inference)});
        }
    std::vector<std::size_t> all;
    for (const auto& [machine, targets] : targets_by_machine(experiment))
        all.insert(all.end(), targets.begin(), targets.end());
    const TunedSum transfer = tuned_sum(experiment.tunings, transfer_rule, all);
    for (const std::string& rule : scratch_rules())
        if (const TunedSum scratch = tuned_sum(experiment.tunings, rule, all); scratch.spent > 0)
            table.rows.push_back({fmt::format("here: sum over all kernels and machines, as many "
                                              "measurements, against {}",
                                              rule_title(rule)),
                                  percent(transfer.spent / scratch.spent),
                                  change(transfer.milliseconds / scratch.milliseconds)});
    for (const PublishedTuning& each : published_tunings)
        table.rows.push_back({fmt::format("published, Table 8: {}", each.network),
                              percent(each.tuning_with / each.tuning_without),
                              change(each.inference_with / each.inference_without)});
    for (const PublishedInference& each : published_inferences)
        table.rows.push_back(
            {fmt::format("published, Table 7: {}", each.machine), "", change(each.with / each.without)});
    return table;
}

bool has_tunings(const HardwareExperiment& experiment) {
    return !experiment.tunings.empty() || !experiment.networks.empty();
}

} // namespace

std::vector<std::pair<std::string, TextTable>> tuning_tables(const HardwareExperiment& experiment) {
    std::vector<std::pair<std::string, TextTable>> tables;
    if (!has_tunings(experiment))
        return tables;
    if (!experiment.tunings.empty())
        tables.emplace_back("Tuning from scratch and with transfer", saving_table(experiment));
    if (!experiment.tunings.empty())
        tables.emplace_back("Sums over the kernels of each machine", machine_table(experiment));
    for (const TunedNetwork& network : experiment.networks) {
        tables.emplace_back(fmt::format("{} on {}", network.network, network.machine),
                            network_table(network));
        tables.emplace_back(fmt::format("Layers of {} on {}", network.network, network.machine),
                            layer_table(network));
    }
    tables.emplace_back("Beside published tunings", published_table(experiment));
    if (!experiment.tunings.empty())
        tables.emplace_back("Tuning of each workload and machine", target_saving_table(experiment));
    return tables;
}

std::vector<std::string> tuning_sentences(const HardwareExperiment& experiment) {
    if (!has_tunings(experiment))
        return {};
    std::vector<std::string> list{
        "Tuning time is the sum of the recorded times of what a tuner runs. Each configuration counts once, "
        "without repeats.",
        "Compilation and failed runs take no tuning time here, as they were not recorded.",
        "Published: Tables 7 and 8 of Verma et al. (2023), of other networks, machines and tuners. What "
        "sampled data change in Table 7 is left out."};
    if (!experiment.tunings.empty())
        list.emplace_back(
            "Measurements are counted until a tuner first has the final time of tuning from scratch. The "
            "table shows medians. Transfer that never has it counts with all its measurements. It is as fast "
            "where it is in every draw.");
    for (const TunedNetwork& network : experiment.networks) {
        list.push_back(network.source);
        list.push_back(fmt::format("{} on {}: inference time is the sum of occurrences × time over the "
                                   "layers with records. A layer runs the fastest of its templates.",
                                   network.network, network.machine));
        double significant = 0;
        double all = 0;
        for (const TunedLayer& layer : network.layers) {
            significant += layer.is_significant ? layer.work() : 0;
            all += layer.work();
        }
        list.push_back(fmt::format("Significant layers do {} of the operations of {}. The paper states no "
                                   "share.",
                                   percent(significant / all), network.network));
        if (!network.missing.empty())
            list.push_back(fmt::format("{} on {} lacks layers without records: {}.", network.network,
                                       network.machine, fmt::join(network.missing, ", ")));
    }
    if (!experiment.networks.empty())
        list.emplace_back(
            "Where no other machine has records of a layer, transfer learns from the layers measured before "
            "it on the same machine. Transfer of a network between machines is left out there.");
    if (experiment.networks.empty())
        list.emplace_back("Sums over a network are left out: no network has records.");
    return list;
}

namespace {

Json figure_json(const NetworkFigure& figure) {
    return {{"measurements", figure.measurements},
            {"tuning_ms", figure.spent},
            {"inference_ms", figure.inference}};
}

Json network_json(const TunedNetwork& network) {
    Json layers = Json::array();
    for (const TunedLayer& layer : network.layers)
        layers.push_back({{"workload", layer.workload},
                          {"occurrences", layer.occurrences},
                          {"gflop", layer.gflop},
                          {"is_significant", layer.is_significant}});
    Json ways = Json::array();
    for (const NetworkWay way : network_ways) {
        Json one{{"way", network_way_title(way)}};
        one.update(figure_json(mean_figure(network_figures(network, way, network.most_measurements()))));
        const auto reached = figures_on_reach(network, way);
        one["as_fast_as_from_scratch"] = {{"seeds", reached.size()}, {"of", network.tunings.size()}};
        if (!reached.empty())
            one["as_fast_as_from_scratch"].update(figure_json(mean_figure(reached)));
        ways.push_back(std::move(one));
    }
    return {{"network", network.network}, {"machine", network.machine},
            {"missing", network.missing}, {"layers", std::move(layers)},
            {"ways", std::move(ways)},    {"fastest_recorded_ms", network.optimum()}};
}

} // namespace

Json tuning_json(const HardwareExperiment& experiment) {
    Json workloads = Json::array();
    for (const std::string& rule : scratch_rules())
        if (const auto saving = tuning_saving(experiment, rule))
            workloads.push_back({{"from_scratch", rule},
                                 {"targets", saving->targets},
                                 {"as_fast", saving->reached},
                                 {"mostly_saved", saving->mostly_saved},
                                 {"measurements_from_scratch", saving->scratch},
                                 {"measurements_with_transfer", saving->transfer},
                                 {"measurements_saved", estimate_json(saving->measurements)},
                                 {"tuning_time_saved", estimate_json(saving->time)}});
    Json networks = Json::array();
    for (const TunedNetwork& network : experiment.networks)
        networks.push_back(network_json(network));
    return {{"workloads", std::move(workloads)}, {"networks", std::move(networks)}};
}

namespace {

std::string csv_lines(const std::string& start, std::string_view rule, int seed, const TunedSteps& steps) {
    std::string text;
    double fastest = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const TunedStep& step = steps[i];
        if (i > 0 && i + 1 < steps.size() && step.milliseconds >= fastest)
            continue;
        fastest = step.milliseconds;
        text += fmt::format("{},{},{},{},,{:.6g},{:.6g}\r\n", start, rule, step.measurements, seed,
                            step.milliseconds, step.spent);
    }
    return text;
}

} // namespace

std::string tuning_csv(const HardwareExperiment& experiment) {
    std::string text;
    for (const WorkloadTuning& tuning : experiment.tunings) {
        const HardwareTarget& target = experiment.targets[tuning.target];
        text += csv_lines(fmt::format("{},{},{}", csv_field(target.space), csv_field(target.workload),
                                      csv_field(target.machine)),
                          fmt::format("tuning {}", tuning.rule), tuning.seed, tuning.steps);
    }
    for (const TunedNetwork& network : experiment.networks)
        for (const auto& [seed, tunings] : network.tunings)
            for (std::size_t task = 0; task < network.tasks.size(); ++task) {
                const TunedTask& of = network.tasks[task];
                const std::string start =
                    fmt::format("{},{},{}", csv_field(of.space), csv_field(network.layers[of.layer].workload),
                                csv_field(network.machine));
                text += csv_lines(start, "network from scratch", seed, tunings[task].scratch);
                text += csv_lines(start, "network with transfer", seed, tunings[task].transfer);
            }
    return text;
}

std::string network_svg(const TunedNetwork& network) {
    constexpr double least = 1e-3; // of a logarithmic axis
    const std::size_t most = network.most_measurements();
    CurveFigure figure{.curves = {},
                       .about = "inference time by measurements",
                       .across = "measurements of each task",
                       .upward = "inference time over the fastest recorded",
                       .ticks = {},
                       .in_percent = true};
    for (const double tick : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000})
        if (tick <= static_cast<double>(most))
            figure.ticks.push_back(tick);
    for (const NetworkWay way : network_ways) {
        NamedCurve& curve = figure.curves.emplace_back(std::string(network_way_title(way)));
        for (std::size_t count = 1; count <= most; ++count)
            curve.points.emplace_back(
                static_cast<double>(count),
                std::max(mean_figure(network_figures(network, way, count)).inference / network.optimum() - 1,
                         least));
    }
    if (!(most > 0))
        return "";
    const FigurePanel panel = curve_panel(figure);
    return figure_of(std::span(&panel, 1));
}

} // namespace sparsight
