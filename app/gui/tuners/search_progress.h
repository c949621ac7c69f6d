// How fast the best configuration is that a tuner has found, against the measurements that it has spent: the
// points that the comparison of tuners reports, as series of a chart and as a sentence.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QString>
#include <QStringList>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

class QJsonObject;

namespace sparsight {

class SearchProgress {
public:
    /// From the lines that a job told.
    [[nodiscard]] static SearchProgress of(const QStringList& event_lines);
    /// Whether the event told a point, or several that were known before the job. One that is told again is
    /// none.
    bool add(const QJsonObject& event);

    [[nodiscard]] bool empty() const { return regrets_.empty(); }
    /// Mean over the draws; absent where there is none.
    [[nodiscard]] std::optional<double> regret(const QString& rule, std::size_t measurements) const;
    /// A line for each tuner: its time over that of the fastest, with the smallest and largest of its draws.
    [[nodiscard]] std::vector<LineSeries> lines() const;
    /// The same of what is chosen before anything is measured.
    [[nodiscard]] std::optional<double> unmeasured() const;
    /// What transfer saves over random search; empty where one of both is not known.
    [[nodiscard]] QString sentence() const;

private:
    using Draws = std::map<qint64, double>; ///< by their seed
    /// By rule and number of measurements.
    std::map<QString, std::map<std::size_t, Draws>> regrets_;
    bool add_point(const QJsonObject& point);
    [[nodiscard]] static double mean(const Draws& draws);
};

} // namespace sparsight
