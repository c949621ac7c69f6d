// What one domain does of a command in a way of its own, as `import` of matrices: options beside those of
// every domain, and the work. All other domains share what the command does by the interfaces of the engine.
#pragma once

#include "base/error.h"
#include "command/learn_program.h"
#include "command/program.h"
#include "command/session.h"
#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

/// What a part adds behind sections of its command's help.
struct PartHelp {
    std::string_view description{};
    std::string_view examples{};
    std::string_view json{};
};

/// `Asked` is what the command knows by its own options. It lives as long as the command.
template <typename Asked>
class DomainPart {
public:
    DomainPart() = default;
    DomainPart(const DomainPart&) = delete;
    DomainPart& operator=(const DomainPart&) = delete;
    virtual ~DomainPart() = default;

    /// As Domain::name().
    [[nodiscard]] virtual std::string_view domain() const = 0;
    virtual void add_options(CLI::App& command) = 0;
    [[nodiscard]] virtual PartHelp help() const { return {}; }
    /// Its options say what is asked for whatever domain the workspace keeps.
    [[nodiscard]] virtual bool has_own_source() const { return false; }
    /// What is asked for can only be of this domain, such as files with a suffix of its own.
    [[nodiscard]] virtual bool recognises(const Asked& /*asked*/) const { return false; }
    /// Before anything is done, whatever the domain. Error (Input): what is wrong with its options.
    [[nodiscard]] virtual Result<void> check(const Asked& /*asked*/) const { return {}; }
    /// The same where its domain is the one that is asked for.
    [[nodiscard]] virtual Result<void> check_own(const Asked& /*asked*/) const { return {}; }
    [[nodiscard]] virtual ExitCode run(Session& session, Asked& asked) const = 0;
};

/// Those of a program; most domains need none.
template <typename Asked>
using DomainParts = std::vector<std::shared_ptr<DomainPart<Asked>>>;

/// The parts in one command.
template <typename Asked>
class PartsOfCommand {
public:
    explicit PartsOfCommand(DomainParts<Asked> parts)
        : parts_(std::move(parts)) {}

    /// As add_command(), with what the parts add to the help.
    CLI::App& add_command_with_help(CLI::App& app, const CommandSummary& summary,
                                    const CommandHelp& help) const {
        std::string description(help.description);
        std::string examples(help.examples);
        std::string json(help.json);
        for (const auto& part : parts_) {
            description += part->help().description;
            examples += part->help().examples;
            json += part->help().json;
        }
        return add_command(app, std::string(summary.name), std::string(summary.summary),
                           {description, examples, json, help.events});
    }
    void add_options(CLI::App& command) {
        for (const auto& part : parts_) {
            const auto before = command.get_options().size();
            part->add_options(command);
            const auto all = std::as_const(command).get_options();
            for (const CLI::Option* const option : std::span(all).subspan(before))
                options_.push_back({part->domain(), option});
        }
    }
    [[nodiscard]] Result<void> check(const Asked& asked) const {
        for (const auto& part : parts_)
            if (auto checked = part->check(asked); !checked)
                return checked;
        return {};
    }
    /// Null: no part was given a source of its own.
    [[nodiscard]] const DomainPart<Asked>* with_own_source() const {
        for (const auto& part : parts_)
            if (part->has_own_source())
                return part.get();
        return nullptr;
    }
    /// Empty: no part recognises what is asked for.
    [[nodiscard]] std::string_view recognised_domain(const Asked& asked) const {
        for (const auto& part : parts_)
            if (part->recognises(asked))
                return part->domain();
        return {};
    }
    /// Null: the domain has no part. Error (Input): an option of another domain's part was given.
    [[nodiscard]] Result<const DomainPart<Asked>*> of(const Domain& domain) const {
        for (const auto& [owner, option] : options_)
            if (owner != domain.name() && option->count() > 0)
                return foreign_option(option->get_name(), domain.name());
        for (const auto& part : parts_)
            if (part->domain() == domain.name())
                return part.get();
        return nullptr;
    }

private:
    struct OwnOption {
        std::string_view domain;
        const CLI::Option* option = nullptr;
    };
    DomainParts<Asked> parts_;
    std::vector<OwnOption> options_;
};

} // namespace sparsight
