#include "cli/protocol_option.h"

#include "command/options.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

Result<Protocol> read_protocol(std::string_view text) {
    if (const auto protocol = parse_protocol(text))
        return *protocol;
    return fail(Fault::Input, fmt::format("'{}' is no protocol: expected adaptive or waco", text));
}

} // namespace

CLI::Option* add_protocol_option(CLI::App& command, Protocol& protocol) {
    return add_parsed_option(command, "--protocol", protocol, &read_protocol, "adaptive (default) or waco")
        ->type_name("PROTOCOL");
}

} // namespace sparsight
