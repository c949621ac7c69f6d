// A workspace with a computer on which schedules take as long as a simulation says whose loops cost other
// than typical: a calibration can find that out.
#pragma once

#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/workflow/calibration/calibration_data.h"
#include "machine/machine_description.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sparsight::testing {

inline constexpr const char* computer_fingerprint = "0123456789abcdef";

/// As it is known.
inline MachineDescription known_computer() {
    MachineDescription machine;
    machine.name = "Old server";
    machine.source = MachineSource::Probed;
    machine.cores = 4;
    machine.threads = 4;
    return machine;
}

/// As it is.
inline MachineDescription true_computer() {
    MachineDescription machine = known_computer();
    machine.coefficients[MachineParameter::DenseIteration] = 5;
    machine.coefficients[MachineParameter::CompressedIteration] = 0.5;
    machine.coefficients[MachineParameter::ChunkCost] = 2;
    return machine;
}

/// Names of matrices "m0", "m1" … that calibrations keep back, or that they see.
inline std::vector<std::string> matrix_names(bool held_out, std::size_t count) {
    std::vector<std::string> names;
    for (int number = 0; names.size() < count; ++number)
        if (std::string name = fmt::format("m{}", number); is_held_out(name) == held_out)
            names.push_back(std::move(name));
    return names;
}

/// Measured times of one matrix, with noise and their spreads.
inline void measure_as_it_is(Workspace& workspace, MachineId machine, const std::string& name,
                             std::uint64_t seed, int schedules) {
    const double rows = 300 + 150 * static_cast<double>(seed);
    const CsrPattern pattern =
        *generate_matrix("uniform", {{"rows", rows}, {"cols", 800}, {"density", 0.01}}, seed);
    const auto matrix = add_matrix(workspace, {name, "generated", {}}, pattern);
    ASSERT_TRUE(matrix.has_value());
    const ProfiledPattern profiled(pattern);
    const MachineParameters parameters = resolve_parameters(true_computer()).values;
    Random random(seed);
    const Extents all = extents(Operator::SpMM, pattern.rows, pattern.cols, 256);
    for (const SuperSchedule& schedule : sample_waco(Operator::SpMM, all, schedules, 4, random)) {
        constexpr double noise = 0.03;
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(simulate(parameters, *profiled.profile(schedule, 256)).total() *
                                          std::exp(noise * random.normal()));
        measurement.spread = noise * measurement.median;
        measurement.repeats = 5;
        ASSERT_TRUE(record_measurement(workspace, {*matrix, machine, 256, "adaptive"}, schedule, measurement)
                        .has_value());
    }
}

/// With so many matrices that calibrations see and that they keep back: enough to keep any back.
inline void make_measured_computer(const std::string& file, std::size_t seen = 10, std::size_t kept_back = 2,
                                   int schedules = 24) {
    auto workspace = Workspace::create(file, "test");
    ASSERT_TRUE(workspace.has_value());
    const auto machine =
        record_machine(*workspace, "Old server", computer_fingerprint, machine_to_text(known_computer()));
    ASSERT_TRUE(machine.has_value());
    std::uint64_t seed = 1;
    for (const bool held_out : {false, true})
        for (const std::string& name : matrix_names(held_out, held_out ? kept_back : seen))
            measure_as_it_is(*workspace, *machine, name, seed++, schedules);
}

} // namespace sparsight::testing
