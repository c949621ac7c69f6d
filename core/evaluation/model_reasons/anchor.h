// A rule under which a model keeps to its choice, with what is known of how far it can be trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Whose property a predicate is about.
enum class ReasonSubject : std::uint8_t { Schedule, Against, Pattern, Machine };
/// "schedule", "against", "pattern", "machine".
[[nodiscard]] std::string_view name(ReasonSubject subject);
[[nodiscard]] std::optional<ReasonSubject> parse_reason_subject(std::string_view text);

enum class PredicateRelation : std::uint8_t { Is, AtMost, AtLeast, Above };
/// "is", "at most", "at least", "above".
[[nodiscard]] std::string_view name(PredicateRelation relation);
[[nodiscard]] std::optional<PredicateRelation> parse_predicate_relation(std::string_view text);

/// Something that holds of the explained case: "format of k1 is compressed", "Gini of row lengths above 0.4".
struct ReasonPredicate {
    ReasonSubject subject{};
    std::string key;     ///< of a decision (diagnosis/decision.h), a statistic or a fact of a machine
    std::string title{}; ///< the same for people
    PredicateRelation relation{};
    std::string value{};            ///< for people, without the unit: "compressed", "16"
    std::optional<double> number{}; ///< absent where the value is none
    std::string unit{};             ///< may be empty

    bool operator==(const ReasonPredicate&) const = default;
};

/// "schedule: format of k1 is compressed", "matrix: longest row above 40 entries".
[[nodiscard]] std::string to_text(const ReasonPredicate& predicate);

/// A share with the bounds that it lies within at the stated confidence.
struct BoundedShare {
    double value = 0; ///< 0 to 1, like the bounds
    double lowest = 0;
    double highest = 1;
    std::int64_t draws = 0; ///< that it is estimated from

    bool operator==(const BoundedShare&) const = default;
};

/// Ribeiro, Singh, Guestrin: Anchors, AAAI 2018. "As long as all predicates hold, the model prefers the same
/// schedule, whatever else is changed."
struct Anchor {
    std::vector<ReasonPredicate> predicates{}; ///< none: it prefers the same schedule whatever is changed
    BoundedShare precision{};                  ///< of changed cases with the predicates: same choice
    BoundedShare coverage{};                   ///< of all changed cases: those in which the predicates hold

    bool operator==(const Anchor&) const = default;
};

/// How patterns were changed.
enum class PatternDraws : std::uint8_t {
    /// The statistics of known matrices, but for those in the rule, which are set: for models that read
    /// statistics alone.
    Statistics,
    /// Whole patterns, known ones and changed forms of the explained one: those with the predicates.
    Matrices,
};
/// "statistics", "matrices".
[[nodiscard]] std::string_view name(PatternDraws draws);
[[nodiscard]] std::optional<PatternDraws> parse_pattern_draws(std::string_view text);

struct AnchorReason {
    /// Absent: no rule of up to `longest` predicates is precise enough; `nearest` is the one of those that
    /// were looked at whose precision is surest.
    std::optional<Anchor> anchor{};
    std::optional<Anchor> nearest{};
    BoundedShare unconditional{}; ///< of all changed cases: the same choice
    double wanted_precision = 0;
    double confidence = 0;       ///< at which bounds hold
    int longest = 0;             ///< predicates that a rule may have
    std::int64_t candidates = 0; ///< predicates to choose from
    std::int64_t calls = 0;      ///< changed cases that the model was asked about
    PatternDraws pattern_draws{};
    std::int64_t patterns = 0; ///< that statistics, or whole patterns, were drawn from
    std::int64_t machines = 0; ///< that machines were drawn from; 0: the model reads none
    bool complete = true;      ///< false: the budget was over before the search was

    bool operator==(const AnchorReason&) const = default;
};

} // namespace sparsight
