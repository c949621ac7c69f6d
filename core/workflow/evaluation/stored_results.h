// Selects measurements of the workspace, sorts them, and writes them as JSON and CSV in the words of their
// domain.
#pragma once

#include "base/observer.h"
#include "store/results.h"
#include "study/domain.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Selects results of one domain. An empty field admits everything.
struct ResultsFilter {
    std::string workload{};
    std::string machine{}; ///< name or fingerprint
    std::string protocol{};
    /// Parts of the setting as text, by Domain::members(): "dense" → "256". Settings without such a part are
    /// left out.
    std::map<std::string, std::string, std::less<>> members{};
};

/// Sorts by workload, machine, setting, protocol, condition and threads; those that compare with each other
/// by fastest_first() (store/results.h).
void sort_results(const Domain& domain, std::vector<ResultRecord>& results);

/// The selected results, sorted. An unknown workload, machine or protocol is an error, not an empty list.
[[nodiscard]] Result<std::vector<ResultRecord>> find_results(Workspace& workspace, const Domain& domain,
                                                             const ResultsFilter& filter);

/// Groups results that can be compared: workload, machine, setting, protocol, condition and threads are the
/// same. The largest group comes first; each is sorted by fastest_first() (store/results.h).
[[nodiscard]] std::vector<std::vector<ResultRecord>> comparable_results(std::vector<ResultRecord> results);

/// The fastest measured result of each group of comparable results; `sorted` is in the order of
/// sort_results().
[[nodiscard]] std::vector<ResultRecord> best_results(const std::vector<ResultRecord>& sorted);

/// The status for display. A simulated time is not called measured: its reason names the simulator. Nor is
/// the time of a recorded machine.
[[nodiscard]] std::string_view shown_status(const ResultRecord& result);

/// Whether the speedup may be noise (CollectedTime::verdict()). False without a speedup, and of the baseline
/// itself.
[[nodiscard]] bool is_speedup_in_noise(const ResultRecord& result);

/// "speedup_over_fixed_csr"; empty in a domain without a baseline.
[[nodiscard]] std::string speedup_key(const DomainWords& words);

/// The nicknames in the same order (study/nicknames.h); empty in a domain without nicknames. Results of one
/// setting are named as one list.
[[nodiscard]] std::vector<std::string> nicknames_of(const Domain& domain,
                                                    const std::vector<ResultRecord>& results);

/// A list of objects; "condition" is a key if one of the results has a condition.
[[nodiscard]] Json results_json(const Domain& domain, const std::vector<ResultRecord>& results);
[[nodiscard]] std::string results_csv(const Domain& domain, const std::vector<ResultRecord>& results);

/// Says how many of the results are damaged in the workspace file and so have no time; empty: none.
[[nodiscard]] std::string damaged_sentence(const std::vector<ResultRecord>& results);

/// Which engines measured them, where it was more than one on a machine, as their times must not be compared;
/// empty: no such mixture.
[[nodiscard]] std::string mixed_engines_sentence(const std::vector<ResultRecord>& results);

/// Whether one of them has a condition.
[[nodiscard]] bool have_conditions(const std::vector<ResultRecord>& results);

/// Accepts protocols by which this program measures, or by which something in the workspace was measured. The
/// error names the known protocols.
[[nodiscard]] Result<void> check_protocol(Workspace& workspace, const std::string& protocol);

} // namespace sparsight
