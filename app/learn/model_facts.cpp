#include "learn/model_facts.h"

#include "base/quantity.h"
#include "command/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

Json model_json(const ModelFacts& model) {
    const TrainingRecord& training = model.description.training;
    return {{"name", model.record.name},
            {"architecture", architecture_name(model.description)},
            {"operator", name(model.description.op())},
            {"method", training.method},
            {"machines", training.machines},
            {"matrices", training.matrices.size()},
            {"metrics", training.metrics},
            {"parent", model.parent.empty() ? Json() : Json(model.parent)},
            {"run", model.record.run ? Json(static_cast<std::int64_t>(*model.record.run)) : Json()},
            {"bytes", model.record.bytes},
            {"created", model.record.created}};
}

std::string metric_text(const ModelDescription& model, const std::string& metric) {
    const auto found = model.training.metrics.find(metric);
    if (found == model.training.metrics.end())
        return "-";
    return metric.starts_with("speedup") ? fmt::format("{:.2f}x", found->second)
                                         : fmt::format("{:.3f}", found->second);
}

std::string model_table(const std::vector<ModelFacts>& models) {
    Table table({{"model"},
                 {"architecture"},
                 {"operator"},
                 {"method"},
                 {"pairs in order", Align::Right},
                 {"best of 20", Align::Right},
                 {"size", Align::Right},
                 {"machines"}});
    for (const ModelFacts& model : models)
        table.add_row({model.record.name, std::string(architecture_name(model.description)),
                       std::string(name(model.description.op())), model.description.training.method,
                       metric_text(model.description, "ordered_pair_accuracy"),
                       metric_text(model.description, "speedup_at_20"), format_bytes(model.record.bytes),
                       fmt::format("{}", fmt::join(model.description.training.machines, ", "))});
    return table.text();
}

} // namespace sparsight
