// Parts of a layer on LibTorch's own threads, so that its operations and ours never compete for the cores.
#pragma once

#include "model/part_runner.h"

namespace sparsight {

/// Uses as many threads as at::get_num_threads() says when it runs; each takes the next part when it is free.
[[nodiscard]] PartRunner torch_part_runner();

} // namespace sparsight
