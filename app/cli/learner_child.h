// Asking sparsight-learn, which has the learning library, from commands that go on after its answer.
#pragma once

#include "base/error.h"
#include "command/session.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Beside this program, else in a folder of PATH.
[[nodiscard]] Result<std::filesystem::path> find_learner();

/// What it answers with --json. `arguments` begin with the command; the workspace and the seed of the session
/// are added. An error is its own where it tells one. Fault::Cancelled when stopped.
[[nodiscard]] Result<Json> ask_learner(const Session& session, std::vector<std::string> arguments,
                                       const std::stop_token& stop);

/// The same with --progress json: `on_event` is given each event, and the last one, "end", is returned. A
/// run that was stopped has told its "end" as well: it is Fault::Cancelled all the same.
[[nodiscard]] Result<Json> follow_learner(const Session& session, std::vector<std::string> arguments,
                                          const std::function<void(const Json& event)>& on_event,
                                          const std::stop_token& stop);

} // namespace sparsight
