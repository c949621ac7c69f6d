// Measured tuning records as every file of them is read: one after another, whatever its format. A record
// says how long a configuration of a workload took on a machine.
#pragma once

#include "base/error.h"
#include "study/measurement.h"
#include "study/workload.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Of settings and configurations.
inline constexpr std::string_view records_domain = "records";

/// What a file of records does not say itself.
struct RecordOptions {
    std::vector<std::string> decisions{}; ///< of tables: columns; empty: those that may be decisions
    std::string space{};                  ///< empty: as the format says
    std::string machine{};                ///< for a file that does not name it, or only roughly
};

/// One record. Views are valid until the next one is read.
struct RecordRow {
    std::string_view space;
    std::string_view variant; ///< parts the space into spaces of their own; empty where nothing does
    std::string_view workload;
    std::string_view machine;
    std::string_view run; ///< which installation of the machine; empty where it is not known
    std::span<const std::string> decisions;   ///< their names
    std::span<const std::string_view> values; ///< one for each decision, as written; empty: it has none
    /// Measured with a median; otherwise Failed, with the file's own words as the reason. The spread is the
    /// standard deviation.
    MeasurementStatus status = MeasurementStatus::Measured;
    std::string_view reason;
    Milliseconds median{};
    Milliseconds spread{}; ///< 0 where it is not known
    int repeats = 1;
    std::int64_t line = 0;
};
[[nodiscard]] Measurement measurement_of(const RecordRow& row);

/// "gemm4096"; "bert_autotvm/dense_pack.x86" where a template parts the space.
[[nodiscard]] Setting record_setting(std::string_view space, std::string_view variant);

/// What a file says of a workload beside its times.
struct WorkloadFact {
    std::string name;
    std::string text; ///< not empty
    bool operator==(const WorkloadFact&) const = default;
};

/// Lines that could not be used, each with file, line and what was expected.
struct RecordProblems {
    static constexpr std::size_t most_kept = 1000;
    std::int64_t count = 0;
    std::vector<Error> first; ///< most_kept of them
    void add(Error error);
};

/// The records of one file, in its order.
class RecordSource {
public:
    RecordSource() = default;
    RecordSource(const RecordSource&) = delete;
    RecordSource& operator=(const RecordSource&) = delete;
    virtual ~RecordSource() = default;

    /// Moves on to the next record that can be used; false behind the last one. What cannot be used is added
    /// to problems(). Error: the rest of the file cannot be read.
    [[nodiscard]] virtual Result<bool> next(RecordRow& row) = 0;
    /// Of the workload of the record that was read.
    [[nodiscard]] virtual std::vector<WorkloadFact> facts() const { return {}; }
    [[nodiscard]] const RecordProblems& problems() const { return problems_; }

    [[nodiscard]] virtual const std::string& file() const = 0;
    /// Bytes of the file taken so far and all of them (0: not known), for progress.
    [[nodiscard]] virtual std::uint64_t consumed() const = 0;
    [[nodiscard]] virtual std::uint64_t total() const = 0;

protected:
    RecordSource(RecordSource&&) = default;
    RecordSource& operator=(RecordSource&&) = default;

    RecordProblems problems_;
};

} // namespace sparsight
