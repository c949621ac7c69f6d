// What happens to a configuration when one of its decisions changes: all configurations that differ from it
// in one decision, with their known times.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "store/results.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "study/configuration_space.h"
#include "study/domain.h"
#include "workflow/chosen_setting.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// The studied configuration, or one that differs from it in one decision.
struct ChangedConfiguration {
    std::string text;   ///< text of the configuration
    std::string family; ///< the group within which the text has a meaning
    // The changed decision; all are empty for the studied configuration itself:
    std::string key; ///< key in files
    std::string decision;
    std::string before;
    std::string after;
    // Its time, if one is known:
    std::optional<MeasurementStatus> status{};
    std::optional<double> median_ms{}; ///< a lower bound where it was abandoned
    std::optional<double> spread_ms{};
    /// Its time divided by that of the studied one; absent unless both have one.
    std::optional<double> ratio{};
    bool is_in_noise = false;   ///< the two times differ by no more than their spreads
    std::string shown_status{}; ///< for display: "recorded"; empty where nothing is known of it

    [[nodiscard]] bool is_studied() const { return key.empty(); }
    [[nodiscard]] bool has_time() const { return status == MeasurementStatus::Measured && median_ms; }
    bool operator==(const ChangedConfiguration&) const = default;
};

/// The alternatives of one decision, while all others stay as they are.
struct DecisionAlternatives {
    struct Value {
        std::string value;             ///< value for people
        std::size_t configuration = 0; ///< place in ConfigurationChanges::configurations
        bool operator==(const Value&) const = default;
    };
    std::string name;
    std::vector<Value> values; ///< numbers ascending; includes the studied value
    bool operator==(const DecisionAlternatives&) const = default;
};

struct ConfigurationChanges {
    /// The studied configuration first, then by time; those without a time last.
    std::vector<ChangedConfiguration> configurations;
    /// The decisions with known alternatives, in the order of the space.
    std::vector<DecisionAlternatives> decisions;

    /// The fastest change, if it is faster than the studied configuration; otherwise null.
    [[nodiscard]] const ChangedConfiguration* gain() const;
};

/// The space of one workload and the times of its configurations.
class ChangeStudy {
public:
    /// `times` belong to one workload and can be compared; the fastest comes first. `recorded` are the
    /// canonical texts of all configurations of the workload, on any machine, in a domain that chooses among
    /// recorded ones. Errors: those of the domain (Input).
    [[nodiscard]] static Result<ChangeStudy> make(const Domain& domain, Setting setting,
                                                  std::vector<ResultRecord> times,
                                                  const WorkloadRecord& workload,
                                                  std::vector<std::string> recorded);

    /// Errors (Input): the text can't be parsed, or is not in the space.
    [[nodiscard]] Result<ConfigurationChanges> changes_of(std::string_view text) const;

private:
    ChangeStudy() = default;
    [[nodiscard]] ChangedConfiguration described(const Configuration& configuration) const;

    const Domain* domain_ = nullptr;
    Setting setting_;
    std::vector<ResultRecord> times_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::shared_ptr<const ConfigurationSpace> space_;
    std::unordered_map<Configuration, std::size_t> places_; ///< places in times_; the fastest of equal ones
};

/// Reads the recorded configurations where the domain needs them. Errors: those of the workspace and of
/// ChangeStudy::make().
[[nodiscard]] Result<ChangeStudy> read_change_study(Workspace& workspace, const Domain& domain,
                                                    Setting setting, std::vector<ResultRecord> times,
                                                    const WorkloadRecord& workload);

// Changes by the times in a workspace.

struct ChangesRequest {
    std::string workload{};
    std::string machine{};   ///< name or fingerprint; empty: this computer, or the only machine with times
    std::string condition{}; ///< condition of the runs; empty: the one with the most times
    std::string configuration{}; ///< its text; empty: the fastest configuration
    SettingChoice setting{};     ///< what is computed; empty: the setting with the most times
};

struct ChangesAnswer {
    ResultRecord studied;             ///< workload, machine, setting and conditions of all times
    ConfigurationChanges changes;     ///< not empty
    std::vector<std::string> notes{}; ///< sentences: what is left out, and why
};

/// Uses the largest set of comparable times that contains the configuration. Errors (Input): an unknown
/// workload or machine; no such times; those of ChangeStudy and of the workspace.
[[nodiscard]] Result<ChangesAnswer> answer_changes(Workspace& workspace, const Domain& domain,
                                                   const ChangesRequest& request);

/// {"workload", "machine", parts of the setting, "protocol", "condition", "configuration", "status",
/// "median_ms", "spread_ms", "sentence", "notes", "changes"}, in the domain's words.
[[nodiscard]] Json changes_json(const Domain& domain, const ChangesAnswer& answer);
/// What the best change gains, and a table of all changes.
[[nodiscard]] std::string changes_text(const Domain& domain, const ChangesAnswer& answer);

} // namespace sparsight
