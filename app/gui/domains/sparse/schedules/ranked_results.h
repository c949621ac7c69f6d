// The measurements of one matrix in one setting, fastest first.
#pragma once

#include "domains/sparse/storage/schedules.h"
#include "evaluation/rematch_times.h"
#include "gui/workspace/background_work.h"
#include "study/clock.h"

#include <QObject>
#include <QString>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

class WorkspaceSession;

struct RankedResult {
    int rank = 0; ///< 1 is the fastest; 0 without a time of its own
    ResultRow row;
    bool is_in_noise = false; ///< its speedup: not differs_from_fixed_csr()
    /// Fixed CSR was measured anew since, so that the speedup compares times of two sessions.
    bool is_before_baseline = false;
    bool is_recorded = false; ///< is_recording() (store/machines.h) of its machine
    std::string nickname{};   ///< distinct among the schedules of the list

    /// Whether a simulation told its time, as `simulate-runtimes` and the demo's laptop store them.
    [[nodiscard]] bool is_simulated() const {
        return row.status == MeasurementStatus::Measured && is_simulated_time(row.reason);
    }
    bool operator==(const RankedResult&) const = default;
};

/// "1.24×", or "~1.24×" where it may be noise.
[[nodiscard]] QString speedup_text(const RankedResult& result);

/// "3.53 ms to 12.3 ms": the times of fixed CSR in the collection that measured the schedule, where they
/// alone explain its lead. Otherwise empty.
[[nodiscard]] QString explaining_range(const RankedResult& result);

/// "1.24 ms ± 0.02 ms"; a simulated time has no spread: "1.24 ms, simulated".
[[nodiscard]] QString time_with_spread(const RankedResult& result);

/// Of rows that compare with each other. Fixed CSR is ranked among the others. Those that gave up follow, the
/// shortest run first, then those without a time. Of schedules with the same text (other protocols, dense
/// extents) each stays.
[[nodiscard]] std::vector<RankedResult> rank_results(std::vector<ResultRow> rows);

/// Of several texts that mean fixed CSR the one that was measured last, which the others are compared with;
/// nullptr where none has a time.
[[nodiscard]] const RankedResult* last_fixed_csr(std::span<const RankedResult> results);
/// The same among those that this row compares with.
[[nodiscard]] const RankedResult* last_fixed_csr(std::span<const RankedResult> results, const ResultRow& row);

/// The one of this schedule; nullptr where it is not listed.
[[nodiscard]] const RankedResult* find_result(std::span<const RankedResult> results,
                                              const SuperSchedule& schedule);
/// Its time by the clock; without milliseconds where none is known.
[[nodiscard]] ClockTime clock_time_of(const ResultRow& row);

/// A setting with times of the same matrix on the same machine.
struct TimedSetting {
    Operator op = Operator::SpMM;
    std::int64_t dense = 0;
    int threads = 0; ///< 0 where they play no part in what is looked for
    std::size_t times = 0;
};

/// A machine with times of the same matrix in the same setting.
struct TimedMachine {
    QString fingerprint;
    QString name;
    std::size_t times = 0;
};

/// The fastest when an evaluation measured the best of these again in turns.
struct TurnsResult {
    FastestInTurns fastest;
    std::string nickname; ///< the one in the list, where it is listed
    bool is_fixed_csr = false;
};

/// So many schedules or fewer make no ranking yet: what another machine has may be worth more.
inline constexpr std::size_t few_results = 20;

struct RankedResults {
    std::vector<RankedResult> results{};
    std::optional<TurnsResult> in_turns{}; ///< under the conditions of the best; absent without such turns
    /// Texts of schedules whose times are left out, as another version of the code generator made them.
    std::vector<std::string> left_out{};
    /// The number of times with other threads or by another protocol, which are left out.
    std::size_t other_conditions = 0;
    /// Where there are no results: those of the same operator first, then those with most times.
    std::vector<TimedSetting> elsewhere{};
    /// Where there are few_results or less: those that have more, the ones with most times first.
    std::vector<TimedMachine> machines{};
};

/// Ranks the largest part of the rows that compares with each other: those of one protocol, number of threads
/// and code generator, as in comparable_results() (workflow/evaluation/stored_results.h).
[[nodiscard]] RankedResults rank_comparable(std::vector<ResultRow> rows);

/// Reads them off the window's thread, again whenever something was measured.
class ResultsReader : public QObject {
    Q_OBJECT

public:
    explicit ResultsReader(WorkspaceSession& session, QObject* parent = nullptr);

    /// No matrix: no results.
    void set_filter(ResultFilter filter);
    [[nodiscard]] const ResultFilter& filter() const { return filter_; }
    [[nodiscard]] const std::vector<RankedResult>& results() const { return read_.results; }
    [[nodiscard]] const RankedResults& read_results() const { return read_; }
    /// That the best is compared with; none when it was not measured.
    [[nodiscard]] const RankedResult* fixed_csr() const;
    [[nodiscard]] const RankedResult* best() const;
    /// nullptr: nothing was measured in turns.
    [[nodiscard]] const TurnsResult* in_turns() const { return read_.in_turns ? &*read_.in_turns : nullptr; }
    [[nodiscard]] bool is_reading() const { return answers_.is_busy(); }

Q_SIGNALS:
    void results_changed();
    void failed(const QString& reason);

private:
    void read();

    WorkspaceSession& session_;
    ResultFilter filter_;
    RankedResults read_;
    NewestAnswer<Result<RankedResults>> answers_{this};
};

} // namespace sparsight
