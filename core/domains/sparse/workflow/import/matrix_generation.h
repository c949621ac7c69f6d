// Generated matrices, into the workspace.
#pragma once

#include "base/observer.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "store/workspace.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The report's whole collection, which is offered beside the families.
inline constexpr std::string_view simulated_matrices_name = "simulated-matrices";

struct GenerationRequest {
    std::string family;
    ParameterValues values{};
    std::optional<int> count; ///< absent: one, or as many as the collection has
    std::string name;         ///< of the matrices; empty: the family's
    std::uint64_t seed = 1;
};

struct GeneratedMatrix {
    std::string name;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
    std::string source;
    bool already_there = false;
};

/// {"name", "rows", "cols", "nnz", "source", "already_there"}.
[[nodiscard]] Json generated_json(const GeneratedMatrix& matrix);

struct GeneratedMatrices {
    std::vector<GeneratedMatrix> matrices;
    std::vector<Error> failed;
    bool is_complete = false; ///< all that were asked for were made or have failed

    [[nodiscard]] std::int64_t known() const;
};

/// Each is stored when it is made, and told as the event "simulated"; one that can't be made, or whose name
/// is taken, is complained about and told as "failed". Errors: those of the workspace; for the collection,
/// values that it can't be made of.
[[nodiscard]] Result<GeneratedMatrices> generate_matrices(Workspace& workspace,
                                                          const GenerationRequest& request,
                                                          Observer& observer, const std::stop_token& stop);

} // namespace sparsight
