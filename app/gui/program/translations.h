// The program in the user's language, where there is a translation.
#pragma once

class QCoreApplication;

namespace sparsight {

/// For the locale of the system: the texts of Qt (dialog buttons) and ours. Without a translation the program
/// speaks English. To be called before the first text is shown.
void install_translations(QCoreApplication& application);

} // namespace sparsight
