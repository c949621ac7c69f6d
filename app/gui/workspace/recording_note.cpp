#include "gui/workspace/recording_note.h"

#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

namespace sparsight {

RecordingNote::RecordingNote(const WorkspaceSession& session, QWidget* parent)
    : QLabel(parent)
    , session_(session) {
    setObjectName(QStringLiteral("recording-note"));
    setTextFormat(Qt::PlainText); // a machine may be named like a tag
    setWordWrap(true);
    setForegroundRole(QPalette::PlaceholderText);
    keep_font(*this, caption_font);
    for (const auto signal :
         {&WorkspaceSession::closed, &WorkspaceSession::contents_changed, &WorkspaceSession::domain_changed})
        connect(&session_, signal, this, &RecordingNote::show_contents);
    connect(&session_, &WorkspaceSession::opened, this, &RecordingNote::show_contents);
    show_contents();
}

void RecordingNote::show_contents() {
    const MachineRecord* first = nullptr;
    qint64 count = 0;
    for (const MachineRecord& machine : session_.contents().machines)
        if (is_recording(machine.fingerprint)) {
            first = first == nullptr ? &machine : first;
            ++count;
        }
    setText(first == nullptr ? QString()
            : count == 1
                ? tr("Times recorded on %1, another computer.").arg(QString::fromStdString(first->name))
                : tr("Times recorded on %1 other machines.").arg(count_text(count)));
    setVisible(session_.is_open() && count > 0 && session_.machine(session_.this_machine()) == nullptr);
}

} // namespace sparsight
