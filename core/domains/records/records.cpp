#include "domains/records/records.h"

#include "base/reading/csv_table.h"
#include "base/text.h"
#include "domains/records/record_source.h"
#include "domains/records/record_space.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

Result<void> check_setting(const Setting& setting) {
    if (setting.domain == records_domain)
        return {};
    return fail(Fault::Input,
                fmt::format("'{}' of the domain {} is no setting of records", setting.text, setting.domain));
}

class RecordsDomain final : public Domain {
public:
    std::string_view name() const override { return records_domain; }
    const DomainWords& words() const override { return words_; }

    std::span<const SettingOption> setting_options() const override { return options_; }

    Result<Setting> setting_of(const SettingOptions& options) const override {
        for (const auto& [option, value] : options)
            if (option != options_.front().name)
                return fail(Fault::Input, fmt::format("there is no option '{}', expected {}", option,
                                                      options_.front().name));
        const auto space = options.find(options_.front().name);
        return parse_setting(space == options.end() ? "" : space->second);
    }

    Result<Setting> parse_setting(std::string_view text) const override {
        text = trimmed(text);
        if (text.empty() ||
            std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; }))
            return fail(Fault::Input,
                        fmt::format("{} is no space of records, expected a name such as gemm4096",
                                    quoted_excerpt(text)));
        return record_setting(text, {});
    }

    std::string describe(const Setting& setting) const override {
        return fmt::format("configurations of {}", setting.text);
    }
    std::vector<SettingMember> members(const Setting& setting) const override {
        return {{"space", "Space of configurations", setting.text}};
    }

    Result<WrittenConfiguration> written(const Setting& setting, std::string_view text) const override {
        if (auto checked = check_setting(setting); !checked)
            return std::unexpected(std::move(checked).error());
        auto decisions = parse_decisions(text);
        if (!decisions)
            return std::unexpected(std::move(decisions).error());
        return WrittenConfiguration{.domain = std::string(records_domain),
                                    .family = setting.text,
                                    .text = std::string(trimmed(text)),
                                    .canonical = decisions_to_text(*std::move(decisions))};
    }

    Result<std::shared_ptr<const ConfigurationCodec>> codec(const Setting& setting) const override {
        if (auto checked = check_setting(setting); !checked)
            return std::unexpected(std::move(checked).error());
        return std::make_shared<RecordCodec>();
    }

    Result<std::shared_ptr<const ConfigurationSpace>> space(const SpaceRequest& request) const override {
        if (auto checked = check_setting(request.setting); !checked)
            return std::unexpected(std::move(checked).error());
        if (request.recorded.empty())
            return fail(Fault::Input,
                        fmt::format("no time of {} is recorded, so there is no configuration to "
                                    "choose from",
                                    request.setting.text));
        auto space = RecordSpace::of(request.recorded);
        if (!space)
            return std::unexpected(std::move(space).error());
        return *std::move(space);
    }

    bool chooses_among_recorded() const override { return true; }

private:
    DomainWords words_{.workload = {"workload", "workloads"},
                       .configuration = {"configuration", "configurations"},
                       .baseline = std::nullopt};
    std::array<SettingOption, 1> options_{
        {{"space", "", "NAME", "the space of configurations: the name of its table, such as gemm4096",
          true}}};
};

} // namespace

std::unique_ptr<const Domain> make_records_domain() {
    return std::make_unique<RecordsDomain>();
}

} // namespace sparsight
