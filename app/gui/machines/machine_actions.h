// What can be done with machines that are imagined: made from a preset, duplicated, deleted, read from and
// written to files, undone.
#pragma once

#include "gui/machines/machine_edits.h"

#include <QObject>
#include <QString>

class QAction;
class QMenu;
class QWidget;

namespace sparsight {

class MachineActions : public QObject {
    Q_OBJECT

public:
    /// The actions work while the focus is within `where`, which also owns the dialogs.
    MachineActions(MachineEdits& edits, QWidget& where);

    [[nodiscard]] QAction* make_new() const { return new_; } ///< with a menu of presets
    [[nodiscard]] QAction* duplicate() const { return duplicate_; }
    [[nodiscard]] QAction* remove() const { return remove_; }
    [[nodiscard]] QAction* import() const { return import_; }
    [[nodiscard]] QAction* export_file() const { return export_; }
    [[nodiscard]] QAction* undo() const { return undo_; }
    [[nodiscard]] QAction* redo() const { return redo_; }

    /// What they are about, how many times are stored for it, and why nothing can be written; empty where it
    /// can.
    void set_machine(const QString& fingerprint, qint64 times, const QString& reason_against_writing);

    /// Why its numbers can't be changed; empty where they can.
    [[nodiscard]] static QString reason_against_editing(const MachineRecord& machine);

    void import_from(const QString& path);
    void export_to(const QString& path);

Q_SIGNALS:
    /// A machine that is new and wants to be looked at.
    void made(const QString& fingerprint);
    void removed(const QString& fingerprint);
    void notice(const QString& text, bool is_problem, const QString& action);

private:
    QAction* add_action(const QString& icon, const QString& text, const QString& name);
    void fill_presets();
    void duplicate_machine();
    void remove_machine();
    void ask_before_removing(const MachineRecord& machine);
    void ask_for_import();
    void ask_for_export();
    void show_availability();
    [[nodiscard]] MachineEdits::State current() const { return edits_.machine(fingerprint_); }

    MachineEdits& edits_;
    QWidget& where_;
    QMenu* presets_;
    QAction* new_;
    QAction* duplicate_;
    QAction* remove_;
    QAction* import_;
    QAction* export_;
    QAction* undo_;
    QAction* redo_;
    QString fingerprint_;
    qint64 times_ = 0;
    QString against_writing_;
};

} // namespace sparsight
