// Asking sparsight-learn, which has the learning library, from commands that go on after its answer.
#pragma once

#include "base/error.h"
#include "base/observer.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Beside this program, else in a folder of PATH.
[[nodiscard]] Result<std::filesystem::path> find_learner();

/// What its commands are told beside their own options.
struct LearnerSetting {
    std::string workspace; ///< its path
    std::uint64_t seed = 1;
};

/// Runs one of its commands with --progress json: `on_event` is given each event, and the last one, "end", is
/// returned, also of a run that was stopped and says so. `arguments` begin with the command; the
/// setting is added. An error is its own where it tells one; Fault::Cancelled where it
/// was stopped before it could end.
[[nodiscard]] Result<Json> follow_learner(const LearnerSetting& setting, std::vector<std::string> arguments,
                                          const std::function<void(const Json& event)>& on_event,
                                          const std::stop_token& stop);

// A model that a command of sparsight-learn makes for an experiment: once, and again when its settings or its
// data have changed.

/// `arguments` begin with the command, `train` or `finetune`, and lack the name of the model. Its
/// epochs are its progress; a remark says why it is made anew. Errors: those of sparsight-learn;
/// Fault::Cancelled, also where it ended before there was a model.
[[nodiscard]] Result<void> make_model(const LearnerSetting& setting, const std::string& model,
                                      std::vector<std::string> arguments, Observer& observer,
                                      const std::stop_token& stop);

} // namespace sparsight
