// An anchor in words: the rule under which a model keeps its preference of one configuration to another,
// whatever the domain, as plain values for any kind of output.
#pragma once

#include "evaluation/model_reasons/anchor_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The subject of a predicate. Files and texts have the domain's words for it (SubjectWords).
enum class ReasonSubject : std::uint8_t { Configuration, Against, Workload, Machine };

/// What a domain calls the subjects; the others are "against" and "machine" in every domain.
struct SubjectWords {
    std::string configuration = "configuration"; ///< "schedule"
    std::string workload = "workload";           ///< in files: "pattern"
    std::string workload_title = "workload";     ///< in texts: "matrix"

    bool operator==(const SubjectWords&) const = default;
};
[[nodiscard]] std::string name(ReasonSubject subject, const SubjectWords& words);
[[nodiscard]] std::optional<ReasonSubject> parse_reason_subject(std::string_view text,
                                                                const SubjectWords& words);

enum class PredicateRelation : std::uint8_t { Is, AtMost, AtLeast, Above };
/// "is", "at most", "at least", "above".
[[nodiscard]] std::string_view name(PredicateRelation relation);
[[nodiscard]] std::optional<PredicateRelation> parse_predicate_relation(std::string_view text);
/// Whether a number has the relation to the bound.
[[nodiscard]] bool holds(PredicateRelation relation, double number, double bound);

/// A property of the explained case: "format of k1 is compressed", "Gini of row lengths above 0.4".
struct ReasonPredicate {
    ReasonSubject subject{};
    std::string key;     ///< of a decision, a statistic or a fact of a machine
    std::string title{}; ///< the same for people
    PredicateRelation relation{};
    std::string value{};            ///< for people, without the unit: "compressed", "16"
    std::optional<double> number{}; ///< absent where the value is not a number
    std::string unit{};             ///< may be empty

    bool operator==(const ReasonPredicate&) const = default;
};

/// "schedule: format of k1 is compressed", "matrix: longest row above 40 entries".
[[nodiscard]] std::string to_text(const ReasonPredicate& predicate, const SubjectWords& words);

/// Ribeiro, Singh, Guestrin: Anchors, AAAI 2018. "As long as all predicates hold, the model prefers the same
/// configuration, whatever else is changed."
struct Anchor {
    std::vector<ReasonPredicate> predicates{}; ///< none: it prefers the same one whatever is changed
    BoundedShare precision{};                  ///< of changed cases with the predicates: same choice
    BoundedShare coverage{};                   ///< of all changed cases: those in which the predicates hold

    bool operator==(const Anchor&) const = default;
};

/// The words in which a rule is said, so that the window can translate them; "%1" and "%2" stand for what
/// follows the name.
struct RuleWords {
    std::string configuration{}; ///< which of the two the subject is: "its choice"
    std::string against{};       ///< "the best known"
    std::string both = "both";
    std::string workload = "the workload";
    std::string machine = "the machine";
    std::string is = "%1 stays %2"; ///< title, value
    std::string at_most = "%1 stays at most %2";
    std::string at_least = "%1 stays at least %2";
    std::string above = "%1 stays above %2";
    std::string with_unit = "%1 %2";     ///< value, unit
    std::string in_subject = "%1 in %2"; ///< predicates, subject
    std::string between_predicates = " and ";
    std::string between_subjects = ", and ";
};

/// "use_padding stays 1 and tile_x stays at least 2 in its choice, and block_size_x stays 32 in both". Empty
/// for a rule without predicates.
[[nodiscard]] std::string rule_phrase(const Anchor& rule, const RuleWords& words);

/// A rule under which a model keeps its choice, and how far it can be trusted.
struct AnchorReason {
    /// Absent: no rule of up to `longest` predicates is precise enough; `nearest` is the rule with the most
    /// certain precision among those tested.
    std::optional<Anchor> anchor{};
    std::optional<Anchor> nearest{};
    BoundedShare unconditional{}; ///< of all changed cases: the same choice
    double wanted_precision = 0;
    double confidence = 0;       ///< of the bounds
    int longest = 0;             ///< predicates that a rule may have
    std::int64_t candidates = 0; ///< predicates to choose from
    std::int64_t calls = 0;      ///< changed cases that the model was asked about
    bool complete = true;        ///< false: the budget was over before the search was

    bool operator==(const AnchorReason&) const = default;
};

/// Runs the search and puts its result in words: `predicate` says what a place of the space means.
[[nodiscard]] Result<AnchorReason>
find_anchor_reason(AnchorSpace& space, const AnchorOptions& options,
                   const std::function<ReasonPredicate(std::size_t place)>& predicate);

/// "97.9 % (95.3 to 99.1 %)"
[[nodiscard]] std::string bounds_text(const BoundedShare& share);
/// The rule as lines; `preferred` is what the model prefers: "the schedule".
[[nodiscard]] std::string anchor_lines(const AnchorReason& reason, std::string_view preferred,
                                       const SubjectWords& words);

} // namespace sparsight
