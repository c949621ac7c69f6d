// What the views of matrices and schedules share beside the services of every page.
#pragma once

#include "gui/page/page.h"

namespace sparsight {

class MatrixLoader;

struct SparseServices : Services {
    MatrixLoader& matrices;
};

} // namespace sparsight
