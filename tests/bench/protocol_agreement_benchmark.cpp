// protocol_agreement_benchmark [--schedules N] [--operator spmm|spmv|sddmm] MATRIX SCHEDULES [MATRIX
// SCHEDULES]… Whether the adaptive protocol says what WACO's says. Each schedule is measured by WACO's, by
// the adaptive one and by WACO's again, one after the other, so that a computer that is slower for a minute
// is slower for all three; WACO's against itself is what no protocol can do better than here. Prints one JSON
// object.

#include "base/memory.h"
#include "base/parallel.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using namespace sparsight;

struct Times {
    Measurement waco;
    Measurement adaptive;
    Measurement waco_again;
};

bool all_measured(const Times& times) {
    return std::ranges::all_of(std::array{&times.waco, &times.adaptive, &times.waco_again},
                               [](const Measurement* m) { return m->status == MeasurementStatus::Measured; });
}

bool agree(Milliseconds one, Milliseconds other, Milliseconds spread) {
    return std::abs((one - other).count()) <= spread.count();
}

std::size_t winner(const std::vector<Times>& times, Measurement Times::* protocol) {
    const auto best = std::ranges::min_element(
        times, {}, [protocol](const Times& each) { return (each.*protocol).median.count(); });
    return static_cast<std::size_t>(best - times.begin());
}

/// How much slower than WACO's winner this one is by WACO's own two measurements together.
double regret(const std::vector<Times>& times, std::size_t chosen) {
    const auto both = [](const Times& each) {
        return (each.waco.median.count() + each.waco_again.median.count()) / 2;
    };
    const double best = both(*std::ranges::min_element(times, {}, both));
    return both(times[chosen]) / best - 1;
}

Result<nlohmann::ordered_json> compare(Operator op, const std::string& matrix_file,
                                       const std::string& schedules_file, std::size_t most,
                                       KernelCompiler& compiler, Team& team) {
    auto matrix = read_matrix(matrix_file);
    if (!matrix)
        return std::unexpected(matrix.error());
    auto schedules = read_schedules(op, schedules_file);
    if (!schedules)
        return std::unexpected(schedules.error());
    schedules->resize(std::min(most, schedules->size()), fixed_csr(op, team.size()));
    schedules->insert(schedules->begin(), fixed_csr(op, team.size()));
    auto workload = KernelInputs::make(std::move(matrix->pattern), op, 256, team.size());
    if (!workload)
        return std::unexpected(workload.error());

    const auto measurer = [&](Protocol protocol) {
        MeasurementOptions options;
        options.protocol = protocol;
        return ScheduleMeasurer(*workload, compiler, team, std::move(options));
    };
    ScheduleMeasurer waco = measurer(Protocol::FixedRuns);
    ScheduleMeasurer adaptive = measurer(Protocol::Adaptive);
    std::vector<Times> measured;
    for (const SuperSchedule& schedule : *schedules) {
        const auto first = waco.measure(schedule);
        const auto second = adaptive.measure(schedule);
        const auto third = waco.measure(schedule);
        for (const auto* result : {&first, &second, &third})
            if (!*result)
                return std::unexpected(result->error());
        if (const Times times{*first, *second, *third}; all_measured(times))
            measured.push_back(times);
    }
    std::size_t adaptive_agrees = 0;
    std::size_t waco_agrees = 0;
    double logarithms = 0;
    for (const Times& times : measured) {
        const Milliseconds spread = times.adaptive.spread;
        adaptive_agrees += agree(times.adaptive.median, times.waco.median, spread);
        waco_agrees += agree(times.waco_again.median, times.waco.median, spread);
        logarithms += std::log(times.adaptive.median / ((times.waco.median + times.waco_again.median) / 2));
    }
    return nlohmann::ordered_json{
        {"matrix", matrix->name},
        {"compared", measured.size()},
        {"adaptive_within_its_spread_of_waco", adaptive_agrees},
        {"waco_within_that_spread_of_itself", waco_agrees},
        {"adaptive_over_waco", std::exp(logarithms / static_cast<double>(measured.size()))},
        {"adaptive_winner_is_waco_winner",
         winner(measured, &Times::adaptive) == winner(measured, &Times::waco)},
        {"waco_winner_is_its_own", winner(measured, &Times::waco) == winner(measured, &Times::waco_again)},
        {"regret_of_adaptive_winner", regret(measured, winner(measured, &Times::adaptive))},
        {"regret_of_waco_winner", regret(measured, winner(measured, &Times::waco))}};
}

} // namespace

int main(int count, char** words) {
    keep_freed_memory(); // as the command that collects
    Operator op = Operator::SpMM;
    std::size_t most = 25;
    std::vector<std::string> files;
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        if (word == "--operator" && at + 1 < count)
            op = parse_operator(words[++at]).value_or(op);
        else if (word == "--schedules" && at + 1 < count)
            most = static_cast<std::size_t>(std::max(1, std::atoi(words[++at])));
        else
            files.push_back(word);
    }
    auto compiler = KernelCompiler::make();
    if (files.empty() || files.size() % 2 != 0 || !compiler) {
        std::fprintf(stderr,
                     "usage: protocol_agreement_benchmark [--schedules N] [--operator spmm|spmv|sddmm] "
                     "MATRIX SCHEDULES [MATRIX SCHEDULES]...\n");
        return 2;
    }
    Team team(available_threads());
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t at = 0; at < files.size(); at += 2) {
        if (auto row = compare(op, files[at], files[at + 1], most, *compiler, team))
            rows.push_back(*std::move(row));
        else
            std::fprintf(stderr, "%s\n", row.error().text().c_str());
    }
    std::printf("%s\n", rows.dump(2).c_str());
    return 0;
}
