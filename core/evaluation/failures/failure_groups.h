// Failure cases that are one failure: thirty cases told as four stories.
#pragma once

#include "evaluation/failures/failure_case.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct FamilyCount {
    PatternFamily family = PatternFamily::Unknown;
    std::size_t cases = 0;
    bool operator==(const FamilyCount&) const = default;
};

/// What holds the cases of a story together.
enum class FailureGroupGround : std::uint8_t {
    Decision,            ///< the decision that cost most
    SimulationDisagrees, ///< the simulator does not take the chosen schedules for slower: it can't say why
    NoDiagnosis,         ///< there is no pattern, or a schedule can't be built
    Rest,                ///< what is left over
};
/// In files: "decision", "simulation_disagrees", "no_diagnosis", "rest".
[[nodiscard]] std::string_view name(FailureGroupGround ground);

/// Plain values, so that whoever tells it can do so in any language.
struct FailureGroup {
    FailureGroupGround ground = FailureGroupGround::Decision;
    // With FailureGroupGround::Decision alone:
    std::optional<Decision> decision{};
    std::string before{};     ///< how what the schedules are held against decides most often
    std::string after{};      ///< how the chosen schedules do
    bool is_one_value = true; ///< every case has this `after`
    bool is_mostly = true;    ///< more than half of them do: otherwise one case more may change the word
    /// The part of the time that grows most in most cases; absent where nothing was simulated.
    std::optional<TimeTerm> term{};
    std::optional<DiagnosisBasis> basis{}; ///< of most cases

    FailureKind kind = FailureKind::SlowerThanCsr;     ///< of most cases' main signs
    FailureAgainst against = FailureAgainst::FixedCsr; ///< likewise
    std::string undiagnosed{};                         ///< why there is no diagnosis, in most cases
    std::vector<FamilyCount> families;                 ///< the most frequent first
    std::vector<std::size_t> cases;                    ///< places in the cases, the greatest loss first
    std::size_t matrices = 0;                          ///< different ones
    TimeSource times = TimeSource::Measured;           ///< of most cases
    double lost_ms = 0;    ///< of all cases together; what was only believed wrongly loses nothing
    double behind_ms = 0;  ///< by how much the chosen ones are behind in their main signs, together
    double lost_share = 0; ///< geometric mean over the cases of the longer over the shorter time, less 1

    /// Cases whose loss the simulator does not see; with FailureGroupGround::SimulationDisagrees all.
    std::size_t disagreeing = 0;
    /// With FailureGroupGround::SimulationDisagrees: the same of the simulated times, mostly at most 0.
    double simulated_share = 0;

    /// The family of at least 60 % of the cases, unless that is PatternFamily::Unknown.
    [[nodiscard]] std::optional<PatternFamily> dominant_family() const;
};

struct GroupingOptions {
    /// What would be more stories than so many is told as one, the rest.
    std::size_t most_groups = 6;
    /// A story of so many cases is told apart by family where two of them have a third of its cases each.
    std::size_t split_by_family_from = 12;
};

/// Every case is in exactly one story. Cases with the same top decision are one story; it is told apart where
/// a quarter of them and three at least are slow for another kind of reason: because cores wait for the last
/// one, because work is handed out in too small pieces, or because there is more work or traffic. Cases
/// without a diagnosis that holds are told by their kind and family. The greatest loss first, the rest last;
/// the same cases always give the same stories.
[[nodiscard]] std::vector<FailureGroup> group_failures(std::span<const FailureCase> cases,
                                                       const GroupingOptions& options = {});

/// "7 matrices, mostly banded: format of k1 uncompressed instead of compressed makes the choice 41 % slower
/// than fixed CSR, by work on explicit zeros".
[[nodiscard]] std::string group_sentence(const FailureGroup& story, Operator op);
/// "0.54 ms lost", "0.54 ms lost, simulated", "nothing lost: ranked wrongly within its own choices".
[[nodiscard]] std::string group_loss(const FailureGroup& story);
/// "work on explicit zeros": what grows with a part of the time.
[[nodiscard]] std::string_view reason_text(TimeTerm term);
/// "fixed CSR", "the best known", "the fastest of its own choices".
[[nodiscard]] std::string_view title(FailureAgainst against);
/// "slower than fixed CSR", "far from the best known", …
[[nodiscard]] std::string_view title(FailureKind kind);

// What is said of all failures in one sentence, alike on a terminal and in a report.

/// "3 of 16 choices fail; 0.99 ms are lost in all: 2 stories. 1 of them was only wrong about its own choices,
/// by which nothing is lost." Simulated times are said to be. `compared` counts choices, failures or not.
[[nodiscard]] std::string failures_headline(std::span<const FailureCase> cases, std::size_t compared,
                                            std::size_t stories);

/// Which decision, as a table of cases says it: "split of i 4 → not split", why there is none, or that the
/// simulator does not see what was measured.
[[nodiscard]] std::string cause_text(const FailureCase& failure, Operator op);

} // namespace sparsight
