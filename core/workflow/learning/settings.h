// What a long command is asked to do, as values with names: from a preset, then from a file, then from the
// command line. All of them together are kept with the run.
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

/// The kind of the fallback is that of the setting: a text, a whole number, a number, true or false, a list
/// of texts. The option of `inner_rate` is --inner-rate, that of a list takes commas. Runs are stored with
/// its name; one that speaks of matrices has a general name, too, which users are told first.
struct SettingDefinition {
    std::string name;
    Json fallback;
    std::string placeholder;
    std::string help;
    bool with_counts = false; ///< of a list: whole numbers are words, too
    /// That have it, as a part of their settings (Domain::setting_options()); none: it is no such part.
    std::vector<std::string> domains{};
    std::string general{}; ///< "workloads" of `matrices`; empty: it has one name

    [[nodiscard]] bool is_called(std::string_view word) const {
        return word == name || (!general.empty() && word == general);
    }
};

/// The parts of the settings of all domains.
/// Without those that a model is made for where they are not wanted.
[[nodiscard]] std::vector<SettingDefinition> setting_definitions(const DomainRegistry& domains,
                                                                 bool of_models = true);

struct SettingOrigin {
    std::string file{}; ///< empty: the command line
    std::int64_t line = 0;
    bool by_preset = false; ///< what goes with others was not asked for by itself
};

/// The settings of a training or fine-tuning by name, and where each was said.
class RunSettings {
public:
    explicit RunSettings(std::span<const SettingDefinition> definitions);

    /// An error (Fault::Input) with its origin where there is no such setting or it is of another kind.
    [[nodiscard]] Result<void> set(const std::string& word, Json value, const SettingOrigin& origin = {});

    /// Forgets the parts of the settings of other domains. Error (Input): one of these was set.
    [[nodiscard]] Result<void> keep_domain(std::string_view domain);

    /// The parts of a domain's setting that are known and not empty.
    [[nodiscard]] SettingOptions parts_of(const Domain& domain) const;

    /// Of a setting that there is.
    template <typename T>
    [[nodiscard]] T get(const std::string& name) const {
        return values_.at(name).get<T>();
    }
    /// Whether it was said, and not only by a preset.
    [[nodiscard]] bool is_given(const std::string& name) const;
    /// "NAME is VALUE; expected …", with the place where it was said.
    [[nodiscard]] std::unexpected<Error> wrong(const std::string& name, std::string_view expected) const;
    /// An error about one setting, with the place where that was said.
    [[nodiscard]] std::unexpected<Error> in_place(const std::string& name, const Error& error) const;

    /// A sentence on those of these settings that were given, though nothing reads them; none where none was.
    [[nodiscard]] std::optional<std::string> without_effect(std::span<const std::string_view> names,
                                                            std::string_view why) const;

    /// Every setting, in the order of the definitions.
    [[nodiscard]] const Json& json() const { return values_; }
    /// As the command line would say them; those that are empty are left out.
    [[nodiscard]] std::map<std::string, std::string> texts() const;

private:
    Json values_ = Json::object();
    std::map<std::string, std::string> by_general_; ///< names by SettingDefinition::general
    std::map<std::string, SettingOrigin> origins_;
    std::map<std::string, std::string> words_; ///< by which they were given: "workloads" of `matrices`
    std::map<std::string, std::vector<std::string>> domains_; ///< SettingDefinition::domains, where there are
    std::set<std::string> with_counts_;
};

/// What the settings say of what is computed: of `domain`, where it is empty that of the workspace. The
/// settings of other domains are forgotten. Errors (Input), with their place: those of choose_setting(); a
/// setting of another domain.
[[nodiscard]] Result<ChosenSetting> read_setting(Workspace& workspace, const DomainRegistry& domains,
                                                 const std::string& domain, RunSettings& settings);

// The settings of a run as the values that a request needs, each within its bounds.

inline constexpr int most_threads = 1024; ///< that a run may ask for

/// Reads one setting after the other; the first error stays.
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
