// Comparing two configurations side by side, which a domain may offer in the tables of general pages.
#pragma once

#include "study/workload.h"

#include <QString>
#include <functional>
#include <optional>
#include <string>

namespace sparsight {

class DataTable;

/// A configuration that was chosen for a workload, as a domain may compare it with another one.
struct ComparedChoice {
    QString workload{};
    QString machine{}; ///< fingerprint; empty: this computer
    Setting setting{};
    QString configuration{};
    QString title{};
    std::optional<double> milliseconds{};
    std::optional<double> spread_ms{};
    std::optional<std::string> protocol{}; ///< of the time; absent where it is not known
};

/// Offers to compare two rows of a table; empty in a domain that has no such view. `choice` says what a row
/// of the table's model is of.
using OfferComparison =
    std::function<void(DataTable& table, std::function<ComparedChoice(int source_row)> choice)>;

} // namespace sparsight
