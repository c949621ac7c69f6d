// What a domain with a clock or a simulator of its own brings to `failures` and `report`: options beside
// those of every domain, and its own diagnosis. The failures of other domains are diagnosed by known times.
#pragma once

#include "command/session.h"
#include "workflow/explanation/failures_study.h"

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

class FailureQuestion;

struct WrittenReport {
    std::string html;
    std::optional<std::size_t> groups; ///< absent of a single page
    std::size_t cases = 1;
    std::size_t pages = 1;
    std::vector<std::string> remarks{}; ///< for the user
};

/// The options of one command, and what the domain does by them. It lives as long as the command.
class DomainDiagnosis {
public:
    DomainDiagnosis() = default;
    DomainDiagnosis(const DomainDiagnosis&) = delete;
    DomainDiagnosis& operator=(const DomainDiagnosis&) = delete;
    virtual ~DomainDiagnosis() = default;

    // Options. The command has --model and --evaluation already.

    /// Which failures are meant, and how they are diagnosed: of both commands.
    virtual void add_common_options(CLI::App& command) = 0;
    /// Of `failures`, which has --machine already.
    virtual void add_failures_options(CLI::App& command) = 0;
    virtual void add_report_options(CLI::App& command) = 0;
    /// Throws CLI::ValidationError where `report` would pass over an option that was given.
    virtual void check_report_options(const CLI::App& command) const = 0;

    // What was asked for, after parsing.

    /// What its options name is no evaluation of a workspace: it answers whatever the workspace holds.
    [[nodiscard]] virtual bool has_own_source() const = 0;
    /// An option that was given and has no meaning for evaluations of other domains; empty: none.
    [[nodiscard]] virtual std::string_view own_option() const = 0;
    /// Its options as they were given, with a space before each: those that name the source (empty: it is an
    /// evaluation), and the others.
    [[nodiscard]] virtual std::string source_words() const = 0;
    [[nodiscard]] virtual std::string other_words() const = 0;

    [[nodiscard]] virtual Result<FailuresAnswer> failures(const Session& session,
                                                          const FailuresRequest& request, Observer& observer,
                                                          const std::stop_token& stop) const = 0;
    [[nodiscard]] virtual Result<WrittenReport> report(const Session& session,
                                                       const FailureQuestion& question, Observer& observer,
                                                       const std::stop_token& stop) const = 0;
};

class DiagnosingDomain {
public:
    DiagnosingDomain() = default;
    DiagnosingDomain(const DiagnosingDomain&) = delete;
    DiagnosingDomain& operator=(const DiagnosingDomain&) = delete;
    virtual ~DiagnosingDomain() = default;

    /// As Domain::name().
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// For one command.
    [[nodiscard]] virtual std::unique_ptr<DomainDiagnosis> diagnosis() const = 0;
};

/// Those of a program; other domains need none.
using DiagnosingDomains = std::vector<std::unique_ptr<const DiagnosingDomain>>;

} // namespace sparsight
