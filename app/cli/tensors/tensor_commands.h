// What sparsight-cli has for sparse tensors alone.
#pragma once

namespace sparsight {

struct CommandLine;

/// The domain with its files and its measuring.
void add_tensors(CommandLine& program);

} // namespace sparsight
