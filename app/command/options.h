// Options that several commands take, each with one meaning and one text.
#pragma once

#include "base/error.h"
#include "study/measurement.h"
#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Session;

/// An option whose text a function of the engine reads; its error becomes an error of usage. The target must
/// live as long as the application.
template <typename Target, typename T>
CLI::Option* add_parsed_option(CLI::App& command, const std::string& name, Target& target,
                               Result<T> (*parse)(std::string_view), const std::string& description) {
    return command.add_option(
        name,
        [&target, parse, name](const CLI::results_t& words) {
            Result<T> value = parse(words.front());
            if (!value)
                throw CLI::ValidationError(name, value.error().message);
            target = std::move(*value);
            return true;
        },
        description);
}

/// Whole numbers from `least` to `most`, without CLI11's own remark on them in the help.
[[nodiscard]] CLI::Validator whole_numbers(std::int64_t least, std::int64_t most);

CLI::Option* add_threads_option(CLI::App& command, int& threads, const std::string& description);
CLI::Option* add_protocol_option(CLI::App& command, Protocol& protocol);

/// --matrices,--workloads and --matrix,--workload: several names, or one with commas in it. The single ones
/// take the place of the others.
struct NamedWorkloads {
    std::vector<std::string> listed{};
    std::vector<std::string> single{};

    [[nodiscard]] const std::vector<std::string>& names() const { return single.empty() ? listed : single; }
};
void add_workloads_options(CLI::App& command, NamedWorkloads& workloads, const std::string& description);

/// Where the command line has a part of a setting that the setting does not have, as --dense of an operator
/// without a dense index.
void remark_on_unused_options(const CLI::App& command, const Session& session);

/// Those of these options that were given, though nothing reads them here: a sentence on why.
void remark_on_options_without_effect(const CLI::App& command, const Session& session,
                                      std::span<const std::string_view> options, std::string_view why);

/// --domain. `name` must live as long as the application, as `domains` must.
void add_domain_option(CLI::App& command, const DomainRegistry& domains, std::string& name);

enum class SettingParts {
    All,
    OpenToModels, ///< without those that a model is made for one value of
};

/// --domain, --setting, and the options of every domain, such as --operator, but for those that the command
/// has already. As above for `choice`.
void add_setting_options(CLI::App& command, const DomainRegistry& domains, SettingChoice& choice,
                         SettingParts parts = SettingParts::All);

} // namespace sparsight
