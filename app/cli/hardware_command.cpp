#include "cli/commands.h"
#include "cli/learner_experiment.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "evaluation/reports/hardware_report.h"
#include "workflow/learning_settings.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

constexpr CommandHelp hardware_help{.description = R"(
Which configuration should a machine use on which nothing or little was measured? Each
machine with times of a workload is taken for new in its turn, and the choice is looked
up among its times: nothing is measured. A workload needs times of three machines.

A machine that is new is known by its data sheet alone (import-records --machines):
  blend        the copy, and a share of the trees where no machine of the same
               generation is known
  copy         other machines' times, weighted by the likeness of their sheets; also
               of other workloads that have the same decisions
  trees        boosted trees over decisions and what these mean on the machine, such
               as occupancy, trained on other machines
  median       baseline: the configuration with the best median of other machines
  nearest      baseline: the best one of the machine with the nearest sheet
  oracle       baseline: the best one of the machine whose times have the most
               similar order; it looks at times that nobody has yet
Measurements on the new machine are chosen one after another:
  corrected    the copy with a Bayesian correction, which each measurement improves
  sources      the best of each other machine, then the second best of each …
  scratch      boosted trees that know only what was measured
  random       random search, as the mean over all draws

Whole tunings are compared, too (--tuning 0 leaves them out). How many measurements does
the corrected copy need to be as fast as tuning from scratch in the end? "plain" is the
same search without other machines, "scratch" are the trees. Tuning time is the sum of
the recorded times of what was run, each configuration once.

A network is tuned layer by layer where its layers have times: from scratch, with
transfer, and with transfer of the significant layers alone. It is BERT-base, with the
occurrences of its paper, or those of --networks. The other layers run what transfer
chooses without a measurement. Where no other machine has times of a layer, transfer
learns from the layers before it. No network is tuned where --workload names some.

--orders asks for the order of all configurations, not for the best one. The fewest
measurements are drawn at random. Spearman's rank correlation of the corrected copy stands
beside that of the one other machine which orders them the most alike. Both are also shown
without machines of the target's kind, such as GPUs.

Machines where the median is within 2 % of the best are left out. Every point is stored
in the workspace: the same command resumes where it was stopped or killed.)",
                                    .examples = R"(
sparsight-cli experiment hardware
sparsight-cli experiment hardware --settings gemm4096,pnpoly_2021 --seeds 2
sparsight-cli experiment hardware --settings gemm4096 --tuning 200
sparsight-cli experiment hardware --targets MI50 --csv points.csv --report mi50.html)",
                                    .json = R"(
{"targets": [{"space", "workload", "machine", "configurations", "sources",
 "best_ms", "median_over_best", "nearest", "distance", "most_alike", "tau"}],
 "flat": [{the same}], "estimates": [{"rule", "measurements", "mean_regret": {"value", "low", "high"},
 "no_worse_than_median": {"holding", "of", "value", "low", "high"},
 "no_worse_than_nearest", "no_worse_than_oracle", "half_of_random",
 "near_within_3_percent", "far_within_10_percent"}], "points": [{"space",
 "workload", "machine", "rule", "measurements", "seed", "regret"}], "tuning":
 {"workloads": [{"from_scratch", "targets", "as_fast", "mostly_saved",
 "measurements_from_scratch", "measurements_with_transfer", "measurements_saved",
 "tuning_time_saved"}], "networks": [{"network", "machine", "missing", "layers",
 "ways": [{"way", "measurements", "tuning_ms", "inference_ms",
 "as_fast_as_from_scratch"}], "fastest_recorded_ms"}]}, "orders": [{"workload",
 "machine", "is_without_kind", "corrected", "source", "difference"}], "notes", "complete"}
A regret of 0.03 is 3 % slower than the best. half_of_random is the share of targets
with at most half of random search's regret. measurements_saved is the median of shares.)",
                                    .events = R"(
{"event": "start", "job", "run", "pairs", "known": [{a point}], "measurements", "seeds",
 "notes", "resumed"}
{"event": "point", "space", "workload", "machine", "rule", "measurements", "seed",
 "regret"}
{"event": "end", "estimates": […], "complete", "stopped"})"};

struct HardwareOptions {
    std::string domain;
    std::vector<std::string> settings;
    std::vector<std::string> workloads;
    std::vector<std::string> targets;
    std::vector<int> measurements{10, 50};
    int tuning = 100;
    std::string networks;
    double significant = 0.9;
    bool orders = false;
    int seeds = 5;
    int threads = 1;
    ExperimentFiles files;
    ProgressForm progress = ProgressForm::Display;
};

std::vector<std::string> arguments_of(const HardwareOptions& options) {
    std::vector<std::string> arguments{std::string(hardware_command),
                                       "--measurements",
                                       fmt::format("{}", fmt::join(options.measurements, ",")),
                                       "--tuning",
                                       fmt::to_string(options.tuning),
                                       "--significant",
                                       fmt::to_string(options.significant),
                                       "--seeds",
                                       fmt::to_string(options.seeds),
                                       "--threads",
                                       fmt::to_string(options.threads)};
    if (options.orders)
        arguments.emplace_back("--orders");
    if (!options.domain.empty())
        arguments.insert(arguments.end(), {"--domain", options.domain});
    if (!options.settings.empty())
        arguments.insert(arguments.end(),
                         {"--settings", fmt::format("{}", fmt::join(options.settings, ","))});
    if (!options.networks.empty())
        arguments.insert(arguments.end(), {"--networks", options.networks});
    for (const std::string& workload : options.workloads)
        arguments.insert(arguments.end(), {"--workload", workload});
    if (!options.targets.empty())
        arguments.insert(arguments.end(), {"--targets", fmt::format("{}", fmt::join(options.targets, ","))});
    return arguments;
}

Result<ExperimentWords> read(const Session& session, const Json& answer) {
    auto parsed = parse_hardware_experiment(answer);
    if (!parsed)
        return std::unexpected(std::move(parsed).error());
    parsed->created_by = session.program_version();
    const auto experiment = std::make_shared<const HardwareExperiment>(*std::move(parsed));
    return ExperimentWords{.markdown = [experiment] { return hardware_markdown(*experiment); },
                           .csv = [experiment] { return hardware_csv(*experiment); },
                           .figure = [experiment] { return hardware_figure(*experiment); },
                           .report = [experiment] { return hardware_html(*experiment); },
                           .text = [experiment] { return hardware_text(*experiment); },
                           .json = hardware_json(*experiment)};
}

} // namespace

void add_experiment_hardware(CLI::App& experiment, Session& session) {
    CLI::App& command = add_command(experiment, "hardware",
                                    "Transfer to a machine with few or no measurements", hardware_help);
    const auto options = std::make_shared<HardwareOptions>();
    add_domain_option(command, session.domains, options->domain);
    command
        .add_option("--settings", options->settings,
                    "spaces of configurations, separated by commas\n(default: all that have times)")
        ->type_name("NAMES")
        ->delimiter(',');
    command
        .add_option("--workload", options->workloads,
                    "a workload to transfer for; may be given several times\n(default: all)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command
        .add_option("--targets", options->targets,
                    "machines to take for new, separated by commas\n(default: each in its turn)")
        ->type_name("NAMES")
        ->delimiter(',');
    command
        .add_option("--measurements", options->measurements,
                    "numbers of measurements on the new machine (default 10,50)")
        ->type_name("N,N")
        ->delimiter(',')
        ->check(whole_numbers(1, 100'000));
    command
        .add_option("--tuning", options->tuning,
                    "measurements of a whole tuning\n(default 100; 0: compare none)")
        ->type_name("N")
        ->check(whole_numbers(0, 100'000));
    command
        .add_option(
            "--networks", options->networks,
            "a table (CSV) of the networks to tune: network, workload,\noccurrences and gflop, a line "
            "for each layer\n(default: BERT-base)")
        ->type_name("FILE");
    command
        .add_option("--significant", options->significant,
                    "share of a network's operations in the layers to tune\n(default 0.9)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    command.add_flag("--orders", options->orders,
                     "how well the fewest measurements tell the order of all\nconfigurations, too");
    command.add_option("--seeds", options->seeds, "draws of what depends on chance (default 5)")
        ->type_name("N")
        ->check(whole_numbers(1, 1000));
    add_threads_option(command, options->threads, "threads that train trees (default 1)");
    add_file_options(command, options->files, "write every point of every seed",
                     "write the mean regret and the progress of whole tunings by\nmeasurements (SVG)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] {
        return run_learner_experiment(session,
                                      {.arguments = arguments_of(*options),
                                       .item = "point",
                                       .progress = options->progress,
                                       .files = options->files,
                                       .read = [&](const Json& answer) { return read(session, answer); }});
    });
}

} // namespace sparsight
