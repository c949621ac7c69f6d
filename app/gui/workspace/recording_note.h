// A quiet line of a page: the times of the open workspace were recorded on another computer.
#pragma once

#include <QLabel>

namespace sparsight {

class WorkspaceSession;

/// Hidden where this computer was measured too, or nothing was recorded.
class RecordingNote : public QLabel {
    Q_OBJECT

public:
    explicit RecordingNote(const WorkspaceSession& session, QWidget* parent = nullptr);

private:
    void show_contents();

    const WorkspaceSession& session_;
};

} // namespace sparsight
