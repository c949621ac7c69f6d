// The schedules that are ranked, with everything that does not depend on the machine: counted off the
// window's thread, whenever the matrix or the choice of schedules changes.
#pragma once

#include "domains/sparse/simulator/schedule_ranking.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/workspace/background_work.h"
#include "study/clock.h"

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sparsight {

/// Told apart by what they mean, whatever their threads.
[[nodiscard]] QString meaning_key(const SuperSchedule& schedule);

struct StudySubject {
    QString matrix;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::size_t count = 20;
    bool measured_only = false;
    /// With measured_only: a fingerprint. Those with a time on this machine are ranked, so that each bar has
    /// its mark; of a machine without times, and without one, all with a time anywhere.
    QString machine{};
    /// Instead of the best measured and drawn ones, where there are any: fixed CSR and these.
    std::vector<SuperSchedule> listed{};
    bool operator==(const StudySubject&) const = default;
};

/// The known times of schedules on a machine, of one number of threads. What was simulated is none.
struct ClockTimes {
    std::vector<ClockTime> times; ///< by schedule
    int threads = 0;
};

struct Study {
    StudySubject subject;
    std::vector<SuperSchedule> schedules;
    std::vector<ScheduleProfile> profiles;
    std::vector<QString> keys;   ///< by schedule
    std::vector<QString> texts;  ///< as other pages know them
    std::vector<QString> labels; ///< nicknames
    /// By the fingerprint of the machine that they were measured or recorded on.
    std::map<QString, ClockTimes> known;

    /// Median milliseconds.
    [[nodiscard]] std::vector<std::optional<double>> recorded_on(const QString& fingerprint) const;
    [[nodiscard]] bool has(const QString& key) const;
};

class ScheduleStudy : public QObject {
    Q_OBJECT

public:
    explicit ScheduleStudy(SparseServices services, QObject* parent = nullptr);

    /// No matrix: no study. The one before stays until the new one is there.
    void set_subject(const StudySubject& subject);
    /// The same again, as something was measured.
    void renew();
    [[nodiscard]] const StudySubject& subject() const { return subject_; }
    /// nullptr before there is one, and of another matrix.
    [[nodiscard]] std::shared_ptr<const Study> study() const { return study_; }
    [[nodiscard]] bool is_busy() const { return is_waiting_ || answers_.is_busy(); }

Q_SIGNALS:
    void changed(); ///< another study, or is_busy()
    void failed(const QString& reason);

private:
    void begin();

    SparseServices services_;
    StudySubject subject_;
    std::shared_ptr<const Study> study_;
    bool is_waiting_ = false; ///< for the matrix
    NewestAnswer<Result<std::shared_ptr<const Study>>> answers_{this};
};

} // namespace sparsight
