// Settings out of a TOML file.
#include "command/config_file.h"
#include "learn/settings.h"

#include <utility>

namespace sparsight {

Result<void> set_from_file(Settings& settings, const std::string& file) {
    auto entries = read_config_file(file);
    if (!entries)
        return std::unexpected(std::move(entries).error());
    for (ConfigEntry& entry : *entries)
        if (auto set = settings.set(entry.name, std::move(entry.value), {file, entry.line}); !set)
            return set;
    return {};
}

} // namespace sparsight
