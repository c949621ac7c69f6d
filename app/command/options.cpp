#include "command/options.h"

#include "command/session.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace sparsight {

CLI::Validator whole_numbers(std::int64_t least, std::int64_t most) {
    return CLI::Range(least, most).description("");
}

Result<Operator> read_operator(std::string_view text) {
    if (const auto op = parse_operator(text))
        return *op;
    return fail(Fault::Input, fmt::format("'{}' is no operator: expected spmm, spmv or sddmm", text));
}

CLI::Option* add_operator_option(CLI::App& command, Operator& op) {
    return add_parsed_option(command, "--operator", op, &read_operator, "spmm (default), spmv or sddmm")
        ->type_name("OPERATOR");
}

CLI::Option* add_dense_option(CLI::App& command, std::int64_t& dense) {
    return command
        .add_option("--dense", dense,
                    "extent of the dense index: j of SpMM, k of SDDMM\n(default 256, as in WACO; SpMV has "
                    "none and ignores it)")
        ->type_name("N")
        ->check(whole_numbers(1, max_extent));
}

void remark_on_unused_dense(const CLI::App& command, const Session& session) {
    const CLI::Option* const dense = command.get_option_no_throw("--dense");
    const CLI::Option* const op = command.get_option_no_throw("--operator");
    if (dense == nullptr || op == nullptr || dense->empty() || op->empty())
        return;
    const auto named = parse_operator(op->results().front());
    if (named && !dense_index(*named))
        session.remark(fmt::format("--dense {} is not used: {} has no dense index", dense->results().front(),
                                   name(*named)));
}

CLI::Option* add_threads_option(CLI::App& command, int& threads, const std::string& description) {
    return command.add_option("--threads", threads, description)
        ->type_name("N")
        ->check(whole_numbers(1, maximum_threads));
}

void add_extent_options(CLI::App& command, std::int64_t& rows, std::int64_t& cols) {
    command.add_option("--rows", rows, "rows of the sparse matrix")
        ->type_name("N")
        ->check(whole_numbers(1, max_extent));
    command.add_option("--cols", cols, "columns of the sparse matrix")
        ->type_name("N")
        ->check(whole_numbers(1, max_extent));
}

namespace {

/// The domains that have this option say what is wrong with a value at once, not when the work begins.
void check_value(const std::vector<const Domain*>& domains, const SettingOption& option,
                 const std::string& value) {
    for (const Domain* const domain : domains)
        if (const auto setting = domain->setting_of({{option.name, value}}); !setting)
            throw CLI::ValidationError("--" + option.name, setting.error().message);
}

} // namespace

void add_domain_option(CLI::App& command, const DomainRegistry& domains, std::string& name) {
    std::vector<std::string_view> names;
    for (const Domain* const domain : domains.all())
        names.push_back(domain->name());
    command
        .add_option("--domain", name,
                    fmt::format("{} (default: that of the workspace)", fmt::join(names, " or ")))
        ->type_name("NAME")
        ->check([&domains](const std::string& word) {
            const auto found = domains.require(word);
            return found ? std::string() : found.error().message;
        });
}

void add_setting_options(CLI::App& command, const DomainRegistry& domains, SettingChoice& choice,
                         SettingParts parts) {
    std::map<std::string, std::vector<const Domain*>, std::less<>> owners;
    std::vector<SettingOption> options;
    for (const Domain* const domain : domains.all()) {
        for (const SettingOption& option : domain->setting_options()) {
            if (parts == SettingParts::OpenToModels && option.is_of_model)
                continue;
            if (!owners.contains(option.name))
                options.push_back(option);
            owners[option.name].push_back(domain);
        }
    }
    for (const SettingOption& option : options) {
        command
            .add_option(
                "--" + option.name,
                [&choice, option, owning = owners[option.name]](const CLI::results_t& words) {
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
                    "what is computed, as results show it, in the place of\nthe options for its parts")
        ->type_name("TEXT");
}

} // namespace sparsight
