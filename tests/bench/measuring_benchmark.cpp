// measuring_benchmark [--protocol adaptive|waco] [--operator spmm|spmv|sddmm] MATRIX SCHEDULES
// How many schedules a second are measured, and where the time goes. Prints one JSON object.

#include "base/memory.h"
#include "base/parallel.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

int main(int count, char** words) {
    using namespace sparsight;
    keep_freed_memory(); // as the command that collects
    Protocol protocol = Protocol::Adaptive;
    Operator op = Operator::SpMM;
    std::vector<std::string> files;
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        if (word == "--protocol" && at + 1 < count)
            protocol = parse_protocol(words[++at]).value_or(protocol);
        else if (word == "--operator" && at + 1 < count)
            op = parse_operator(words[++at]).value_or(op);
        else
            files.push_back(word);
    }
    if (files.size() != 2) {
        std::fprintf(stderr, "usage: measuring_benchmark [--protocol adaptive|waco] [--operator "
                             "spmm|spmv|sddmm] MATRIX SCHEDULES\n");
        return 2;
    }
    auto matrix = read_matrix(files[0]);
    const auto schedules = read_schedules(op, files[1]);
    auto compiler = KernelCompiler::make();
    if (!matrix || !schedules || !compiler) {
        const Error& error = !matrix ? matrix.error() : !schedules ? schedules.error() : compiler.error();
        std::fprintf(stderr, "%s\n", error.text().c_str());
        return 1;
    }
    const int threads = available_threads();
    auto workload = KernelInputs::make(std::move(matrix->pattern), op, 256, threads);
    if (!workload) {
        std::fprintf(stderr, "%s\n", workload.error().text().c_str());
        return 1;
    }
    Team team(threads);
    MeasurementOptions options;
    options.protocol = protocol;
    ScheduleMeasurer measurer(*workload, *compiler, team, options);
    const MillisecondClock now = steady_clock();
    const auto baseline = measurer.measure(fixed_csr(op, threads));
    const Milliseconds start = now();
    Milliseconds pack{};
    Milliseconds compile{};
    std::map<std::string, int> by_status;
    std::pair<double, std::string> best{baseline->median.count(), "fixed CSR"};
    for (const SuperSchedule& schedule : *schedules) {
        const auto measured = measurer.measure(schedule);
        pack += measured->pack;
        compile += measured->compile;
        ++by_status[std::string(name(measured->status))];
        if (measured->status == MeasurementStatus::Measured && measured->median.count() < best.first)
            best = {measured->median.count(), to_text(schedule)};
    }
    const Milliseconds total = now() - start;
    const auto number = static_cast<double>(schedules->size());
    const nlohmann::ordered_json report{{"matrix", matrix->name},
                                        {"protocol", name(protocol)},
                                        {"schedules", schedules->size()},
                                        {"seconds", total.count() / 1000},
                                        {"schedules_per_second", number / (total.count() / 1000)},
                                        {"pack_ms_each", pack.count() / number},
                                        {"compile_ms_each", compile.count() / number},
                                        {"status", by_status},
                                        {"fixed_csr_ms", baseline->median.count()},
                                        {"best_ms", best.first},
                                        {"best_schedule", best.second}};
    std::printf("%s\n", report.dump(2).c_str());
    return 0;
}
