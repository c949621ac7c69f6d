#include "cli/sampler_option.h"

#include "command/options.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

Result<Sampler> read_sampler(std::string_view text) {
    if (const auto sampler = parse_sampler(text))
        return *sampler;
    return fail(Fault::Input, fmt::format("'{}' is no sampler: expected waco or uniform", text));
}

} // namespace

CLI::Option* add_sampler_option(CLI::App& command, Sampler& sampler) {
    return add_parsed_option(command, "--sampler", sampler, &read_sampler, "waco (default) or uniform")
        ->type_name("SAMPLER");
}

} // namespace sparsight
