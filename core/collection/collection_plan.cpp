#include "collection/collection_plan.h"

#include "base/digest.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_parents = 16;
// Shares of the children; the rest are neighbours.
constexpr double share_of_random_ones = 0.15; ///< against getting stuck around the baseline
constexpr double share_of_mixtures = 0.25;
constexpr double another_step = 0.3; ///< the chance that a neighbour is changed once more
constexpr int most_tries = 400;      ///< to find a child that is not known

} // namespace

MeasuredSearch::MeasuredSearch(std::shared_ptr<const ConfigurationSpace> space, Sampler sampler,
                               Random random)
    : space_(std::move(space))
    , sampler_(std::move(sampler))
    , random_(random) {}

void MeasuredSearch::know(const Configuration& configuration, std::optional<double> median_ms) {
    if (!known_.insert(configuration).second || !median_ms)
        return;
    const auto slower = std::ranges::upper_bound(parents_, *median_ms, {}, &Parent::median_ms);
    parents_.insert(slower, {configuration, *median_ms});
    if (parents_.size() > most_parents)
        parents_.pop_back();
}

std::optional<Configuration> MeasuredSearch::next() const {
    if (const auto baseline = space_->baseline(); baseline && !known_.contains(*baseline))
        return baseline;
    Random random = random_.fork(known_.size());
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        const auto found = child(random);
        if (found && !known_.contains(*found))
            return found;
    }
    return std::nullopt;
}

std::optional<Configuration> MeasuredSearch::child(Random& random) const {
    const double drawn = random.uniform();
    if (parents_.empty() || drawn < share_of_random_ones)
        return sampler_(random);
    if (drawn < share_of_random_ones + share_of_mixtures) {
        const Configuration& mother = parent(random);
        const Configuration& father = parent(random);
        if (const auto mixed = space_->mixture(mother, father, random))
            return mixed;
    }
    std::optional<Configuration> changed = parent(random);
    do {
        changed = space_->neighbour(*changed, random);
    } while (changed && random.chance(another_step));
    return changed;
}

/// The faster one of two.
const Configuration& MeasuredSearch::parent(Random& random) const {
    const std::uint64_t one = random.below(parents_.size());
    const std::uint64_t other = random.below(parents_.size());
    return parents_[std::min(one, other)].configuration;
}

namespace {

struct ChosenWorkloads {
    std::vector<WorkloadRecord> records;
    std::vector<CollectionFailure> failures;
};

using RuntimesByWorkload = std::unordered_map<std::int64_t, std::vector<ListedRuntime>>;

class Planning {
public:
    Planning(Workspace& workspace, const MeasuringDomain& domain, MachineId machine,
             const CollectionRequest& request, const std::optional<std::string>& since)
        : workspace_(workspace)
        , domain_(domain)
        , machine_(machine)
        , request_(request)
        , since_(since) {}

    Result<CollectionPlan> run() {
        auto chosen = choose_workloads();
        if (!chosen)
            return std::unexpected(std::move(chosen).error());
        const bool searches = std::holds_alternative<SearchedConfigurations>(request_.wanted);
        if (searches)
            if (auto read = read_runtimes(); !read)
                return std::unexpected(std::move(read).error());
        CollectionPlan plan{.workloads = {}, .failures = std::move(chosen->failures)};
        for (WorkloadRecord& workload : chosen->records) {
            auto planned = workload.known.content_hash.empty() ? plan_unreadable(std::move(workload))
                           : searches                          ? plan_search(std::move(workload))
                                                               : plan_list(std::move(workload));
            if (!planned)
                return std::unexpected(std::move(planned).error());
            plan.workloads.push_back(*std::move(planned));
        }
        plan.other_engines = other_engines_;
        return plan;
    }

private:
    [[nodiscard]] const DomainWords& words() const { return domain_.domain().words(); }

    [[nodiscard]] Result<ChosenWorkloads> every_workload(std::vector<WorkloadRecord> records) const {
        std::erase_if(records,
                      [](const WorkloadRecord& record) { return record.known.content_hash.empty(); });
        if (records.empty())
            return fail(Fault::Input,
                        fmt::format("the workspace has no {} to measure on: import or simulate one first",
                                    words().workload.one));
        return ChosenWorkloads{std::move(records), {}};
    }

    [[nodiscard]] Result<ChosenWorkloads> choose_workloads() const {
        auto records = list_workloads(workspace_, domain_.domain().name());
        if (!records)
            return std::unexpected(std::move(records).error());
        if (request_.workloads.empty())
            return every_workload(*std::move(records));
        const std::string& noun = words().workload.one;
        ChosenWorkloads chosen;
        std::unordered_set<std::string_view> seen;
        for (const std::string& name : request_.workloads) {
            if (!seen.insert(name).second)
                continue;
            const auto found = std::ranges::find(*records, name, &WorkloadRecord::name);
            if (found != records->end())
                chosen.records.push_back(*found);
            else
                chosen.failures.push_back(
                    {name,
                     "",
                     {Fault::Input, fmt::format("the workspace has no {} of this name", noun), {}, 0}});
        }
        if (chosen.records.empty())
            return fail(Fault::Input, fmt::format("the workspace has no {} named '{}'", noun,
                                                  fmt::join(request_.workloads, "', '")));
        return chosen;
    }

    /// What a search goes on from.
    Result<void> read_runtimes() {
        auto listed = list_runtimes(workspace_, {.machine = machine_,
                                                 .setting = request_.setting,
                                                 .protocol = std::string(name(request_.protocol)),
                                                 .condition = {},
                                                 .threads = domain_.stored_threads(request_.threads),
                                                 .engine = domain_.engine()});
        if (!listed)
            return std::unexpected(std::move(listed).error());
        stored_ = std::move(listed->configurations);
        for (const ListedRuntime& runtime : listed->runtimes)
            runtimes_[static_cast<std::int64_t>(runtime.workload)].push_back(runtime);
        return {};
    }

    [[nodiscard]] SpaceRequest space_request(const WorkloadRecord& workload) const {
        return {.setting = request_.setting, .facts = numeric_facts(workload)};
    }

    [[nodiscard]] Random random_of(std::uint64_t seed, const WorkloadRecord& workload) const {
        return Random(seed).fork(digest_of(workload.name));
    }

    /// Every sampler of the domain in turns, as chance has it: each finds what others do not.
    [[nodiscard]] MeasuredSearch::Sampler sampler_for(const WorkloadRecord& workload,
                                                      std::shared_ptr<const ConfigurationCodec> codec) const {
        return [&domain = domain_, request = space_request(workload), threads = request_.threads,
                codec = std::move(codec)](Random& random) -> std::optional<Configuration> {
            const auto samplers = domain.samplers();
            const auto drawn =
                domain.sample(samplers[random.below(samplers.size())], request, 1, threads, random);
            if (!drawn || drawn->empty())
                return std::nullopt;
            const auto parsed = codec->parse(drawn->front().text);
            return parsed ? std::optional(parsed->configuration) : std::nullopt;
        };
    }

    [[nodiscard]] Result<WorkloadPlan> plan_search(WorkloadRecord workload) const {
        const auto& searched = std::get<SearchedConfigurations>(request_.wanted);
        const auto space = domain_.domain().space(space_request(workload));
        const auto codec = domain_.domain().codec(request_.setting);
        if (!space || !codec)
            return std::unexpected(space ? codec.error() : space.error());
        const auto read = [codec = *codec](const WrittenConfiguration& written) -> Result<Configuration> {
            const auto parsed = codec->parse(written.text);
            if (!parsed)
                return std::unexpected(parsed.error());
            return parsed->configuration;
        };
        const auto write = [&domain = domain_, &setting = request_.setting, threads = request_.threads,
                            codec = *codec](const Configuration& configuration) {
            return domain.written(setting, codec->text(configuration, threads), threads);
        };
        MeasuredSearch search(*space, sampler_for(workload, *codec), random_of(searched.seed, workload));
        if (const auto known = runtimes_.find(static_cast<std::int64_t>(workload.id));
            known != runtimes_.end())
            for (const ListedRuntime& runtime : known->second)
                if (const auto configuration = read(stored_[runtime.configuration]))
                    search.know(*configuration, runtime.status == MeasurementStatus::Measured
                                                    ? runtime.median_ms
                                                    : std::nullopt);
        return WorkloadPlan(std::move(workload), static_cast<std::size_t>(searched.count) + 1,
                            {std::move(search), write, read});
    }

    /// The baseline first, each meaning once.
    [[nodiscard]] Result<std::vector<WrittenConfiguration>> wanted_for(const WorkloadRecord& workload) const {
        std::vector<WrittenConfiguration> wanted;
        std::unordered_set<std::string> known;
        const auto add = [&](WrittenConfiguration each) {
            if (known.insert(each.canonical).second)
                wanted.push_back(std::move(each));
        };
        const SpaceRequest request = space_request(workload);
        if (words().baseline) {
            const auto space = domain_.domain().space(request);
            const auto codec = domain_.domain().codec(request_.setting);
            if (!space || !codec)
                return std::unexpected(space ? codec.error() : space.error());
            if (const auto baseline = (*space)->baseline()) {
                auto written = domain_.written(request_.setting, (*codec)->text(*baseline, request_.threads),
                                               request_.threads);
                if (!written)
                    return std::unexpected(std::move(written).error());
                add(*std::move(written));
            }
        }
        if (const auto* const sampled = std::get_if<SampledConfigurations>(&request_.wanted)) {
            Random random = random_of(sampled->seed, workload);
            const auto sampler =
                sampled->sampler.empty() ? domain_.samplers().front() : std::string_view(sampled->sampler);
            auto drawn = domain_.sample(sampler, request, static_cast<std::size_t>(sampled->count),
                                        request_.threads, random);
            if (!drawn)
                return std::unexpected(std::move(drawn).error());
            for (WrittenConfiguration& each : *drawn)
                add(std::move(each));
            return wanted;
        }
        for (const std::string& text : listed_for(workload)) {
            auto written = domain_.written(request_.setting, text, request_.threads);
            if (!written)
                return std::unexpected(std::move(written).error());
            add(*std::move(written));
        }
        return wanted;
    }

    [[nodiscard]] std::vector<std::string> listed_for(const WorkloadRecord& workload) const {
        if (const auto* const listed = std::get_if<ListedConfigurations>(&request_.wanted))
            return listed->texts;
        if (const auto* const by_workload = std::get_if<ConfigurationsByWorkload>(&request_.wanted))
            if (const auto own = by_workload->texts.find(workload.name); own != by_workload->texts.end())
                return own->second;
        return {};
    }

    /// Without data there is no space to choose from: opening the workload will say what is missing.
    [[nodiscard]] static Result<WorkloadPlan> plan_unreadable(WorkloadRecord workload) {
        return WorkloadPlan(std::move(workload), 1, std::vector<WrittenConfiguration>(1));
    }

    [[nodiscard]] Result<WorkloadPlan> plan_list(WorkloadRecord workload) {
        auto wanted = wanted_for(workload);
        if (!wanted)
            return std::unexpected(std::move(wanted).error());
        const std::size_t count = wanted->size();
        const MeasurementConditions conditions = conditions_of(request_, machine_, workload.id);
        const auto stored = measured_canonical_texts(workspace_, conditions);
        const auto current =
            measured_canonical_texts(workspace_, conditions, {.engine = domain_.engine(), .since = since_});
        if (!stored || !current)
            return std::unexpected(stored ? current.error() : stored.error());
        const std::unordered_set<std::string_view> known(current->begin(), current->end());
        std::erase_if(*wanted,
                      [&](const WrittenConfiguration& each) { return known.contains(each.canonical); });
        if (!since_) {
            const std::unordered_set<std::string_view> any(stored->begin(), stored->end());
            other_engines_ += std::ranges::count_if(
                *wanted, [&](const WrittenConfiguration& each) { return any.contains(each.canonical); });
        }
        return WorkloadPlan(std::move(workload), count, *std::move(wanted));
    }

    Workspace& workspace_;
    const MeasuringDomain& domain_;
    MachineId machine_;
    const CollectionRequest& request_;
    const std::optional<std::string>& since_;
    std::int64_t other_engines_ = 0;
    std::vector<WrittenConfiguration> stored_; ///< of the runtimes
    RuntimesByWorkload runtimes_;
};

} // namespace

WorkloadPlan::WorkloadPlan(WorkloadRecord workload, std::size_t wanted,
                           std::vector<WrittenConfiguration> missing)
    : workload_(std::move(workload))
    , wanted_(wanted)
    , stored_(wanted - missing.size())
    , missing_(std::move(missing)) {}

WorkloadPlan::WorkloadPlan(WorkloadRecord workload, std::size_t wanted, Search search)
    : workload_(std::move(workload))
    , wanted_(wanted)
    , stored_(std::min(wanted, search.search.known_count()))
    , search_(std::move(search)) {
    ask_search();
}

void WorkloadPlan::finish(const Measurement* measurement) {
    const WrittenConfiguration measured = missing_[next_++];
    if (!search_)
        return;
    const bool has_median = measurement != nullptr && measurement->status == MeasurementStatus::Measured;
    if (const auto configuration = search_->read(measured))
        search_->search.know(*configuration,
                             has_median ? std::optional(measurement->median.count()) : std::nullopt);
    ask_search();
}

void WorkloadPlan::ask_search() {
    if (search_->search.known_count() >= wanted_)
        return;
    if (const auto found = search_->search.next())
        if (auto written = search_->write(*found)) {
            missing_.push_back(*std::move(written));
            return;
        }
    wanted_ = search_->search.known_count();
}

MeasurementConditions conditions_of(const CollectionRequest& request, MachineId machine,
                                    WorkloadId workload) {
    return {.workload = workload,
            .machine = machine,
            .setting = request.setting,
            .protocol = std::string(name(request.protocol)),
            .condition = {}};
}

Result<CollectionPlan> plan_collection(Workspace& workspace, const MeasuringDomain& domain, MachineId machine,
                                       const CollectionRequest& request,
                                       const std::optional<std::string>& since) {
    return Planning(workspace, domain, machine, request, since).run();
}

} // namespace sparsight
