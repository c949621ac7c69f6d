#include "domains/sparse/workflow/explanation/code_costs.h"

#include "base/memory.h"
#include "collection/measuring_domain.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/measured_clock.h"
#include "workflow/machines/measuring_turn.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>

namespace sparsight {

namespace {

bool is_head_of(const LoopNest& nest, const CostedLine& costed, std::string_view loop) {
    return costed.line.role == LineRole::Loop &&
           nest.variables[static_cast<std::size_t>(costed.line.variable)] == loop;
}

/// The head of the loop, of whole blocks where a branch has it twice; where the code has lost its name, the
/// update.
std::size_t line_of(const LineCosts& costs, std::string_view loop) {
    auto found = std::ranges::find_if(
        costs.lines, [&](const CostedLine& costed) { return is_head_of(costs.nest, costed, loop); });
    if (found == costs.lines.end())
        found = std::ranges::find_if(
            costs.lines, [](const CostedLine& costed) { return costed.line.role == LineRole::Update; });
    return static_cast<std::size_t>(found - costs.lines.begin());
}

void analyse(CodeCosts& code, const CodeCostsRequest& request) {
    if (request.cpu.empty()) {
        code.not_analysed = fmt::format("LLVM's name of the processor of {} is not known", code.machine);
        return;
    }
    const auto analyser = CodeAnalyser::make(request.cpu);
    if (!analyser) {
        code.not_analysed = analyser.error().message;
        return;
    }
    code.cpu = analyser->cpu();
    const LoopNest& nest = code.costs.nest;
    auto analysed = analyser->analyse_code(
        lower(canonical(request.schedule), nest.extents, analyser->target(), nest.fill));
    if (!analysed) {
        code.not_analysed = analysed.error().message;
        return;
    }
    code.assembly = std::move(analysed->assembly);
    if (const InstructionCost* const hot = hot_loop(analysed->loops))
        code.hot = HotLoop{*hot, line_of(code.costs, hot->loop)};
    else
        code.not_analysed = "the machine code has no loop that multiplies and adds";
}

Json terms_json(const SimulatedTime& time) {
    Json terms = Json::object();
    for (const TimeTerm term : all_time_terms())
        terms[std::string(name(term))] = time[term];
    return terms;
}

Json line_json(const CostedLine& costed, double total) {
    Json instructions = Json::object();
    for (const LineInstructions& kind : costed.instructions)
        instructions[std::string(parameter_info(kind.cycles).key)] = kind.count;
    const double milliseconds = costed.time.total();
    return {{"code", costed.line.text},
            {"ms", milliseconds},
            {"share", total > 0 ? milliseconds / total : 0},
            {"terms", terms_json(costed.time)},
            {"runs", costed.runs},
            {"instructions", std::move(instructions)},
            {"cycles", costed.cycles},
            {"l2_bytes", costed.l2_bytes},
            {"l3_bytes", costed.l3_bytes},
            {"memory_bytes", costed.memory_bytes}};
}

Json hot_json(const CodeCosts& code) {
    if (!code.hot)
        return {};
    const InstructionCost& cost = code.hot->cost;
    return {{"cpu", code.cpu},
            {"line", code.hot->line + 1},
            {"loop", cost.loop},
            {"instructions", cost.instructions},
            {"cycles", cost.cycles},
            {"multiply_adds", cost.multiply_adds},
            {"vector_bits", cost.vector_bits},
            {"bottleneck", cost.bottleneck},
            {"assembly", cost.assembly}};
}

} // namespace

Result<CodeCosts> code_costs(const CsrPattern& pattern, const CodeCostsRequest& request,
                             const std::stop_token& stop) {
    const auto profile = ProfiledPattern(pattern).profile(request.schedule, request.dense, stop);
    if (!profile)
        return std::unexpected(profile.error());
    const Extents extents =
        sparsight::extents(request.schedule.op, pattern.rows, pattern.cols, request.dense);
    CodeCosts code;
    code.machine = request.machine.name;
    code.costs = line_costs(request.schedule, extents, *profile,
                            parameters_with_threads(request.machine, request.threads));
    analyse(code, request);
    return code;
}

Result<HardwareCounts> count_hardware_events(const CsrPattern& pattern, const CodeCostsRequest& request,
                                             Observer& observer, const std::stop_token& stop) {
    const auto counters = HardwareCounters::open(); // before the team, whose threads it shall count
    if (!counters)
        return std::unexpected(counters.error());
    keep_freed_memory();
    const auto turn = measuring_turn(observer, stop);
    if (!turn)
        return std::unexpected(turn.error());
    auto workload =
        KernelInputs::make(pattern, request.schedule.op, request.dense, request.threads, operand_limit());
    if (!workload)
        return std::unexpected(std::move(workload.error()));
    auto compiler = KernelCompiler::make();
    if (!compiler)
        return std::unexpected(std::move(compiler.error()));
    try {
        constexpr int repeats = 3;
        Team team(request.threads);
        return count_runs(*counters, request.schedule, *workload, *compiler, team, repeats, stop);
    } catch (const std::system_error& error) {
        return fail(Fault::Environment,
                    fmt::format("{} threads can't be started: {}", request.threads, error.what()));
    }
}

std::string to_text(const CodeCosts& code) {
    const double total = code.costs.total.total();
    // Points below each other, and four digits of the sum.
    const int decimals =
        total > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(total))), 0, 9) : 3;
    std::string text = fmt::format("{:>10} {:>7}\n", "ms", "share");
    for (std::size_t at = 0; at < code.costs.lines.size(); ++at) {
        const CostedLine& costed = code.costs.lines[at];
        const double milliseconds = costed.time.total();
        const std::string cost = milliseconds > 0 ? fmt::format("{:>10.{}f} {:>5.1f} %", milliseconds,
                                                                decimals, 100 * milliseconds / total)
                                                  : std::string(18, ' ');
        std::string line = fmt::format("{}  {}", cost, costed.line.text);
        if (code.hot && code.hot->line == at)
            line += fmt::format("  // {:.2f} cycles an iteration on {}, by LLVM", code.hot->cost.cycles,
                                code.cpu);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    text +=
        fmt::format("{:>10.{}f} {:>5.1f} %  in all, simulated on {}\n", total, decimals, 100.0, code.machine);
    return text;
}

Json to_json(const CodeCosts& code) {
    const double total = code.costs.total.total();
    Json lines = Json::array();
    for (const CostedLine& costed : code.costs.lines)
        lines.push_back(line_json(costed, total));
    return {{"machine", code.machine},
            {"ms", total},
            {"terms", terms_json(code.costs.total)},
            {"lines", std::move(lines)},
            {"hot_loop", hot_json(code)},
            {"not_analysed", code.not_analysed.empty() ? Json() : Json(code.not_analysed)}};
}

} // namespace sparsight
