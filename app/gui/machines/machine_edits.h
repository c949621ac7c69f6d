// Imagined machines as they are edited: what is changed shows at once, is written in the background one
// change after the other, and can be undone. Machines are named by their fingerprint in the workspace.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "store/machines.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <vector>

class QUndoStack;

namespace sparsight {

class WorkspaceSession;

class MachineEdits : public QObject {
    Q_OBJECT

public:
    /// Nothing where the machine is not, before or after.
    using State = std::optional<MachineRecord>;

    explicit MachineEdits(WorkspaceSession& session, QObject* parent = nullptr);
    ~MachineEdits() override;

    /// Those of the workspace, as they are edited.
    [[nodiscard]] std::vector<MachineRecord> machines() const;
    [[nodiscard]] State machine(const QString& fingerprint) const;
    /// Whether all that was edited is in the file.
    [[nodiscard]] bool is_settled() const { return edited_.empty(); }
    [[nodiscard]] QUndoStack* undo_stack() const { return undo_; }

    /// Under its name, or the next free one; returns its fingerprint.
    QString add(MachineDescription machine, const QString& text);
    /// Changes with the same merging id (not −1), one after the other, are undone together.
    void change(const QString& fingerprint, const MachineDescription& machine, const QString& text,
                int merging = -1);
    void remove(const QString& fingerprint, const QString& text);
    /// With all times that are stored for it: that can't be undone, and what was edited before neither.
    void remove_with_times(const QString& fingerprint);
    /// Whether it can be deleted by itself, and brought back: it was imagined, and no times are stored for
    /// it.
    [[nodiscard]] bool can_be_brought_back(const QString& fingerprint, qint64 times) const;

    [[nodiscard]] QString this_machine() const;

    [[nodiscard]] bool is_name_free(const std::string& name) const;

Q_SIGNALS:
    /// Which machines there are, or any of them.
    void changed();
    /// The numbers or the name of one that was there before.
    void edited(const QString& fingerprint);
    /// By undoing or redoing, so that it can be looked at.
    void touched(const QString& fingerprint);
    /// What was edited and is not in the file yet is lost.
    void failed(const QString& reason);

private:
    friend class MachineCommand;

    struct Edit {
        State state;
        int revision = 0; ///< of the last change
        bool is_written = false;
        int readings = 0; ///< of the workspace since then
    };

    void apply(const QString& fingerprint, const State& state);
    [[nodiscard]] std::vector<std::pair<std::string, State>> unwritten() const;
    void write();
    void write_at_once();
    void written(const std::map<QString, int>& revisions, const Result<void>& result);
    void follow_workspace();
    void forget();

    WorkspaceSession& session_;
    QUndoStack* undo_;
    std::map<QString, Edit> edited_; ///< what the contents of the workspace do not say yet
    QTimer write_soon_;
    bool is_writing_ = false;
    int revision_ = 0;
    QString path_; ///< of the workspace that was edited
};

} // namespace sparsight
