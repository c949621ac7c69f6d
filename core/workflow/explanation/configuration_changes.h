// What becomes of a configuration when one of its decisions is made differently: all that differ from it in
// one decision, with their known times.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "store/measurements.h"
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
    std::string text;   ///< of the configuration
    std::string family; ///< within which the text has a meaning
    // The changed decision; all empty for the studied configuration itself:
    std::string key; ///< in files
    std::string decision;
    std::string before;
    std::string after;
    // Its time, where something is known of it:
    std::optional<MeasurementStatus> status{};
    std::optional<double> median_ms{}; ///< of one that was abandoned: it takes longer
    std::optional<double> spread_ms{};
    std::optional<double> ratio{}; ///< its time over that of the studied one; absent unless both have one
    bool is_in_noise = false;      ///< the two times differ by no more than their spreads

    [[nodiscard]] bool is_studied() const { return key.empty(); }
    [[nodiscard]] bool has_time() const { return status == MeasurementStatus::Measured && median_ms; }
    bool operator==(const ChangedConfiguration&) const = default;
};

/// One decision, while all others stay as they are.
struct DecisionAlternatives {
    struct Value {
        std::string value;             ///< for people
        std::size_t configuration = 0; ///< place in ConfigurationChanges::configurations
        bool operator==(const Value&) const = default;
    };
    std::string name;
    std::vector<Value> values; ///< numbers ascending; the studied one among them
    bool operator==(const DecisionAlternatives&) const = default;
};

struct ConfigurationChanges {
    /// The studied one, then by time; those without a time last.
    std::vector<ChangedConfiguration> configurations;
    /// Those that can be made differently, in the order in which the space has them.
    std::vector<DecisionAlternatives> decisions;

    /// The fastest change, if it is faster than the studied one; else null.
    [[nodiscard]] const ChangedConfiguration* gain() const;
};

/// The space of one workload beside the times of its configurations.
class ChangeStudy {
public:
    /// `times` are of one workload and compare with each other, the fastest first. `recorded` are the
    /// canonical texts of all configurations of the workload, on whatever machine, in a domain that chooses
    /// among those. Errors: those of the domain (Input).
    [[nodiscard]] static Result<ChangeStudy> make(const Domain& domain, Setting setting,
                                                  std::vector<ResultRecord> times,
                                                  const WorkloadRecord& workload,
                                                  std::vector<std::string> recorded);

    /// Errors (Input): the text can't be read, or is not in the space.
    [[nodiscard]] Result<ConfigurationChanges> changes_of(std::string_view text) const;

private:
    ChangeStudy() = default;
    [[nodiscard]] ChangedConfiguration described(const Configuration& configuration) const;

    const Domain* domain_ = nullptr;
    Setting setting_;
    std::vector<ResultRecord> times_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::shared_ptr<const ConfigurationSpace> space_;
    std::unordered_map<Configuration, std::size_t> places_; ///< in times_; the fastest of equal ones
};

/// Reads what is recorded where the domain needs it. Errors are those of the workspace and of
/// ChangeStudy::make().
[[nodiscard]] Result<ChangeStudy> read_change_study(Workspace& workspace, const Domain& domain,
                                                    Setting setting, std::vector<ResultRecord> times,
                                                    const WorkloadRecord& workload);

// By the times that a workspace has.

struct ChangesRequest {
    std::string workload{};
    std::string machine{};       ///< name or fingerprint; empty: this computer, or the only one with times
    std::string condition{};     ///< of the runs; empty: the one with the most times
    std::string configuration{}; ///< as it is written; empty: the fastest one
    SettingChoice setting{};     ///< what is computed; where it says nothing, the one with the most times
};

struct ChangesAnswer {
    ResultRecord studied;             ///< workload, machine, setting and conditions of all times
    ConfigurationChanges changes;     ///< not empty
    std::vector<std::string> notes{}; ///< what is left out and why; sentences
};

/// Of the times that compare with each other the largest set is taken that has the configuration. Errors
/// (Input): nobody knows the workload or the machine, there are no such times; those of ChangeStudy and of
/// the workspace.
[[nodiscard]] Result<ChangesAnswer> answer_changes(Workspace& workspace, const Domain& domain,
                                                   const ChangesRequest& request);

/// {"workload", "machine", parts of the setting, "protocol", "condition", "configuration", "status",
/// "median_ms", "spread_ms", "sentence", "notes", "changes"}, in the domain's words.
[[nodiscard]] Json changes_json(const Domain& domain, const ChangesAnswer& answer);
/// What the best change gains, and a table of all.
[[nodiscard]] std::string changes_text(const Domain& domain, const ChangesAnswer& answer);

} // namespace sparsight
