// Why a model prefers one configuration of a workload to another, in any domain: what `sparsight-learn
// reasons` says, as plain values, as JSON and as text.
#pragma once

#include "base/error.h"
#include "evaluation/model_reasons/anchor_reason.h"
#include "study/domain.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace sparsight {

struct ChoiceReasons {
    std::string model{};
    std::string workload{};
    std::string machine{};          ///< empty: this computer, which the workspace does not know
    std::string configuration{};    ///< the canonical text
    std::string against{};          ///< likewise
    double configuration_score = 0; ///< lower is faster; only the difference of both has a meaning
    double against_score = 0;
    std::optional<double> configuration_ms{}; ///< on the machine; absent: not known
    std::optional<double> against_ms{};
    std::int64_t others = 0; ///< configurations that variants took decisions from
    std::optional<AnchorReason> anchors{};
    std::string unchanged{}; ///< that one of both was never changed, and why, like `missing`
    std::string missing{};   ///< why there are no anchors, a sentence without the full stop; empty: there are

    bool operator==(const ChoiceReasons&) const = default;

    /// Above 0 where the model prefers the configuration.
    [[nodiscard]] double margin() const { return against_score - configuration_score; }
    /// Whether it prefers the faster one; absent where times are not known or both are alike.
    [[nodiscard]] std::optional<bool> is_right() const;
};

[[nodiscard]] SubjectWords subject_words(const DomainWords& words);

/// In the domain's words; see `sparsight-learn reasons --help`.
[[nodiscard]] nlohmann::ordered_json choice_reasons_json(const ChoiceReasons& reasons,
                                                         const DomainWords& words);
/// Reads the output of choice_reasons_json(); other members are ignored. Errors (Fault::Input) name the
/// member that is missing or wrong.
[[nodiscard]] Result<ChoiceReasons> parse_choice_reasons(const nlohmann::ordered_json& json,
                                                         const DomainWords& words);

/// What is preferred, the rule, and how it was found.
[[nodiscard]] std::string choice_reasons_text(const ChoiceReasons& reasons, const DomainWords& words);

/// "base prefers the choice to the best known as long as …"; `one` and `other` name the two.
[[nodiscard]] std::string preference_sentence(const ChoiceReasons& reasons, std::string_view one,
                                              std::string_view other);

} // namespace sparsight
