// Failure cases grouped by their common cause, and the sentences that describe a group and all failures,
// alike on a terminal and in a report.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "study/domain.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct FamilyCount {
    WorkloadFamily family{};
    std::size_t cases = 0;
    bool operator==(const FamilyCount&) const = default;
};

/// What the cases of a group have in common.
enum class FailureGroupGround : std::uint8_t {
    Decision,            ///< the decision that cost most
    SimulationDisagrees, ///< the simulator does not predict that the chosen configurations are slower: it
                         ///< can't say why
    NoDiagnosis,         ///< there is no pattern, or a configuration can't be built
    Rest,                ///< the remaining cases
};
/// In files: "decision", "simulation_disagrees", "no_diagnosis", "rest".
[[nodiscard]] std::string_view name(FailureGroupGround ground);

/// A group of failure cases, as plain values, so that it can be described in any language.
struct FailureGroup {
    FailureGroupGround ground = FailureGroupGround::Decision;
    // With FailureGroupGround::Decision alone:
    std::optional<Decision> decision{};
    std::optional<std::string> before{}; ///< of all configurations compared with; absent where they differ
    std::string after{};                 ///< the most frequent decision of the chosen configurations
    bool is_one_value = true;            ///< every case has this `after`
    bool is_mostly = true; ///< in more than half of the cases: otherwise one more case may change the value
    /// The part of the time that grows most in most cases; absent where nothing was simulated.
    std::optional<TimeCause> term{};
    std::optional<DiagnosisBasis> basis{}; ///< of most cases
    double decision_ms = 0;                ///< of all cases: what the decision costs
    double explained_ms = 0;               ///< … and all decisions together
    std::vector<std::string> others{};     ///< decisions that cost or win a share, too; the largest first

    FailureKind kind = FailureKind::SlowerThanBaseline; ///< of most cases' main signs
    FailureAgainst against = FailureAgainst::Baseline;  ///< likewise
    std::string nickname{};    ///< of the configuration that the first case chose; empty where it has none
    std::string undiagnosed{}; ///< why there is no diagnosis, in most cases
    std::vector<FamilyCount> families;       ///< the most frequent first
    std::vector<std::size_t> cases;          ///< places in the cases, the greatest loss first
    std::size_t workloads = 0;               ///< different ones
    TimeSource times = TimeSource::Measured; ///< of most cases
    double lost_ms = 0;                      ///< of all cases together; wrong beliefs alone lose nothing
    double behind_ms = 0;                    ///< total difference in the main signs of all cases
    std::size_t held_against = 0;            ///< cases that are held against what `against` says
    double lost_share = 0; ///< geometric mean over these of the longer over the shorter time, less 1

    /// Cases whose loss the simulator does not see; with FailureGroupGround::SimulationDisagrees all.
    std::size_t disagreeing = 0;
    /// With FailureGroupGround::SimulationDisagrees: the same of the simulated times, mostly at most 0.
    double simulated_share = 0;

    /// The family of at least 60 % of the cases, where it is known.
    [[nodiscard]] std::optional<WorkloadFamily> dominant_family() const;
};

struct GroupingOptions {
    /// Groups beyond this number are merged into one, the rest.
    std::size_t most_groups = 6;
    /// A group of this many cases is divided by family where two families have a third of its cases each.
    std::size_t split_by_family_from = 12;
};

/// Every case is in exactly one group. Cases with the same top decision form one group; it is divided where
/// a quarter of them, and at least three, are slow for another kind of reason (TimeCause::kind). Cases
/// without a valid diagnosis are grouped by their kind and family. The greatest loss comes first, the rest
/// last; the same cases always give the same groups.
[[nodiscard]] std::vector<FailureGroup> group_failures(std::span<const FailureCase> cases,
                                                       const GroupingOptions& options = {});

/// "7 workloads, mostly banded: format of k1 uncompressed instead of compressed makes the choice 41 % slower
/// than the baseline, by work on explicit zeros"; where it is not the only cause: "… costs 0.15 of 0.22 ms:
/// the choice is 12 % slower than the best known; tile counts, too".
[[nodiscard]] std::string group_sentence(const FailureGroup& group, const DomainWords& words);
/// "0.54 ms lost", "0.54 ms lost, simulated", "nothing lost: ranked wrongly within its own choices".
[[nodiscard]] std::string group_loss(const FailureGroup& group);
/// "fixed CSR", "the best known", "the fastest of its own choices".
[[nodiscard]] std::string title(FailureAgainst against, const DomainWords& words);
/// "slower than fixed CSR", "far from the best known", …
[[nodiscard]] std::string title(FailureKind kind, const DomainWords& words);

/// "3 of 16 choices fail; 0.99 ms are lost in all, in 2 groups. 1 of them was only wrong about its own
/// choices: nothing is lost by that." Simulated times are marked as such. `compared` counts all choices,
/// failures or not.
[[nodiscard]] std::string failures_headline(std::span<const FailureCase> cases, std::size_t compared,
                                            std::size_t groups);

/// The cause of a case, for a table: "split of i 4 → not split", why there is no diagnosis, or that the
/// simulator does not see the measured loss.
[[nodiscard]] std::string cause_text(const FailureCase& failure);

/// Which part of a gray box misled it, and by which rule the model preferred its choice, or why it could not
/// be asked, as sentences; empty where nobody asked it.
[[nodiscard]] std::string reasons_text(const FailureCase& failure, const DomainWords& words);

/// For programs: see `sparsight-cli failures --help`. The baseline goes by the last word of its noun: of
/// "fixed CSR" the kind is "slower_than_csr".
[[nodiscard]] nlohmann::ordered_json failure_case_json(const FailureCase& failure, const DomainWords& words);
[[nodiscard]] nlohmann::ordered_json
failure_group_json(const FailureGroup& group, std::span<const FailureCase> cases, const DomainWords& words);

} // namespace sparsight
