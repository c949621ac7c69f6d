// What reasons of a model are asked for.
#pragma once

#include "base/quantity.h"
#include "evaluation/model_reasons/model_reasons.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

struct ReasonsRequest {
    std::string model;
    std::string matrix;
    std::string schedule;        ///< csr, best, or a line in WACO's form
    std::string against = "csr"; ///< likewise
    std::string machine;         ///< name, fingerprint, or a preset; empty: this computer
    std::int64_t dense = 256;
    std::vector<ReasonPart> parts; ///< empty: all
    Seconds budget{60};            ///< of all parts together
    std::int64_t cells = 16;       ///< of the grid, in each direction
    std::uint64_t seed = 1;
    int threads = 1;

    [[nodiscard]] bool asks_for(ReasonPart part) const;
};

} // namespace sparsight
