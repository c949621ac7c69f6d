// The selected matrix, and the choice of another one whose entries are known.
#pragma once

#include "gui/page/page.h"
#include "machine/machine_description.h"

#include <QComboBox>
#include <optional>
#include <vector>

namespace sparsight {

class MatrixBox : public QComboBox {
    Q_OBJECT

public:
    explicit MatrixBox(const Services& services, QWidget* parent = nullptr);

private:
    void show_matrices();

    Services services_;
};

// Which machine is looked at: this computer, those of the workspace, presets.

class WorkspaceSession;

struct ChosenMachine {
    QString id; ///< "preset:epyc-7543", "workspace:FINGERPRINT"
    QString title;
    QString fingerprint; ///< in the workspace; empty for others
    MachineDescription machine;
};

class MachineChoice : public QComboBox {
    Q_OBJECT

public:
    /// With `nothing` as the first entry, if it is not empty.
    MachineChoice(WorkspaceSession& session, const QString& nothing, QWidget* parent = nullptr);

    /// This computer by its facts, for a workspace that does not know it.
    void set_this_computer(const MachineDescription& machine);
    [[nodiscard]] std::optional<ChosenMachine> chosen() const;
    /// The tooltip says it, behind the name of the chosen machine, which may be longer than the field.
    void set_explanation(const QString& text);
    /// False where there is none of this id.
    bool choose(const QString& id);
    [[nodiscard]] static QString workspace_id(const QString& fingerprint);
    [[nodiscard]] static QString preset_id(const QString& key);

Q_SIGNALS:
    void chosen_changed();

protected:
    /// A name that does not fit ends in "…"; the open list has all of it.
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();
    void show_tooltip();

    WorkspaceSession& session_;
    QString nothing_;
    QString explanation_;
    std::optional<MachineDescription> this_computer_;
    std::vector<ChosenMachine> machines_;
};

} // namespace sparsight
