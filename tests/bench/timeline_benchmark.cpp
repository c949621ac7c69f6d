// timeline_benchmark [MATRIX]
// What recording a timeline adds to a run of fixed CSR, for chunks of several sizes: plain and recorded runs
// in turns. Prints one JSON object.

#include "base/parallel.h"
#include "domains/sparse/clock/timeline_recording.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <cstdio>
#include <nlohmann/json.hpp>

int main(int count, char** words) {
    using namespace sparsight;
    auto pattern = [&]() -> Result<CsrPattern> {
        if (count < 2)
            return generate_matrix("power-law", {{"scale", 14}}, 1);
        auto matrix = read_matrix(words[1]);
        if (!matrix)
            return std::unexpected(std::move(matrix).error());
        return std::move(matrix->pattern);
    }();
    auto compiler = KernelCompiler::make();
    if (!pattern || !compiler) {
        std::fprintf(stderr, "%s\n", (!pattern ? pattern.error() : compiler.error()).text().c_str());
        return 1;
    }
    const int threads = available_threads();
    Team team(threads);
    nlohmann::ordered_json report{{"threads", threads}, {"chunks", nlohmann::ordered_json::array()}};
    for (const std::int64_t dense : {8, 64}) {
        auto inputs = KernelInputs::make(*pattern, Operator::SpMM, dense, threads);
        if (!inputs) {
            std::fprintf(stderr, "%s\n", inputs.error().text().c_str());
            return 1;
        }
        for (const int chunk : {1, 8, 32, 256}) {
            SuperSchedule schedule = fixed_csr(Operator::SpMM, threads);
            schedule.chunk = chunk;
            const auto timeline = record_timeline(schedule, *inputs, *compiler, team);
            if (!timeline) {
                std::fprintf(stderr, "%s\n", timeline.error().text().c_str());
                return 1;
            }
            report["chunks"].push_back({{"dense", dense},
                                        {"chunk", chunk},
                                        {"chunks", timeline->chunks},
                                        {"intervals", timeline->intervals.size()},
                                        {"plain_ms", *timeline->plain_ms},
                                        {"overhead_percent", 100 * timeline->overhead->share},
                                        {"error_percent", 100 * timeline->overhead->error}});
        }
    }
    std::printf("%s\n", report.dump(2).c_str());
    return 0;
}
