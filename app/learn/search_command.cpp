#include "base/freed_memory.h"
#include "base/parallel.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/job_events.h"
#include "command/learner_commands.h"
#include "command/options.h"
#include "command/table.h"
#include "learn/commands.h"
#include "learn/model_search.h"
#include "learn/schedule_pool.h"
#include "learn/stored_model.h"
#include "machine/machine_json.h"
#include "model/torch_runtime.h"
#include "schedule/text.h"
#include "store/choices.h"
#include "store/stored_pattern.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp help{.description = R"(
Lets a model choose the schedules of a matrix that are worth measuring: the --k
that it takes for the fastest, and fixed CSR behind them where it is none of
them. Only the order of scores has a meaning; lower is faster.

Methods:
  index       a walk through a graph over a pool of schedules (default)
  exhaustive  every schedule of the pool is scored; for trees in any case
  recorded    of the matrix and --machine, what was recorded (default for a
              machine whose runtimes were imported)
  evolution   the whole space, from the best of the pool on, up to --budget
  annealing   the same by another method
The pool is what the workspace has of the operator, and the neighbours of the
best of it; where that is little, WACO's generator adds to it. The recall of a
walk is the share of the best k of the pool that it found.

`--progress json` prints one JSON object a line on stdout as it happens:
  {"event": "start", "job", "model", "matrices", "method"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "choice", and what --json prints of a matrix}
  {"event": "end", and what --json prints, "seconds", "complete", "stopped"}
  {"event": "error", "file", "line", "error"})",
                           .examples = R"(
sparsight-cli search --model first --matrix bcsstk17
sparsight-cli search --model first --matrix bcsstk17 --method evolution --budget 20000
sparsight-cli search --model first --matrix cage8 --matrix bcsstk17 --json)",
                           .json = R"(
{"model", "operator", "dense", "matrices": [{"matrix", "method", "scored",
 "embedding_ms", "search_ms", "recall", "candidates": [{"rank", "schedule",
 "score"}]}]}
recall is null where the pool is not searched by a walk.)"};

struct SearchCommand {
    std::string model;
    std::vector<std::string> matrices;
    ChoiceSettings choice;
    std::optional<ChoiceMethod> method;
    std::int64_t dense = 256;
    std::string machine;
    std::optional<std::int64_t> run;
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

/// For whom is chosen.
struct ChosenMachine {
    std::optional<MachineDescription> description;
    std::optional<RecordedSchedules> recorded;
    int threads = available_threads();
    bool is_recorded = false; ///< elsewhere: nothing can be measured on it
};

Result<ChosenMachine> machine_of(Workspace& workspace, const SearchCommand& options, Operator op) {
    ChosenMachine chosen;
    if (options.machine.empty())
        return chosen;
    const auto known = find_machine(workspace, options.machine);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return fail(Fault::Input, fmt::format("there is no machine '{}' in the workspace", options.machine));
    // Of a recorded machine hardly anything is known.
    if (auto description = machine_from_text((*known)->description)) {
        chosen.threads = description->threads.value_or(chosen.threads);
        chosen.is_recorded = description->source == MachineSource::Recorded;
        chosen.description = *std::move(description);
    }
    chosen.is_recorded = chosen.is_recorded || (*known)->fingerprint.starts_with("recorded:");
    auto recorded = recorded_schedules(workspace, (*known)->id, op, options.dense);
    if (!recorded)
        return std::unexpected(std::move(recorded).error());
    chosen.recorded = *std::move(recorded);
    if (chosen.recorded && chosen.is_recorded)
        chosen.threads = chosen.recorded->threads;
    return chosen;
}

Result<std::vector<MatrixRecord>> matrices_of(Workspace& workspace, const SearchCommand& options) {
    std::vector<MatrixRecord> records;
    for (const std::string& name : options.matrices) {
        auto record = find_matrix(workspace, name);
        if (!record)
            return std::unexpected(std::move(record).error());
        if (!*record)
            return fail(Fault::Input, fmt::format("the workspace has no matrix '{}'", name));
        records.push_back(**std::move(record));
    }
    return records;
}

Json choice_json(const std::string& matrix, const MatrixChoice& choice) {
    Json candidates = Json::array();
    for (const ScoredSchedule& each : choice.candidates)
        candidates.push_back(
            {{"rank", candidates.size() + 1}, {"schedule", to_text(each.schedule)}, {"score", each.score}});
    return {{"matrix", matrix},
            {"method", name(choice.method)},
            {"scored", choice.scored},
            {"embedding_ms", choice.embedding_ms},
            {"search_ms", choice.search_ms},
            {"recall", choice.recall ? Json(*choice.recall) : Json()},
            {"candidates", std::move(candidates)}};
}

std::string choice_text(const std::string& matrix, const MatrixChoice& choice) {
    std::string text = fmt::format("{}: {} schedules scored in {:.1f} ms, after {:.1f} ms for the matrix",
                                   matrix, choice.scored, choice.search_ms, choice.embedding_ms);
    if (choice.recall)
        text += fmt::format("; {:.0f} % of the best found", *choice.recall * 100);
    Table table({{"rank", Align::Right}, {"score", Align::Right}, {"schedule"}});
    int rank = 0;
    for (const ScoredSchedule& each : choice.candidates)
        table.add_row({fmt::to_string(++rank), fmt::format("{:.4f}", each.score), to_text(each.schedule)});
    return text + "\n" + table.text();
}

/// One search, from when all that it needs is known to be there.
class SearchJob {
public:
    SearchJob(Session& session, JobEvents& events, const SearchCommand& options, Workspace& workspace,
              std::stop_token stop)
        : session_(session)
        , events_(events)
        , options_(options)
        , workspace_(workspace)
        , stop_(std::move(stop))
        , display_(events.display_style()) {}

    [[nodiscard]] Result<Json> run() {
        const auto model = load_model(workspace_, options_.model);
        if (!model)
            return std::unexpected(model.error());
        op_ = model->checkpoint.model.op();
        const auto matrices = matrices_of(workspace_, options_);
        if (!matrices)
            return std::unexpected(matrices.error());
        auto machine = machine_of(workspace_, options_, op_);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machine_ = *std::move(machine);
        ChoiceSettings settings = options_.choice;
        settings.method = options_.method.value_or(
            machine_.is_recorded && machine_.recorded ? ChoiceMethod::Recorded : ChoiceMethod::Index);
        settings.seed = session_.options.seed;
        settings.schedule_threads = machine_.threads;
        if (settings.method == ChoiceMethod::Recorded && !machine_.recorded)
            return fail(Fault::Input,
                        "--method recorded needs a --machine that has runtimes of this operator "
                        "and dense extent");
        events_.start(
            {{"model", options_.model}, {"matrices", matrices->size()}, {"method", name(settings.method)}});
        auto pool = pool_for(*matrices, settings);
        if (!pool)
            return std::unexpected(std::move(pool).error());
        const auto search = ModelSearch::prepare(model->checkpoint, options_.model, *std::move(pool),
                                                 settings, stop_, progress());
        if (!search)
            return std::unexpected(search.error());
        if (search->settings().method != settings.method)
            session_.remark("trees have no index: all schedules of the pool are scored");
        Json json{{"model", options_.model},
                  {"operator", sparsight::name(op_)},
                  {"dense", dense_index(op_) ? options_.dense : 1},
                  {"matrices", Json::array()}};
        for (const MatrixRecord& matrix : *matrices) {
            auto chosen = choose(*search, model->record.id, matrix);
            if (!chosen)
                return std::unexpected(std::move(chosen).error());
            json["matrices"].push_back(*std::move(chosen));
        }
        return json;
    }

private:
    [[nodiscard]] ProgressSink progress() {
        return [this](const Progress& state) {
            events_.progress(state.stage, state.done, state.total);
            display_.show({.what = state.stage, .done = state.done, .total = state.total, .left = {}});
        };
    }

    [[nodiscard]] Extents extents_of(const MatrixRecord& matrix) const {
        return extents(op_, matrix.rows, matrix.cols, options_.dense);
    }

    [[nodiscard]] Result<std::vector<SuperSchedule>> pool_for(const std::vector<MatrixRecord>& matrices,
                                                              const ChoiceSettings& settings) {
        if (settings.method == ChoiceMethod::Recorded)
            return std::vector<SuperSchedule>{};
        std::vector<Extents> searched;
        for (const MatrixRecord& matrix : matrices)
            searched.push_back(extents_of(matrix));
        return schedule_pool(
            workspace_,
            {.op = op_, .dense = options_.dense, .threads = machine_.threads, .seed = session_.options.seed},
            searched);
    }

    [[nodiscard]] Result<Json> choose(const ModelSearch& search, ModelId model, const MatrixRecord& matrix) {
        if (stop_.stop_requested())
            return fail(Fault::Cancelled, "stopped between two matrices");
        const auto pattern = load_pattern(workspace_, matrix.id);
        if (!pattern)
            return std::unexpected(pattern.error());
        std::vector<SuperSchedule> recorded;
        if (machine_.recorded)
            if (const auto found = machine_.recorded->schedules.find(matrix.id);
                found != machine_.recorded->schedules.end())
                recorded = found->second;
        const auto choice = search.choose(*pattern, extents_of(matrix),
                                          machine_.description ? &*machine_.description : nullptr, recorded,
                                          stop_, progress());
        if (!choice)
            return std::unexpected(choice.error());
        if (auto stored = store(model, matrix.id, *choice); !stored)
            return std::unexpected(std::move(stored).error());
        display_.clear();
        if (!events_.are_told() && !session_.options.json)
            session_.print(choice_text(matrix.name, *choice));
        Json json = choice_json(matrix.name, *choice);
        events_.tell("choice", json);
        return json;
    }

    [[nodiscard]] Result<void> store(ModelId model, MatrixId matrix, const MatrixChoice& choice) {
        if (!options_.run)
            return {};
        std::vector<ChosenSchedule> chosen;
        for (const ScoredSchedule& each : choice.candidates)
            chosen.push_back({each.schedule, each.score});
        return record_choices(workspace_, static_cast<RunId>(*options_.run), model, matrix, chosen);
    }

    Session& session_;
    JobEvents& events_;
    const SearchCommand& options_;
    Workspace& workspace_;
    std::stop_token stop_;
    ProgressDisplay display_;
    Operator op_ = Operator::SpMM;
    ChosenMachine machine_;
};

ExitCode search_schedules_of(Session& session, const SearchCommand& options) {
    keep_freed_memory();
    const Interruption interruption;
    JobEvents events(session, "search", options.progress);
    auto workspace = session.open_workspace(options.run ? WorkspaceAccess::ReadWrite : WorkspaceAccess::Read);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    if (const TorchRuntime runtime = prepare_torch(options.choice.threads); !runtime.warning.empty())
        session.remark(runtime.warning);
    SearchJob job(session, events, options, *workspace, interruption.token());
    const auto found = job.run();
    if (!found)
        return events.refuse(found.error());
    if (events.are_told())
        events.end(*found, true, false);
    else if (session.options.json)
        session.print_json(*found);
    return ExitCode::Done;
}

} // namespace

void add_search_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, std::string(search_summary.name), std::string(search_summary.summary), help);
    const auto options = std::make_shared<SearchCommand>();
    options->choice.threads = available_threads();
    command.add_option("--model", options->model, "which model chooses")->type_name("MODEL")->required();
    command
        .add_option("--matrix", options->matrices, "a matrix of the workspace; may be given several times")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->required();
    command.add_option("--k", options->choice.k, "how many are chosen (default 20)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    add_parsed_option(command, "--method", options->method, &read_method,
                      "index (default), exhaustive, recorded, evolution\nor annealing")
        ->type_name("METHOD");
    command
        .add_option("--budget", options->choice.budget,
                    "schedules that evolution and annealing score\n(default 5000)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000'000));
    command
        .add_option("--ef", options->choice.width,
                    "schedules that a walk keeps in view (default 200):\nmore find more, and take longer")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    add_dense_option(command, options->dense);
    command
        .add_option("--machine", options->machine,
                    "for this machine, by name or fingerprint\n(default: this computer)")
        ->type_name("NAME");
    command.add_option("--store", options->run, "keep what is chosen with the run of this number")
        ->type_name("RUN")
        ->check(whole_numbers(1, INT64_MAX));
    add_threads_option(command, options->choice.threads, "threads that search (default: all)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return search_schedules_of(session, *options); });
}

} // namespace sparsight
