#include "base/memory.h"
#include "base/parallel.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "learn/commands.h"
#include "learn/search_answer.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/learning/search/search_job.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp search_help{.description = R"(
Lets a model choose the configurations of a workload that are worth measuring, such as
the schedules of a matrix: the --k that it takes for the fastest, and the baseline
(of matrices fixed CSR) behind them where it is none of them. Only the order of scores
has a meaning; lower is faster. What is computed is what the model was trained for;
--dense or --setting say what the model leaves open.

Methods:
  index       a walk through a graph over a pool of configurations (default with --map)
  exhaustive  every configuration of the pool is scored; for trees in any case
  recorded    what --machine has times of, for this workload (default for a
              machine whose runtimes were imported)
  evolution   the whole space, from the best of the pool on, up to --budget
  annealing   the same by another method
Without --method the pool is searched in the sooner way, which is told: all of it is
scored, unless so many workloads are searched that building the graph pays, as it does
beyond some 600. What evolution and annealing begin with counts in their --budget, and
is no more than half of it: what was collected comes first.
The pool is what the workspace has in this setting on other workloads, --machine's
before that of others, and the neighbours of the best of it: 20,000 configurations at
most. Where that is little, more are drawn, for matrices by WACO's generator. What was
measured of the searched workload itself, or of its other forms, such as a transposed
matrix, is not in it. The recall of a walk is the share of the best k of the pool that
it found.
Tables of tuning records have no other configurations than the recorded ones. Where
--machine has no time of the workload, and with another --method, the pool is all of
them, on whatever machine.

With --map the answer says where configurations lie on the plane along which their
embeddings vary most: those that were chosen, those that a walk expanded, and of
the others 2,000, spread evenly over the pool. Trees have no embeddings and no map.

Where the simulator has a share in the scores of a model (`finetune --help`), the
network finds its 3,000 best of the pool, and those are simulated, with some 2,000
designs besides that no measured matrix need have led to; evolution and annealing
simulate all that they score. Three quarters of the --k are chosen by the score, so
that the fastest of them is as fast as can be expected: of many schedules that are
alike, which disappoint together, a few are enough. The others are chosen in the same
way by the simulator alone, as a network may be sure of what it has hardly seen; they
stand in the order of the score, too. Where only one of the two has a share, all are
chosen by the score. Beside it stand what it is made of, the network's score and the
simulated time, the place by the score among all that were simulated, and the reason:
  score       among the best by the score, taken in any case
  hedge       others score better, and are so like chosen ones that they were left out
  simulator   chosen by the simulator alone
A walk and its recall are the network's.

A workload that can't be read is told, and the others are searched (exit code 1).)",
                                  .examples = R"(
sparsight-cli search --model first --matrix bcsstk17
sparsight-cli search --model first --matrix bcsstk17 --method evolution --budget 20000
sparsight-cli search --model first --matrix cage8 --matrix bcsstk17 --json)",
                                  .json = R"(
{"model", and the parts of the setting, such as "operator" and "dense",
 "matrices": [{"matrix", "method", "pool", "scored",
 "embedding_ms", "search_ms", "simulated", "designs", "simulating_ms", "blend":
 {"network", "simulator"}, "recall", "recall_at", "exhaustive_ms", "candidates":
 [{"rank", "schedule", "score", "network_score", "simulated_ms", "place",
   "reason": REASON}],
 "map": {"rows", "sampled", "explained": [x, y], "nodes": [{"schedule", "x", "y",
 "score", "seen", "simulated_ms"}], "walk": [{"node", "from", "layer"}]}}],
 "failures": [{"matrix", "error"}]}
REASON is "score", "hedge" or "simulator". Of the simulated so many are designs, the
others the best of the pool. simulated, designs, simulating_ms and blend, the shares
of network and simulator, are null where the simulator has no share in the scores;
then candidates and nodes have none of network_score, simulated_ms, place
and reason; fixed CSR that stands behind the chosen ones has no place and no reason.
A node's score is the network's, by which is walked. recall, of the best recall_at
by that score, and exhaustive_ms, the time of scoring the whole pool, are null where
the pool is not searched by a walk. map is there with --map: of "rows" different
embeddings so many were "sampled"; "explained" are the shares of the variance; the
first nodes are the candidates in their order; "seen" were scored. The walk has the
nodes whose neighbours were looked at, in this order, by their places in "nodes";
it begins where "from" is the node itself.
Other domains have their own words for "matrices", "matrix" and "schedule": of records
"workloads", "workload" and "configuration". Where configurations are chosen among
recorded ones, candidates have "recorded_ms", null where --machine has no time of it.)",
                                  .events = R"(
{"event": "start", "job", "model", "matrices", "method"}
{"event": "choice", and what --json prints of a matrix but the map}
{"event": "map", "matrix", and what --json prints of a map}
{"event": "failure", "matrix", "error"}
{"event": "end", and what --json prints but the maps, "seconds", "complete",
 "stopped"})"};

struct SearchCommand {
    SearchRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Result<ChoiceMethod> read_method(std::string_view text) {
    if (const auto method = parse_choice_method(text))
        return *method;
    return fail(Fault::Input,
                fmt::format("'{}' is no method: expected index, exhaustive, recorded, evolution "
                            "or annealing",
                            text));
}

Result<std::string> read_search_device(std::string_view text) {
    if (const auto usable = usable_device(text); !usable)
        return fail(Fault::Input, fmt::format("'{}' is no device: {}", text, usable.error().message));
    return std::string(text);
}

/// The newest one.
void tell_choice(const Session& session, JobObserver& observer, const SearchOutcome& outcome) {
    const SearchedWorkload& searched = outcome.workloads.back();
    const SearchTeller teller(*outcome.domain, *outcome.codec);
    observer.clear();
    if (!observer.tells_events()) {
        if (!session.options.json)
            session.print(teller.choice_text(searched));
        return;
    }
    observer.event("choice", teller.choice_json(searched));
    if (!searched.choice.map)
        return;
    Json map = teller.map_json(searched.choice);
    map[outcome.domain->words().workload.one] = searched.name;
    observer.event("map", map);
}

void remark_on_methods(const CLI::App& command, const Session& session, const SearchCommand& options,
                       bool tells_maps) {
    const auto method = options.request.method;
    const auto say = [&](std::string_view option, std::string_view why) {
        remark_on_options_without_effect(command, session, {&option, 1}, why);
    };
    if (method != ChoiceMethod::Evolution && method != ChoiceMethod::Annealing)
        say("--budget", "only --method evolution and annealing have a budget");
    if (method && method != ChoiceMethod::Index)
        say("--ef", "only --method index walks");
    if (!tells_maps)
        say("--map", "it is told with --json or --progress json");
}

ExitCode search(Session& session, const LearningDomains& domains, const CLI::App& command,
                SearchCommand options) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "search", options.progress);
    SearchRequest& request = options.request;
    remark_on_methods(command, session, options, session.options.json || observer.tells_events());
    request.seed = session.options.seed;
    auto workspace = session.open_workspace(request.run ? WorkspaceAccess::ReadWrite : WorkspaceAccess::Read);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto found = run_search(
        *workspace, domains, request, observer,
        [&](const SearchOutcome& outcome) { tell_choice(session, observer, outcome); }, interruption.token());
    if (!found)
        return observer.refuse(found.error());
    observer.clear();
    if (observer.tells_events()) // the maps have been told one by one
        observer.end(outcome_json(*found, /*with_maps=*/false), found->has_chosen_for_all(), false);
    else if (session.options.json)
        session.print_json(outcome_json(*found, /*with_maps=*/true));
    return found->has_chosen_for_all() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_search_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command =
        add_command(app, std::string(search_summary.name), std::string(search_summary.summary), search_help);
    const auto options = std::make_shared<SearchCommand>();
    options->request.choice.threads = available_threads();
    command.add_option("--model", options->request.model, "which model chooses")
        ->type_name("MODEL")
        ->required();
    command
        .add_option("--workload,--matrix", options->request.workloads,
                    "a workload of the workspace, such as a matrix; may be\ngiven several times")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->required();
    command.add_option("--k", options->request.choice.k, "how many are chosen (default 20)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    add_parsed_option(command, "--method", options->request.method, &read_method,
                      "index, exhaustive, recorded, evolution or annealing\n(default: recorded for an "
                      "imported machine, else the\n"
                      "sooner of the first two)")
        ->type_name("METHOD");
    command
        .add_option(
            "--budget", options->request.choice.budget,
            "configurations that evolution and annealing score, those\nof the pool that they begin with "
            "among them (default 5000)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000'000));
    command
        .add_option(
            "--ef", options->request.choice.width,
            "configurations that a walk keeps in view (default 200):\nmore find more, and take longer")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    add_setting_options(command, session.domains, options->request.setting, SettingParts::OpenToModels);
    command
        .add_option("--machine", options->request.machine,
                    "for this machine, by name or fingerprint\n(default: this computer)")
        ->type_name("NAME");
    command.add_flag("--map", options->request.choice.mapped,
                     "say where configurations lie, and how the walk went,\nwith --json or --progress json");
    command.add_option("--store", options->request.run, "keep what is chosen with the run of this number")
        ->type_name("RUN")
        ->check(whole_numbers(1, INT64_MAX));
    add_parsed_option(command, "--device", options->request.choice.device, &read_search_device,
                      "that embeds workloads and configurations: cpu (default),\ncuda, or a GPU by its "
                      "number, as in cuda:1")
        ->type_name("DEVICE");
    add_threads_option(command, options->request.choice.threads, "threads that search (default: all)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, &domains, &command, options] {
        return search(session, domains, command, *options);
    });
}

} // namespace sparsight
