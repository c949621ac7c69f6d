// Blocks to look at where nothing else is at hand, with where they come from.
#pragma once

#include <QString>
#include <vector>

namespace sparsight {

struct ExampleBlock {
    QString title;
    QString origin; ///< compiler, options and source
    QString code;   ///< Intel's syntax, with both as comments
};

[[nodiscard]] const std::vector<ExampleBlock>& example_blocks();

} // namespace sparsight
