// Links in sentences, reached by the keyboard as by the mouse.
#pragma once

class QLabel;

namespace sparsight {

/// Tab stops at each link of the label, and Return follows it. A text without links is no stop. With
/// `selectable` the mouse also selects the text.
void reach_links_by_keyboard(QLabel& label, bool selectable = false);

} // namespace sparsight
