// Whose failures `failures` and `report` are asked for, and who diagnoses them.
#pragma once

#include "cli/domain_diagnosis.h"
#include "command/session.h"
#include "study/domain.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

/// What both commands share: the request, the domain, and the diagnoses of the domains that have their own.
class FailureQuestion {
public:
    explicit FailureQuestion(const DiagnosingDomains& diagnosing);

    FailuresRequest request;
    std::string domain; ///< as it was given; empty: that of the workspace
    /// For so long the model of each case is asked for its reasons; absent: as is usual for the command.
    std::optional<Seconds> reasons{};

    /// --model, --evaluation, what the diagnosing domains add, and --domain.
    void add_options(CLI::App& command, const DomainRegistry& domains);

    struct Own {
        std::string_view domain;
        std::unique_ptr<DomainDiagnosis> diagnosis;
    };
    [[nodiscard]] const std::vector<Own>& own() const { return own_; }

    /// nullptr: the domain has none of its own. Errors: those of choose_domain() and of the workspace; an
    /// option of another domain (Input).
    [[nodiscard]] Result<const DomainDiagnosis*> diagnosis(const Session& session) const;

    /// "--evaluation 6 --workspace W": behind the name of a command it says the same again.
    [[nodiscard]] std::string words(const Session& session, const FailuresAnswer& answer) const;

private:
    std::vector<Own> own_;
};

/// By known times, in a domain without a diagnosis of its own.
/// Models are asked for the reasons of `asked_cases` of each group, if that is wanted.
[[nodiscard]] Result<FailuresAnswer> failures_by_known_times(const Session& session,
                                                             const FailureQuestion& question,
                                                             std::size_t asked_cases, Observer& observer,
                                                             const std::stop_token& stop);

// What `failures` found, for programs and for people.

[[nodiscard]] Json failures_json(const FailuresAnswer& answer, const std::string& words);

/// Groups with their cases, at most so many of each group.
[[nodiscard]] std::string failures_text(const FailuresAnswer& answer, const std::string& words,
                                        std::size_t shown_cases);

} // namespace sparsight
