#include "gui/machines/calibration_report.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// As numbers that went through two texts.
bool same(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

} // namespace

const CalibrationReport::Fit* CalibrationReport::fit_of(const MachineDescription& machine,
                                                        MachineParameter parameter) const {
    const auto fit = parameters.find(parameter);
    const auto now = machine.coefficients.find(parameter);
    const bool is_of_it =
        fit != parameters.end() && now != machine.coefficients.end() && same(fit->second.after, now->second);
    return is_of_it ? &fit->second : nullptr;
}

std::optional<CalibrationReport> calibration_report(const QJsonObject& end) {
    const auto member = [](const QJsonObject& object, const char* key) {
        return object.value(QLatin1String(key));
    };
    if (member(end, "event").toString() != QLatin1String("end") || !member(end, "stored").toBool())
        return std::nullopt;
    CalibrationReport report;
    const QJsonArray parameters = member(end, "parameters").toArray();
    for (const auto& each : parameters) {
        const QJsonObject told = each.toObject();
        const auto parameter = parse_machine_parameter(member(told, "key").toString().toStdString());
        if (parameter)
            report.parameters[*parameter] = {
                member(told, "before").toDouble(), member(told, "after").toDouble(),
                member(told, "uncertainty").toDouble(1), member(told, "determined").toBool()};
    }
    return report.parameters.empty() ? std::nullopt : std::optional(std::move(report));
}

} // namespace sparsight
