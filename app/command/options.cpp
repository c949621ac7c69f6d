#include "command/options.h"

#include "command/session.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <vector>

namespace sparsight {

CLI::Validator whole_numbers(std::int64_t least, std::int64_t most) {
    return CLI::Range(least, most).description("");
}

namespace {

constexpr int most_threads = 1024;

} // namespace

CLI::Option* add_threads_option(CLI::App& command, int& threads, const std::string& description) {
    return command.add_option("--threads", threads, description)
        ->type_name("N")
        ->check(whole_numbers(1, most_threads));
}

CLI::Option* add_protocol_option(CLI::App& command, Protocol& protocol) {
    const auto read = [](std::string_view text) -> Result<Protocol> {
        if (const auto known = parse_protocol(text))
            return *known;
        return fail(Fault::Input, fmt::format("'{}' is no protocol: expected adaptive or waco", text));
    };
    return add_parsed_option<Protocol, Protocol>(command, "--protocol", protocol, read,
                                                 "adaptive (default) or waco")
        ->type_name("PROTOCOL");
}

void add_workloads_options(CLI::App& command, NamedWorkloads& workloads, const std::string& description) {
    auto* const listed = command.add_option("--matrices,--workloads", workloads.listed, description)
                             ->type_name("NAMES")
                             ->delimiter(',');
    command
        .add_option("--matrix,--workload", workloads.single,
                    "one name, which may have commas; may be given several times")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->excludes(listed);
}

namespace {

/// What an option makes of a setting where it stands alone; nothing: it can't.
std::optional<SettingMember> part_alone(const Domain& domain, const std::string& option,
                                        const std::string& value) {
    const auto setting = domain.setting_of({{option, value}});
    if (!setting)
        return std::nullopt;
    for (SettingMember& member : domain.members(*setting))
        if (member.key == option)
            return std::move(member);
    return std::nullopt;
}

} // namespace

void remark_on_unused_options(const CLI::App& command, const Session& session) {
    for (const Domain* const domain : session.domains.all()) {
        SettingOptions given;
        for (const SettingOption& option : domain->setting_options())
            if (const CLI::Option* const found = command.get_option_no_throw("--" + option.name);
                found != nullptr && !found->empty())
                given[option.name] = found->results().front();
        const auto setting =
            given.empty() ? Result<Setting>(fail(Fault::Input, "")) : domain->setting_of(given);
        if (!setting)
            continue;
        const std::vector<SettingMember> members = domain->members(*setting);
        for (const auto& [option, value] : given)
            if (const auto alone = part_alone(*domain, option, value);
                alone && std::ranges::find(members, *alone) == members.end())
                session.remark(fmt::format("--{} {} is not used with {}", option, value, setting->text));
    }
}

void remark_on_options_without_effect(const CLI::App& command, const Session& session,
                                      std::span<const std::string_view> options, std::string_view why) {
    std::vector<std::string_view> given;
    for (const std::string_view option : options)
        if (!command.get_option(std::string(option))->empty())
            given.push_back(option);
    if (!given.empty())
        session.remark(fmt::format("{} {} no effect: {}", fmt::join(given, ", "),
                                   given.size() == 1 ? "has" : "have", why));
}

namespace {

/// What none of the domains with this option takes is wrong at once, not when the work begins.
void check_value(const std::vector<const Domain*>& domains, const SettingOption& option,
                 const std::string& value) {
    std::optional<Error> wrong;
    for (const Domain* const domain : domains) {
        const auto setting = domain->setting_of({{option.name, value}});
        if (setting)
            return;
        if (!wrong)
            wrong = setting.error();
    }
    if (wrong)
        throw CLI::ValidationError("--" + option.name, wrong->message);
}

} // namespace

void add_domain_option(CLI::App& command, const DomainRegistry& domains, std::string& name) {
    const auto all = domains.all();
    std::string names;
    for (std::size_t place = 0; place < all.size(); ++place)
        names += fmt::format("{}{}",
                             place == 0                ? ""
                             : place + 1 == all.size() ? " or "
                                                       : ", ",
                             all[place]->name());
    command.add_option("--domain", name, names + " (default: that of the workspace)")
        ->type_name("NAME")
        ->check([&domains](const std::string& word) {
            const auto found = domains.require(word);
            return found ? std::string() : found.error().message;
        });
}

void add_setting_options(CLI::App& command, const DomainRegistry& domains, SettingChoice& choice,
                         SettingParts parts) {
    for (const auto& [option, owners] : setting_options_of(domains)) {
        if ((parts == SettingParts::OpenToModels && option.is_of_model) ||
            command.get_option_no_throw("--" + option.name) != nullptr)
            continue;
        command
            .add_option(
                "--" + option.name,
                [&choice, option, owning = owners](const CLI::results_t& words) {
                    check_value(owning, option, words.front());
                    choice.options[option.name] = words.front();
                    return true;
                },
                option.help)
            ->type_name(option.placeholder);
    }
    add_domain_option(command, domains, choice.domain);
    command
        .add_option("--setting", choice.text,
                    "the setting as results show it, instead of options for\nits parts")
        ->type_name("TEXT");
}

} // namespace sparsight
