#include "workflow/learning/experiments/tuner_run.h"

#include "base/digest.h"
#include "learning/tasks/relative_times.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "model/tensors/torch_runtime.h"
#include "store/workspace.h"
#include "workflow/learning/experiments/experiment_data.h"
#include "workflow/learning/experiments/experiment_record.h"
#include "workflow/learning/training/training_data.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace sparsight {
namespace {

constexpr std::string_view kind = "experiment tuners";
constexpr std::string_view seconds_figure =
    "seconds"; // stored with the others: a cell that has it is finished
constexpr std::string_view curve_series = "curve";
constexpr std::array tested_figures{"ordered_pair_accuracy", "speed_error", "regret_at_1", "regret_at_5"};

constexpr int batch = 64;     // configurations of one workload on one machine in a step
constexpr double rate = 1e-3; // Table 4

bool has_trees(std::string_view tuner) {
    return tuner == tree_tuner || tuner == leaf_wise_tuner;
}

/// "cell/PLACE/FIGURE": the place of the cell among all says of what it is.
std::string series_of(std::size_t cell, std::string_view figure) {
    return fmt::format("cell/{}/{}", cell, figure);
}

struct TunerTimes {
    TaskSet set;
    FailureTimes failures;
};
/// By setting.
using AllTimes = std::map<std::string, TunerTimes>;

/// The same for every tuner: relative times, as many as are wanted.
Result<AllTimes> times_of(Workspace& workspace, const LearningDomain& domain, const TunerRequest& request,
                          Observer& observer, const std::stop_token& stop) {
    const auto settings = settings_with_times(workspace, domain.domain(), request.settings);
    if (!settings)
        return std::unexpected(settings.error());
    AllTimes all;
    for (const Setting& setting : *settings) {
        auto tasks =
            domain.tasks(workspace, {.setting = setting, .threads = request.threads}, stop, observer.sink());
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        FailureTimes failures = make_times_relative(tasks->set);
        draw_measurements(tasks->set, request.measurements, request.seed);
        all.emplace(setting.text, TunerTimes{std::move(tasks->set), std::move(failures)});
    }
    if (all.empty())
        return fail(Fault::Input, "the workspace has no times that tuners could learn");
    return all;
}

std::vector<std::size_t> all_workloads(const TaskSet& set) {
    std::vector<std::size_t> all(set.workloads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

std::uint64_t digest_of(const AllTimes& times) {
    Digest digest;
    for (const auto& [setting, of] : times) {
        digest.add(std::string_view(setting));
        digest.add(
            std::string_view(identity_of(of.set, {all_workloads(of.set)}, /*reads_machine=*/true).dump()));
    }
    return digest.value();
}

/// A gray box begins with the simulated time over that of the baseline, so that it can't learn relative
/// times.
bool is_gray_box(const LearningDomain& domain, std::string_view architecture, const TaskSet& set) {
    const auto all = all_workloads(set);
    return domain.new_encoder({architecture, false, set, all})->gray_box() != nullptr;
}

Result<std::vector<std::string>> tuners_of(const LearningDomain& domain, const TunerRequest& request,
                                           const TaskSet& any) {
    std::vector<std::string> known{std::string(tree_tuner), std::string(leaf_wise_tuner)};
    for (const ArchitectureChoice& network : domain.architectures())
        if (!is_gray_box(domain, network.name, any))
            known.emplace_back(network.name);
    for (const std::string& tuner : request.tuners)
        if (std::ranges::find(known, tuner) == known.end())
            return fail(Fault::Input, fmt::format("there is no tuner \"{}\", expected one of {}", tuner,
                                                  fmt::join(known, ", ")));
    return request.tuners.empty() ? known : request.tuners;
}

Result<TrainingData> split_data(TaskSet set, const TunerCell& cell) {
    auto parts =
        split_tasks(std::move(set), {.by = cell.split, .seed = static_cast<std::uint64_t>(cell.seed)});
    if (!parts)
        return std::unexpected(std::move(parts).error());
    parts->set.has_relative_times = true; // parts of workloads are made anew
    return TrainingData{std::move(parts->set), std::move(parts->split), {}, cell.split};
}

void add_tested(TunerFigures& figures, const RankingReport& report) {
    const auto named = report.by_name();
    for (const char* const figure : tested_figures)
        if (const auto found = named.find(figure); found != named.end())
            figures.figures.emplace(figure, found->second);
}

class TunerTraining {
public:
    TunerTraining(const LearningDomain& domain, const TunerRequest& request, const TunerCell& cell,
                  const TrainingData& data, const std::stop_token& stop, const ProgressSink& progress)
        : domain_(domain)
        , request_(request)
        , cell_(cell)
        , data_(data)
        , stop_(stop)
        , progress_(progress) {}

    [[nodiscard]] Result<TunerFigures> run() const { return has_trees(cell_.tuner) ? trees() : network(); }

private:
    [[nodiscard]] ArchitectureRequest architecture(std::string_view name) const {
        return {name, request_.reads_machine, data_.set, data_.split.train};
    }

    [[nodiscard]] Result<TunerFigures> trees() const {
        TunerFigures figures;
        const Stopwatch watch;
        const auto trees = train_trees(data_.set, domain_.new_tree_features(architecture(trees_architecture)),
                                       data_.split.train,
                                       {.goal = TreesGoal::Times,
                                        .is_leaf_wise = cell_.tuner == leaf_wise_tuner,
                                        .seed = static_cast<std::uint64_t>(cell_.seed),
                                        .threads = request_.threads},
                                       stop_, progress_);
        if (!trees)
            return std::unexpected(trees.error());
        figures.figures.emplace(seconds_figure, watch.seconds());
        const auto trace = trace_trees(data_.set, *trees, Loss::LogSquaredError, data_.split.train,
                                       data_.split.validation, stop_);
        if (!trace)
            return std::unexpected(trace.error());
        for (const TreesRound& round : *trace)
            if (round.overall.speed_error)
                figures.curve.emplace_back(round.rounds, *round.overall.speed_error);
        const auto report = report_trees(data_.set, *trees, Loss::LogSquaredError, data_.split.test, stop_);
        if (!report)
            return std::unexpected(report.error());
        add_tested(figures, *report);
        return figures;
    }

    [[nodiscard]] TrainingOptions options() const {
        TrainingOptions options;
        options.method = Method::Supervised;
        options.loss = Loss::LogSquaredError;
        options.epochs = request_.epochs;
        options.configurations_per_workload = batch;
        options.rate = rate;
        options.seed = static_cast<std::uint64_t>(cell_.seed);
        return options;
    }

    [[nodiscard]] Result<TunerFigures> network() const {
        TunerFigures figures;
        const auto encoder = domain_.new_encoder(architecture(cell_.tuner));
        const at::Device device(request_.device);
        const TrainingOptions options = this->options();
        ExampleStore examples(data_.set, encoder, request_.threads, default_kept_coordinates, device);
        const auto weights = guarded([&]() -> Result<NamedTensors> {
            return to_tensors(draw_weights(encoder->parameters(), options.seed), true, at::kFloat, device);
        });
        if (!weights)
            return std::unexpected(weights.error());
        double seconds = 0;
        TrainingObserver observer;
        observer.epoch = [&](const EpochReport& epoch) {
            seconds = epoch.seconds;
            if (epoch.overall.speed_error)
                figures.curve.emplace_back(epoch.epoch + 1, *epoch.overall.speed_error);
            if (progress_)
                progress_({.stage = "training",
                           .done = static_cast<std::uint64_t>(epoch.epoch) + 1,
                           .total = static_cast<std::uint64_t>(options.epochs)});
        };
        const auto trained =
            train(examples, data_.split, options,
                  initial_training_state(options.method, options.inner, *weights), observer, stop_);
        if (!trained)
            return std::unexpected(trained.error());
        if (trained->end == TrainingEnd::Stopped)
            return fail(Fault::Cancelled, "stopped");
        figures.figures.emplace(seconds_figure, seconds);
        const auto reports = validate(examples, data_.split, data_.split.test, options,
                                      {trained->state.best, trained->state.best_rates}, stop_);
        if (!reports)
            return std::unexpected(reports.error());
        add_tested(figures, combine(*reports));
        return figures;
    }

    const LearningDomain& domain_;
    const TunerRequest& request_;
    const TunerCell& cell_;
    const TrainingData& data_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
};

/// All that can be split, in the order of settings, splits, seeds, samples and tuners.
std::vector<TunerCell> cells_of(const TunerRequest& request, const std::vector<std::string>& tuners,
                                const AllTimes& times, std::vector<std::string>& notes) {
    std::vector<TunerCell> cells;
    for (const auto& [setting, of] : times)
        for (const SplitBy split : request.splits) {
            const TunerCell first{.setting = setting, .split = split, .seed = 1};
            if (const auto possible = split_data(of.set, first); !possible) {
                notes.push_back(
                    fmt::format("{} is not split by {}: {}", setting, name(split), possible.error().message));
                continue;
            }
            for (int seed = 1; seed <= request.seeds; ++seed)
                for (const SampleRule sample : request.samples)
                    for (const std::string& tuner : tuners)
                        cells.push_back(
                            {setting, split, tuner, sample, static_cast<int>(request.seed) + seed - 1});
        }
    return cells;
}

Json parameters_of(const TunerRequest& request, const std::vector<TunerCell>& cells, const AllTimes& times) {
    Json named = Json::array();
    for (const TunerCell& cell : cells)
        named.push_back({cell.setting, name(cell.split), cell.tuner, name(cell.sample), cell.seed});
    return {{"cells", std::move(named)},
            {"share", request.share},
            {"epochs", request.epochs},
            {"reads_machine", request.reads_machine},
            {"data", fmt::format("{:016x}", digest_of(times))},
            {"device", request.device},
            {"environment", trees_environment(request.threads)}};
}

std::optional<TunerFigures> known_figures(const ExperimentRecord::Points& points, std::size_t cell) {
    if (!points.contains({series_of(cell, seconds_figure), 0}))
        return std::nullopt;
    TunerFigures figures;
    const std::string prefix = series_of(cell, "");
    const std::string curve = series_of(cell, curve_series);
    for (auto at = points.lower_bound({prefix, 0}); at != points.end(); ++at) {
        const auto& [series, step] = at->first;
        if (!series.starts_with(prefix))
            break;
        if (series == curve)
            figures.curve.emplace_back(step, at->second);
        else
            figures.figures.emplace(series.substr(prefix.size()), at->second);
    }
    return figures;
}

Result<void> keep(ExperimentRecord& record, std::size_t cell, const TunerFigures& figures) {
    std::vector<std::pair<ExperimentRecord::Place, double>> points;
    for (const auto& [figure, value] : figures.figures)
        points.emplace_back(ExperimentRecord::Place(series_of(cell, figure), 0), value);
    for (const auto& [epoch, value] : figures.curve)
        points.emplace_back(ExperimentRecord::Place(series_of(cell, curve_series), epoch), value);
    return record.add(points);
}

Result<void> train_all(const LearningDomain& domain, const TunerRequest& request, const AllTimes& times,
                       const std::vector<TunerCell>& cells, ExperimentRecord& record, Observer& observer,
                       const std::stop_token& stop) {
    for (std::size_t place = 0; place < cells.size(); ++place) {
        const TunerCell& cell = cells[place];
        if (known_figures(record.points(), place))
            continue;
        const std::string stage =
            fmt::format("{} by {}: {}, {}", cell.setting, name(cell.split), cell.tuner, name(cell.sample));
        observer.progress({.stage = stage, .done = place, .total = cells.size()});
        const TunerTimes& of = times.at(cell.setting);
        auto data = split_data(of.set, cell);
        if (!data)
            return std::unexpected(std::move(data).error());
        const SampleReport sampled =
            sample_training(*data, cell.sample, request.share, static_cast<std::uint64_t>(cell.seed));
        take_failures_for_slow(data->set, of.failures);
        const ProgressSink within = [&](const Progress& state) {
            observer.show({.stage = stage, .done = state.done, .total = state.total});
        };
        auto figures = TunerTraining(domain, request, cell, *data, stop, within).run();
        if (!figures)
            return std::unexpected(std::move(figures).error());
        figures->figures.emplace("measurements", static_cast<double>(sampled.measurements));
        figures->figures.emplace("kept", static_cast<double>(sampled.kept));
        if (auto kept = keep(record, place, *figures); !kept)
            return kept;
        observer.event("cell", cell_json(cell, *figures));
    }
    return {};
}

} // namespace

Json cell_json(const TunerCell& cell, const TunerFigures& figures) {
    Json json{{"space", cell.setting},
              {"split", name(cell.split)},
              {"tuner", cell.tuner},
              {"sample", name(cell.sample)},
              {"seed", cell.seed}};
    for (const auto& [figure, value] : figures.figures)
        json[figure] = value;
    json["curve"] = Json::array();
    for (const auto& [epoch, value] : figures.curve)
        json["curve"].push_back({epoch, value});
    return json;
}

Result<TunerOutcome> run_tuners(Workspace& workspace, const LearningDomain& domain,
                                const TunerRequest& request, Observer& observer,
                                const std::stop_token& stop) {
    const auto times = times_of(workspace, domain, request, observer, stop);
    if (!times)
        return std::unexpected(times.error());
    const auto tuners = tuners_of(domain, request, times->begin()->second.set);
    if (!tuners)
        return std::unexpected(tuners.error());
    TunerOutcome outcome;
    const std::vector<TunerCell> cells = cells_of(request, *tuners, *times, outcome.notes);
    if (cells.empty())
        return fail(Fault::Input, fmt::format("nothing can be split: {}", fmt::join(outcome.notes, "; ")));

    auto record = ExperimentRecord::claim(workspace, kind, parameters_of(request, cells, *times));
    if (!record)
        return std::unexpected(std::move(record).error());
    outcome.run = record->run();
    std::uint64_t known = 0;
    for (std::size_t place = 0; place < cells.size(); ++place)
        known += known_figures(record->points(), place) ? 1U : 0U;
    observer.start(
        {{"run", outcome.run}, {"cells", cells.size()}, {"notes", outcome.notes}, {"resumed", known > 0}});
    for (const std::string& note : outcome.notes)
        observer.note(note);
    observer.resume(known);

    if (record->is_finished()) {
        observer.note("this experiment was done before, with these settings and these data");
        outcome.end = RunEnd::DoneBefore;
    } else {
        const auto done = train_all(domain, request, *times, cells, *record, observer, stop);
        const auto ended = record->finish(done);
        if (!ended)
            return std::unexpected(ended.error());
        outcome.end = *ended;
        if (outcome.end == RunEnd::Stopped)
            outcome.reason = done.error();
    }
    for (std::size_t place = 0; place < cells.size(); ++place)
        if (auto figures = known_figures(record->points(), place))
            outcome.cells.emplace_back(cells[place], *std::move(figures));
    return outcome;
}

} // namespace sparsight
