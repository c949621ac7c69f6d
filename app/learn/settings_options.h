// RunSettings as options of the command line.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "command/config_file.h"
#include "command/job.h"
#include "workflow/learning/settings.h"
#include "workflow/learning_settings.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// What the command line says.
struct SettingsInput {
    std::vector<SettingDefinition> definitions;
    std::vector<Preset> presets;
    std::string config;               ///< the file
    std::vector<ConfigEntry> in_file; ///< its settings
    std::string preset;
    std::map<std::string, Json> values;
};

/// An option for each definition, --config, and --preset where there are any. The input must live as long as
/// the application. "seed" has no option of its own: it is the one of all commands. What is no setting in the
/// file of --config is an option of the command, as in that of all commands.
void add_settings_options(CLI::App& command, const std::shared_ptr<SettingsInput>& input);

/// All layers, one above the other.
[[nodiscard]] Result<RunSettings> collect_settings(const CLI::App& command, const Session& session,
                                                   const SettingsInput& input);

/// JobObserver::refuse() with what tells that the command is wrong where the input is at fault.
[[nodiscard]] ExitCode refuse_request(JobObserver& observer, const Error& error);

} // namespace sparsight
