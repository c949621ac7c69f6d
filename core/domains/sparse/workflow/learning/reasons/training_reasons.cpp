#include "domains/sparse/workflow/learning/reasons/training_reasons.h"

#include "base/random.h"
#include "domains/sparse/explanation/reasons/reason_cases.h"
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/learning/reasons/model_queries.h"
#include "evaluation/model_reasons/last_layer.h"
#include "evaluation/model_reasons/nearest_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t told_neighbours = 5;
constexpr std::size_t most_compared_schedules = 20'000;

/// Counts and sizes by their logarithms: their range is wide.
std::vector<float> statistic_point(const PatternStatistics& of) {
    std::vector<float> point;
    point.reserve(statistics().size());
    for (const Statistic& statistic : statistics()) {
        const double value = statistic.of(of);
        point.push_back(static_cast<float>(statistic.unit.empty() ? value : std::log1p(value)));
    }
    return point;
}

std::vector<float> decision_point(const SuperSchedule& schedule) {
    const ScheduleEncoding encoding = encode(schedule);
    std::vector<float> point(encoding.order);
    for (const int split : encoding.splits)
        point.push_back(static_cast<float>(split));
    for (const int format : encoding.formats)
        point.push_back(static_cast<float>(format));
    point.push_back(static_cast<float>(encoding.parallel));
    point.push_back(static_cast<float>(encoding.chunk));
    return point;
}

/// Infinite where nothing has a time: what failed takes forever, and what is no number is no time.
double known_best(const WorkloadRuntimes& runtimes) {
    double best = std::numeric_limits<double>::infinity();
    for (const double milliseconds : runtimes.milliseconds)
        if (milliseconds < best)
            best = milliseconds;
    return best;
}

/// How a schedule did where it was measured.
struct KnownRuns {
    SuperSchedule schedule;
    std::int64_t matrices = 0;
    std::vector<double> speedups; ///< over fixed CSR
};

std::vector<KnownRuns> known_runs(const ReasonsData& data) {
    std::map<SuperSchedule, KnownRuns> runs;
    for (const auto& [matrix, runtimes] : data.runtimes) {
        const auto fixed = time_of(runtimes, fixed_csr(data.op, 1));
        for (std::size_t place = 0; place < runtimes.configurations.size(); ++place) {
            const SuperSchedule meant = schedule_of(runtimes.configurations[place], data.schedule.threads);
            KnownRuns& known = runs[meant];
            known.schedule = meant;
            ++known.matrices;
            if (fixed) // what failed took forever
                known.speedups.push_back(*fixed / runtimes.milliseconds[place]);
        }
    }
    std::vector<KnownRuns> all;
    all.reserve(runs.size());
    for (auto& [schedule, known] : runs)
        all.push_back(std::move(known));
    if (all.size() > most_compared_schedules)
        all.resize(most_compared_schedules);
    return all;
}

class NearestSearch {
public:
    NearestSearch(Workspace& workspace, const ReasonsData& data, const WorkloadScorer& explained,
                  const TrainingReasonsSettings& settings)
        : workspace_(workspace)
        , data_(data)
        , explained_(explained)
        , settings_(settings) {}

    [[nodiscard]] Result<NearestReason> run() {
        reason_.space = data_.model->reads_statistics() || explained_.embedding().empty()
                            ? ReasonSpace::Statistics
                            : ReasonSpace::Embedding;
        reason_.machine = data_.times_machine;
        reason_.simulated_on = data_.machine_name;
        reason_.is_trained = data_.is_learned;
        reason_.missing = static_cast<std::int64_t>(data_.missing);
        if (auto compared = compare_matrices(); !compared)
            return std::unexpected(std::move(compared).error());
        if (auto compared = compare_schedules(); !compared)
            return std::unexpected(std::move(compared).error());
        return std::move(reason_);
    }

private:
    [[nodiscard]] Result<void> compare_matrices() {
        std::vector<float> own =
            reason_.space == ReasonSpace::Statistics
                ? statistic_point(data_.statistics)
                : std::vector(explained_.embedding().begin(), explained_.embedding().end());
        PointCloud points{own.size()};
        std::vector<const KnownMatrix*> compared;
        for (const KnownMatrix& matrix : data_.known) {
            if (!matrix.is_learned)
                continue;
            if (settings_.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped between two matrices");
            if (settings_.is_over && settings_.is_over())
                break;
            if (settings_.progress)
                settings_.progress({"looking at what was learned from", compared.size(), data_.known.size()});
            if (reason_.space == ReasonSpace::Statistics) {
                points.add(statistic_point(matrix.statistics));
            } else {
                const auto scorer = scorer_of(workspace_, data_, matrix, settings_.threads);
                if (!scorer)
                    return std::unexpected(scorer.error());
                points.add((*scorer)->embedding());
            }
            compared.push_back(&matrix);
        }
        if (compared.empty())
            return fail(Fault::Input, "none of the matrices that the model learned from is in the workspace");
        if (reason_.space == ReasonSpace::Statistics)
            standardise(points, own);
        reason_.trained = static_cast<std::int64_t>(compared.size());
        reason_.matrix_distances = distances_among(points, own);
        for (const Neighbour& neighbour : nearest_points(points, own, told_neighbours)) {
            auto told = told_matrix(*compared[neighbour.place], neighbour.distance);
            if (!told)
                return std::unexpected(std::move(told).error());
            reason_.matrices.push_back(*std::move(told));
        }
        return {};
    }

    [[nodiscard]] Result<NearestMatrix> told_matrix(const KnownMatrix& matrix, double distance) const {
        const auto scorer = scorer_of(workspace_, data_, matrix, settings_.threads);
        if (!scorer)
            return std::unexpected(scorer.error());
        const auto margin = margin_of(**scorer, data_.schedule, data_.against);
        if (!margin)
            return std::unexpected(margin.error());
        NearestMatrix told{.name = matrix.name, .distance = distance, .margin = *margin};
        if (auto added = add_runtimes(matrix, told); !added)
            return std::unexpected(std::move(added).error());
        return told;
    }

    [[nodiscard]] Result<void> add_runtimes(const KnownMatrix& matrix, NearestMatrix& told) const {
        if (const auto known = data_.runtimes.find(matrix.name); known != data_.runtimes.end())
            add_measured(known->second, told);
        if (told.schedule_ms && told.against_ms)
            return {};
        SimulatedPairs pairs(
            [&](std::size_t) -> Result<std::shared_ptr<const CsrPattern>> {
                auto pattern = load_pattern(workspace_, matrix.id);
                if (!pattern)
                    return std::unexpected(std::move(pattern).error());
                return std::make_shared<const CsrPattern>(*std::move(pattern));
            },
            data_.dense);
        const auto simulated =
            pairs.times({.machine = data_.machine, .schedule = data_.schedule, .against = data_.against});
        if (!simulated)
            return std::unexpected(simulated.error());
        if (!told.schedule_ms)
            told.simulated_schedule_ms = simulated->schedule_ms;
        if (!told.against_ms)
            told.simulated_against_ms = simulated->against_ms;
        return {};
    }

    void add_measured(const WorkloadRuntimes& runtimes, NearestMatrix& told) const {
        told.schedule_ms = time_of(runtimes, data_.schedule);
        told.against_ms = time_of(runtimes, data_.against);
        if (const double best = known_best(runtimes); std::isfinite(best)) {
            told.best_ms = best;
            const auto place = std::ranges::find(runtimes.milliseconds, best) - runtimes.milliseconds.begin();
            told.best_schedule = to_text(
                schedule_of(runtimes.configurations[static_cast<std::size_t>(place)], data_.times_threads));
        }
    }

    [[nodiscard]] Result<PointCloud> schedule_points(const std::vector<KnownRuns>& runs) const {
        std::vector<SuperSchedule> schedules{data_.schedule, data_.against};
        for (const KnownRuns& known : runs)
            schedules.push_back(known.schedule);
        if (data_.model->embedding_width() > 0) {
            auto embeddings = data_.model->embed_configurations(configurations_of(schedules));
            if (!embeddings)
                return std::unexpected(std::move(embeddings).error());
            return PointCloud{data_.model->embedding_width(), *std::move(embeddings)};
        }
        PointCloud points{decision_point(data_.schedule).size()};
        for (const SuperSchedule& schedule : schedules)
            points.add(decision_point(schedule));
        return points;
    }

    [[nodiscard]] Result<void> compare_schedules() {
        const std::vector<KnownRuns> runs = known_runs(data_);
        if (runs.empty())
            return {};
        auto all = schedule_points(runs);
        if (!all)
            return std::unexpected(std::move(all).error());
        const std::span<const float> numbers(all->numbers);
        std::vector<float> pair(numbers.begin(),
                                numbers.begin() + static_cast<std::ptrdiff_t>(2 * all->width));
        PointCloud points{
            all->width,
            std::vector(numbers.begin() + static_cast<std::ptrdiff_t>(2 * all->width), numbers.end())};
        if (data_.model->embedding_width() == 0) {
            PointCloud again = points; // both are scaled as the points are
            std::vector<float> own(pair.begin(), pair.begin() + static_cast<std::ptrdiff_t>(all->width));
            std::vector<float> other(pair.begin() + static_cast<std::ptrdiff_t>(all->width), pair.end());
            standardise(again, own);
            standardise(points, other);
            pair = std::move(own);
            pair.insert(pair.end(), other.begin(), other.end());
        }
        const std::span<const float> own = std::span<const float>(pair).first(all->width);
        const std::span<const float> other = std::span<const float>(pair).last(all->width);
        reason_.schedules = static_cast<std::int64_t>(runs.size());
        const auto schedule = place_of(data_.schedule, runs);
        const auto against = place_of(data_.against, runs);
        reason_.schedule_distances = distances_among(points, own, schedule);
        reason_.against_distances = distances_among(points, other, against);
        reason_.schedule = told_schedules(runs, nearest_points(points, own, told_neighbours, schedule));
        reason_.against = told_schedules(runs, nearest_points(points, other, told_neighbours, against));
        return {};
    }

    /// The asked one among those that ran: that it is nearest to itself tells nobody anything.
    [[nodiscard]] std::optional<std::size_t> place_of(SuperSchedule asked,
                                                      const std::vector<KnownRuns>& runs) const {
        asked.threads = data_.schedule.threads;
        const auto found = std::ranges::find(runs, canonical(asked), &KnownRuns::schedule);
        return found == runs.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - runs.begin()));
    }

    [[nodiscard]] static std::vector<NearestSchedule> told_schedules(const std::vector<KnownRuns>& runs,
                                                                     const std::vector<Neighbour>& nearest) {
        std::vector<NearestSchedule> told;
        for (const Neighbour& neighbour : nearest) {
            const KnownRuns& known = runs[neighbour.place];
            NearestSchedule schedule{to_text(known.schedule), neighbour.distance, known.matrices, {}};
            if (!known.speedups.empty())
                schedule.median_speedup = quantile(known.speedups, 0.5);
            told.push_back(std::move(schedule));
        }
        return told;
    }

    Workspace& workspace_;
    const ReasonsData& data_;
    const WorkloadScorer& explained_;
    const TrainingReasonsSettings& settings_;
    NearestReason reason_;
};

} // namespace

Result<NearestReason> nearest_reason(Workspace& workspace, const ReasonsData& data,
                                     const WorkloadScorer& explained,
                                     const TrainingReasonsSettings& settings) {
    return NearestSearch(workspace, data, explained, settings).run();
}

namespace {

constexpr std::size_t most_paired_matrices = 80;
constexpr std::size_t paired_schedules = 24; ///< of a matrix
constexpr std::size_t pairs_of_matrix = 40;
/// Times that are closer are in no order.
constexpr double least_factor = 1.01;

/// Some of the schedules of a matrix that ran, as the model sees them.
struct ScoredRuns {
    std::vector<double> milliseconds{};
    std::vector<float> scores{};
    std::vector<float> inputs{}; ///< of the last layer
    std::size_t width = 0;

    [[nodiscard]] std::vector<float> difference(std::size_t one, std::size_t other) const {
        std::vector<float> found(width);
        for (std::size_t place = 0; place < width; ++place)
            found[place] = inputs[one * width + place] - inputs[other * width + place];
        return found;
    }
};

Result<ScoredRuns> scored_runs(const WorkloadScorer& scorer, const WorkloadRuntimes& runtimes,
                               std::size_t width, Random& random) {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < runtimes.configurations.size(); ++place)
        if (std::isfinite(runtimes.milliseconds[place]))
            places.push_back(place);
    random.shuffle(places);
    places.resize(std::min(places.size(), paired_schedules));
    std::vector<Configuration> configurations;
    ScoredRuns runs{.width = width};
    for (const std::size_t place : places) {
        configurations.push_back(runtimes.configurations[place]);
        runs.milliseconds.push_back(runtimes.milliseconds[place]);
    }
    auto scores = scorer.score(configurations);
    auto inputs = scorer.last_inputs(configurations);
    if (!scores || !inputs)
        return std::unexpected((scores ? inputs : scores).error());
    runs.scores = *std::move(scores);
    runs.inputs = *std::move(inputs);
    return runs;
}

/// Drawn ones, the slower schedule less the faster one.
void add_pairs(const ScoredRuns& runs, std::size_t matrix, Random& random, std::vector<OrderedPair>& pairs) {
    std::vector<std::pair<std::size_t, std::size_t>> ordered;
    for (std::size_t slower = 0; slower < runs.milliseconds.size(); ++slower)
        for (std::size_t faster = 0; faster < runs.milliseconds.size(); ++faster)
            if (runs.milliseconds[slower] > least_factor * runs.milliseconds[faster])
                ordered.emplace_back(slower, faster);
    random.shuffle(ordered);
    ordered.resize(std::min(ordered.size(), pairs_of_matrix));
    for (const auto& [slower, faster] : ordered)
        pairs.push_back({matrix,
                         static_cast<double>(runs.scores[slower]) - static_cast<double>(runs.scores[faster]),
                         runs.difference(slower, faster)});
}

Result<LastLayerPairs> known_pairs(Workspace& workspace, const ReasonsData& data,
                                   const TrainingReasonsSettings& settings) {
    std::vector<const KnownMatrix*> measured;
    for (const KnownMatrix& matrix : data.known)
        if (data.runtimes.contains(matrix.name))
            measured.push_back(&matrix);
    const std::size_t taken = std::min(measured.size(), most_paired_matrices);
    LastLayerPairs pairs;
    for (std::size_t turn = 0; turn < taken; ++turn) {
        if (settings.stop.stop_requested())
            return fail(Fault::Cancelled, "stopped between two matrices");
        if (settings.is_over && settings.is_over())
            break;
        if (settings.progress)
            settings.progress({"comparing with known times", turn, taken});
        const KnownMatrix& matrix = *measured[turn * measured.size() / taken];
        const auto scorer = scorer_of(workspace, data, matrix, settings.threads);
        if (!scorer)
            return std::unexpected(scorer.error());
        Random random = Random(settings.seed).fork(2).fork(turn);
        const auto runs =
            scored_runs(**scorer, data.runtimes.at(matrix.name), data.model->last_width(), random);
        if (!runs)
            return std::unexpected(runs.error());
        add_pairs(*runs, turn, random, matrix.is_learned ? pairs.learned : pairs.others);
    }
    return pairs;
}

} // namespace

Result<UncertaintyReason> uncertainty_reason(Workspace& workspace, const ReasonsData& data,
                                             const WorkloadScorer& explained,
                                             const TrainingReasonsSettings& settings) {
    const auto pairs = known_pairs(workspace, data, settings);
    if (!pairs)
        return std::unexpected(pairs.error());
    auto fit = fit_last_layer(*pairs, settings.stop);
    if (!fit)
        return std::unexpected(std::move(fit).error());
    const std::array both{configuration_of(data.against), configuration_of(data.schedule)};
    const auto margin = margin_of(explained, data.schedule, data.against);
    auto inputs = explained.last_inputs(both);
    if (!margin || !inputs)
        return std::unexpected(margin ? inputs.error() : margin.error());
    const ScoredRuns own{.inputs = *std::move(inputs), .width = data.model->last_width()};
    const std::vector<float> difference = own.difference(0, 1);
    UncertaintyReason reason = std::move(fit->reason);
    reason.margin = *margin;
    reason.deviation = fit->layer.deviation(difference);
    reason.confidence = fit->layer.confidence(*margin, difference);
    reason.machine = data.times_machine;
    return reason;
}

} // namespace sparsight
