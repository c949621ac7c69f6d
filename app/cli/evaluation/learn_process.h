// Asking sparsight-learn, which has the learning library, from commands that go on after its answer.
#pragma once

#include "base/error.h"
#include "command/job.h"
#include "command/session.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Beside this program, else in a folder of PATH.
[[nodiscard]] Result<std::filesystem::path> find_learner();

/// Runs one of its commands with --progress json: `on_event` is given each event, and the last one, "end", is
/// returned, also of a run that was stopped and says so. `arguments` begin with the command; the workspace
/// and the seed of the session are added. An error is its own where it tells one; Fault::Cancelled where it
/// was stopped before it could end.
[[nodiscard]] Result<Json> follow_learner(const Session& session, std::vector<std::string> arguments,
                                          const std::function<void(const Json& event)>& on_event,
                                          const std::stop_token& stop);

// A model that a command of sparsight-learn makes for an experiment: once, and again when its settings or its
// data have changed.

/// `arguments` begin with the command, `train` or `finetune`, and lack the name of the model. Shown and told
/// are its epochs; said is why it is made anew. Errors: those of sparsight-learn; Fault::Cancelled, also
/// where it ended before there was a model.
[[nodiscard]] Result<void> make_model(const Session& session, const std::string& model,
                                      std::vector<std::string> arguments, JobEvents& events,
                                      ProgressDisplay& display, const std::stop_token& stop);

} // namespace sparsight
