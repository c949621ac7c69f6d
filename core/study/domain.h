// What the engine asks of a domain: a family of workloads that share the way in which their configurations
// are chosen. Nothing that serves every domain knows one by name; each program's main() fills a
// DomainRegistry with those that it has and passes it on.
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

/// In lower case where the language allows it, for sentences: "matrix", "matrices".
struct Noun {
    std::string one;
    std::string many;
    bool operator==(const Noun&) const = default;
};

/// The field's own words for the nouns of the engine.
struct DomainWords {
    Noun workload{"workload", "workloads"};
    Noun configuration{"configuration", "configurations"};
    std::optional<Noun> baseline; ///< absent in a domain without one
};

/// An option that chooses a part of the setting, for a command line or a form.
struct SettingOption {
    std::string name;          ///< without dashes: "dense"
    std::string default_value; ///< empty: the option must be given
    std::string placeholder;   ///< "N"
    std::string help;          ///< which says the default as well
    bool is_of_model = false;  ///< a model is made for one value of it
};

/// Values of parts of a setting by SettingOption::name.
using SettingOptions = std::map<std::string, std::string, std::less<>>;

/// A part of a setting as JSON and tables show it. Absent (monostate): this setting has no such part.
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

/// Times outside are not learned from: shorter ones are errors of the timer, longer ones take too long.
struct BelievableTimes {
    double shortest_ms = 0;
    double longest_ms = std::numeric_limits<double>::infinity(); ///< times below this one are believed
};

/// A configuration, and the threads that its text names: a condition of the run.
struct ParsedConfiguration {
    Configuration configuration;
    int threads = 1; ///< 1 in a domain whose texts name none
    bool operator==(const ParsedConfiguration&) const = default;
};

/// How a configuration makes one of its decisions.
struct DecisionValue {
    std::string key;   ///< in files: "split_i"
    std::string name;  ///< for people: "split of i"
    std::string value; ///< for people: "32", "compressed"; not empty
    bool operator==(const DecisionValue&) const = default;
};

/// How configurations of one setting are written, and which decisions they are made of. Configurations that
/// are passed to it are those of its domain and setting, in which a configuration means the same to all
/// codecs.
class ConfigurationCodec {
public:
    ConfigurationCodec() = default;
    ConfigurationCodec(const ConfigurationCodec&) = delete;
    ConfigurationCodec& operator=(const ConfigurationCodec&) = delete;
    virtual ~ConfigurationCodec() = default;

    /// Error (Input): what stands there and what was expected, as a sentence for the user.
    [[nodiscard]] virtual Result<ParsedConfiguration> parse(std::string_view text) const = 0;
    /// The canonical text. `threads` are written where the domain's texts have a place for them.
    [[nodiscard]] virtual std::string text(const Configuration& configuration, int threads) const = 0;

    /// The decisions that it makes, in the order in which they are shown.
    [[nodiscard]] virtual std::vector<DecisionValue> decisions(const Configuration& configuration) const = 0;
};

/// What a domain is told to make the space of one workload.
struct SpaceRequest {
    Setting setting;
    /// Facts of the workload by name, such as "rows". A domain says which of them it needs.
    std::map<std::string, double, std::less<>> facts{};
    /// Canonical texts of the configurations that the workload has a time of, on whatever machine. A domain
    /// whose configurations are those of a table makes the space of them; others ignore it.
    std::vector<std::string> recorded{};
};

/// A workload as a file describes it.
struct DescribedWorkload {
    std::string name;
    /// Numbers by name: those of Domain::statistics(), and what SpaceRequest::facts needs.
    std::map<std::string, double, std::less<>> facts;
};

/// A setting that is passed to a domain is one that it has parsed before, but to space() and codec(). What
/// needs LLVM or LibTorch (clocks, encoders) has interfaces of its own.
class Domain {
public:
    Domain() = default;
    Domain(const Domain&) = delete;
    Domain& operator=(const Domain&) = delete;
    virtual ~Domain() = default;

    /// Stands in files: "sparse".
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual const DomainWords& words() const = 0;

    // Settings: what is computed.

    [[nodiscard]] virtual std::span<const SettingOption> setting_options() const = 0;
    /// Values by name of an option; those not given have their defaults. Error (Input): an option that there
    /// is not, a value that is wrong or missing.
    [[nodiscard]] virtual Result<Setting> setting_of(const SettingOptions& options) const = 0;
    /// Error (Input): what is wrong with the text.
    [[nodiscard]] virtual Result<Setting> parse_setting(std::string_view text) const = 0;
    /// For people: "SpMM with 256 columns of the dense matrix".
    [[nodiscard]] virtual std::string describe(const Setting& setting) const = 0;
    /// The same keys in the same order for each setting.
    [[nodiscard]] virtual std::vector<SettingMember> members(const Setting& setting) const = 0;

    // Configurations.

    /// What a workspace keeps of a configuration that is written like this. Error (Input): as of parse().
    [[nodiscard]] virtual Result<WrittenConfiguration> written(const Setting& setting,
                                                               std::string_view text) const = 0;
    /// Error (Input): the setting is not one of this domain.
    [[nodiscard]] virtual Result<std::shared_ptr<const ConfigurationCodec>>
    codec(const Setting& setting) const = 0;
    /// Error (Input): the setting is not one of this domain, a fact is missing, or nothing is recorded in a
    /// domain that makes its spaces of that.
    [[nodiscard]] virtual Result<std::shared_ptr<const ConfigurationSpace>>
    space(const SpaceRequest& request) const = 0;

    /// Whether a workload has no configurations but those that a time is recorded of, so that space() needs
    /// SpaceRequest::recorded.
    [[nodiscard]] virtual bool chooses_among_recorded() const { return false; }

    // Workloads. These parts are optional.

    /// Which numbers describe a workload, in the order of their vectors.
    [[nodiscard]] virtual std::span<const StatisticDescription> statistics() const { return {}; }
    /// Equal for workloads whose names say that one is made of the other: no split may part them.
    [[nodiscard]] virtual std::string family_key(std::string_view workload) const {
        return std::string(workload);
    }
    [[nodiscard]] virtual BelievableTimes believable_times() const { return {}; }
    /// Those that a file describes. Errors: the file can't be read; what is wrong in it, by line (Input); the
    /// domain has no such files (Input).
    [[nodiscard]] virtual Result<std::vector<DescribedWorkload>>
    read_workloads(const std::filesystem::path& file) const {
        return fail_in_file(Fault::Input, file.string(), 0,
                            fmt::format("{} has no files that describe {}", name(), words().workload.many));
    }
};

/// The domains of a program, in the order in which they were added.
class DomainRegistry {
public:
    /// Error (Internal): there is one of this name.
    [[nodiscard]] Result<void> add(std::unique_ptr<const Domain> domain) {
        if (find(domain->name()) != nullptr)
            return fail(Fault::Internal, fmt::format("the domain {} is added twice", domain->name()));
        domains_.push_back(std::move(domain));
        return {};
    }

    /// Null where there is none. Valid as long as the registry.
    [[nodiscard]] const Domain* find(std::string_view name) const {
        for (const auto& domain : domains_)
            if (domain->name() == name)
                return domain.get();
        return nullptr;
    }

    /// As find(). Error (Input): there is none; which ones there are.
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

} // namespace sparsight
