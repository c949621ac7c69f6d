// Lines of AutoTVM: the knobs of a template's configuration.
//
//   {"i": [target, task, args, kwargs, workload, {"i", "t", "c", "e": [[name, kind, value], …]}], "r", "v"}
//   {"input": [target, task, args, kwargs], "config": {"index", "code_hash", "entity": […]}, "result",
//    "version", "tvm_version"}
//
// The space is "autotvm", which the task parts (and its template, in the old form). The workload is the task
// with its arguments: "conv2d_nchw.cuda(1x64x56x56:float32,…)". A split of a loop is "6x1x32x1".
#include "domains/records/formats/tvm_log.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {
namespace {

/// "1x64x56x56:float32" of a tensor; lists in brackets; texts as they are.
std::string argument_text(const Json& argument) {
    if (argument.is_null())
        return "none";
    if (!argument.is_array())
        return decision_text(argument);
    const bool is_tensor =
        argument.size() == 3 && argument[0] == "TENSOR" && argument[1].is_array() && argument[2].is_string();
    if (is_tensor)
        return fmt::format("{}:{}", argument[1].empty() ? "scalar" : sizes_text(argument[1]),
                           argument[2].get<std::string>());
    std::vector<std::string> parts;
    for (const Json& each : argument)
        parts.push_back(argument_text(each));
    return fmt::format("[{}]", fmt::join(parts, ","));
}

std::string knob_text(const Json& kind, const Json& value) {
    if (kind == "sp")
        return sizes_text(value);
    if (!value.is_array() || value.empty())
        return decision_text(value);
    std::vector<std::string> parts;
    for (const Json& each : value)
        parts.push_back(decision_text(each));
    return fmt::format("{}", fmt::join(parts, ","));
}

std::string decode_knobs(const Json& knobs, DecisionValues& into) {
    if (!knobs.is_array())
        return fmt::format("the configuration: found {}, expected a list of its knobs", kind_of(knobs));
    for (const Json& knob : knobs) {
        if (!knob.is_array() || knob.size() != 3 || !knob[0].is_string())
            return fmt::format("the configuration: found a knob {}, expected [name, kind, value]",
                               knob.is_array() ? knob.dump().substr(0, 40) : kind_of(knob));
        into.emplace_back(knob[0].get<std::string>(), knob_text(knob[1], knob[2]));
    }
    return {};
}

} // namespace

std::string decode_task(const Json& line, std::string_view space, TvmLine& into) {
    const Json* const new_input = member_of(line, "input");
    const Json& input = new_input != nullptr ? *new_input : line["i"];
    const std::size_t least = new_input != nullptr ? 3 : 6;
    if (!input.is_array() || input.size() < least || !input[1].is_string())
        return fmt::format("the input: expected a list of target, task and arguments ({} or more values)",
                           least);
    const Json* const config = new_input != nullptr ? member_of(line, "config") : &input[5];
    const Json* const knobs =
        config != nullptr ? member_of(*config, new_input != nullptr ? "entity" : "e") : nullptr;
    if (knobs == nullptr)
        return "there is no configuration with its knobs (\"entity\" or \"e\")";
    into.target = &input[0];
    into.result = member_of(line, new_input != nullptr ? "result" : "r");
    into.facts.push_back({"task", input[1].get<std::string>()});
    add_facts(into.facts, "arg", input[2]);

    ParsedRecord& record = into.record;
    record.space = space.empty() ? "autotvm" : space;
    record.variant = input[1].get<std::string>();
    std::vector<std::string> arguments;
    for (const Json& each : input[2])
        arguments.push_back(argument_text(each));
    if (input.size() > 3 && input[3].is_object())
        for (const auto& [name, value] : input[3].items())
            arguments.push_back(fmt::format("{}={}", name, argument_text(value)));
    record.workload = fmt::format("{}({})", record.variant, fmt::join(arguments, ","));
    if (std::string part = text_member(*config, "t"); !part.empty())
        record.variant += "/" + part;
    if (std::string flaw = decode_knobs(*knobs, record.decisions); !flaw.empty())
        return flaw;
    if (record.decisions.empty()) { // a template without knobs has one configuration
        const Json* const index = member_of(*config, new_input != nullptr ? "index" : "i");
        record.decisions.emplace_back("index", index != nullptr ? index->dump() : "0");
    }
    return {};
}

} // namespace sparsight
