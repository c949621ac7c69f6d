#include "domains/tensors/tensor_domain.h"

#include "base/text.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_codec.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "domains/tensors/tensor_statistics.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace sparsight {
namespace {

constexpr std::int64_t usual_dense = 32; // a usual rank of decompositions
constexpr std::string_view operator_option = "operator";
constexpr std::string_view mode_option = "mode";
constexpr std::string_view dense_option = "dense";

Result<std::int64_t> number_of(std::string_view option, std::string_view text, std::int64_t most) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, number);
        error != std::errc() || stop != end || number < 1 || number > most)
        return fail(Fault::Input,
                    fmt::format("{} is '{}', expected a whole number of 1 to {}", option, text, most));
    return number;
}

Result<Operator> tensor_operator(std::string_view text) {
    for (const Operator op : tensor_operators)
        if (text == name(op))
            return op;
    return fail(Fault::Input, fmt::format("'{}' is no operator of tensors: expected mttkrp", text));
}

Result<SparseSetting> known_setting(const Setting& setting) {
    if (const auto known = parse_sparse_setting(setting); known && setting.domain == tensors_domain)
        return *known;
    return fail(Fault::Input,
                fmt::format("'{}' of the domain {} is no setting of sparse tensors, expected one "
                            "such as mttkrp mode=1 dense=32",
                            setting.text, setting.domain));
}

class TensorDomain final : public Domain {
public:
    std::string_view name() const override { return tensors_domain; }
    const DomainWords& words() const override { return words_; }
    std::span<const SettingOption> setting_options() const override { return options_; }

    Result<Setting> setting_of(const SettingOptions& options) const override {
        SparseSetting setting{Operator::MTTKRP, usual_dense};
        for (const auto& [option, value] : options)
            if (option != operator_option && option != mode_option && option != dense_option)
                return fail(Fault::Input,
                            fmt::format("there is no option '{}', expected operator, mode or dense", option));
        if (const auto given = options.find(operator_option); given != options.end()) {
            const auto op = tensor_operator(given->second);
            if (!op)
                return std::unexpected(op.error());
            setting.op = *op;
        }
        if (const auto given = options.find(mode_option); given != options.end()) {
            const auto order = static_cast<std::int64_t>(description(setting.op).order);
            const auto mode = number_of(mode_option, given->second, order);
            if (!mode)
                return std::unexpected(mode.error());
            setting.mode = static_cast<int>(*mode);
        }
        if (const auto given = options.find(dense_option); given != options.end()) {
            const auto dense = number_of(dense_option, given->second, max_extent);
            if (!dense)
                return std::unexpected(dense.error());
            setting.dense = *dense;
        }
        return sparsight::setting_of(setting);
    }

    /// "mttkrp", "mttkrp mode=2", "mttkrp dense=32", "mttkrp mode=2 dense=32".
    Result<Setting> parse_setting(std::string_view text) const override {
        SettingOptions options;
        text = trimmed(text);
        while (!text.empty()) {
            const std::string_view word = text.substr(0, text.find_first_of(" \t"));
            const std::size_t equals = word.find('=');
            if (options.empty())
                options.emplace(operator_option, word);
            else if (equals == std::string_view::npos)
                return fail(Fault::Input,
                            fmt::format("'{}' follows the operator, expected mode=N or dense=N", word));
            else
                options.insert_or_assign(std::string(word.substr(0, equals)),
                                         std::string(word.substr(equals + 1)));
            text = trimmed(text.substr(word.size()));
        }
        return setting_of(options);
    }

    std::string describe(const Setting& setting) const override {
        const SparseSetting of = sparse_setting(setting);
        return fmt::format("{} along mode {} with {}", description(of.op).title, of.mode,
                           counted(of.dense, "dense column", "dense columns"));
    }

    std::vector<SettingMember> members(const Setting& setting) const override {
        const SparseSetting of = sparse_setting(setting);
        return {{"operator", "Operator", std::string(sparsight::name(of.op))},
                {"mode", "Mode of the result", std::int64_t{of.mode}},
                {"dense", "Columns of the dense matrices", of.dense}};
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

    std::span<const StatisticDescription> statistics() const override { return tensor_statistics(); }
    std::string family_key(std::string_view workload) const override { return name_stem(workload); }
    std::string size_key(const std::map<std::string, double, std::less<>>& facts) const override {
        const auto nnz = facts.find("nnz");
        return nnz == facts.end() ? std::string() : fmt::format("{}", nnz->second);
    }
    /// As of matrices.
    BelievableTimes believable_times() const override { return {.shortest_ms = 0.001, .longest_ms = 1000}; }

private:
    DomainWords words_{.workload = {"tensor", "tensors"},
                       .configuration = {"schedule", "schedules"},
                       .baseline = Noun{"fixed CSF", "fixed CSF"}};
    std::array<SettingOption, 3> options_{
        {{"operator", "mttkrp", "OPERATOR", "mttkrp (default)", true},
         {"mode", "1", "N", "mode that the result has, from 1 (default 1)", true},
         {"dense", "32", "N", "columns of the dense matrices (default 32)"}}};
};

} // namespace

std::unique_ptr<const Domain> make_tensor_domain() {
    return std::make_unique<TensorDomain>();
}

} // namespace sparsight
