// A shot curve as it grows: how good each way of spending measurements is after how many matrices.
#pragma once

#include "store/runs.h"

#include <QJsonObject>
#include <QString>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

struct ShotInterval {
    double mean = 0;
    double low = 0; ///< of the 95 % confidence interval
    double high = 0;
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
    ShotInterval& interval(const QString& contender, const QString& metric, int shots);

    std::vector<QString> contenders_;
    std::map<std::pair<QString, QString>, std::map<int, ShotInterval>> curves_;
};

} // namespace sparsight
