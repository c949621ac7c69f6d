#include "domains/sparse/explanation/reasons/model_reasons_json.h"

#include "domains/sparse/explanation/reasons/model_reasons_members.h"

namespace sparsight {

nlohmann::ordered_json model_reasons_json(const ModelReasons& reasons) {
    return reasons_json::Writer(sparse_subject_words()).written(reasons);
}

Result<ModelReasons> parse_model_reasons(const nlohmann::ordered_json& json) {
    return reasons_json::read_json<ModelReasons>(json, sparse_subject_words());
}

} // namespace sparsight
