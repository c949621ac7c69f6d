// The four tests of the meta-learning report (Nyberg, "WACO with Meta-Learning", 2024), as its Table 2 with
// ours beside it: WACO and the meta-trained model on the machine that they learned on, WACO and the
// fine-tuned meta-trained model on another one.
#pragma once

#include "evaluation/model_evaluation.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace sparsight {

struct MetaLearningReport {
    ModelEvaluation first;  ///< of WACO's model and the meta-trained one, in this order
    ModelEvaluation second; ///< of WACO's model and the fine-tuned one, on the other machine
    std::string created_by;
};

struct ReportRow {
    std::string_view model; ///< as the report calls it
    std::string_view data;
    double reported = 0; ///< mean relative speedup over fixed CSR
    std::string our_model;
    std::string our_machine;
    std::optional<Estimate> ours{}; ///< absent where no matrix has times
};

[[nodiscard]] std::array<ReportRow, 4> report_table_2(const MetaLearningReport& experiment);

[[nodiscard]] std::string experiment_text(const MetaLearningReport& experiment);
[[nodiscard]] std::string experiment_markdown(const MetaLearningReport& experiment);
/// With figures 6 and 7: the speedup of every matrix on the first and on the second machine.
[[nodiscard]] std::string experiment_html(const MetaLearningReport& experiment);
[[nodiscard]] nlohmann::ordered_json experiment_json(const MetaLearningReport& experiment);

} // namespace sparsight
