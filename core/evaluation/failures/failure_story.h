// Failure cases that are one failure: thirty cases told as four stories.
#pragma once

#include "evaluation/failures/failure_case.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct StoryFamily {
    PatternFamily family = PatternFamily::Unknown;
    std::size_t cases = 0;
    bool operator==(const StoryFamily&) const = default;
};

/// Plain values, so that whoever tells it can do so in any language.
struct FailureStory {
    /// Absent: these cases have no diagnosis, or one that the simulator does not agree with.
    std::optional<Decision> decision{};
    /// How the chosen schedules decide most often, and how what they are held against does.
    std::string before{};
    std::string after{};
    bool is_one_value = true; ///< every case has this `after`
    std::optional<TimeTerm> term{};
    std::optional<DiagnosisBasis> basis{};         ///< that most of the diagnoses have
    FailureKind kind = FailureKind::SlowerThanCsr; ///< of most cases' main signs
    std::vector<StoryFamily> families;             ///< the most frequent first
    std::vector<std::size_t> cases;                ///< places in the cases, the greatest loss first
    double lost_ms = 0;                            ///< of the main signs of all cases together
    double lost_share = 0; ///< geometric mean over the cases of the longer over the shorter time, less 1

    /// The family of at least 60 % of the cases.
    [[nodiscard]] std::optional<PatternFamily> dominant_family() const;
};

struct StoryOptions {
    /// Stories beyond so many are the rest: told as one, without a decision.
    std::size_t most_stories = 8;
    /// A story of this many cases is told apart by family where two of them have a third of its cases each.
    std::size_t split_by_family_from = 12;
};

/// Every case is in exactly one story. Cases with the same top decision are one story, told apart by the part
/// of the time that grew only where each kind makes up a quarter of them, and three at least; cases without a
/// diagnosis are told by kind and family. The greatest loss first; the same cases always give the same
/// stories.
[[nodiscard]] std::vector<FailureStory> tell_stories(std::span<const FailureCase> cases,
                                                     const StoryOptions& options = {});

/// "On 7 of 9 banded matrices, format of k1 as uncompressed (compressed) costs 41 %: explicit zeros."
[[nodiscard]] std::string story_sentence(const FailureStory& story, Operator op);

} // namespace sparsight
