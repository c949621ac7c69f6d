// Measurements of the workspace: which of them are meant, in what order, and as JSON and as CSV in the words
// of their domain.
#pragma once

#include "base/observer.h"
#include "store/measurements.h"
#include "study/domain.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Results of one domain. An empty field admits everything.
struct ResultsFilter {
    std::string workload{};
    std::string machine{}; ///< name or fingerprint
    std::string protocol{};
    /// Parts of the setting as text, by Domain::members(): "dense" → "256". A setting without such a part is
    /// left out.
    std::map<std::string, std::string, std::less<>> members{};
};

/// By workload, machine, setting, protocol, condition and threads, then by median; those without a time last.
void sort_results(const Domain& domain, std::vector<ResultRecord>& results);

/// Sorted. A workload, machine or protocol that nobody knows is an error, not an empty list.
[[nodiscard]] Result<std::vector<ResultRecord>> find_results(Workspace& workspace, const Domain& domain,
                                                             const ResultsFilter& filter);

/// Parts of the results that compare with each other: workload, machine, setting, protocol, condition and
/// threads are the same. The part with the most results comes first; in each the fastest does, then those
/// that were abandoned; those without a time are last.
[[nodiscard]] std::vector<std::vector<ResultRecord>> comparable_results(std::vector<ResultRecord> results);

/// Of sorted results: the fastest measured one of each workload and what else it is sorted by before its
/// median.
[[nodiscard]] std::vector<ResultRecord> best_results(const std::vector<ResultRecord>& sorted);

/// What no machine ran is not called measured: its reason says which simulator it is from.
[[nodiscard]] std::string_view shown_status(const ResultRecord& result);

/// "speedup_over_fixed_csr"; empty in a domain without a baseline.
[[nodiscard]] std::string speedup_key(const DomainWords& words);

/// In the same order (study/nicknames.h); empty in a domain that has none. Results of one setting are named
/// as one list.
[[nodiscard]] std::vector<std::string> nicknames_of(const Domain& domain,
                                                    const std::vector<ResultRecord>& results);

/// A list of objects; "condition" is a key where one of the results has one.
[[nodiscard]] Json results_json(const Domain& domain, const std::vector<ResultRecord>& results);
[[nodiscard]] std::string results_csv(const Domain& domain, const std::vector<ResultRecord>& results);

/// How many of them are damaged in the workspace file, so that they have no time; empty: none.
[[nodiscard]] std::string damaged_sentence(const std::vector<ResultRecord>& results);

/// Which engines measured them, where it was more than one on a machine, as their times must not be compared;
/// empty: no such mixture.
[[nodiscard]] std::string mixed_engines_sentence(const std::vector<ResultRecord>& results);

/// Whether one of them has a condition.
[[nodiscard]] bool have_conditions(const std::vector<ResultRecord>& results);

/// An error that names the known ones, unless this program measures by the protocol or something in the
/// workspace was measured by it.
[[nodiscard]] Result<void> check_protocol(Workspace& workspace, const std::string& protocol);

} // namespace sparsight
