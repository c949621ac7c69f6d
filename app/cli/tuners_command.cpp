#include "cli/commands.h"
#include "cli/learner_experiment.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "evaluation/reports/tuner_report.h"
#include "workflow/learning_settings.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

constexpr CommandHelp tuners_help{.description = R"(
Trains the tuners of a study of tensor programs on the same times (Verma et al.,
"Transfer Learning Across Heterogeneous Features For Efficient Tensor Program
Generation", 2023). How much data do they need, and how well do they order what is new?

  trees        boosted trees that grow level by level, as XGBoost's
  leaf-wise    boosted trees that split the best leaf first, as LightGBM's
  perceptron   a perceptron over facts, data sheet and decisions
  attention    three layers of a bidirectional LSTM over the decisions, with attention

The last two are the networks of tuning records. Another domain's are called by their
architectures (train --architecture), without gray boxes.

What is new in the test is a row (a configuration), a workload or a machine. Samples of
the training data are random, or hardware-aware: by FLOPs and by times on each machine.
Times are learned as shares of the fastest of their workload on their machine.

Every training is stored in the workspace: the same command resumes where it was stopped
or killed.)",
                                  .examples = R"(
sparsight-cli experiment tuners --report tuners.html
sparsight-cli experiment tuners --settings gemm4096 --splits row,machine --seeds 3
sparsight-cli experiment tuners --tuners trees,attention --samples all --figure error.svg)",
                                  .json = R"(
{"estimates": [{"split", "sample", "tuner", "ordered_pair_accuracy": {"value", "low",
 "high"}, "speed_error", "regret_at_1", "regret_at_5", "seconds", "data_left_out",
 "time_saved", "accuracy_change"}], "results": [{"space", "split", "tuner", "sample",
 "seed", "measurements", "kept", "seconds", "ordered_pair_accuracy", "speed_error",
 "regret_at_1", "regret_at_5", "curve": [[epoch, speed_error], …]}], "notes",
 "complete"}
The last three estimates compare with all data; they are null of all data.)",
                                  .events = R"(
{"event": "start", "job", "run", "cells": number, "notes", "resumed"}
{"event": "cell", the members of a result}
{"event": "end", "estimates": […], "complete", "stopped"})"};

struct TunersOptions {
    std::string domain;
    std::vector<std::string> settings;
    std::vector<std::string> tuners;
    std::vector<std::string> splits;
    std::vector<std::string> samples;
    double share = 0.55;
    int measurements = 20'000;
    int epochs = 200;
    int seeds = 2;
    int threads = 1;
    std::string device = "cpu";
    bool without_machine = false;
    ExperimentFiles files;
    ProgressForm progress = ProgressForm::Display;
};

std::vector<std::string> arguments_of(const TunersOptions& options) {
    std::vector<std::string> arguments{std::string(tuners_command),
                                       "--sample-share",
                                       fmt::format("{}", options.share),
                                       "--measurements",
                                       fmt::to_string(options.measurements),
                                       "--epochs",
                                       fmt::to_string(options.epochs),
                                       "--seeds",
                                       fmt::to_string(options.seeds),
                                       "--threads",
                                       fmt::to_string(options.threads),
                                       "--device",
                                       options.device};
    if (!options.domain.empty())
        arguments.insert(arguments.end(), {"--domain", options.domain});
    for (const auto& [option, words] :
         {std::pair("--settings", &options.settings), std::pair("--tuners", &options.tuners),
          std::pair("--splits", &options.splits), std::pair("--samples", &options.samples)})
        if (!words->empty())
            arguments.insert(arguments.end(), {option, fmt::format("{}", fmt::join(*words, ","))});
    if (options.without_machine)
        arguments.emplace_back("--without-machine-features");
    return arguments;
}

Result<ExperimentWords> read(const Session& session, const Json& answer) {
    auto parsed = parse_tuner_experiment(answer);
    if (!parsed)
        return std::unexpected(std::move(parsed).error());
    parsed->created_by = session.program_version();
    const auto experiment = std::make_shared<const TunerExperiment>(*std::move(parsed));
    return ExperimentWords{.markdown = [experiment] { return tuner_markdown(*experiment); },
                           .csv = [experiment] { return tuner_csv(*experiment); },
                           .figure = [experiment] { return tuner_figure(*experiment); },
                           .report = [experiment] { return tuner_html(*experiment); },
                           .text = [experiment] { return tuner_text(*experiment); },
                           .json = tuner_json(*experiment)};
}

} // namespace

void add_experiment_tuners(CLI::App& experiment, Session& session) {
    CLI::App& command = add_command(experiment, "tuners",
                                    "Compare tuners on the same times, by split and sample", tuners_help);
    const auto options = std::make_shared<TunersOptions>();
    const auto list = [&](const char* name, std::vector<std::string>& words, const char* help) {
        command.add_option(name, words, help)->type_name("NAMES")->delimiter(',');
    };
    add_domain_option(command, session.domains, options->domain);
    list("--settings", options->settings,
         "spaces of configurations, separated by commas\n(default: all that have times)");
    list("--tuners", options->tuners, "trees, leaf-wise, or architectures of the domain\n(default: all)");
    list("--splits", options->splits, "row, workload, machine (default: all)");
    list("--samples", options->samples, "all, random, hardware-aware (default: all three)");
    command.add_option("--sample-share", options->share, "share of the data in a sample (default 0.55)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.01, 1.0));
    command
        .add_option("--measurements", options->measurements, "drawn of each space, at most (default 20000)")
        ->type_name("N")
        ->check(whole_numbers(100, 100'000'000));
    command.add_option("--epochs", options->epochs, "of networks (default 200)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    command.add_option("--seeds", options->seeds, "trainings of each kind (default 2)")
        ->type_name("N")
        ->check(whole_numbers(1, 1000));
    command.add_flag("--without-machine-features", options->without_machine,
                     "tuners read no data sheets of machines");
    add_threads_option(command, options->threads, "threads that train (default 1)");
    command.add_option("--device", options->device, "device of networks: cpu (default), cuda")
        ->type_name("DEVICE");
    add_file_options(command, options->files, "write a line for each training",
                     "write the error by epoch and the pairs in order (SVG)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] {
        return run_learner_experiment(session,
                                      {.arguments = arguments_of(*options),
                                       .item = "cell",
                                       .progress = options->progress,
                                       .files = options->files,
                                       .read = [&](const Json& answer) { return read(session, answer); }});
    });
}

} // namespace sparsight
