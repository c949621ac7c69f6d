#include "domains/blocks/block_domain.h"

#include "base/reading/csv_table.h"
#include "base/text.h"
#include "study/time_unit.h"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace sparsight {
namespace {

constexpr std::string_view only_configuration = "as it is";

Result<void> check(const Setting& setting) {
    if (setting.domain == blocks_domain && setting.text.empty())
        return {};
    return fail(Fault::Input, fmt::format("'{}' of the domain {} is not a setting of blocks", setting.text,
                                          setting.domain));
}

Result<void> check(std::string_view configuration) {
    if (trimmed(configuration) == only_configuration)
        return {};
    return fail(Fault::Input, fmt::format("{} is not a configuration of a block, expected \"{}\"",
                                          quoted_excerpt(configuration), only_configuration));
}

/// Of no bytes: there is nothing to tell apart.
class CodeCodec final : public ConfigurationCodec {
public:
    Result<ParsedConfiguration> parse(std::string_view text) const override {
        if (auto checked = check(text); !checked)
            return std::unexpected(std::move(checked).error());
        return ParsedConfiguration{};
    }
    std::string text(const Configuration&, int) const override { return std::string(only_configuration); }
    std::vector<DecisionValue> decisions(const Configuration&) const override { return {}; }
};

class CodeSpace final : public ConfigurationSpace {
public:
    std::span<const Configuration> configurations() const override { return only_; }
    Result<void> check(const Configuration& configuration) const override {
        if (configuration == only_.front())
            return {};
        return fail(Fault::Input, "a block has one configuration, its code as it is");
    }
    std::optional<Configuration> baseline() const override { return std::nullopt; }
    std::vector<Configuration> sample(std::size_t count, Random&) const override {
        return {only_.begin(), only_.begin() + (count > 0 ? 1 : 0)};
    }
    std::optional<Configuration> neighbour(const Configuration&, Random&) const override {
        return std::nullopt;
    }
    std::vector<Configuration> neighbours(const Configuration&) const override { return {}; }
    std::optional<Configuration> mixture(const Configuration&, const Configuration&, Random&) const override {
        return std::nullopt;
    }
    std::vector<double> distances(std::span<const Configuration> configurations) const override {
        return std::vector<double>(configurations.size() * configurations.size(), 0);
    }
    std::vector<DecisionChange> changes(const Configuration&, const Configuration&) const override {
        return {};
    }
    Result<std::shared_ptr<const HybridSpace>> between(const Configuration&,
                                                       const Configuration&) const override {
        return fail(Fault::Input, "a block has one configuration, so there are none between two");
    }

private:
    std::array<Configuration, 1> only_{};
};

class BlocksDomain final : public Domain, public CountsTime {
public:
    std::string_view name() const override { return blocks_domain; }
    const DomainWords& words() const override { return words_; }

    std::span<const SettingOption> setting_options() const override { return {}; }
    Result<Setting> setting_of(const SettingOptions& options) const override {
        if (!options.empty())
            return fail(Fault::Input, fmt::format("there is no option '{}': blocks have only one setting",
                                                  options.begin()->first));
        return Setting{std::string(blocks_domain), {}};
    }
    Result<Setting> parse_setting(std::string_view text) const override {
        if (!trimmed(text).empty())
            return fail(Fault::Input, fmt::format("found {}, expected no setting: blocks have only one",
                                                  quoted_excerpt(text)));
        return Setting{std::string(blocks_domain), {}};
    }
    std::string describe(const Setting&) const override { return "100 iterations of a block"; }
    std::vector<SettingMember> members(const Setting&) const override { return {}; }
    TimeUnit time_unit() const override { return {{"cycle", "cycles"}, milliseconds_a_cycle}; }

    Result<WrittenConfiguration> written(const Setting& setting, std::string_view text) const override {
        if (auto checked = check(setting); !checked)
            return std::unexpected(std::move(checked).error());
        if (auto checked = check(text); !checked)
            return std::unexpected(std::move(checked).error());
        return code_as_it_is();
    }
    Result<std::shared_ptr<const ConfigurationCodec>> codec(const Setting& setting) const override {
        if (auto checked = check(setting); !checked)
            return std::unexpected(std::move(checked).error());
        return std::make_shared<CodeCodec>();
    }
    Result<std::shared_ptr<const ConfigurationSpace>> space(const SpaceRequest& request) const override {
        if (auto checked = check(request.setting); !checked)
            return std::unexpected(std::move(checked).error());
        return std::make_shared<CodeSpace>();
    }

private:
    DomainWords words_{.workload = {"block", "blocks"},
                       .configuration = {"configuration", "configurations"},
                       .baseline = std::nullopt};
};

} // namespace

std::unique_ptr<const Domain> make_blocks_domain() {
    return std::make_unique<BlocksDomain>();
}

WrittenConfiguration code_as_it_is() {
    return {.domain = std::string(blocks_domain),
            .family = {},
            .text = std::string(only_configuration),
            .canonical = std::string(only_configuration)};
}

} // namespace sparsight
