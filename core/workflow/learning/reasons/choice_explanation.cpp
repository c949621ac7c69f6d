#include "workflow/learning/reasons/choice_explanation.h"

#include "base/random.h"
#include "evaluation/model_reasons/decision_anchors.h"
#include "store/measurements.h"
#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

/// Changed cases take decisions from so many at most.
constexpr std::size_t most_others = 800;
/// In a space that does not list its configurations, so many are drawn beside the recorded ones.
constexpr std::size_t drawn_others = 300;

class ChoiceExplanation {
public:
    ChoiceExplanation(Workspace& workspace, const ChoiceQuestion& question, const QueriedModel& model,
                      std::stop_token stop, const ProgressSink& progress)
        : workspace_(workspace)
        , question_(question)
        , model_(model)
        , domain_(model.domain())
        , stop_(std::move(stop))
        , progress_(progress) {}

    [[nodiscard]] Result<ExplainedChoice> run() {
        for (const auto step : {&ChoiceExplanation::read_workload, &ChoiceExplanation::read_machine,
                                &ChoiceExplanation::read_times, &ChoiceExplanation::look_at_workload,
                                &ChoiceExplanation::read_pair, &ChoiceExplanation::find_rule}) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped before the model was asked");
            if (auto done = (this->*step)(); !done)
                return std::unexpected(std::move(done).error());
        }
        return ExplainedChoice{&domain_, model_.setting(), std::move(reasons_)};
    }

private:
    [[nodiscard]] std::string noun() const { return domain_.words().configuration.one; }

    [[nodiscard]] Result<void> read_workload() {
        auto found = model_.workload(question_.workload);
        if (!found)
            return std::unexpected(std::move(found).error());
        workload_ = *std::move(found);
        reasons_.model = question_.query.model;
        reasons_.workload = workload_.name;
        const auto texts = recorded_canonical_texts(workspace_, model_.setting(), workload_.id);
        if (!texts)
            return std::unexpected(texts.error());
        for (const std::string& text : *texts) {
            const auto parsed = model_.codec().parse(text);
            if (!parsed)
                return std::unexpected(parsed.error());
            recorded_.push_back(parsed->configuration);
        }
        std::ranges::sort(recorded_);
        const auto repeated = std::ranges::unique(recorded_);
        recorded_.erase(repeated.begin(), repeated.end());
        auto space = space_of(domain_, model_.setting(), workload_,
                              domain_.chooses_among_recorded() ? std::span<const Configuration>(recorded_)
                                                               : std::span<const Configuration>());
        if (!space)
            return std::unexpected(std::move(space).error());
        space_ = *std::move(space);
        return {};
    }

    /// Without a named machine: this computer where the workload was measured there, else the machine with
    /// the most times of it.
    [[nodiscard]] Result<void> read_machine() {
        auto machine = model_.machine(question_.query.machine);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machine_ = *std::move(machine);
        if (!question_.query.machine.empty())
            return {};
        const auto results = model_.results(workload_.name, {});
        if (!results)
            return std::unexpected(results.error());
        std::map<std::string, std::size_t> counts;
        for (const ResultRecord& result : *results)
            if (is_comparable_time(result, {}))
                ++counts[result.machine];
        if (counts.empty() || counts.contains(machine_.name))
            return {};
        const auto most =
            std::ranges::max_element(counts, {}, &std::pair<const std::string, std::size_t>::second);
        auto known = model_.machine(most->first);
        if (!known)
            return std::unexpected(std::move(known).error());
        machine_ = *std::move(known);
        return {};
    }

    /// Those that compare with each other, where the machine has some.
    [[nodiscard]] Result<void> read_times() {
        reasons_.machine = machine_.name;
        if (machine_.name.empty())
            return {};
        const auto results = model_.results(workload_.name, machine_.fingerprint);
        if (!results)
            return std::unexpected(results.error());
        for (const ResultRecord& result : *results) {
            if (!is_comparable_time(result, machine_) ||
                (machine_.recorded && result.threads != machine_.recorded->threads))
                continue;
            const auto parsed = model_.codec().parse(result.configuration);
            if (!parsed)
                return std::unexpected(parsed.error());
            const auto [known, is_new] = times_.try_emplace(parsed->configuration, *result.median_ms);
            if (!is_new)
                known->second = std::min(known->second, *result.median_ms);
        }
        return {};
    }

    [[nodiscard]] Result<void> look_at_workload() {
        auto scorer = model_.look_at(workload_, machine_);
        if (!scorer)
            return std::unexpected(std::move(scorer).error());
        scorer_ = *std::move(scorer);
        return {};
    }

    [[nodiscard]] Result<Configuration> configuration_of(const std::string& text) const {
        if (text == best_configuration) {
            if (times_.empty())
                return fail(
                    Fault::Input,
                    fmt::format("no time of {} on {} is known: expected the text of a {} in the place "
                                "of best",
                                workload_.name, machine_.name.empty() ? "this computer" : machine_.name,
                                noun()));
            return std::ranges::min_element(
                       times_, {}, [](const auto& each) { return std::pair(each.second, each.first); })
                ->first;
        }
        if (text == first_choice) {
            if (recorded_.empty())
                return fail(Fault::Input, fmt::format("no {} of {} is known: expected the text of one",
                                                      noun(), workload_.name));
            const auto scores = scorer_->score(recorded_);
            if (!scores)
                return std::unexpected(scores.error());
            return recorded_[static_cast<std::size_t>(std::ranges::min_element(*scores) - scores->begin())];
        }
        const auto parsed = model_.codec().parse(text);
        if (!parsed)
            return std::unexpected(parsed.error());
        if (auto valid = space_->check(parsed->configuration); !valid)
            return std::unexpected(std::move(valid).error());
        return parsed->configuration;
    }

    [[nodiscard]] std::optional<double> time_of(const Configuration& configuration) const {
        const auto found = times_.find(configuration);
        return found == times_.end() ? std::nullopt : std::optional(found->second);
    }

    [[nodiscard]] Result<void> read_pair() {
        const auto configuration = configuration_of(question_.configuration);
        const auto against =
            configuration_of(question_.against.empty() ? std::string(best_configuration) : question_.against);
        if (!configuration || !against)
            return std::unexpected((configuration ? against : configuration).error());
        configuration_ = *configuration;
        against_ = *against;
        reasons_.configuration = model_.codec().text(configuration_, machine_.threads);
        reasons_.against = model_.codec().text(against_, machine_.threads);
        if (configuration_ == against_)
            return fail(Fault::Input,
                        fmt::format("both {} are the same, {}: there is no preference to explain",
                                    domain_.words().configuration.many, reasons_.configuration));
        const std::array both{configuration_, against_};
        const auto scores = scorer_->score(both);
        if (!scores)
            return std::unexpected(scores.error());
        reasons_.configuration_score = static_cast<double>((*scores)[0]);
        reasons_.against_score = static_cast<double>((*scores)[1]);
        reasons_.configuration_ms = time_of(configuration_);
        reasons_.against_ms = time_of(against_);
        return {};
    }

    /// Drawn: an even step through sorted ones could leave their last decisions as they are.
    [[nodiscard]] std::vector<Configuration> others() const {
        Random random = Random(question_.seed).fork(1);
        if (!space_->configurations().empty())
            return space_->sample(most_others, random);
        std::vector<Configuration> others = recorded_;
        random.shuffle(others);
        others.resize(std::min(others.size(), most_others - drawn_others));
        std::erase_if(others, [&](const Configuration& each) { return !space_->check(each); });
        std::ranges::move(space_->customary_sample(drawn_others, random), std::back_inserter(others));
        return others;
    }

    [[nodiscard]] Result<void> find_rule() {
        DecisionComparison comparison{
            .configuration = configuration_,
            .against = against_,
            .others = others(),
            .codec = model_.codec(),
            .space = *space_,
            .scores = [this](std::span<const Configuration> all) -> Result<std::vector<double>> {
                const auto scores = scorer_->score(all);
                if (!scores)
                    return std::unexpected(scores.error());
                return std::vector<double>(scores->begin(), scores->end());
            }};
        comparison.others.push_back(configuration_);
        comparison.others.push_back(against_);
        std::ranges::sort(comparison.others);
        const auto repeated = std::ranges::unique(comparison.others);
        comparison.others.erase(repeated.begin(), repeated.end());
        const auto space = DecisionAnchorSpace::make(std::move(comparison));
        if (!space)
            return std::unexpected(space.error());
        reasons_.others = static_cast<std::int64_t>((*space)->others());
        reasons_.unchanged = (*space)->unchanged();
        reasons_.missing = (*space)->missing();
        if (!reasons_.missing.empty())
            return {};
        AnchorOptions options;
        options.seed = question_.seed;
        options.is_over = [watch = Stopwatch(), budget = question_.budget.count()] {
            return watch.seconds() >= budget;
        };
        options.stop = stop_;
        options.progress = progress_;
        auto found = find_anchor_reason(**space, options,
                                        [&](std::size_t place) { return (*space)->predicate(place); });
        if (!found)
            return std::unexpected(std::move(found).error());
        reasons_.anchors = *std::move(found);
        return {};
    }

    Workspace& workspace_;
    const ChoiceQuestion& question_;
    const QueriedModel& model_;
    const Domain& domain_;
    std::stop_token stop_;
    const ProgressSink& progress_;
    WorkloadRecord workload_;
    std::shared_ptr<const ConfigurationSpace> space_;
    std::vector<Configuration> recorded_; ///< of the workload, on whatever machine; sorted, each once
    SearchTarget machine_;
    std::unordered_map<Configuration, double> times_; ///< on the machine, in milliseconds
    std::shared_ptr<const WorkloadScorer> scorer_;
    Configuration configuration_;
    Configuration against_;
    ChoiceReasons reasons_;
};

} // namespace

Result<ExplainedChoice> explain_choice(Workspace& workspace, const LearningDomains& domains,
                                       const ChoiceQuestion& question, const std::stop_token& stop,
                                       const ProgressSink& progress) {
    const auto model = QueriedModel::load(workspace, domains, question.query);
    if (!model)
        return std::unexpected(model.error());
    return ChoiceExplanation(workspace, question, *model, stop, progress).run();
}

} // namespace sparsight
