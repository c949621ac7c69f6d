// What is looked at: one workload, one machine, one configuration, shared by all pages, with the way back as
// in a browser. Things are named by what they are in the workspace, so a snapshot is a text that another copy
// of the workspace understands.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

namespace sparsight {

struct Selected {
    QString page;
    QString workload;      ///< name
    QString machine;       ///< fingerprint
    QString family;        ///< within which the configuration has a meaning: of sparse "spmm"
    QString configuration; ///< its text
    QString model;         ///< name
    bool operator==(const Selected&) const = default;
};

/// "page=schedules&workload=cage8&…", and back; what is unknown in it is left out. Links of earlier versions
/// (matrix, operator, schedule) are understood.
[[nodiscard]] QString to_link(const Selected& selected);
[[nodiscard]] Selected from_link(const QString& link);
/// What --select takes: a link of known parts alone, or the name of a workload.
[[nodiscard]] std::optional<Selected> parse_selection(const QString& text);
/// The names of the parts of a link: "page, workload, …"
[[nodiscard]] QString link_parts();

class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// A copy: whoever looks at it may cause another selection, which moves the history in memory.
    [[nodiscard]] Selected current() const { return history_[at_]; }

    void select_page(const QString& page);
    /// Another workload has other measurements: the configuration stays selected, as it may have been
    /// measured there, too.
    void select_workload(const QString& workload);
    void select_machine(const QString& machine);
    void select_configuration(const QString& family, const QString& configuration);
    void select_model(const QString& model);
    void select(Selected selected);
    /// As a link names it: pages show the evaluation that it is of. What it does not name stays selected, but
    /// for the configuration of another workload.
    void follow_link(const Selected& target);
    /// Instead of the current one, without a step in the history: what the program chose, and not the user.
    void replace(Selected selected);
    /// Forgets the past, for another workspace.
    void reset(Selected selected = {});

    [[nodiscard]] bool can_go_back() const { return at_ > 0; }
    [[nodiscard]] bool can_go_forward() const { return at_ + 1 < history_.size(); }
    void go_back();
    void go_forward();

Q_SIGNALS:
    void changed(const Selected& now, const Selected& before);
    /// Before it is selected.
    void link_followed(const Selected& target);

private:
    void go_to(std::size_t at);
    void tell(const Selected& before);

    std::vector<Selected> history_{Selected{}};
    std::size_t at_ = 0;
};

} // namespace sparsight
