#include "learn/settings_options.h"

#include "command/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

std::string option_of(const std::string& setting) {
    return "--" + option_name(setting);
}

template <typename Number>
std::optional<Json> whole_text_as(const std::string& text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional<Json>(number) : std::nullopt;
}

/// What stands behind an option, as the kind of the setting. Nothing: it is none.
std::optional<Json> parse_words(const CLI::results_t& words, const Json& fallback) {
    if (fallback.is_array())
        return Json(words);
    if (fallback.is_number_float())
        return whole_text_as<double>(words.front());
    if (fallback.is_number())
        return whole_text_as<std::int64_t>(words.front());
    return Json(words.front());
}

void add_option(CLI::App& command, const std::shared_ptr<SettingsInput>& input,
                const SettingDefinition& definition) {
    std::string option = option_of(definition.name);
    if (!definition.general.empty())
        option = option_of(definition.general) + "," + option;
    if (definition.fallback.is_boolean()) {
        const bool is_on = definition.fallback.get<bool>();
        command.add_flag_callback(
            is_on ? option_of("no_" + definition.name) : option,
            [input, name = definition.name, is_on] { input->values[name] = !is_on; }, definition.help);
        return;
    }
    auto* const added = command.add_option(
        option,
        [input, definition, option](const CLI::results_t& words) {
            auto value = parse_words(words, definition.fallback);
            if (!value)
                throw CLI::ValidationError(
                    option, fmt::format("'{}' is no {}", words.front(),
                                        definition.fallback.is_number_float() ? "number" : "whole number"));
            input->values[definition.name] = *std::move(value);
            return true;
        },
        definition.help);
    added->type_name(definition.placeholder)->run_callback_for_default(false);
    if (definition.fallback.is_array())
        added->delimiter(',')->expected(1, -1)->allow_extra_args(false);
}

std::string summaries(std::span<const Preset> presets) {
    std::string text = "settings that fit together:";
    for (const Preset& preset : presets)
        text += fmt::format("\n{}: {}", preset.name, preset.summary);
    return text;
}

Result<void> set_preset(RunSettings& settings, const SettingsInput& input) {
    const auto preset = std::ranges::find(input.presets, input.preset, &Preset::name);
    if (preset == input.presets.end()) {
        std::vector<std::string_view> names;
        for (const Preset& known : input.presets)
            names.push_back(known.name);
        return fail(Fault::Input, fmt::format("there is no preset '{}'; there are {}", input.preset,
                                              fmt::join(names, ", ")));
    }
    const Json values = Json::parse(preset->values);
    for (const auto& [name, value] : values.items())
        if (auto set = settings.set(name, value, {.by_preset = true}); !set)
            return set;
    return {};
}

void read_config(CLI::App& command, SettingsInput& input, const std::string& file) {
    auto entries = read_config_file(file);
    if (!entries)
        throw ConfigError(std::move(entries).error());
    const auto others = std::ranges::stable_partition(*entries, [&](const ConfigEntry& entry) {
        return std::ranges::any_of(input.definitions, [&](const SettingDefinition& definition) {
            return definition.is_called(entry.name);
        });
    });
    if (auto applied = apply_config_entries(command, file, {others.begin(), others.end()}); !applied)
        throw ConfigError(std::move(applied).error());
    entries->erase(others.begin(), others.end());
    input.config = file;
    input.in_file = *std::move(entries);
}

} // namespace

void add_settings_options(CLI::App& command, const std::shared_ptr<SettingsInput>& input) {
    if (!input->presets.empty())
        command.add_option("--preset", input->preset, summaries(input->presets))->type_name("PRESET");
    command
        .add_option(
            "--config",
            [&command, input](const CLI::results_t& words) {
                read_config(command, *input, words.front());
                return true;
            },
            "a TOML file of settings, named as these options with\n"
            "underscores: inner_rate = 0.05. Options come first, then\n"
            "the file, then the preset")
        ->type_name("FILE");
    for (const SettingDefinition& definition : input->definitions)
        if (definition.name != "seed")
            add_option(command, input, definition);
}

Result<RunSettings> collect_settings(const CLI::App& command, const Session& session,
                                     const SettingsInput& input) {
    RunSettings settings(input.definitions);
    if (!input.preset.empty())
        if (auto set = set_preset(settings, input); !set)
            return std::unexpected(std::move(set).error());
    for (const ConfigEntry& entry : input.in_file)
        if (auto set = settings.set(entry.name, entry.value, {input.config, entry.line}); !set)
            return std::unexpected(std::move(set).error());
    for (const auto& [name, value] : input.values)
        if (auto set = settings.set(name, value); !set)
            return std::unexpected(std::move(set).error());
    const CLI::App* root = &command;
    while (root->get_parent() != nullptr)
        root = root->get_parent();
    if (settings.json().contains("seed") && !root->get_option("--seed")->empty())
        if (auto set = settings.set("seed", session.options.seed); !set)
            return std::unexpected(std::move(set).error());
    return settings;
}

ExitCode refuse_request(JobObserver& observer, const Error& error) {
    return observer.refuse(error, error.fault == Fault::Input ? ExitCode::Usage : ExitCode::SomeFailed);
}

} // namespace sparsight
