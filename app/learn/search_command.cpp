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
the schedules of a matrix. The result is the --k configurations that it predicts to be
fastest, and the baseline (fixed CSR for matrices). Only the order of scores has a
meaning; lower is faster. The model determines what is computed; --dense or --setting
supply what it leaves open.

Methods:
  index       a walk through a graph over a pool of configurations (default with --map)
  exhaustive  every configuration of the pool is scored; for trees in any case
  recorded    what --machine has times of, for this workload (default for a
              machine whose runtimes were imported)
  evolution   the whole space, from the best of the pool on, up to --budget
  annealing   the same by another method
Otherwise the default is the faster of index and exhaustive, and the output names it:
building the graph pays for more than about 600 workloads. Evolution and annealing
spend at most half of --budget on their starting points, collected ones first. The
pool has the workspace's configurations of other workloads in this setting,
--machine's first, and neighbours of the best of them: at most 20 000. If these are
few, random ones are added, for matrices by WACO's generator. Measurements of the
searched workload or its other forms, such as a transposed matrix, are not used. The
recall of a walk is the share of the pool's best k that it found. Tables of tuning
records have only recorded configurations. If --machine has no time of the workload,
or with another --method, the pool is all of them, from any machine.

--map adds the places of configurations on the plane on which their embeddings vary
most: the chosen ones, those that the walk expanded, and 2 000 others from all of the
pool. Trees have no embeddings and no map.

A gray box that was adapted does not simply choose the first ones by score: similar
schedules tend to fail together, so only a few of them are taken.

If a model of an earlier version blends network and simulator, the network finds its
best 3 000 of the pool, and these are simulated with about 2 000 designs; evolution
and annealing simulate all that they score. Three quarters of the --k are chosen by
the score. Similar schedules tend to fail together, so only a few of them are taken.
The other quarter is chosen by the simulator alone, because a network may be confident
about schedules unlike its training data. If only one part is used, all are chosen by
the score. The output also has both parts of the score, the rank among all simulated
schedules, and the reason:
  score       among the best by the score
  hedge       replaces better scores that are too similar to chosen ones
  simulator   chosen by the simulator alone
A walk and its recall are the network's.

A workload that can't be read is reported, and the others are searched (exit code 1).)",
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
    command.add_option("--model", options->request.model, "the model that chooses")
        ->type_name("MODEL")
        ->required();
    command
        .add_option("--workload,--matrix", options->request.workloads,
                    "a workload of the workspace, such as a matrix; may be\ngiven several times")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->required();
    command.add_option("--k", options->request.choice.k, "number of configurations to choose (default 20)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    add_parsed_option(command, "--method", options->request.method, &read_method,
                      "index, exhaustive, recorded, evolution or annealing\n(default: recorded for an "
                      "imported machine, otherwise\nthe faster of the first two)")
        ->type_name("METHOD");
    command
        .add_option("--budget", options->request.choice.budget,
                    "configurations that evolution and annealing score,\nincluding those that they start "
                    "from (default 5000)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000'000));
    command
        .add_option("--ef", options->request.choice.width,
                    "candidates that a walk keeps (default 200): more\ncandidates find more, and take longer")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    add_setting_options(command, session.domains, options->request.setting, SettingParts::OpenToModels);
    command
        .add_option("--machine", options->request.machine,
                    "machine to choose for: name or fingerprint (default:\nthis computer)")
        ->type_name("NAME");
    command.add_flag("--map", options->request.choice.mapped,
                     "add the map of the search, with --json or --progress\njson");
    command.add_option("--store", options->request.run, "store the choices with the run of this number")
        ->type_name("RUN")
        ->check(whole_numbers(1, INT64_MAX));
    add_parsed_option(command, "--device", options->request.choice.device, &read_search_device,
                      "device for embeddings: cpu (default), cuda, or a GPU by\nits number, as in cuda:1")
        ->type_name("DEVICE");
    add_threads_option(command, options->request.choice.threads, "threads that search (default: all)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, &domains, &command, options] {
        return search(session, domains, command, *options);
    });
}

} // namespace sparsight
