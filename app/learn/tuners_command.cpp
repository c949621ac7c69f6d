#include "base/memory.h"
#include "base/terminal_text.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "learn/commands.h"
#include "learn/experiment_answer.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/chosen_setting.h"
#include "workflow/learning/experiments/tuner_run.h"
#include "workflow/learning_settings.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {
namespace {

constexpr CommandHelp tuners_help{.description = R"(
The experiment on tuners: what each learns of the same times, split by row, workload
and machine, from all data or a sample. `sparsight-cli experiment tuners` starts it and
writes its report; its help explains what is compared.)",
                                  .examples = R"(
sparsight-cli experiment tuners
sparsight-learn tuners --settings gemm4096 --splits row --epochs 20 --json)",
                                  .json = R"(
{"run", "cells": [{"space", "split", "tuner", "sample", "seed", "measurements", "kept",
 "seconds", "ordered_pair_accuracy", "speed_error", "regret_at_1", "regret_at_5",
 "curve": [[epoch, speed_error], …]}], "notes"})",
                                  .events = R"(
{"event": "start", "job", "run", "cells": number, "notes", "resumed"}
{"event": "cell", the members of a cell})"};

struct TunersOptions {
    TunerRequest request;
    std::string domain;
    std::vector<std::string> splits;
    std::vector<std::string> samples;
    bool without_machine = false;
    ProgressForm progress = ProgressForm::Display;
};

Result<void> read_words(TunersOptions& options) {
    if (!options.splits.empty())
        options.request.splits.clear();
    for (const std::string& word : options.splits) {
        const auto split = parse_split_by(word);
        if (!split)
            return fail(Fault::Input,
                        fmt::format("there is no split by '{}', expected row, workload or machine", word));
        options.request.splits.push_back(*split);
    }
    if (!options.samples.empty())
        options.request.samples.clear();
    for (const std::string& word : options.samples) {
        const auto rule = parse_sample_rule(word);
        if (!rule)
            return std::unexpected(rule.error());
        options.request.samples.push_back(*rule);
    }
    options.request.reads_machine = !options.without_machine;
    return {};
}

Json outcome_json(const TunerOutcome& outcome) {
    Json cells = Json::array();
    for (const auto& [cell, figures] : outcome.cells)
        cells.push_back(cell_json(cell, figures));
    return {{"run", outcome.run}, {"cells", std::move(cells)}, {"notes", outcome.notes}};
}

std::string outcome_text(const TunerOutcome& outcome) {
    Table table({{"space"},
                 {"split by"},
                 {"tuner"},
                 {"sample"},
                 {"seed", Align::Right},
                 {"pairs in order", Align::Right},
                 {"speed error", Align::Right},
                 {"seconds", Align::Right}});
    for (const auto& [cell, figures] : outcome.cells) {
        const auto text = [&](const char* figure, double factor, int digits, std::string_view unit) {
            const auto found = figures.figures.find(figure);
            return found == figures.figures.end()
                       ? std::string()
                       : fmt::format("{:.{}f}{}", factor * found->second, digits, unit);
        };
        table.add_row({cell.setting, std::string(name(cell.split)), cell.tuner,
                       std::string(name(cell.sample)), fmt::to_string(cell.seed),
                       text("ordered_pair_accuracy", 100, 1, " %"), text("speed_error", 1, 3, ""),
                       text("seconds", 1, 1, "")});
    }
    return table.text();
}

ExitCode run(Session& session, const LearningDomains& domains, TunersOptions options) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "experiment", options.progress);
    if (const auto read = read_words(options); !read)
        return observer.refuse(read.error(), ExitCode::Usage);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto chosen = choose_domain(*workspace, session.domains, options.domain);
    if (!chosen)
        return observer.refuse(chosen.error());
    const auto domain = domains.require((*chosen)->name());
    if (!domain)
        return observer.refuse(domain.error());
    const auto device = usable_device(options.request.device);
    if (!device)
        return observer.refuse(device.error());
    options.request.seed = session.options.seed;
    if (const auto ready = prepare_torch(options.request.threads); !ready)
        return observer.refuse(ready.error());
    const auto outcome = run_tuners(*workspace, **domain, options.request, observer, interruption.token());
    if (!outcome)
        return observer.refuse(outcome.error());
    return answer_experiment(observer, *outcome, outcome_json(*outcome), outcome_text(*outcome));
}

} // namespace

void add_tuners_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(app, std::string(tuners_command),
                                    "Compare tuners on the same times, by split and sample", tuners_help);
    const auto options = std::make_shared<TunersOptions>();
    TunerRequest& request = options->request;
    const auto list = [&](const char* name, std::vector<std::string>& words, const char* help) {
        command.add_option(name, words, help)->type_name("NAMES")->delimiter(',');
    };
    add_domain_option(command, session.domains, options->domain);
    list("--settings", request.settings, "settings as results show them (default: all with times)");
    list("--tuners", request.tuners, "trees, leaf-wise, or networks of the domain (default: all)");
    list("--splits", options->splits, "row, workload, machine (default: all)");
    list("--samples", options->samples, "all, random, hardware-aware (default: all three)");
    command.add_option("--sample-share", request.share, "share of the data in a sample (default 0.55)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.01, 1.0));
    command.add_option("--measurements", request.measurements, "of each setting, at most (default 20000)")
        ->type_name("N")
        ->check(whole_numbers(100, 100'000'000));
    command.add_option("--epochs", request.epochs, "of networks (default 200)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    command.add_option("--seeds", request.seeds, "trainings of each kind (default 2)")
        ->type_name("N")
        ->check(whole_numbers(1, 1000));
    command.add_flag("--without-machine-features", options->without_machine, "tuners read no data sheets");
    add_threads_option(command, request.threads, "threads (default 1)");
    command.add_option("--device", request.device, "device of networks (default cpu)")->type_name("DEVICE");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, &domains, options] { return run(session, domains, *options); });
}

} // namespace sparsight
