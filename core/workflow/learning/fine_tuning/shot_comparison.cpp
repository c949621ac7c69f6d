#include "workflow/learning/fine_tuning/shot_comparison.h"

#include "model/networks/encoder.h"
#include "workflow/learning/training/model_storage.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view shots_prefix = "shots/";
/// Behind a contender and a metric stand "mean", "low", "high" and, from 0, "seed-3".
constexpr std::string_view seed_part = "seed-";
constexpr std::size_t most_seeds = 100'000; ///< more are none of ours

/// With what it needs to be adapted.
struct Contender {
    std::string name;
    std::shared_ptr<const Encoder> encoder;
    std::function<MetaParameters(std::uint64_t seed)> start;
    FineTuningOptions options;
};

Contender contender_of(const StoredModel& model, const FineTuningOptions& options, at::Device device) {
    return {
        model.record.name, model.encoder(),
        [checkpoint = model.checkpoint, device](std::uint64_t) { return parameters_of(checkpoint, device); },
        options};
}

/// Of the same network, which knows what numbers of matrices are usual, and nothing else.
Contender from_scratch(const StoredModel& model, const FinetuneRequest& request) {
    const std::shared_ptr<const Encoder> encoder = model.encoder();
    FineTuningOptions options{.rule = FineTuningRule::Adam,
                              .method = Method::Supervised,
                              .loss = request.loss,
                              .epochs = request.scratch_epochs,
                              .schedules_per_matrix = request.schedules_per_matrix,
                              .adam_rate = request.adam_rate};
    return {std::string(scratch_contender), encoder,
            [encoder, device = at::Device(request.device)](std::uint64_t seed) {
                return MetaParameters{
                    to_tensors(draw_weights(encoder->parameters(), seed), true, at::kFloat, device),
                    std::nullopt};
            },
            options};
}

Result<std::vector<Contender>> contenders_of(Workspace& workspace, const LearningDomains& domains,
                                             const FinetuneRequest& request, const StoredModel& model,
                                             const FineTuningOptions& options) {
    std::vector<Contender> contenders{contender_of(model, options, at::Device(request.device))};
    for (const std::string& name : request.against) {
        if (name == scratch_contender) {
            contenders.push_back(from_scratch(model, request));
            continue;
        }
        const auto other = load_model(workspace, domains, name);
        if (!other)
            return std::unexpected(other.error());
        if (!is_network(other->checkpoint.model) || other->domain != model.domain ||
            other->purpose() != model.purpose())
            return fail(Fault::Input, fmt::format("{} can't be compared with {}: expected a network for the "
                                                  "same operator",
                                                  name, model.record.name));
        const auto its = finetuning_options(workspace, request, *other);
        if (!its)
            return std::unexpected(its.error());
        contenders.push_back(contender_of(*other, *its, at::Device(request.device)));
    }
    return contenders;
}

ShotResult result_of(const ShotPoint& point) {
    ShotResult result{point.contender, point.shots, {}, {}};
    std::set<std::string> metrics;
    for (const RankingReport& report : point.seeds) {
        result.seeds.push_back(report.by_name());
        for (const auto& [metric, value] : result.seeds.back())
            metrics.insert(metric);
    }
    for (const std::string& metric : metrics)
        if (const auto interval = confidence_interval(point, metric))
            result.mean[metric] = *interval;
    return result;
}

void add(TrainingJournal& journal, const ShotResult& result) {
    const auto step = static_cast<std::int64_t>(result.shots);
    for (const auto& [metric, interval] : result.mean) {
        const std::string name = fmt::format("{}{}/{}/", shots_prefix, result.contender, metric);
        journal.add(name + "mean", step, interval.mean);
        if (interval.low && interval.high) {
            journal.add(name + "low", step, *interval.low);
            journal.add(name + "high", step, *interval.high);
        }
        for (std::size_t seed = 0; seed < result.seeds.size(); ++seed)
            if (const auto value = result.seeds[seed].find(metric); value != result.seeds[seed].end())
                journal.add(fmt::format("{}{}{}", name, seed_part, seed), step, value->second);
    }
}

void add_seed(ShotResult& result, const std::string& text, const std::string& metric, double value) {
    std::size_t seed = 0;
    const char* const end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, seed);
        error != std::errc() || stop != end)
        return;
    if (seed >= most_seeds)
        return;
    result.seeds.resize(std::max(result.seeds.size(), seed + 1));
    result.seeds[seed][metric] = value;
}

/// As many as there are matrices at most, each number once.
std::vector<std::size_t> possible_shots(const std::vector<std::size_t>& wanted, std::size_t matrices) {
    std::set<std::size_t> shots;
    for (const std::size_t count : wanted)
        shots.insert(std::min(count, matrices));
    return {shots.begin(), shots.end()};
}

Json or_null(const std::optional<double>& number) {
    return number ? Json(*number) : Json();
}

} // namespace

Json shot_json(const ShotResult& result) {
    Json mean = Json::object();
    for (const auto& [metric, interval] : result.mean)
        mean[metric] = {
            {"mean", interval.mean}, {"low", or_null(interval.low)}, {"high", or_null(interval.high)}};
    return {{"contender", result.contender},
            {"shots", result.shots},
            {"seeds", result.seeds},
            {"mean", std::move(mean)}};
}

std::string shots_note(const std::vector<std::size_t>& wanted, std::size_t matrices) {
    const auto most = std::ranges::max_element(wanted);
    if (most == wanted.end() || *most <= matrices)
        return {};
    return fmt::format("--shots {} asks for more matrices than there are to adapt to: the curve ends with {}",
                       *most, matrices);
}

std::vector<ShotResult> stored_shots(const MetricsByName& metrics) {
    std::map<std::pair<std::int64_t, std::string>, ShotResult> found;
    for (const auto& [name, points] : metrics) {
        if (!name.starts_with(shots_prefix))
            continue;
        const std::size_t last = name.rfind('/');
        const std::size_t middle = name.rfind('/', last - 1);
        if (middle == std::string::npos || middle < shots_prefix.size())
            continue;
        const std::string contender = name.substr(shots_prefix.size(), middle - shots_prefix.size());
        const std::string metric = name.substr(middle + 1, last - middle - 1);
        const std::string part = name.substr(last + 1);
        for (const MetricPoint& point : points) {
            ShotResult& result = found[{point.step, contender}];
            result.contender = contender;
            result.shots = static_cast<std::size_t>(point.step);
            if (part.starts_with(seed_part)) {
                add_seed(result, part.substr(seed_part.size()), metric, point.value);
                continue;
            }
            Interval& interval = result.mean[metric];
            if (part == "mean")
                interval.mean = point.value;
            else
                (part == "low" ? interval.low : interval.high) = point.value;
        }
    }
    std::vector<ShotResult> results;
    for (auto& [key, result] : found)
        results.push_back(std::move(result));
    return results;
}

Result<std::vector<ShotResult>> run_shots(Workspace& workspace, const LearningDomains& domains,
                                          const FinetuneRequest& request, const StoredModel& model,
                                          const FineTuningOptions& options, const TrainingData& data,
                                          TrainingJournal& journal, Observer& observer,
                                          const std::stop_token& stop) {
    if (request.shots.empty())
        return std::vector<ShotResult>{};
    const auto contenders = contenders_of(workspace, domains, request, model, options);
    if (!contenders)
        return std::unexpected(contenders.error());
    const auto metrics = stored_metrics(workspace, journal.run());
    if (!metrics)
        return std::unexpected(metrics.error());
    std::vector<ShotResult> results = stored_shots(*metrics);
    const auto shots = possible_shots(request.shots, data.split.train.size());
    const std::uint64_t total = shots.size() * contenders->size();
    std::vector<ExampleStore> stores;
    for (const Contender& contender : *contenders)
        stores.emplace_back(data.set, contender.encoder, request.threads, default_kept_coordinates,
                            at::Device(request.device));
    for (std::uint64_t done = 0; const std::size_t count : shots) {
        for (std::size_t place = 0; place < contenders->size(); ++place) {
            const Contender& contender = (*contenders)[place];
            const std::string details = fmt::format("shot curve: {} with {}", contender.name, count);
            observer.progress({.stage = "shot curve", .done = done++, .total = total, .details = details});
            const auto known = std::ranges::find_if(results, [&](const ShotResult& each) {
                return each.contender == contender.name && each.shots == count;
            });
            if (known != results.end()) {
                observer.event("shot", shot_json(*known));
                continue;
            }
            const ShotContender contestant{contender.name, contender.start, contender.options};
            const auto points = shot_curve(stores[place], 0, data.split, std::span(&contestant, 1),
                                           {.shots = {count}, .seeds = request.seeds}, {}, stop);
            if (!points)
                return std::unexpected(points.error());
            results.push_back(result_of(points->front()));
            add(journal, results.back());
            if (auto kept = journal.flush(); !kept)
                return std::unexpected(std::move(kept).error());
            observer.event("shot", shot_json(results.back()));
        }
    }
    std::ranges::stable_sort(results, {}, &ShotResult::shots);
    return results;
}

} // namespace sparsight
