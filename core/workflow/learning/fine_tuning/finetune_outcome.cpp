#include "workflow/learning/fine_tuning/finetune_outcome.h"

#include "base/optional_json.h"
#include "learning/fine_tuning/shot_contenders.h"
#include "learning/training/tree_training.h"
#include "model/networks/encoder.h"
#include "model/networks/gray_box.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view shots_prefix = "shots/";
/// Behind a contender and a metric stand "mean", "low", "high" and, from 0, "seed-3".
constexpr std::string_view seed_part = "seed-";
constexpr std::size_t most_seeds = 100'000; ///< more are none of ours

/// A contender, and the encoder of what it learns from.
struct Contender {
    std::shared_ptr<const Encoder> encoder;
    ShotContender shot;
};

std::function<MetaParameters(std::uint64_t seed)> start_of(const StoredModel& model, at::Device device) {
    return
        [checkpoint = model.checkpoint, device](std::uint64_t) { return parameters_of(checkpoint, device); };
}

/// Of the same network, which knows what numbers of workloads are usual, and nothing else.
Contender from_scratch(const StoredModel& model, const FinetuneRequest& request,
                       const FineTuningOptions& of_model) {
    const std::shared_ptr<const Encoder> encoder = model.encoder();
    FineTuningOptions options{.rule = FineTuningRule::Adam,
                              .method = Method::Supervised,
                              .loss = request.loss,
                              .epochs = request.scratch_epochs,
                              .configurations_per_workload = of_model.configurations_per_workload,
                              .adam_rate = request.adam_rate.value_or(1e-3)};
    if (encoder->gray_box() != nullptr)
        options = of_model; // what it knows is in the simulator
    return {encoder, tuned_network(
                         std::string(scratch_contender),
                         [encoder, device = at::Device(request.device)](std::uint64_t seed) {
                             return MetaParameters{to_tensors(draw_weights(encoder->parameters(), seed), true,
                                                              at::kFloat, device),
                                                   std::nullopt};
                         },
                         options)};
}

Result<Contender> another_model(Workspace& workspace, const LearningDomains& domains,
                                const FinetuneRequest& request, const StoredModel& model,
                                const std::string& word) {
    const bool is_blended = word.starts_with(blend_contender);
    const std::string name = model_of_contender(word).value_or(word);
    const auto other = load_model(workspace, domains, name);
    if (!other)
        return std::unexpected(other.error());
    if (!is_network(other->checkpoint.model) || other->domain != model.domain ||
        other->purpose() != model.purpose())
        return fail(Fault::Input, fmt::format("{} can't be compared with {}: expected a network for the "
                                              "same operator",
                                              name, model.record.name));
    const auto options = finetuning_options(workspace, request, *other);
    if (!options)
        return std::unexpected(options.error());
    const auto start = start_of(*other, at::Device(request.device));
    if (!is_blended)
        return Contender{other->encoder(), tuned_network(name, start, *options)};
    const SimulatorBlending* const blending = model.domain->blending();
    if (blending == nullptr || other->encoder()->gray_box() != nullptr)
        return fail(Fault::Input, fmt::format("{} can't be blended with a simulator", name));
    return Contender{other->encoder(), blended_network(word, start, *options, *blending, request.threads)};
}

Result<std::vector<Contender>> contenders_of(Workspace& workspace, const LearningDomains& domains,
                                             const FinetuneRequest& request, const StoredModel& model,
                                             const FineTuningOptions& options, const TaskSet& tasks) {
    const std::shared_ptr<const Encoder> encoder = model.encoder();
    std::vector<Contender> contenders{
        {encoder, tuned_network(model.record.name, start_of(model, at::Device(request.device)), options)}};
    for (const std::string& name : request.against) {
        if (name == scratch_contender) {
            contenders.push_back(from_scratch(model, request, options));
        } else if (name == simulator_contender && encoder->gray_box() != nullptr) {
            contenders.push_back({encoder, calibrated_simulator(name)});
        } else if (name == trees_on_simulator_contender && encoder->gray_box() != nullptr) {
            contenders.push_back(
                {encoder, trees_on_simulator(
                              name, {.rounds = 200, .depth = 6, .rate = 0.06, .threads = request.threads})});
        } else if (name == trees_contender) {
            contenders.push_back(
                {encoder, trees_from_scratch(
                              name, model.domain->new_tree_features({trees_architecture, false, tasks, {}}),
                              {.goal = goal_of_trees(request.loss), .threads = request.threads})});
        } else {
            auto other = another_model(workspace, domains, request, model, name);
            if (!other)
                return std::unexpected(std::move(other).error());
            contenders.push_back(*std::move(other));
        }
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

/// As many as there are to learn from at most, each number once.
std::vector<std::size_t> possible_shots(const std::vector<std::size_t>& wanted, std::size_t available) {
    std::set<std::size_t> shots;
    for (const std::size_t count : wanted)
        shots.insert(std::min(count, available));
    return {shots.begin(), shots.end()};
}

} // namespace

Json shot_json(const ShotResult& result) {
    Json mean = Json::object();
    for (const auto& [metric, interval] : result.mean)
        mean[metric] = {{"mean", interval.mean},
                        {"low", json_or_null(interval.low)},
                        {"high", json_or_null(interval.high)}};
    return {{"contender", result.contender},
            {"shots", result.shots},
            {"seeds", result.seeds},
            {"mean", std::move(mean)}};
}

std::string shots_note(const std::vector<std::size_t>& wanted, const FinetuneData& data) {
    const auto most = std::ranges::max_element(wanted);
    const std::size_t available = data.available_shots();
    if (most == wanted.end() || *most <= available)
        return {};
    return fmt::format("--shots {} asks for more {} than there are to adapt to: the curve ends with {}",
                       *most, data.shot().many, available);
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
                                          const FineTuningOptions& options, const FinetuneData& tuned,
                                          const ExampleStore& examples, TrainingJournal& journal,
                                          Observer& observer, const std::stop_token& stop) {
    if (request.shots.empty())
        return std::vector<ShotResult>{};
    const auto contenders = contenders_of(workspace, domains, request, model, options, tuned.data.set);
    if (!contenders)
        return std::unexpected(contenders.error());
    const auto metrics = stored_metrics(workspace, journal.run());
    if (!metrics)
        return std::unexpected(metrics.error());
    std::vector<ShotResult> results = stored_shots(*metrics);
    const TrainingData& data = tuned.data;
    const auto shots = possible_shots(request.shots, tuned.available_shots());
    const std::uint64_t total = shots.size() * contenders->size();
    std::map<const Encoder*, ExampleStore> stores; // contenders of one network read the same of the data
    for (const Contender& contender : *contenders)
        if (!stores.contains(contender.encoder.get()))
            stores.emplace(contender.encoder.get(), examples.store_for(contender.encoder));
    for (std::uint64_t done = 0; const std::size_t count : shots) {
        for (std::size_t place = 0; place < contenders->size(); ++place) {
            const Contender& contender = (*contenders)[place];
            const std::string& name = contender.shot.name;
            const std::string details = fmt::format("shot curve: {} with {}", name, count);
            observer.progress({.stage = "shot curve", .done = done++, .total = total, .details = details});
            const auto known = std::ranges::find_if(results, [&](const ShotResult& each) {
                return each.contender == name && each.shots == count;
            });
            if (known != results.end()) {
                observer.event("shot", shot_json(*known));
                continue;
            }
            const auto points =
                shot_curve(stores.at(contender.encoder.get()), 0, data.split, std::span(&contender.shot, 1),
                           {.shots = {count}, .seeds = request.seeds, .by_row = tuned.is_by_row()}, {}, stop);
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

namespace {

constexpr const char* accuracy = "ordered_pair_accuracy";

std::optional<double> value_of(const Metrics& metrics, const std::string& metric) {
    const auto found = metrics.find(metric);
    return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

std::optional<FinetuneVerdict> verdict_of(const FinetuneOutcome& outcome) {
    return finetune_verdict_of(value_of(outcome.before, accuracy),
                               value_of(outcome.simulator_alone, accuracy),
                               value_of(outcome.after, accuracy));
}

namespace {

/// Of a gray box: in percentage points, as the window has them.
std::string correction_text(const FinetuneVerdict& verdict) {
    const double gained = *verdict.gained_by_correction();
    const std::string simulator =
        fmt::format("the calibrated simulator ({:.4f})", *verdict.corrected_simulator);
    const std::string points = fmt::format("{:.1f} percentage points", 100 * std::abs(gained));
    if (std::abs(gained) < least_finetune_change)
        return "the learned correction gained nothing over " + simulator;
    return gained > 0 ? fmt::format("the learned correction gained {} over {}", points, simulator)
                      : fmt::format("the learned correction lost {} to {}", points, simulator);
}

} // namespace

namespace {

/// Of workloads with a single configuration, which has no order.
std::string time_error_sentence(const FinetuneOutcome& outcome) {
    const auto before = value_of(outcome.before, "time_error");
    const auto after = value_of(outcome.after, "time_error");
    return before && after ? fmt::format("mean error of the times: {:.1f} % before, {:.1f} % after",
                                         100 * *before, 100 * *after)
                           : std::string();
}

} // namespace

std::string gain_sentence(const FinetuneOutcome& outcome) {
    const auto verdict = verdict_of(outcome);
    if (!verdict)
        return time_error_sentence(outcome);
    const std::string pairs =
        fmt::format("pairs in the right order: {:.4f} before, {:.4f} after", verdict->before, verdict->after);
    if (verdict->worth == FinetuneWorth::Worse)
        return fmt::format("the model became worse ({}): keep the model before it, or learn from more {}",
                           pairs, outcome.shot.many);
    if (verdict->corrected_simulator)
        return fmt::format("{}; {}", pairs, correction_text(*verdict));
    return verdict->worth == FinetuneWorth::Equal ? pairs + ": nothing was gained" : pairs;
}

std::optional<std::string> loss_remark(const FinetuneOutcome& outcome) {
    const auto verdict = verdict_of(outcome);
    return verdict && verdict->worth == FinetuneWorth::Worse ? std::optional(gain_sentence(outcome))
                                                             : std::nullopt;
}

Metrics deviation_metrics(std::span<const NamedArray> weights) {
    Metrics metrics;
    for (const ParameterDeviation& each : deviations(weights)) {
        if (!each.is_clear())
            continue;
        const std::string key(parameter_info(each.parameter).key);
        metrics.insert(
            {{key + "/factor", each.factor}, {key + "/low", each.low()}, {key + "/high", each.high()}});
    }
    return metrics;
}

std::optional<Reliability> stored_reliability(const MetricsByName& metrics) {
    ReliabilityNumbers numbers;
    for (const auto& [name, points] : metrics)
        if (name.starts_with(reliability_prefix))
            for (const MetricPoint& point : points)
                numbers[name.substr(reliability_prefix.size())][point.step] = point.value;
    return from_numbers(numbers);
}

std::string reliability_sentence(const Reliability& reliability, const DomainWords& words) {
    return fmt::format(
        "how sure the model is of the order of two {} is off by {:.1f} points on average ({} pairs "
        "of {} test {}); {:.1f} % of the differences were within their 95 % interval",
        words.configuration.many, 100 * reliability.error, reliability.pairs, reliability.workloads,
        reliability.workloads == 1 ? words.workload.one : words.workload.many,
        100 * reliability.within.value);
}

std::optional<std::string> doubt_remark(const FinetuneOutcome& outcome) {
    if (!outcome.doubt || outcome.doubt->calibrated_on > 0)
        return std::nullopt;
    return fmt::format("what the model states of its doubt is not calibrated: that takes {} validation {}",
                       fewest_to_calibrate_doubt, outcome.words.workload.many);
}

std::vector<std::string> stored_remarks(const ModelDescription& model) {
    std::vector<std::string> remarks = model.training.remarks;
    constexpr std::string_view share_doubt = "the network's share may be too large";
    if (model.blend && part_without_share(model.blend->network, model.blend->simulator) == BlendPart::Network)
        std::erase_if(remarks, [](const std::string& each) { return each.starts_with(share_doubt); });
    return remarks;
}

} // namespace sparsight
