// Lines of TVM's auto-scheduler (Ansor, TenSet): the steps that transform a program.
//
//   {"i": [[workload key, target, hardware, host, layout rewriting, inputs], [[], [step, …]]], "r", "v"}
//
// A step is [kind, stage, …]. Its decision is named by its place, kind, stage and, where it has one, loop:
// "07.SP.2.0". The value is the rest of the step, so that two lists of steps are never one configuration:
//   SP   the split of a loop: "1x64x8"; its extent, which belongs to the workload, is "07.SP.2.0.extent"
//   PR   a pragma: "31.PR.2.0.auto_unroll_max_step" is 64
//   all  others: what follows, with commas: "04.RE.2" is "[0,3,1,4,2,5]"
// The space is "ansor", which the computation parts: the first word of the workload key.
#include "domains/records/formats/tvm_log.h"
#include "domains/records/record_space.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {
namespace {

std::string joined(const Json& step, std::size_t first) {
    std::vector<std::string> parts;
    for (std::size_t place = first; place < step.size(); ++place)
        parts.push_back(step[place].is_string() && step[place].get_ref<const std::string&>().contains(',')
                            ? step[place].dump()
                            : decision_text(step[place]));
    return fmt::format("{}", fmt::join(parts, ","));
}

bool is_size(const Json& value) {
    return value.is_number_integer();
}

/// ["SP", stage, loop, extent, [sizes], from the inside]
bool is_split(const Json& step) {
    return step[0] == "SP" && step.size() == 6 && is_size(step[2]) && is_size(step[3]) &&
           step[4].is_array() && !step[4].empty() && std::ranges::all_of(step[4], is_size) &&
           is_size(step[5]);
}

/// ["PR", stage, loop, "name$value"]
bool is_named_pragma(const Json& step) {
    if (step[0] != "PR" || step.size() != 4 || !is_size(step[2]) || !step[3].is_string())
        return false;
    const auto& pragma = step[3].get_ref<const std::string&>();
    const std::size_t dollar = pragma.find('$');
    if (dollar == std::string::npos || !is_decision_name(pragma.substr(0, dollar)))
        return false;
    const std::string value = pragma.substr(dollar + 1);
    return !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; }) &&
           canonical_value(value) == value;
}

/// Whether the number behind the stage is a loop, and something else follows it.
bool names_a_loop(const Json& step) {
    constexpr std::array<std::string_view, 7> kinds{"AN", "PR", "SP", "FSP", "FFSP", "RF", "SA"};
    return step.size() > 3 && is_size(step[2]) &&
           std::ranges::find(kinds, step[0].get<std::string>()) != kinds.end();
}

std::string decode_step(const Json& step, std::size_t place, DecisionValues& into) {
    if (!step.is_array() || step.size() < 2 || !step[0].is_string() || !is_size(step[1]))
        return fmt::format("step {}: expected a list of its kind, its stage and more", place);
    std::string name = fmt::format("{:02}.{}", place, step[0].get<std::string>());
    if (step.size() == 2) { // inlined as a whole
        into.emplace_back(std::move(name), step[1].dump());
        return {};
    }
    name += "." + step[1].dump();
    if (!names_a_loop(step)) {
        into.emplace_back(std::move(name), joined(step, 2));
        return {};
    }
    name += "." + step[2].dump();
    if (is_named_pragma(step)) {
        const auto& pragma = step[3].get_ref<const std::string&>();
        const std::size_t dollar = pragma.find('$');
        into.emplace_back(name + "." + pragma.substr(0, dollar), pragma.substr(dollar + 1));
    } else if (is_split(step)) {
        into.emplace_back(name + ".extent", step[3].dump());
        if (step[5] != 1)
            into.emplace_back(name + ".inner", step[5].dump());
        into.emplace_back(std::move(name), sizes_text(step[4]));
    } else {
        into.emplace_back(std::move(name), joined(step, 3));
    }
    return {};
}

/// "matmul(512,512,512)" of the key ["matmul",512,512,512], which is a text.
std::string decode_key(const Json& key, std::string_view space, TvmLine& into) {
    if (!key.is_string())
        return fmt::format("the workload key: found {}, expected a text", kind_of(key));
    const auto& text = key.get_ref<const std::string&>();
    ParsedRecord& record = into.record;
    record.space = space.empty() ? "ansor" : space;
    const auto parsed = parse_json({text, 0});
    if (!parsed || !parsed->is_array() || parsed->empty() || !parsed->front().is_string()) {
        record.variant = record.workload = text; // an older key: a hash alone
        return {};
    }
    record.variant = parsed->front().get<std::string>();
    record.workload = fmt::format("{}({})", record.variant, joined(*parsed, 1));
    into.facts.push_back({"computation", record.variant});
    Json arguments = Json::array();
    for (std::size_t place = 1; place < parsed->size(); ++place)
        arguments.push_back((*parsed)[place]);
    add_facts(into.facts, "arg", arguments);
    return {};
}

} // namespace

std::string decode_transform_steps(const Json& line, std::string_view space, TvmLine& into) {
    const Json& input = line["i"];
    const bool has_both = input.is_array() && input.size() == 2 && input[0].is_array() &&
                          input[0].size() >= 2 && input[1].is_array() && input[1].size() == 2 &&
                          input[1][1].is_array();
    if (!has_both)
        return "\"i\": expected [[workload key, target, …], [[], [steps]]]";
    const Json& task = input[0];
    into.target = &task[1];
    into.result = member_of(line, "r");
    if (std::string flaw = decode_key(task[0], space, into); !flaw.empty())
        return flaw;
    DecisionValues& decisions = into.record.decisions;
    if (!input[1][0].empty())
        decisions.emplace_back("stages", input[1][0].dump());
    if (task.size() > 4 && is_size(task[4]) && task[4] != 0)
        decisions.emplace_back("layout_rewriting", task[4].dump());
    const Json& steps = input[1][1];
    decisions.emplace_back("steps", std::to_string(steps.size()));
    for (std::size_t place = 0; place < steps.size(); ++place)
        if (std::string flaw = decode_step(steps[place], place, decisions); !flaw.empty())
            return flaw;
    return {};
}

} // namespace sparsight
