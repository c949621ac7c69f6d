// The choices of the What if page: the matrix, among those with known entries, and the machine, among this
// computer, the workspace's machines and presets.
#pragma once

#include "gui/page/page.h"
#include "machine/machine_description.h"
#include "widgets/look/eliding_combo_box.h"

#include <QComboBox>
#include <optional>
#include <vector>

namespace sparsight {

class WorkspaceSession;

class MatrixBox : public QComboBox {
    Q_OBJECT

public:
    explicit MatrixBox(const Services& services, QWidget* parent = nullptr);

private:
    void show_matrices();

    Services services_;
};

struct ChosenMachine {
    QString id; ///< "preset:epyc-7543", "workspace:FINGERPRINT"
    QString title;
    QString fingerprint; ///< in the workspace; empty for other machines
    MachineDescription machine;
};

/// A preset says that it is one where a machine of the workspace has its name.
class MachineChoice : public ElidingComboBox {
    Q_OBJECT

public:
    /// With `nothing` as the first entry, if it is not empty.
    MachineChoice(WorkspaceSession& session, const QString& nothing, QWidget* parent = nullptr);

    /// Describes this computer, for a workspace that does not know it.
    void set_this_computer(const MachineDescription& machine);
    [[nodiscard]] std::optional<ChosenMachine> chosen() const;
    /// False where there is no machine with this id.
    bool choose(const QString& id);
    [[nodiscard]] static QString workspace_id(const QString& fingerprint);
    [[nodiscard]] static QString preset_id(const QString& key);

Q_SIGNALS:
    void chosen_changed();

private:
    void fill();

    WorkspaceSession& session_;
    QString nothing_;
    std::optional<MachineDescription> this_computer_;
    std::vector<ChosenMachine> machines_;
};

} // namespace sparsight
