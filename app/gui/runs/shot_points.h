// A shot curve as it grows: how good each way of spending measurements is after how many matrices.
#pragma once

#include "store/runs.h"

#include <QJsonObject>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct ShotInterval {
    double mean = 0;
    double low = 0;  ///< of the 95 % confidence interval, no farther than the figure can be;
    double high = 0; ///< of a single draw the mean
    bool operator==(const ShotInterval&) const = default;
};

class ShotPoints {
public:
    /// "shot" counts; everything else is passed over.
    void take(const QJsonObject& event);
    /// "shots/CONTENDER/METRIC/mean", low or high, by number of shots.
    void take(const std::string& metric, const std::vector<MetricPoint>& points);

    [[nodiscard]] bool empty() const { return contenders_.empty(); }
    /// In the order in which they came.
    [[nodiscard]] const std::vector<QString>& contenders() const { return contenders_; }
    /// By number of matrices.
    [[nodiscard]] std::map<int, ShotInterval> curve(const QString& contender, const QString& metric) const;

private:
    struct Point {
        double mean = 0;
        std::optional<double> low;
        std::optional<double> high;
    };

    Point& point(const QString& contender, const QString& metric, int shots);

    std::vector<QString> contenders_;
    std::map<std::pair<QString, QString>, std::map<int, Point>> curves_;
};

} // namespace sparsight
