// A model that a command of sparsight-learn makes for an experiment: once, and again when its settings or its
// data have changed.
#pragma once

#include "command/job_events.h"
#include "command/progress_display.h"

#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// `arguments` begin with the command, `train` or `finetune`, and lack the name of the model. Shown and told
/// are its epochs; said is why it is made anew. Errors: those of sparsight-learn; Fault::Cancelled, also
/// where it ended before there was a model.
[[nodiscard]] Result<void> make_model(const Session& session, const std::string& model,
                                      std::vector<std::string> arguments, JobEvents& events,
                                      ProgressDisplay& display, const std::stop_token& stop);

} // namespace sparsight
