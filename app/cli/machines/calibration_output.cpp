#include "cli/machines/calibration_output.h"

#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

std::string_view words_of(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::GaveUp:
        return "were given up as far too slow";
    case MeasurementStatus::TooLarge:
        return "would have been too large to store";
    case MeasurementStatus::Mismatch:
        return "had a wrong result";
    case MeasurementStatus::Damaged:
        return "are damaged in the workspace file";
    case MeasurementStatus::Measured:
    case MeasurementStatus::Failed:
        break;
    }
    return "failed";
}

} // namespace

Table quality_table(std::string first_title) {
    return Table({{std::move(first_title)},
                  {"Kendall τ", Align::Right},
                  {"ordered pairs", Align::Right},
                  {"τ best ¼", Align::Right},
                  {"regret of 1", Align::Right},
                  {"of 5", Align::Right},
                  {"of 20", Align::Right},
                  {"median error", Align::Right}});
}

void add_quality(Table& table, std::string of, const SimulationQuality& quality) {
    const auto regret = [](double factor) { return fmt::format("{:.1f} %", 100 * (factor - 1)); };
    table.add_row({std::move(of), fmt::format("{:.3f}", quality.kendall_tau),
                   fmt::format("{:.3f}", quality.ordered_pair_accuracy),
                   fmt::format("{:.3f}", quality.best_quarter_tau), regret(quality.top_1_regret),
                   regret(quality.top_5_regret), regret(quality.top_20_regret),
                   fmt::format("×{:.2f}", quality.median_error)});
}

void remark_on_left_out(const Session& session, std::span<const UnreadPattern> matrices,
                        const ExcludedRuns& runs) {
    constexpr std::size_t most_named = 5;
    std::vector<std::string> names;
    for (const UnreadPattern& each : matrices.first(std::min(most_named, matrices.size())))
        names.push_back(each.matrix);
    if (matrices.size() > most_named)
        names.push_back(fmt::format("{} more", matrices.size() - most_named));
    if (!names.empty())
        session.remark(fmt::format("without {} whose pattern can't be read ({}): {}",
                                   counted(matrices.size(), "matrix", "matrices"), fmt::join(names, ", "),
                                   matrices.front().reason.message));
    std::vector<std::string> reasons;
    for (const auto& [status, count] : runs.without_time)
        reasons.push_back(fmt::format("{} {}", count, words_of(status)));
    if (runs.too_short > 0)
        reasons.push_back(fmt::format("{} took less than a microsecond", runs.too_short));
    if (!reasons.empty())
        session.remark(fmt::format("without {} that have no time to compare with: {}",
                                   counted(runs.count(), "run", "runs"), fmt::join(reasons, ", ")));
}

namespace {

void print_effects(const Session& session, const CheckedCalibration& checked) {
    Table quality = quality_table("simulation");
    if (checked.on_fitted) {
        add_quality(quality, "fitted matrices, before", checked.on_fitted->before);
        add_quality(quality, "fitted matrices, after", checked.on_fitted->after);
    }
    if (checked.on_held_out) {
        add_quality(quality, fmt::format("{}, before", name(checked.check)), checked.on_held_out->before);
        add_quality(quality, fmt::format("{}, after", name(checked.check)), checked.on_held_out->after);
    }
    session.print(quality.text() + "\n");
}

void print_parameters(const Session& session, const Calibration& calibration) {
    Table parameters({{"parameter"},
                      {"unit"},
                      {"before", Align::Right},
                      {"after", Align::Right},
                      {"doubt left", Align::Right},
                      {""}});
    for (const FittedParameter& fitted : calibration.parameters) {
        const ParameterInfo& info = parameter_info(fitted.parameter);
        parameters.add_row({std::string(info.key), std::string(info.unit == "B" ? "" : info.unit),
                            value_text(info, fitted.before), value_text(info, fitted.after),
                            fmt::format("{:.0f} %", 100 * fitted.uncertainty),
                            fitted.is_at_limit       ? "at its limit"
                            : fitted.is_determined() ? ""
                                                     : "not determined"});
    }
    session.print(parameters.text());
}

} // namespace

void print_calibration(const Session& session, const CalibrationOutcome& outcome) {
    const CalibrationData& data = outcome.data;
    const CheckedCalibration& checked = outcome.checked;
    session.print(fmt::format("{}: {} fitted, {} {}, {}\n\n", data.machine.name,
                              counted(checked.fitted.size(), "matrix", "matrices"),
                              counted(checked.held_out, "matrix", "matrices"),
                              checked.check == HeldOutCheck::CrossValidated ? "cross-validated" : "kept back",
                              name(data.source.op)));
    print_effects(session, checked);
    print_parameters(session, checked.calibration);
    for (const std::string& remark : calibration_remarks(checked, outcome.kept))
        session.remark(remark);
    remark_on_left_out(session, data.without_pattern, data.left_out);
    if (outcome.kept == Kept::AsItWas)
        session.remark("nothing was stored");
}

} // namespace sparsight
