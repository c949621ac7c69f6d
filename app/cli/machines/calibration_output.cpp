#include "cli/machines/calibration_output.h"

#include "base/text.h"

#include <array>
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
    case MeasurementStatus::Measured:
    case MeasurementStatus::Failed:
        break;
    }
    return "failed";
}

} // namespace

Json quality_json(const SimulationQuality& quality) {
    return {{"kendall_tau", quality.kendall_tau},
            {"ordered_pair_accuracy", quality.ordered_pair_accuracy},
            {"best_quarter",
             {{"kendall_tau", quality.best_quarter_tau},
              {"ordered_pair_accuracy", quality.best_quarter_accuracy}}},
            {"regret",
             {{"1", quality.top_1_regret - 1},
              {"5", quality.top_5_regret - 1},
              {"20", quality.top_20_regret - 1}}},
            {"median_error", quality.median_error}};
}

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

Json without_pattern_json(std::span<const UnreadPattern> matrices) {
    Json json = Json::array();
    for (const auto& [matrix, reason] : matrices)
        json.push_back({{"matrix", matrix}, {"reason", reason.message}});
    return json;
}

Json left_out_json(const ExcludedRuns& runs) {
    Json json = Json::object();
    for (const auto& [status, count] : runs.without_time)
        json[std::string(name(status))] = count;
    if (runs.too_short > 0)
        json["too short"] = runs.too_short;
    return json;
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

std::string matrix_count(std::size_t count) {
    return counted(count, "matrix", "matrices");
}

std::string factor_in_percent(double factor) {
    return fmt::format("{:.1f} %", 100 * (factor - 1));
}

/// "Kendall's tau (0.51, was 0.55)", of every figure that is worse by what is printed of it.
std::vector<std::string> worse_figures(const CalibrationEffect& effect) {
    std::vector<std::string> worse;
    constexpr double printed = 0.001;
    const auto agreement = [&](std::string_view what, double SimulationQuality::* member) {
        if (effect.after.*member < effect.before.*member - printed)
            worse.push_back(
                fmt::format("{} ({:.3f}, was {:.3f})", what, effect.after.*member, effect.before.*member));
    };
    const auto regret = [&](std::string_view what, double SimulationQuality::* member) {
        if (effect.after.*member > effect.before.*member + printed)
            worse.push_back(fmt::format("{} ({}, was {})", what, factor_in_percent(effect.after.*member),
                                        factor_in_percent(effect.before.*member)));
    };
    agreement("Kendall's tau", &SimulationQuality::kendall_tau);
    agreement("the ordered pairs", &SimulationQuality::ordered_pair_accuracy);
    agreement("tau of the best quarter", &SimulationQuality::best_quarter_tau);
    regret("the regret of 1", &SimulationQuality::top_1_regret);
    regret("the regret of 5", &SimulationQuality::top_5_regret);
    regret("the regret of 20", &SimulationQuality::top_20_regret);
    if (effect.after.median_error > effect.before.median_error * 1.01)
        worse.push_back(fmt::format("the median error (×{:.2f}, was ×{:.2f})", effect.after.median_error,
                                    effect.before.median_error));
    return worse;
}

Json effect_json(const std::optional<CalibrationEffect>& effect) {
    if (!effect)
        return nullptr;
    return {{"before", quality_json(effect->before)}, {"after", quality_json(effect->after)}};
}

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

std::vector<std::string> calibration_remarks(const CheckedCalibration& checked, Kept kept) {
    std::vector<std::string> remarks;
    if (kept == Kept::TheBetterOne)
        remarks.emplace_back(
            "the machine stays as it was: schedules of matrices that the calibration did not "
            "see are chosen worse by it; `machine calibrate --even-if-worse` keeps it");
    constexpr std::size_t very_few = 2;
    if (checked.fitted.size() <= very_few)
        remarks.push_back(fmt::format("fitted to {} alone: that says little of other matrices; `collect` on "
                                      "a dozen that differ in size says more",
                                      matrix_count(checked.fitted.size())));
    if (checked.check == HeldOutCheck::CrossValidated)
        remarks.push_back(fmt::format("with fewer than {} matrices none was kept back: each was held against "
                                      "a calibration to the others, and the machine is fitted to all",
                                      fewest_stems_to_keep_back));
    if (checked.check == HeldOutCheck::Impossible)
        remarks.emplace_back("nothing is known of other matrices: there is none that it could be held "
                             "against; measuring more would tell");
    if (checked.on_held_out)
        if (const auto worse = worse_figures(*checked.on_held_out); !worse.empty())
            remarks.push_back(fmt::format("on matrices that it did not see the calibration made worse: {}",
                                          fmt::join(worse, ", ")));
    return remarks;
}

Json calibration_json(const CalibrationData& data, const CheckedCalibration& checked, Kept kept) {
    Json parameters = Json::array();
    for (const FittedParameter& fitted : checked.calibration.parameters) {
        const ParameterInfo& info = parameter_info(fitted.parameter);
        parameters.push_back({{"key", info.key},
                              {"unit", info.unit},
                              {"before", fitted.before},
                              {"after", fitted.after},
                              {"uncertainty", fitted.uncertainty},
                              {"determined", fitted.is_determined()},
                              {"at_limit", fitted.is_at_limit}});
    }
    return {{"machine", data.machine.name},
            {"operator", name(data.source.op)},
            {"dense", data.source.dense},
            {"protocol", data.source.protocol},
            {"threads", data.source.threads},
            {"matrices", checked.fitted.size()},
            {"check", name(checked.check)},
            {"held_out", checked.held_out},
            {"runs", data.runs},
            {"left_out", data.left_out.count()},
            {"left_out_because", left_out_json(data.left_out)},
            {"without_pattern", without_pattern_json(data.without_pattern)},
            {"stored", kept == Kept::Calibrated},
            {"fitted_on", effect_json(checked.on_fitted)},
            {"held_out_quality", effect_json(checked.on_held_out)},
            {"remarks", calibration_remarks(checked, kept)},
            {"parameters", std::move(parameters)}};
}

void print_calibration(const Session& session, const CalibrationData& data, const CheckedCalibration& checked,
                       Kept kept) {
    session.print(fmt::format("{}: {} fitted, {} {}, {}\n\n", data.machine.name,
                              matrix_count(checked.fitted.size()), matrix_count(checked.held_out),
                              checked.check == HeldOutCheck::CrossValidated ? "cross-validated" : "kept back",
                              name(data.source.op)));
    print_effects(session, checked);
    print_parameters(session, checked.calibration);
    for (const std::string& remark : calibration_remarks(checked, kept))
        session.remark(remark);
    remark_on_left_out(session, data.without_pattern, data.left_out);
    if (kept == Kept::AsItWas)
        session.remark("nothing was stored");
}

} // namespace sparsight
