// Settings of a long command, as named values: from a preset, then from a file, then from the command line.
// All of them are stored with the run.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "study/domain.h"
#include "workflow/chosen_setting.h"

#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The default value determines the type: text, whole number, number, true or false, or list of texts. The
/// option of `inner_rate` is --inner-rate; a list takes commas. Runs are stored under this name. A name that
/// mentions matrices has a general name, too, which users see first.
struct SettingDefinition {
    std::string name;
    Json fallback;
    std::string placeholder;
    std::string help;
    bool with_counts = false; ///< for a list: also whole numbers
    /// The domains that have it as a part of their settings (Domain::setting_options()); empty: it is no such
    /// part.
    std::vector<std::string> domains{};
    std::string general{}; ///< "workloads" for `matrices`; empty: there is only one name

    [[nodiscard]] bool is_called(std::string_view word) const {
        return word == name || (!general.empty() && word == general);
    }
};

/// The parts of the settings of all domains; optionally without the parts that a model is made for.
[[nodiscard]] std::vector<SettingDefinition> setting_definitions(const DomainRegistry& domains,
                                                                 bool of_models = true);

struct SettingOrigin {
    std::string file{}; ///< file that set it; empty: the command line
    std::int64_t line = 0;
    bool by_preset = false; ///< set by a preset, not by the user
};

/// The settings of a training or fine-tuning by name, with the origin of each.
class RunSettings {
public:
    explicit RunSettings(std::span<const SettingDefinition> definitions);

    /// An error (Fault::Input) with the origin if there is no such setting, or if it has another type.
    [[nodiscard]] Result<void> set(const std::string& word, Json value, const SettingOrigin& origin = {});

    /// Removes the parts of the settings of other domains; a part that several have gets the default of this
    /// one where it was not set. Error (Input): one of the others was set.
    [[nodiscard]] Result<void> keep_domain(const Domain& domain);

    /// The parts of a domain's setting that are set and not empty.
    [[nodiscard]] SettingOptions parts_of(const Domain& domain) const;

    /// Replaces the defaults of these settings where nobody set them; names of no setting are
    /// ignored.
    void take_defaults(const Json& values);

    /// The value of an existing setting.
    template <typename T>
    [[nodiscard]] T get(const std::string& name) const {
        return values_.at(name).get<T>();
    }
    /// Whether the user set it, and not only a preset.
    [[nodiscard]] bool is_given(const std::string& name) const;
    /// "NAME is VALUE; expected …", with the place where it was set.
    [[nodiscard]] std::unexpected<Error> wrong(const std::string& name, std::string_view expected) const;
    /// An error about one setting, with the place where it was set.
    [[nodiscard]] std::unexpected<Error> in_place(const std::string& name, const Error& error) const;

    /// A sentence about those of these settings that were set and have no effect; absent where there are
    /// none.
    [[nodiscard]] std::optional<std::string> without_effect(std::span<const std::string_view> names,
                                                            std::string_view why) const;

    /// Every setting, in the order of the definitions.
    [[nodiscard]] const Json& json() const { return values_; }
    /// The settings as options of the command line; empty ones are left out.
    [[nodiscard]] std::map<std::string, std::string> texts() const;

private:
    Json values_ = Json::object();
    std::map<std::string, std::string> by_general_; ///< names by SettingDefinition::general
    std::map<std::string, SettingOrigin> origins_;
    std::map<std::string, std::string> words_; ///< the names that were used: "workloads" for `matrices`
    std::map<std::string, std::vector<std::string>> domains_; ///< SettingDefinition::domains, where not empty
    std::set<std::string> with_counts_;
};

/// The setting of `domain` (empty: of the workspace's domain). The settings of other domains are removed.
/// Errors (Input), with their origin: those of choose_setting(); a setting of another domain.
[[nodiscard]] Result<ChosenSetting> read_setting(Workspace& workspace, const DomainRegistry& domains,
                                                 const std::string& domain, RunSettings& settings);

// Reads the settings of a run as values of a request, each within its bounds.

inline constexpr int most_threads = 1024; ///< largest number of threads that a run may request

/// Reads one setting after the other; the first error is kept.
class SettingReader {
public:
    explicit SettingReader(const RunSettings& settings)
        : settings_(settings) {}

    template <typename Number>
    void number(const std::string& name, Number& into, std::int64_t least, std::int64_t most) {
        const auto value = settings_.get<std::int64_t>(name);
        if (value < least || value > most)
            return refuse(name, fmt::format("a whole number from {} to {}", least, most));
        into = static_cast<Number>(value);
    }
    void positive(const std::string& name, double& into) {
        into = settings_.get<double>(name);
        if (!(into > 0))
            refuse(name, "a positive number");
    }
    void share(const std::string& name, double& into) {
        into = settings_.get<double>(name);
        if (!(into >= 0 && into < 1))
            refuse(name, "a share from 0 to less than 1");
    }
    void refuse(const std::string& name, std::string_view expected) {
        if (!error_)
            error_ = settings_.wrong(name, expected).error();
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    const RunSettings& settings_;
    std::optional<Error> error_;
};

} // namespace sparsight
