#include "gui/whatif/matrix_box.h"

#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"

#include <QSignalBlocker>

namespace sparsight {

MatrixBox::MatrixBox(const Services& services, QWidget* parent)
    : QComboBox(parent)
    , services_(services) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    constexpr int letters_of_a_matrix = 18;
    setMinimumContentsLength(letters_of_a_matrix);
    setPlaceholderText(tr("none"));
    connect(this, &QComboBox::currentIndexChanged, this, [this](int place) {
        if (place >= 0)
            services_.selection.select_matrix(itemText(place));
    });
    connect(&services_.selection, &Selection::changed, this, &MatrixBox::show_matrices);
    for (const auto signal : {&WorkspaceSession::contents_changed, &WorkspaceSession::closed})
        connect(&services_.session, signal, this, &MatrixBox::show_matrices);
    show_matrices();
}

/// Those whose entries are known; the selected one, whoever selected it.
void MatrixBox::show_matrices() {
    QStringList names;
    for (const MatrixRecord& record : services_.session.contents().matrices)
        if (record.pattern != PatternPlace::Unknown)
            names << QString::fromStdString(record.name);
    const QSignalBlocker quiet(this);
    QStringList shown;
    for (int place = 0; place < count(); ++place)
        shown << itemText(place);
    if (shown != names) {
        clear();
        addItems(names);
    }
    const QString selected = services_.selection.current().matrix;
    setCurrentIndex(static_cast<int>(names.indexOf(selected)));
    setEnabled(!names.isEmpty());
    setToolTip(names.isEmpty() ? tr("This workspace has no matrix whose entries are known.")
               : currentIndex() < 0
                   ? tr("The matrix whose schedules are ranked: the selected one, everywhere")
                   : tr("%1: the selected matrix, everywhere").arg(selected));
}

} // namespace sparsight
