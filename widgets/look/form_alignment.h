// Forms whose labels and fields stand in lines.
#pragma once

#include <initializer_list>

class QFormLayout;

namespace sparsight {

/// Each label stands beside the middle of its field, and the fields of all these forms in one column. To be
/// called again when rows were added.
void align_forms(std::initializer_list<QFormLayout*> forms);

} // namespace sparsight
