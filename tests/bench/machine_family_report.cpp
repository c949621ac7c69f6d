// Whether simulated machines disagree as real ones do. Prints JSON, for each of some generated matrices from
// 40 to 2e6 entries, and of those of a folder if one is given (each eighth by size up to 2e6 entries):
//   servers       pairs of sampled machines with 8 cores or more: Kendall tau on the quarter of the schedules
//                 that is best on the one, and what carrying its best over to the other costs
//   laptop        what carrying a laptop's best over to servers costs
//   presets       pairs of those servers: the same tau
//   twice         ordered pairs that agree where a sampled machine is measured twice, with its noise
// "cache_gaps" are the caches of the laptop and the servers that all matrices lie on one side of; none: they
// span the sizes of all of them.
//
//   machine_family_report [FOLDER OF MATRICES]
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/simulator/cache_span.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/simulator/simulator_validation.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "domains/sparse/tensor/statistics.h"
#include "machine/machine_family.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;
using Times = std::vector<double>;

struct Described {
    std::string_view family;
    ParameterValues values;
};

std::vector<Described> matrices() {
    return {{"uniform", {{"rows", 32}, {"cols", 32}, {"density", 0.04}}},
            {"banded", {{"size", 128}, {"lower", 2}, {"upper", 2}}},
            {"scattered-blocks", {{"rows", 256}, {"cols", 256}, {"block", 4}, {"blocks", 100}}},
            {"banded", {{"size", 1024}, {"lower", 1}, {"upper", 1}}},
            {"uniform", {{"rows", 1024}, {"cols", 1024}, {"density", 0.01}}},
            {"scattered-blocks", {{"rows", 2048}, {"cols", 2048}, {"block", 8}, {"blocks", 400}}},
            {"row-skewed", {{"rows", 8192}, {"cols", 8192}, {"mean-length", 8}}},
            {"stencil-2d", {{"x", 160}, {"y", 160}}},
            {"block-diagonal", {{"size", 8192}}},
            {"uniform", {{"rows", 16384}, {"cols", 16384}, {"density", 0.0008}}},
            {"row-skewed", {{"rows", 65536}, {"cols", 65536}, {"mean-length", 8}}},
            {"scattered-blocks", {{"rows", 32768}, {"cols", 32768}, {"block", 16}, {"blocks", 4096}}},
            {"stencil-3d", {{"x", 50}, {"y", 50}, {"z", 50}}},
            {"uniform", {{"rows", 131072}, {"cols", 131072}, {"density", 0.0001}}},
            {"banded", {{"size", 131072}, {"lower", 8}, {"upper", 8}, {"fill", 0.9}}}};
}

/// WACO's schedules, fixed CSR and what is near it: among those the winners are.
std::vector<SuperSchedule> schedules_for(const CsrPattern& pattern) {
    Random random(3);
    const Extents all = extents(Operator::SpMM, pattern.rows, pattern.cols, 256);
    const SuperSchedule csr = fixed_csr(Operator::SpMM, 2);
    std::vector<SuperSchedule> schedules = sample_waco(Operator::SpMM, all, 200, 2, random);
    schedules.push_back(csr);
    for (const SuperSchedule& near : sample_near(csr, all, 100, random))
        schedules.push_back(near);
    return schedules;
}

constexpr const char* laptop_key = "laptop";
constexpr std::array server_keys{"xeon-e5-2680-v3", "xeon-platinum-8272cl", "epyc-7543", "epyc-7452",
                                 "graviton2"};

MachineDescription preset(const char* key) {
    return find_machine_preset(key)->machine;
}

double median(Times values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}
double share(const Times& values, const std::function<bool(double)>& holds) {
    return static_cast<double>(std::ranges::count_if(values, holds)) / static_cast<double>(values.size());
}

class MatrixReport {
public:
    explicit MatrixReport(const CsrPattern& pattern)
        : pattern_(pattern) {
        const ProfiledPattern profiled(pattern);
        for (const SuperSchedule& schedule : schedules_for(pattern))
            profiles_.push_back(*profiled.profile(schedule, 256));
    }

    Json json(const std::vector<MachineDescription>& sampled) const {
        std::vector<Times> servers;
        Times twice;
        for (const MachineDescription& machine : sampled) {
            const Times times = on(machine);
            twice.push_back(agreement_of_two(machine, times));
            if (machine.cores.value_or(1) >= 8)
                servers.push_back(times);
        }
        Times quarter;
        Times carried;
        for (const Times& here : servers)
            for (const Times& there : servers)
                if (&here != &there) {
                    quarter.push_back(simulation_quality(there, here).best_quarter_tau);
                    carried.push_back(simulation_quality(here, there).top_1_regret);
                }
        Times from_laptop;
        Times between_presets;
        const Times laptop = on(preset(laptop_key));
        std::vector<Times> of_presets;
        for (const char* server : server_keys) {
            of_presets.push_back(on(preset(server)));
            from_laptop.push_back(simulation_quality(laptop, of_presets.back()).top_1_regret);
        }
        for (const Times& here : of_presets)
            for (const Times& there : of_presets)
                if (&here != &there)
                    between_presets.push_back(simulation_quality(there, here).best_quarter_tau);
        return {{"entries", pattern_.nnz()},
                {"schedules", profiles_.size()},
                {"servers",
                 {{"machines", servers.size()},
                  {"best_quarter_tau", median(quarter)},
                  {"share_up_to_0.65", share(quarter, [](double tau) { return tau <= 0.65; })},
                  {"carry_over", median(carried)}}},
                {"laptop_carry_over", from_laptop},
                {"presets_best_quarter_tau", median(between_presets)},
                {"twice_ordered_pairs", median(twice)}};
    }

private:
    [[nodiscard]] Times on(const MachineDescription& machine) const {
        const MachineParameters parameters = resolve_parameters(machine).values;
        Times times;
        for (const ScheduleProfile& profile : profiles_)
            times.push_back(simulate(parameters, profile).total());
        return times;
    }

    static double agreement_of_two(const MachineDescription& machine, const Times& times) {
        const double sigma = resolve_parameters(machine).values[MachineParameter::Noise];
        Random random(11);
        Times first;
        Times second;
        for (const double time : times) {
            first.push_back(noisy_runtime(time, sigma, random));
            second.push_back(noisy_runtime(time, sigma, random));
        }
        return simulation_quality(first, second).ordered_pair_accuracy;
    }

    const CsrPattern& pattern_;
    std::vector<ScheduleProfile> profiles_;
};

struct NamedPattern {
    std::string name;
    CsrPattern pattern;
};

std::vector<NamedPattern> generated() {
    std::vector<NamedPattern> patterns;
    for (const Described& each : matrices())
        patterns.push_back({std::string(each.family), *generate_matrix(each.family, each.values, 5)});
    return patterns;
}

std::vector<NamedPattern> read(const std::filesystem::path& folder) {
    constexpr std::int64_t most_entries = 2'000'000;
    constexpr std::size_t step = 8;
    std::vector<NamedPattern> all;
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (auto matrix = read_matrix(file.path()); matrix && matrix->pattern.nnz() <= most_entries)
            all.push_back({file.path().filename().string(), std::move(matrix->pattern)});
    std::ranges::sort(all, {}, [](const NamedPattern& each) {
        return std::pair(each.pattern.nnz(), std::string_view(each.name));
    });
    std::vector<NamedPattern> patterns;
    for (std::size_t at = 0; at < all.size(); at += step)
        patterns.push_back(std::move(all[at]));
    return patterns;
}

Json gaps_json(const std::vector<PatternStatistics>& statistics) {
    std::vector<MachineDescription> machines{preset(laptop_key)};
    for (const char* server : server_keys)
        machines.push_back(preset(server));
    Json gaps = Json::array();
    for (const CacheGap& gap : cache_gaps(Operator::SpMM, 256, statistics, machines))
        gaps.push_back(sentence(gap, Operator::SpMM, 256));
    return gaps;
}

Json report(const std::vector<NamedPattern>& patterns) {
    const std::vector<MachineDescription> sampled = sample_machines(1, 32);
    Json all = Json::array();
    double quarters = 0;
    int lose = 0;
    Times twice;
    Times presets;
    std::vector<PatternStatistics> statistics;
    for (const auto& [name, pattern] : patterns) {
        statistics.push_back(compute_statistics(pattern, 1));
        Json one{{"matrix", name}};
        one.update(MatrixReport(pattern).json(sampled));
        quarters += one["servers"]["share_up_to_0.65"].get<double>();
        lose += median(one["laptop_carry_over"].get<Times>()) >= 1.2 ? 1 : 0;
        twice.push_back(one["twice_ordered_pairs"].get<double>());
        presets.push_back(one["presets_best_quarter_tau"].get<double>());
        all.push_back(std::move(one));
    }
    const auto count = static_cast<double>(all.size());
    return {{"matrices", all},
            {"cache_gaps", gaps_json(statistics)},
            {"share_of_server_pairs_up_to_0.65", quarters / count},
            {"share_of_matrices_where_a_laptops_best_costs_1.2", lose / count},
            {"presets_best_quarter_tau", median(presets)},
            {"twice_ordered_pairs", median(twice)}};
}

} // namespace
} // namespace sparsight

int main(int argc, char** argv) {
    nlohmann::ordered_json json{{"generated", sparsight::report(sparsight::generated())}};
    if (argc > 1)
        json["read"] = sparsight::report(sparsight::read(argv[1]));
    std::cout << json.dump(2) << '\n';
    return EXIT_SUCCESS;
}
