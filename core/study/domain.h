// The interface between the engine and a domain. A domain is a family of workloads whose configurations are
// chosen in the same way. The engine knows no domain by name; each program's main() fills a DomainRegistry
// with its domains and passes it on.
#pragma once

#include "base/error.h"
#include "study/configuration.h"
#include "study/configuration_space.h"
#include "study/workload.h"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sparsight {

/// Singular and plural in lower case, for use in sentences: "matrix", "matrices".
struct Noun {
    std::string one;
    std::string many;
    bool operator==(const Noun&) const = default;
};

/// What the field calls the nouns of the engine.
struct DomainWords {
    Noun workload{"workload", "workloads"};
    Noun configuration{"configuration", "configurations"};
    std::optional<Noun> baseline; ///< absent in a domain without a baseline
};

/// An option that chooses a part of the setting, for a command line or a form.
struct SettingOption {
    std::string name;          ///< without dashes: "dense"
    std::string default_value; ///< empty: the option must be given
    std::string placeholder;   ///< "N"
    std::string help;          ///< also states the default
    bool is_of_model = false;  ///< a model is made for one value of this option
};

/// Values of the parts of a setting, by SettingOption::name.
using SettingOptions = std::map<std::string, std::string, std::less<>>;

/// A part of a setting as JSON and tables show it. The value is absent (monostate) where this setting has no
/// such part.
struct SettingMember {
    std::string key;   ///< stable: "dense"
    std::string title; ///< "Columns of the dense matrix"
    std::variant<std::monostate, std::int64_t, std::string> value;
    bool operator==(const SettingMember&) const = default;
};

/// A number that describes a workload.
struct StatisticDescription {
    std::string name;  ///< stable, lower case with underscores
    std::string title; ///< "Mean row length"
    std::string unit;  ///< empty for shares and ratios
    std::string definition;
    bool is_integer = false;
};

/// Training ignores times outside this range: shorter times are timer errors, longer times take too long.
struct BelievableTimes {
    double shortest_ms = 0;
    double longest_ms = std::numeric_limits<double>::infinity(); ///< times below this one are trusted
};

/// A configuration and the number of threads that its text names; threads are a condition of the run.
struct ParsedConfiguration {
    Configuration configuration;
    int threads = 1; ///< 1 in a domain whose texts name no threads
    bool operator==(const ParsedConfiguration&) const = default;
};

/// The value of one decision in a configuration.
struct DecisionValue {
    std::string key;   ///< in files: "split_i"
    std::string name;  ///< for people: "split of i"
    std::string value; ///< for people: "32", "compressed"; not empty
    bool operator==(const DecisionValue&) const = default;
};

/// Writes and parses the configurations of one setting, and lists their decisions. Configurations that are
/// passed to it belong to its domain and setting. All codecs of a setting agree on what a configuration
/// means.
class ConfigurationCodec {
public:
    ConfigurationCodec() = default;
    ConfigurationCodec(const ConfigurationCodec&) = delete;
    ConfigurationCodec& operator=(const ConfigurationCodec&) = delete;
    virtual ~ConfigurationCodec() = default;

    /// Error (Input): a sentence for the user with the text that was found and what was expected.
    [[nodiscard]] virtual Result<ParsedConfiguration> parse(std::string_view text) const = 0;
    /// The canonical text. `threads` is written where the domain's texts have a place for it.
    [[nodiscard]] virtual std::string text(const Configuration& configuration, int threads) const = 0;

    /// The decisions of a configuration, in the order in which they are shown.
    [[nodiscard]] virtual std::vector<DecisionValue> decisions(const Configuration& configuration) const = 0;

    /// Called with the key and the value of a decision; both texts are valid during the call.
    using DecisionVisitor = std::function<void(std::string_view key, std::string_view value)>;
    /// The same decisions in the same order, for models, which read whole spaces: a codec that can do without
    /// copies does.
    virtual void visit_decisions(const Configuration& configuration, const DecisionVisitor& visit) const {
        for (const DecisionValue& decision : decisions(configuration))
            visit(decision.key, decision.value);
    }
};

/// What a domain needs to make the space of one workload.
struct SpaceRequest {
    Setting setting;
    /// Facts of the workload by name, such as "rows". Each domain says which facts it needs.
    std::map<std::string, double, std::less<>> facts{};
    /// Canonical texts of the configurations that have a recorded time for this workload, on any machine. A
    /// domain whose configurations come from a table makes the space of them; other domains ignore them.
    std::vector<std::string> recorded{};
};

/// A workload as a file describes it.
struct DescribedWorkload {
    std::string name;
    /// Numbers by name: those of Domain::statistics(), and what SpaceRequest::facts needs.
    std::map<std::string, double, std::less<>> facts;
};

/// A domain has parsed every setting that is passed to it, except those passed to space() and codec(). Clocks
/// and encoders, which need LLVM or LibTorch, have interfaces of their own.
class Domain {
public:
    Domain() = default;
    Domain(const Domain&) = delete;
    Domain& operator=(const Domain&) = delete;
    virtual ~Domain() = default;

    /// The name in files: "sparse".
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual const DomainWords& words() const = 0;

    // Settings: what is computed.

    [[nodiscard]] virtual std::span<const SettingOption> setting_options() const = 0;
    /// The setting for these option values; missing options get their defaults. Error (Input): an unknown
    /// option, or a value that is wrong or missing.
    [[nodiscard]] virtual Result<Setting> setting_of(const SettingOptions& options) const = 0;
    /// Error (Input): what is wrong with the text.
    [[nodiscard]] virtual Result<Setting> parse_setting(std::string_view text) const = 0;
    /// For people: "SpMM with 256 columns of the dense matrix".
    [[nodiscard]] virtual std::string describe(const Setting& setting) const = 0;
    /// The parts of a setting: the same keys in the same order for every setting.
    [[nodiscard]] virtual std::vector<SettingMember> members(const Setting& setting) const = 0;

    // Configurations.

    /// A configuration text in the form that a workspace stores. Error (Input): those of parse().
    [[nodiscard]] virtual Result<WrittenConfiguration> written(const Setting& setting,
                                                               std::string_view text) const = 0;
    /// Error (Input): the setting is not one of this domain.
    [[nodiscard]] virtual Result<std::shared_ptr<const ConfigurationCodec>>
    codec(const Setting& setting) const = 0;
    /// Error (Input): the setting is not one of this domain, a fact is missing, or a domain that makes its
    /// spaces of recorded configurations has none.
    [[nodiscard]] virtual Result<std::shared_ptr<const ConfigurationSpace>>
    space(const SpaceRequest& request) const = 0;

    /// Whether only configurations with a recorded time can be chosen, so that space() needs
    /// SpaceRequest::recorded.
    [[nodiscard]] virtual bool chooses_among_recorded() const { return false; }

    // Workloads. These parts are optional.

    /// The numbers that describe a workload, in the order of their vectors.
    [[nodiscard]] virtual std::span<const StatisticDescription> statistics() const { return {}; }
    /// Equal for workloads that are forms of one another, by their names. A split keeps such workloads on one
    /// side.
    [[nodiscard]] virtual std::string family_key(std::string_view workload) const {
        return std::string(workload);
    }
    /// Equal for all forms of a workload, by its facts (SpaceRequest::facts): only workloads of one size need
    /// to be compared by shape_key(). Empty where no data tell a family.
    [[nodiscard]] virtual std::string
    size_key(const std::map<std::string, double, std::less<>>& facts) const {
        static_cast<void>(facts);
        return {};
    }
    /// Equal for forms of one workload whatever their names, and hardly ever for others: made of its
    /// statistics(). Empty where these tell no family.
    [[nodiscard]] virtual std::vector<double> shape_key(std::span<const double> statistics) const {
        static_cast<void>(statistics);
        return {};
    }
    [[nodiscard]] virtual BelievableTimes believable_times() const { return {}; }
    /// The workloads that a file describes. Errors: the file can't be read; a line of it is wrong (Input,
    /// with the line); the domain has no such files (Input).
    [[nodiscard]] virtual Result<std::vector<DescribedWorkload>>
    read_workloads(const std::filesystem::path& file) const {
        return fail_in_file(Fault::Input, file.string(), 0,
                            fmt::format("{} has no files that describe {}", name(), words().workload.many));
    }
};

/// The domains of a program, in the order in which they were added.
class DomainRegistry {
public:
    /// Error (Internal): a domain of this name was added before.
    [[nodiscard]] Result<void> add(std::unique_ptr<const Domain> domain) {
        if (find(domain->name()) != nullptr)
            return fail(Fault::Internal, fmt::format("the domain {} is added twice", domain->name()));
        domains_.push_back(std::move(domain));
        return {};
    }

    /// Null where there is no such domain. The pointer is valid as long as the registry.
    [[nodiscard]] const Domain* find(std::string_view name) const {
        for (const auto& domain : domains_)
            if (domain->name() == name)
                return domain.get();
        return nullptr;
    }

    /// Like find(). Error (Input): there is no such domain; the text lists those that there are.
    [[nodiscard]] Result<const Domain*> require(std::string_view name) const {
        if (const Domain* const domain = find(name))
            return domain;
        std::string known;
        for (const auto& domain : domains_)
            known += fmt::format("{}{}", known.empty() ? "" : ", ", domain->name());
        return fail(Fault::Input,
                    fmt::format("there is no domain \"{}\" in this program, expected one of: {}", name,
                                known.empty() ? "none" : known));
    }

    [[nodiscard]] std::vector<const Domain*> all() const {
        std::vector<const Domain*> all;
        for (const auto& domain : domains_)
            all.push_back(domain.get());
        return all;
    }

private:
    std::vector<std::unique_ptr<const Domain>> domains_;
};

/// An option that one or more domains have, as the first of them describes it. Its help tells what the others
/// say of it as well.
struct OptionOfDomains {
    SettingOption option;
    std::vector<const Domain*> domains;
};

/// Those of all domains, each name once.
[[nodiscard]] std::vector<OptionOfDomains> setting_options_of(const DomainRegistry& domains);

} // namespace sparsight
