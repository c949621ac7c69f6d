#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/networks/block_graph.h"
#include "domains/blocks/learning/networks/granite_encoder.h"
#include "domains/blocks/learning/networks/learned_facts.h"
#include "model/checkpoints/json_fields.h"

#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace sparsight {
namespace {

constexpr int widest_granite = 4096;
constexpr int most_granite_iterations = 64;

std::string_view name(GraniteDescription::ReadOut read_out) {
    return read_out == GraniteDescription::ReadOut::Global ? "global" : "instructions";
}

std::optional<GraniteDescription::ReadOut> parse_read_out(std::string_view text) {
    for (const auto read_out :
         {GraniteDescription::ReadOut::Instructions, GraniteDescription::ReadOut::Global})
        if (text == name(read_out))
            return read_out;
    return std::nullopt;
}

} // namespace

std::string_view granite_variant_of(const GraniteDescription& description) {
    if (!description.has_edge_types)
        return granite_untyped_architecture;
    if (description.read_out == GraniteDescription::ReadOut::Global)
        return granite_global_architecture;
    return description.iterations == short_iterations ? granite_short_architecture : granite_architecture;
}

ModelArchitecture architecture_of(const GraniteDescription& description) {
    const OrderedJson json{{"machines", description.machines},
                           {"tokens", description.tokens},
                           {"width", description.width},
                           {"iterations", description.iterations},
                           {"has_edge_types", description.has_edge_types},
                           {"read_out", name(description.read_out)},
                           {"mean_log", description.mean_log}};
    return {std::string(granite_variant_of(description)), json.dump(), std::string(blocks_domain)};
}

Result<GraniteDescription> read_granite(const ModelArchitecture& architecture) {
    if (architecture.domain != blocks_domain)
        return fail(Fault::Input,
                    fmt::format("domain is {:?}, expected {:?}", architecture.domain, blocks_domain));
    try {
        const auto json = OrderedJson::parse(architecture.input, nullptr, /*allow_exceptions=*/false);
        GraniteDescription description;
        description.machines = json_names(json, "machines");
        description.tokens = json_names(json, "tokens");
        description.width = json_count(json, "width", widest_granite);
        description.iterations = json_count(json, "iterations", most_granite_iterations);
        description.has_edge_types = json_field<bool>(json, "has_edge_types");
        description.read_out = json_name(json, "read_out", parse_read_out);
        description.mean_log = json_field<double>(json, "mean_log");
        return description;
    } catch (const JsonDefect& defect) {
        return fail(Fault::Input, defect.text);
    }
}

GraniteDescription fit_granite(const TaskSet& tasks, std::span<const std::size_t> workloads,
                               GraniteDescription settings) {
    settings.machines = learned_machines(tasks);
    settings.tokens = learned_words(tasks, workloads, [](std::span<const Instruction> block) {
        std::set<std::string> words;
        std::vector<GraphNode> nodes = graph_of(block).nodes;
        for (GraphNode& node : nodes)
            words.insert(std::move(node.token));
        return words;
    });
    settings.mean_log = settings.read_out == GraniteDescription::ReadOut::Global
                            ? mean_log_time(tasks, workloads)
                            : mean_log_time_of_instructions(tasks, workloads);
    return settings;
}

} // namespace sparsight
