// What is looked at: one matrix, one machine, one schedule, shared by all pages, with the way back as in a
// browser. Things are named by what they are in the workspace, so a snapshot is a text that another copy of
// the workspace understands.
#pragma once

#include "domains/sparse/schedule/operator.h"

#include <QObject>
#include <QString>
#include <vector>

namespace sparsight {

/// As Selected::op and links have it: "spmm".
[[nodiscard]] QString op_name(Operator op);

struct Selected {
    QString page;
    QString matrix;   ///< name
    QString machine;  ///< fingerprint
    QString op;       ///< "spmm": what the schedule is of
    QString schedule; ///< WACO's text
    QString model;    ///< name
    bool operator==(const Selected&) const = default;
};

/// "page=schedules&matrix=cage8&…", and back; what is unknown in it is left out.
[[nodiscard]] QString to_link(const Selected& selected);
[[nodiscard]] Selected from_link(const QString& link);

class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// A copy: whoever looks at it may cause another selection, which moves the history in memory.
    [[nodiscard]] Selected current() const { return history_[at_]; }

    void select_page(const QString& page);
    /// Another matrix has other measurements: the schedule stays selected, as it may have been measured there
    /// too.
    void select_matrix(const QString& matrix);
    void select_machine(const QString& machine);
    void select_schedule(const QString& op, const QString& schedule);
    void select_model(const QString& model);
    void select(Selected selected);
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

private:
    void go_to(std::size_t at);
    void tell(const Selected& before);

    std::vector<Selected> history_{Selected{}};
    std::size_t at_ = 0;
};

} // namespace sparsight
