#include "learn/transfer/transfer_run.h"

#include "base/progress.h"
#include "command/terminal_text.h"
#include "learn/transfer/transfer_study.h"
#include "model/tensors/torch_runtime.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <utility>

namespace sparsight {

namespace {

/// How much there is to do, and how much of it is done.
struct Work {
    std::int64_t total = 0;
    std::int64_t done = 0;
    std::int64_t before = 0; ///< by an earlier run
};

class TransferRun {
public:
    TransferRun(Session& session, JobEvents& events, const TransferOrder& order, const TransferData& data,
                TransferRecord& record, const std::stop_token& stop)
        : session_(session)
        , events_(events)
        , order_(order)
        , data_(data)
        , record_(record)
        , display_(events.display_style())
        , study_(order.request, data, record, observer(), stop) {}

    [[nodiscard]] ExitCode run() {
        const auto done = measure_work();
        if (!done)
            return failed(done.error());
        tell_start();
        if (!record_.is_finished()) {
            for (const TransferCell& cell : study_.cells())
                if (auto worked = work(cell); !worked)
                    return failed(worked.error());
            display_.clear();
            if (auto ended = record_.end(RunState::Finished); !ended)
                return events_.refuse(ended.error());
        }
        finish();
        return ExitCode::Done;
    }

private:
    [[nodiscard]] TransferObserver observer() {
        return {.progress = [this](const TransferCell& cell, std::string_view what,
                                   std::int64_t of_cell) { show(cell, what, work_.done + of_cell); },
                .point =
                    [this](const TransferRecord::Point& point, const TransferRecord::Metrics& metrics) {
                        events_.tell("point", point_json(point, metrics));
                    }};
    }

    void show(const TransferCell& cell, std::string_view what, std::int64_t done) {
        const std::string stage = fmt::format("{} to {}, seed {}: {}", name(cell.source),
                                              target_name(cell.target), cell.seed, what);
        const auto reached = static_cast<std::uint64_t>(done);
        const auto total = static_cast<std::uint64_t>(work_.total);
        events_.progress(stage, reached, total);
        std::optional<Seconds> left;
        if (const std::int64_t now = done - work_.before; now > 0)
            left = Seconds(watch_.seconds() / static_cast<double>(now) *
                           static_cast<double>(work_.total - done));
        display_.show({.what = stage, .done = reached, .total = total, .left = left});
    }

    [[nodiscard]] const std::string& target_name(std::size_t target) const {
        return data_.real.tasks[data_.targets[target].task].machine;
    }

    /// Of the whole cell, and of what is done of it.
    [[nodiscard]] Result<Work> work_of(const TransferCell& cell) {
        const auto shots = study_.shots_of(cell);
        if (!shots)
            return std::unexpected(shots.error());
        Work work{study_.training_work(cell), 0, 0};
        bool is_trained = false;
        for (const std::size_t count : *shots) {
            const std::int64_t point = study_.point_work(count);
            work.total += point;
            if (record_.points().contains({cell, count})) {
                is_trained = true;
                work.done += point;
            }
        }
        if (is_trained)
            work.done += study_.training_work(cell);
        return work;
    }

    [[nodiscard]] Result<void> measure_work() {
        for (const TransferCell& cell : study_.cells()) {
            const auto work = work_of(cell);
            if (!work)
                return std::unexpected(work.error());
            work_.total += work->total;
            work_.before += work->done;
        }
        return {};
    }

    [[nodiscard]] Result<void> work(const TransferCell& cell) {
        const auto size = work_of(cell);
        if (!size)
            return std::unexpected(size.error());
        if (auto worked = study_.work(cell); !worked)
            return worked;
        work_.done += size->total;
        return {};
    }

    void tell_start() {
        events_.start({{"run", static_cast<std::int64_t>(record_.run())},
                       {"targets", targets_json()},
                       {"sources", sources_json()},
                       {"shots", order_.request.shots},
                       {"seeds", order_.request.seeds},
                       {"notes", data_.notes},
                       {"resumed", work_.before > 0},
                       {"parameters", order_.settings.json()}});
        events_.go_on_from(static_cast<std::uint64_t>(work_.before));
        if (events_.are_told())
            return;
        for (const std::string& note : data_.notes)
            session_.remark(note);
        if (record_.is_finished())
            session_.remark("this experiment was done before, with these settings and these data");
    }

    [[nodiscard]] Json targets_json() const {
        Json targets = Json::array();
        for (const TransferTarget& target : data_.targets)
            targets.push_back({{"machine", data_.real.tasks[target.task].machine},
                               {"matrices", data_.real.tasks[target.task].runtimes.size()},
                               {"imagined_from", data_.real.tasks[target.donor].machine},
                               {"tasks_per_step", target.tasks_per_step}});
        return targets;
    }
    [[nodiscard]] Json sources_json() const {
        Json sources = Json::array();
        for (const MetaSource source : order_.request.sources)
            sources.push_back(name(source));
        return sources;
    }
    [[nodiscard]] Json point_json(const TransferRecord::Point& point,
                                  const TransferRecord::Metrics& metrics) const {
        return {{"target", target_name(point.first.target)},
                {"source", name(point.first.source)},
                {"seed", point.first.seed},
                {"shots", point.second},
                {"metrics", metrics}};
    }
    [[nodiscard]] Json outcome_json() const {
        Json trainings = Json::array();
        for (const auto& [cell, training] : record_.trainings())
            trainings.push_back({{"target", target_name(cell.target)},
                                 {"source", name(cell.source)},
                                 {"seed", cell.seed},
                                 {"machines", training.machines},
                                 {"steps", training.steps},
                                 {"examples", training.examples}});
        Json points = Json::array();
        for (const auto& [point, metrics] : record_.points())
            points.push_back(point_json(point, metrics));
        return {{"run", static_cast<std::int64_t>(record_.run())},
                {"operator", name(order_.request.op)},
                {"dense", order_.request.dense},
                {"targets", targets_json()},
                {"sources", sources_json()},
                {"trainings", std::move(trainings)},
                {"points", std::move(points)},
                {"notes", data_.notes},
                {"parameters", order_.settings.json()}};
    }

    void finish() {
        if (events_.are_told())
            events_.end(outcome_json(), true, false);
        else if (session_.options.json)
            session_.print_json(outcome_json());
        else
            session_.print(table());
    }

    /// The ordered pair accuracy, as means over the seeds.
    [[nodiscard]] std::string table() const {
        std::map<std::tuple<std::size_t, std::size_t, MetaSource>, std::vector<double>> accuracies;
        for (const auto& [point, metrics] : record_.points())
            if (const auto found = metrics.find("ordered_pair_accuracy"); found != metrics.end())
                accuracies[{point.first.target, point.second, point.first.source}].push_back(found->second);
        Table table({{"target"}, {"matrices", Align::Right}, {"source"}, {"pairs in order", Align::Right}});
        for (const auto& [key, values] : accuracies)
            table.add_row({target_name(std::get<0>(key)), fmt::to_string(std::get<1>(key)),
                           std::string(name(std::get<2>(key))),
                           fmt::format("{:.4f}", std::reduce(values.begin(), values.end()) /
                                                     static_cast<double>(values.size()))});
        return table.text();
    }

    [[nodiscard]] ExitCode failed(const Error& error) {
        display_.clear();
        const bool is_stopped = error.fault == Fault::Cancelled;
        // An error here would only hide the first one.
        [[maybe_unused]] const auto ended =
            record_.end(is_stopped ? RunState::Stopped : RunState::Failed, is_stopped ? "" : error.text());
        if (!is_stopped)
            return events_.refuse(error);
        session_.remark("stopped: run the same command again to go on");
        if (!events_.are_told())
            return events_.refuse(error);
        events_.end(outcome_json(), false, true);
        return ExitCode::Interrupted;
    }

    Session& session_;
    JobEvents& events_;
    const TransferOrder& order_;
    const TransferData& data_;
    TransferRecord& record_;
    ProgressDisplay display_;
    TransferStudy study_;
    Stopwatch watch_;
    Work work_;
};

} // namespace

ExitCode run_transfer(Session& session, JobEvents& events, const TransferOrder& order,
                      const std::stop_token& stop) {
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    const TorchRuntime runtime = prepare_torch(order.request.threads);
    ProgressDisplay display(events.display_style());
    auto data = transfer_data(*workspace, order.request, stop, display.sink());
    display.clear();
    if (!data)
        return events.refuse(data.error());
    if (!runtime.warning.empty())
        data->notes.push_back(runtime.warning);
    Json parameters = order.settings.json();
    parameters["data"] = identity_of(*data);
    auto record = TransferRecord::claim(*workspace, parameters);
    if (!record)
        return events.refuse(record.error());
    return TransferRun(session, events, order, *data, *record, stop).run();
}

} // namespace sparsight
