#include "learning/transfer/launch_features.h"

#include "learning/decisions/decision_input.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {
namespace {

using Numbers = std::map<std::string, double, std::less<>>;

double number_of(const Numbers& decisions, std::string_view name, double otherwise) {
    const auto found = decisions.find(name);
    return found == decisions.end() ? otherwise : found->second;
}

constexpr double bytes_of_float = 4;

/// CLBlast's matrix product (Nugteren, "CLBlast: a tuned OpenCL BLAS library", IWOCL 2018): a block computes
/// a tile of MWG × NWG results, and keeps parts of either matrix in shared memory where SA and SB say so.
Launch launch_of_product(const Numbers& decisions) {
    constexpr double usual_depth = 32; // KWG
    Launch launch;
    const double rows = number_of(decisions, "MWG", 1);
    const double columns = number_of(decisions, "NWG", 1);
    launch.threads = number_of(decisions, "MDIMC", 1) * number_of(decisions, "NDIMC", 1);
    launch.work = rows * columns / launch.threads;
    launch.shared = bytes_of_float * number_of(decisions, "KWG", usual_depth) *
                    (number_of(decisions, "SA", 0) * rows + number_of(decisions, "SB", 0) * columns);
    return launch;
}

/// Blocks of threads that each compute a tile. In two dimensions the tile of a block is in shared memory.
Launch launch_of_tiles(const Numbers& decisions) {
    Launch launch;
    std::size_t dimensions = 0;
    for (const auto& [name, number] : decisions) {
        if (name.starts_with("block_size")) {
            launch.threads *= number;
            ++dimensions;
        }
        if (name.starts_with("tile_size"))
            launch.work *= number;
    }
    if (dimensions > 1 && number_of(decisions, "use_shmem", 1) > 0)
        launch.shared = bytes_of_float * launch.threads * launch.work;
    return launch;
}

double fact(const MachineSheet& sheet, std::string_view name, double otherwise) {
    const auto found = sheet.numbers.find(name);
    return found == sheet.numbers.end() ? otherwise : found->second;
}

} // namespace

std::vector<Launch> launches_of(const TimedSpace& space) {
    const auto has = [&](std::string_view name) {
        return std::ranges::find(space.decisions, name) != space.decisions.end();
    };
    const bool is_product = has("MWG") && has("NWG") && has("MDIMC") && has("NDIMC");
    if (!is_product && !has("block_size_x"))
        return {};
    std::vector<Launch> launches;
    for (const auto& row : space.choices) {
        Numbers decisions;
        for (std::size_t decision = 0; decision < space.decisions.size(); ++decision)
            if (row[decision] < space.values[decision].size())
                if (const auto number = decision_number(space.values[decision][row[decision]]);
                    number && *number >= 0)
                    decisions.emplace(space.decisions[decision], *number);
        launches.push_back(is_product ? launch_of_product(decisions) : launch_of_tiles(decisions));
    }
    return launches;
}

std::array<float, launch_feature_count> launch_features(const Launch& launch, const MachineSheet& sheet) {
    // Limits of a multiprocessor of CUDA's compute capabilities 3.0 to 8.0, and of about any other.
    constexpr double most_threads = 2048;
    constexpr double most_blocks = 32;
    constexpr double registers = 65'536;
    constexpr double registers_of_address = 24; ///< of a thread, beside one for each result
    constexpr double usual_warp = 32;
    constexpr double usual_cores = 50;
    constexpr double usual_shared_kb = 64;
    const double warp = fact(sheet, "warp_size", usual_warp);
    const double shared = 1024 * fact(sheet, "l1_kb", usual_shared_kb);
    const double threads = std::max(launch.threads, 1.0);
    const double in_warps = std::ceil(threads / warp) * warp;
    double blocks = std::min(most_blocks, std::floor(most_threads / in_warps));
    blocks = std::min(blocks, std::floor(registers / ((registers_of_address + launch.work) * in_warps)));
    if (launch.shared > 0)
        blocks = std::min(blocks, std::floor(shared / launch.shared));
    const double held = std::max(blocks, 1.0) * threads * std::max(launch.work, 1.0);
    return {static_cast<float>(threads),
            static_cast<float>(launch.work),
            static_cast<float>(launch.shared / shared),
            static_cast<float>(threads / in_warps),
            static_cast<float>(blocks),
            static_cast<float>(blocks * in_warps / most_threads),
            static_cast<float>(std::log(held * fact(sheet, "cores", usual_cores)))};
}

} // namespace sparsight
