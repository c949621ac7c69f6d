// Measured tuning records as a domain: what the engine asks of it, and the recorded times, to be looked up
// where other domains measure.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/records/record_space.h"
#include "domains/records/record_table.h"
#include "study/domain.h"
#include "study/measurement.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Workloads are those of tables, known by name and facts. A setting is the space that a configuration is of
/// (record_setting()), which is the family of its text, too. Configurations are values of named decisions
/// (record_space.h); there is no baseline. codec() and space() are made of the texts recorded.
[[nodiscard]] std::unique_ptr<const Domain> make_records_domain();

/// Where and under which conditions a time was taken.
struct RecordPlace {
    std::string machine;
    std::string run; ///< tells two installations of one machine apart; may be empty
    auto operator<=>(const RecordPlace&) const = default;
};

struct BestRecord {
    Configuration configuration;
    Milliseconds time{};
};

/// All recorded times of one setting, by workload, place and configuration. About 30 bytes a time.
class RecordTimes {
public:
    [[nodiscard]] const Setting& setting() const { return setting_; }
    [[nodiscard]] const std::shared_ptr<const DecisionTable>& table() const { return table_; }
    /// In the order in which the table names them first.
    [[nodiscard]] std::span<const std::string> workloads() const { return workloads_; }
    [[nodiscard]] std::span<const RecordPlace> places() const { return places_; }
    /// Ascending: of all workloads.
    [[nodiscard]] std::span<const Configuration> configurations() const { return configurations_; }
    /// Different times: what the table repeats counts once, and the fastest is kept.
    [[nodiscard]] std::size_t size() const { return times_.size(); }
    [[nodiscard]] std::int64_t repeated() const { return repeated_; }

    /// Absent where the table has no line for it. A configuration that failed has a line.
    [[nodiscard]] std::optional<Measurement> find(std::string_view workload, const RecordPlace& place,
                                                  const Configuration& configuration) const;
    /// The fastest of those that are known; of equally fast ones the first. Absent where none was measured.
    [[nodiscard]] std::optional<BestRecord> best(std::string_view workload, const RecordPlace& place) const;
    /// What can be chosen for the workload: all that is recorded of it in any place. Empty for one that the
    /// table does not have.
    [[nodiscard]] RecordSpace space(std::string_view workload) const;

private:
    friend class RecordTimesBuilder;
    struct Time {
        double ms = 0;
        float spread_ms = 0;
        std::int32_t repeats = 0;
        std::uint32_t workload = 0, configuration = 0; ///< places in workloads_ and configurations_
        std::uint16_t place = 0;                       ///< in places_
        std::uint16_t reason = 0;                      ///< in reasons_; 0: measured
    };
    /// The times of one workload in one place, ascending by configuration.
    [[nodiscard]] std::span<const Time> group(std::string_view workload, const RecordPlace& place) const;
    /// All times of a workload.
    [[nodiscard]] std::span<const Time> times_of(std::string_view workload) const;

    Setting setting_;
    std::shared_ptr<const DecisionTable> table_;
    std::vector<std::string> workloads_;
    std::vector<std::uint32_t> workloads_by_name_; ///< places in workloads_
    std::vector<RecordPlace> places_;
    std::vector<std::string> reasons_{""};
    std::vector<Configuration> configurations_;
    std::vector<Time> times_; ///< by workload, place, configuration
    std::int64_t repeated_ = 0;
};

/// Reads the rest of a table; one entry for each setting, by text. What cannot be used is among the problems
/// of the reader. Errors: those of the reader; Fault::Cancelled; Fault::Limit (DecisionTable, 65,535 places
/// or reasons).
[[nodiscard]] Result<std::vector<RecordTimes>>
read_record_times(RecordReader& reader, const std::stop_token& stop = {}, const ProgressSink& progress = {});

} // namespace sparsight
