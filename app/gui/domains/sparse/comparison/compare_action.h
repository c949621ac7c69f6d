// Compare: two rows of a table of schedules side by side. A page that has such a table makes one of these.
#pragma once

#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "study/clock.h"

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

class QAction;

namespace sparsight {

class DataTable;

/// What a row is of.
struct ComparableRow {
    QString matrix{};
    QString machine{}; ///< fingerprint; empty: this computer
    QString op{};      ///< "spmm"
    std::int64_t dense = 1;
    QString schedule{}; ///< in WACO's form; empty where it has none
    QString title{};    ///< empty: told by its letters
    QString time{};     ///< "1.24 ± 0.05 ms"; empty: unknown
    ClockTime known{};  ///< the same by the clock; absent: unknown, or but simulated
};

/// "1.24 ± 0.05 ms", or nothing.
[[nodiscard]] QString known_time_text(std::optional<double> milliseconds, std::optional<double> spread_ms);

/// Nothing where the time is not the clock's but a simulator's.
[[nodiscard]] std::optional<double> time_by_the_clock(const std::string& protocol,
                                                      std::optional<double> milliseconds);

class CompareAction : public QObject {
    Q_OBJECT

public:
    /// Several rows of the table can be selected from now on; the action is in its tools and in the menu of
    /// its rows. `row` says what a row of the model is of.
    CompareAction(SparseServices services, DataTable& table,
                  std::function<ComparableRow(int source_row)> row);

    [[nodiscard]] QAction& action() const { return *action_; }
    /// Why it can't be done now; empty when it can.
    [[nodiscard]] QString refusal() const;

private:
    void show_availability();
    void compare();

    SparseServices services_;
    DataTable& table_;
    std::function<ComparableRow(int)> row_;
    QAction* action_;
};

} // namespace sparsight
