#include "domains/sparse/sparse_domain.h"

#include "base/text.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_codec.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "domains/sparse/tensor/statistics.h"

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
    if (const auto known = parse_sparse_setting(setting); known && setting.domain == sparse_domain)
        return *known;
    return fail(Fault::Input,
                fmt::format("'{}' of the domain {} is no setting of sparse matrices, expected one such as "
                            "spmm dense=256",
                            setting.text, setting.domain));
}

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
        return sparsight::written(*schedule);
    }

    Result<std::shared_ptr<const ConfigurationCodec>> codec(const Setting& setting) const override {
        const auto known = known_setting(setting);
        if (!known)
            return std::unexpected(known.error());
        return schedule_codec(known->op);
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
