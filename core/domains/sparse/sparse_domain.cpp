#include "domains/sparse/sparse_domain.h"

#include "base/text.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "domains/sparse/tensor/statistics.h"
#include "study/nicknames.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace sparsight {
namespace {

constexpr std::string_view operator_option = "operator";
constexpr std::string_view dense_option = "dense";

Result<std::int64_t> dense_of(std::string_view text) {
    std::int64_t dense = 0;
    const char* const end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, dense);
        error != std::errc() || stop != end || dense < 1 || dense > max_extent)
        return fail(Fault::Input,
                    fmt::format("the extent of the dense index is '{}', expected a whole number "
                                "of 1 to {}",
                                text, max_extent));
    return dense;
}

Result<SparseSetting> known_setting(const Setting& setting) {
    if (const auto known = parse_sparse_setting(setting))
        return *known;
    return fail(Fault::Input,
                fmt::format("'{}' of the domain {} is no setting of sparse matrices, expected one such as "
                            "spmm dense=256",
                            setting.text, setting.domain));
}

/// All that a schedule of the operator decides.
std::vector<ScheduleDecision> decisions_of(Operator op) {
    std::vector<ScheduleDecision> decisions;
    for (const Index index : indices(op))
        decisions.push_back({DecisionKind::Split, {index, Part::Outer}});
    decisions.push_back({DecisionKind::LevelOrder});
    if (dense_index(op))
        decisions.push_back({DecisionKind::DenseLoops});
    for (const LoopIndex level : level_names(op))
        decisions.push_back({DecisionKind::LevelFormat, level});
    decisions.push_back({DecisionKind::ParallelLoop});
    decisions.push_back({DecisionKind::Chunk});
    return decisions;
}

class ScheduleCodec final : public NicknamingCodec {
public:
    explicit ScheduleCodec(Operator op)
        : op_(op) {}

    Result<ParsedConfiguration> parse(std::string_view text) const override {
        const auto schedule = parse_schedule(op_, text);
        if (!schedule)
            return std::unexpected(schedule.error());
        return ParsedConfiguration{configuration_of(*schedule), schedule->threads};
    }
    std::string text(const Configuration& configuration, int threads) const override {
        return to_text(schedule_of(configuration, threads));
    }
    std::vector<DecisionValue> decisions(const Configuration& configuration) const override {
        const SuperSchedule schedule = schedule_of(configuration, 1);
        std::vector<DecisionValue> made;
        for (const ScheduleDecision& decision : decisions_of(op_)) {
            if (decision.kind == DecisionKind::LevelFormat && !schedule.has(decision.subject))
                continue; // there is no such level
            Decision named = decision_of(decision, op_);
            made.push_back({std::move(named.key), std::move(named.name), value_of(decision, schedule)});
        }
        return made;
    }
    std::vector<std::string> nicknames(std::span<const ParsedConfiguration> configurations) const override {
        std::vector<SuperSchedule> schedules;
        schedules.reserve(configurations.size());
        for (const ParsedConfiguration& each : configurations)
            schedules.push_back(schedule_of(each.configuration, each.threads));
        return sparsight::nicknames(schedules);
    }

private:
    Operator op_;
};

class SparseDomain final : public Domain {
public:
    SparseDomain() {
        for (const Statistic& each : sparsight::statistics())
            statistics_.push_back({each.name, each.title, each.unit, each.definition, each.is_integer});
    }

    std::string_view name() const override { return sparse_domain; }
    const DomainWords& words() const override { return sparse_words(); }

    std::span<const SettingOption> setting_options() const override { return options_; }

    Result<Setting> setting_of(const SettingOptions& options) const override {
        SparseSetting setting;
        for (const auto& [option, value] : options) {
            if (option == operator_option) {
                const auto op = read_operator(value);
                if (!op)
                    return std::unexpected(op.error());
                setting.op = *op;
            } else if (option == dense_option) {
                const auto dense = dense_of(value);
                if (!dense)
                    return std::unexpected(dense.error());
                setting.dense = *dense;
            } else {
                return fail(Fault::Input,
                            fmt::format("there is no option '{}', expected operator or dense", option));
            }
        }
        return sparsight::setting_of(setting.op, setting.dense);
    }

    Result<Setting> parse_setting(std::string_view text) const override {
        text = trimmed(text);
        const std::size_t end = text.find_first_of(" \t");
        const auto op = read_operator(text.substr(0, end));
        if (!op)
            return std::unexpected(op.error());
        std::int64_t dense = SparseSetting{}.dense;
        if (end != std::string_view::npos) {
            constexpr std::string_view key = "dense=";
            const std::string_view rest = trimmed(text.substr(end));
            if (!dense_index(*op) || !rest.starts_with(key))
                return fail(Fault::Input, fmt::format("'{}' follows the operator, expected {}", rest,
                                                      dense_index(*op) ? "dense=N" : "nothing"));
            const auto extent = dense_of(rest.substr(key.size()));
            if (!extent)
                return std::unexpected(extent.error());
            dense = *extent;
        }
        return sparsight::setting_of(*op, dense);
    }

    std::string describe(const Setting& setting) const override {
        const SparseSetting of = sparse_setting(setting);
        if (!dense_index(of.op))
            return std::string(description(of.op).title);
        return fmt::format("{} with {}", description(of.op).title,
                           counted(of.dense, "dense column", "dense columns"));
    }

    std::vector<SettingMember> members(const Setting& setting) const override {
        const SparseSetting of = sparse_setting(setting);
        return {{"operator", "Operator", std::string(sparsight::name(of.op))},
                {"dense", "Columns of the dense matrix", of.dense}};
    }

    Result<WrittenConfiguration> written(const Setting& setting, std::string_view text) const override {
        const auto known = known_setting(setting);
        if (!known)
            return std::unexpected(known.error());
        const auto schedule = parse_schedule(known->op, text);
        if (!schedule)
            return std::unexpected(schedule.error());
        return WrittenConfiguration{std::string(sparse_domain), std::string(sparsight::name(known->op)),
                                    to_text(*schedule),         to_text(canonical(*schedule)),
                                    schedule->threads,          is_fixed_csr(*schedule)};
    }

    Result<std::shared_ptr<const ConfigurationCodec>> codec(const Setting& setting) const override {
        const auto known = known_setting(setting);
        if (!known)
            return std::unexpected(known.error());
        return std::make_shared<ScheduleCodec>(known->op);
    }

    Result<std::shared_ptr<const ConfigurationSpace>> space(const SpaceRequest& request) const override {
        const auto setting = known_setting(request.setting);
        if (!setting)
            return std::unexpected(setting.error());
        const auto sizes = extents(*setting, request.facts);
        if (!sizes)
            return std::unexpected(sizes.error());
        return std::make_shared<ScheduleSpace>(setting->op, *sizes);
    }

    std::span<const StatisticDescription> statistics() const override { return statistics_; }
    std::string family_key(std::string_view workload) const override { return name_stem(workload); }
    std::string size_key(const std::map<std::string, double, std::less<>>& facts) const override {
        const auto nnz = facts.find("nnz");
        return nnz == facts.end() ? std::string() : fmt::format("{}", nnz->second);
    }
    std::vector<double> shape_key(std::span<const double> statistics) const override {
        return sparsight::family_key(pattern_statistics(statistics));
    }
    /// No kernel with a team of threads runs in less than a microsecond; WACO drops what takes a second.
    BelievableTimes believable_times() const override { return {.shortest_ms = 0.001, .longest_ms = 1000}; }

private:
    std::array<SettingOption, 2> options_{
        {{"operator", "spmm", "OPERATOR", "spmm (default), spmv or sddmm", true},
         {"dense", "256", "N",
          "extent of the dense index: j of SpMM, k of SDDMM\n(default 256, "
          "as in WACO; SpMV has none and ignores it)"}}};
    std::vector<StatisticDescription> statistics_;
};

} // namespace

const DomainWords& sparse_words() {
    static const DomainWords words{.workload = {"matrix", "matrices"},
                                   .configuration = {"schedule", "schedules"},
                                   .baseline = Noun{"fixed CSR", "fixed CSR"}};
    return words;
}

std::unique_ptr<const Domain> make_sparse_domain() {
    return std::make_unique<SparseDomain>();
}

} // namespace sparsight
