#include "base/random.h"
#include "evaluation/model_reasons/last_layer.h"
#include "learn/asked_model.h"
#include "learn/known_scorer.h"
#include "learn/reasons_known.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sparsight {

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

Result<ScoredRuns> scored_runs(const PatternScorer& scorer, const MatrixRuntimes& runtimes, std::size_t width,
                               Random& random) {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < runtimes.schedules.size(); ++place)
        if (std::isfinite(runtimes.milliseconds[place]))
            places.push_back(place);
    random.shuffle(places);
    places.resize(std::min(places.size(), paired_schedules));
    std::vector<SuperSchedule> schedules;
    ScoredRuns runs{.width = width};
    for (const std::size_t place : places) {
        schedules.push_back(canonical(runtimes.schedules[place]));
        runs.milliseconds.push_back(runtimes.milliseconds[place]);
    }
    auto scores = scorer.score(schedules);
    auto inputs = scorer.last_inputs(schedules);
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
                                   const KnownReasonsSettings& settings) {
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
                                             const PatternScorer& explained,
                                             const KnownReasonsSettings& settings) {
    const auto pairs = known_pairs(workspace, data, settings);
    if (!pairs)
        return std::unexpected(pairs.error());
    auto fit = fit_last_layer(*pairs, settings.stop);
    if (!fit)
        return std::unexpected(std::move(fit).error());
    const std::array both{data.against, data.schedule};
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
