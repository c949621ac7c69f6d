#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/block_payload.h"
#include "domains/blocks/learning/networks/block_graph.h"
#include "domains/blocks/learning/networks/granite_encoder.h"
#include "domains/blocks/learning/vocabulary.h"
#include "model/checkpoints/json_fields.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sparsight {
namespace {

constexpr std::string_view unlisted_token = "<unknown>"; // learns from the words of few blocks
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

int granite_number(const OrderedJson& json, const char* key, int most) {
    const auto number = json_field<double>(json, key);
    if (!(number >= 1 && number <= most && number == std::floor(number)))
        throw JsonDefect{fmt::format("{} is {}, expected an integer from 1 to {}", key, number, most)};
    return static_cast<int>(number);
}

std::vector<std::string> granite_names(const OrderedJson& json, const char* key) {
    auto names = json_field<std::vector<std::string>>(json, key);
    if (names.empty())
        throw JsonDefect{fmt::format("{} is empty, expected at least one", key)};
    std::set<std::string_view> seen;
    for (const std::string& each : names)
        if (!seen.insert(each).second)
            throw JsonDefect{fmt::format("{} has {:?} twice", key, each.substr(0, 40))};
    return names;
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
        description.machines = granite_names(json, "machines");
        description.tokens = granite_names(json, "tokens");
        description.width = granite_number(json, "width", widest_granite);
        description.iterations = granite_number(json, "iterations", most_granite_iterations);
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
    settings.machines.clear();
    for (const Task& task : tasks.tasks)
        if (std::ranges::find(settings.machines, task.machine_name()) == settings.machines.end())
            settings.machines.push_back(task.machine_name());

    settings.tokens = frequent_words(tasks, workloads, [](std::span<const Instruction> block) {
        std::set<std::string> words;
        std::vector<GraphNode> nodes = graph_of(block).nodes;
        for (GraphNode& node : nodes)
            words.insert(std::move(node.token));
        return words;
    });
    settings.tokens.insert(settings.tokens.begin(), std::string(unlisted_token));

    std::map<std::size_t, std::size_t> instructions; // of each workload that can be read
    for (const std::size_t place : workloads)
        if (const auto payload = tasks.workloads[place].load())
            instructions.emplace(place,
                                 static_cast<const BlockPayload&>(**payload).block().instructions.size());
    double sum = 0;
    double count = 0;
    for (const Task& task : tasks.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes) {
            const auto known = instructions.find(runtimes.workload);
            if (known == instructions.end() || known->second == 0)
                continue;
            const bool is_global = settings.read_out == GraniteDescription::ReadOut::Global;
            const double parts = is_global ? 1 : static_cast<double>(known->second);
            for (const double milliseconds : runtimes.milliseconds)
                if (std::isfinite(milliseconds)) {
                    sum += std::log(milliseconds / parts);
                    ++count;
                }
        }
    settings.mean_log = count > 0 ? sum / count : 0;
    return settings;
}

} // namespace sparsight
