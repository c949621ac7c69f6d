// What becomes of a configuration when one of its decisions is made differently: all that differ from it in
// one decision, with their known times.
#pragma once

#include "base/error.h"
#include "gui/workspace/configuration_times.h"
#include "store/workloads.h"
#include "study/configuration_space.h"
#include "study/domain.h"

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// The studied configuration, or one that differs from it in one decision.
struct ChangedConfiguration {
    QString text;   ///< of the configuration
    QString family; ///< within which the text has a meaning
    // The changed decision; all empty for the studied configuration itself:
    std::string key; ///< in files
    QString decision;
    QString before;
    QString after;
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
        QString value;                 ///< for people
        std::size_t configuration = 0; ///< place in ConfigurationChanges::configurations
        bool operator==(const Value&) const = default;
    };
    QString name;
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
    /// `recorded` are the canonical texts of all configurations of the workload, on whatever machine, in a
    /// domain that chooses among those. Errors: those of the domain (Input).
    [[nodiscard]] static Result<ChangeStudy> make(const Domain& domain, TimeSet times,
                                                  const WorkloadRecord& workload,
                                                  std::vector<std::string> recorded);

    /// Errors (Input): the text can't be read, or is not in the space.
    [[nodiscard]] Result<ConfigurationChanges> changes_of(const QString& text) const;

private:
    ChangeStudy() = default;
    [[nodiscard]] ChangedConfiguration described(const Configuration& configuration) const;

    const Domain* domain_ = nullptr;
    TimeSet times_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::shared_ptr<const ConfigurationSpace> space_;
    std::unordered_map<Configuration, std::size_t> places_; ///< in times_.times; the fastest of equal ones
};

/// Reads what is recorded where the domain needs it. Takes its time: for another thread. Errors are those of
/// the workspace and of ChangeStudy::make().
[[nodiscard]] Result<ChangeStudy> read_change_study(const std::string& workspace, const Domain& domain,
                                                    TimeSet times, const WorkloadRecord& workload);

} // namespace sparsight
