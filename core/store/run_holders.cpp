#include "store/run_holders.h"

#include "base/process_identity.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace sparsight {

namespace {

using Json = nlohmann::json;

/// Among the settings of the workspace: "run holder 12".
constexpr std::string_view prefix = "run holder ";

std::string setting_of(RunId run) {
    return fmt::format("{}{}", prefix, static_cast<std::int64_t>(run));
}

struct StoredHolder {
    RunHolder holder;
    ProcessIdentity process;
    std::string text;
};

/// Nothing for what is none of ours.
std::optional<StoredHolder> parse_holder(const std::string& text) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return std::nullopt;
    try {
        const auto process = json.at("process").get<std::int64_t>();
        return StoredHolder{{static_cast<RunId>(json.at("run").get<std::int64_t>()), process,
                             json.at("since").get<std::string>()},
                            {process, json.at("start").get<std::string>()},
                            text};
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// Dead ones, too.
Result<std::vector<StoredHolder>> stored_holders(Workspace& workspace) {
    const auto texts = workspace.database().all([](Statement& row) { return row.text(0); },
                                                "SELECT value FROM settings WHERE name GLOB ? ORDER BY name",
                                                fmt::format("{}*", prefix));
    if (!texts)
        return std::unexpected(texts.error());
    std::vector<StoredHolder> holders;
    for (const std::string& text : *texts)
        if (auto holder = parse_holder(text))
            holders.push_back(*std::move(holder));
    return holders;
}

Result<std::string> now(Workspace& workspace) {
    auto time = workspace.database().first([](Statement& row) { return row.text(0); },
                                           "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now')");
    if (!time)
        return std::unexpected(std::move(time).error());
    return time->value_or("");
}

/// Where nobody else has taken it since.
Result<void> forget(Workspace& workspace, RunId run, const std::string& text) {
    return workspace.database().run("DELETE FROM settings WHERE name = ? AND value = ?", setting_of(run),
                                    text);
}

} // namespace

Result<std::vector<RunHolder>> live_holders(Workspace& workspace) {
    const auto stored = stored_holders(workspace);
    if (!stored)
        return std::unexpected(stored.error());
    std::vector<RunHolder> holders;
    for (const StoredHolder& each : *stored)
        if (is_alive(each.process))
            holders.push_back(each.holder);
    return holders;
}

Result<RunHold> RunHold::take(Workspace& workspace, RunId run) {
    std::string text;
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto stored = stored_holders(workspace);
        if (!stored)
            return std::unexpected(stored.error());
        for (const StoredHolder& each : *stored) {
            if (!is_alive(each.process)) { // was killed
                if (auto forgotten = forget(workspace, each.holder.run, each.text); !forgotten)
                    return forgotten;
            } else if (each.holder.run == run) {
                return fail(Fault::Environment, fmt::format("run {} is worked at by process {} since {}",
                                                            static_cast<std::int64_t>(run),
                                                            each.holder.process, each.holder.since));
            }
        }
        const ProcessIdentity process = this_process();
        const auto since = now(workspace);
        if (!since)
            return std::unexpected(since.error());
        const Json json{{"run", static_cast<std::int64_t>(run)},
                        {"process", process.id},
                        {"start", process.start},
                        {"since", *since}};
        text = json.dump();
        return set_setting(workspace, setting_of(run), text);
    });
    if (!done)
        return std::unexpected(std::move(done).error());
    return RunHold(workspace, run, std::move(text));
}

RunHold::~RunHold() {
    // Where this fails, the end of the process frees the run all the same.
    if (workspace_ != nullptr) [[maybe_unused]]
        const auto forgotten = forget(*workspace_, run_, text_);
}

} // namespace sparsight
