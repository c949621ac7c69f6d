// sparsight-learn as a function: parses the command line, runs one command, returns the exit code.
#pragma once

namespace sparsight {

[[nodiscard]] int run_learner(int argc, char** argv);

} // namespace sparsight
