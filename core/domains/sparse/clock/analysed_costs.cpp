#include "domains/sparse/clock/analysed_costs.h"

#include "domains/sparse/clock/kernel_module.h"
#include "domains/sparse/clock/machine_code.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace sparsight {

struct CodeAnalyser::State {
    explicit State(NamedProcessor named)
        : processor(std::move(named))
        , instruction_set(processor) {}

    NamedProcessor processor;
    InstructionSet instruction_set;

    [[nodiscard]] Result<KernelModule> module(const LoopNest& nest) const {
        return kernel_module(nest, processor.shape, *processor.code_generator, std::string(name(nest.op)));
    }
};

CodeAnalyser::CodeAnalyser(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CodeAnalyser::~CodeAnalyser() = default;
CodeAnalyser::CodeAnalyser(CodeAnalyser&&) noexcept = default;
CodeAnalyser& CodeAnalyser::operator=(CodeAnalyser&&) noexcept = default;

Result<CodeAnalyser> CodeAnalyser::make(std::string_view cpu) {
    auto processor = find_processor(cpu);
    if (!processor)
        return std::unexpected(std::move(processor).error());
    return CodeAnalyser(std::make_unique<State>(std::move(*processor)));
}

std::string_view CodeAnalyser::cpu() const {
    return state_->processor.cpu;
}

std::string_view CodeAnalyser::architecture() const {
    return state_->processor.architecture;
}

const KernelTarget& CodeAnalyser::target() const {
    return state_->processor.shape;
}

Result<AnalysedCode> CodeAnalyser::analyse_code(const LoopNest& nest) const {
    auto module = state_->module(nest);
    if (!module)
        return std::unexpected(std::move(module).error());
    auto arithmetic = arithmetic_of_loops(*module->module);
    auto assembly = assembly_of(*module->module, *state_->processor.code_generator);
    if (!assembly)
        return std::unexpected(std::move(assembly).error());
    const auto loops = loops_in(*assembly, state_->processor, state_->instruction_set);
    if (!loops)
        return std::unexpected(loops.error());
    std::vector<InstructionCost> costs;
    for (const MachineLoop& loop : *loops) {
        auto throughput = throughput_of(loop.instructions, state_->processor, state_->instruction_set);
        if (!throughput)
            return std::unexpected(std::move(throughput).error());
        constexpr int float_bits = 32;
        const LoopArithmetic of_loop = arithmetic[loop.block];
        costs.push_back({loop_of_block(loop.block), loop.depth, loop.innermost,
                         static_cast<int>(loop.instructions.size()), throughput->cycles,
                         of_loop.multiply_adds, of_loop.lanes > 1 ? float_bits * of_loop.lanes : 0,
                         std::move(throughput->bottleneck), loop.text});
    }
    return AnalysedCode{std::move(costs), *std::move(assembly)};
}

Result<std::vector<InstructionCost>> CodeAnalyser::analyse(const LoopNest& nest) const {
    auto code = analyse_code(nest);
    if (!code)
        return std::unexpected(std::move(code).error());
    return std::move(code->loops);
}

const InstructionCost* hot_loop(std::span<const InstructionCost> loops) {
    const auto most = std::ranges::max_element(loops, {}, &InstructionCost::multiply_adds);
    return most == loops.end() || most->multiply_adds == 0 ? nullptr : &*most;
}

Result<std::string> CodeAnalyser::print_assembly(const LoopNest& nest) const {
    auto module = state_->module(nest);
    if (!module)
        return std::unexpected(std::move(module).error());
    return assembly_of(*module->module, *state_->processor.code_generator);
}

std::vector<std::string> analysed_processors(std::string_view architecture) {
    return processors_with_model(architecture);
}

namespace {

using P = MachineParameter;

constexpr std::array replaced{P::CompressedIteration, P::DenseIteration, P::VectorStart,  P::TiledVector,
                              P::UpdatedVector,       P::TiledScalar,    P::UpdatedScalar};
constexpr std::int64_t rows = 4096;
/// Of C in a loop: every processor's registers hold as many, and no loop of them is left in the code.
constexpr std::array<std::int64_t, 5> vectors_of_c{1, 2, 4, 8, 12};

/// i k j, or i k for SpMV, with k in the given format.
SuperSchedule by_rows(Operator op, LevelFormat column) {
    SuperSchedule schedule = fixed_csr(op, 1);
    schedule.formats[2] = column;
    return schedule;
}

/// k i j, or k i: each entry updates another row of C.
SuperSchedule by_columns(Operator op) {
    SuperSchedule schedule = fixed_csr(op, 1);
    schedule.formats = {LevelFormat::Compressed, LevelFormat::Uncompressed, LevelFormat::Uncompressed,
                        LevelFormat::Uncompressed};
    std::rotate(schedule.order.begin(), schedule.order.begin() + 2, schedule.order.begin() + 4);
    return schedule;
}

/// Cycles of so many vectors in a loop: what it takes without any, and for each.
struct Line {
    double start = 0;
    double slope = 0;
};

class CostFinder {
public:
    explicit CostFinder(const CodeAnalyser& analyser)
        : analyser_(analyser) {}

    Result<std::map<P, double>> run() {
        const Line tiled = line(by_rows(Operator::SpMM, LevelFormat::Compressed));
        const Line uncompressed = line(by_rows(Operator::SpMM, LevelFormat::Uncompressed));
        const Line updated = line(by_columns(Operator::SpMM));
        const double scalar = cycles(by_rows(Operator::SpMV, LevelFormat::Compressed), 1);
        const double updated_scalar = cycles(by_columns(Operator::SpMV), 1);
        if (error_)
            return std::unexpected(*error_);
        const double iteration = typical(P::CompressedIteration);
        const double compressed =
            std::min(tiled.start * iteration / (iteration + typical(P::VectorStart)), updated_scalar / 2);
        set(P::TiledVector, tiled.slope);
        set(P::UpdatedVector, updated.slope);
        set(P::CompressedIteration, compressed);
        set(P::VectorStart, tiled.start - compressed);
        set(P::DenseIteration, uncompressed.start - (tiled.start - compressed));
        set(P::TiledScalar, scalar - compressed);
        set(P::UpdatedScalar, updated_scalar - compressed);
        return std::move(costs_);
    }

private:
    static double typical(P parameter) { return parameter_info(parameter).typical; }

    void set(P parameter, double cycles) {
        const ParameterInfo& info = parameter_info(parameter);
        costs_[parameter] = std::clamp(cycles, info.lowest, info.highest);
    }

    /// Of an iteration of the innermost loop that computes.
    double cycles(const SuperSchedule& schedule, std::int64_t dense) {
        if (error_)
            return 0;
        const auto costs =
            analyser_.analyse(lower(schedule, extents(schedule.op, rows, rows, dense), analyser_.target()));
        if (!costs) {
            error_ = costs.error();
            return 0;
        }
        const InstructionCost* const innermost = hot_loop(*costs);
        if (innermost == nullptr) {
            error_ = Error{Fault::Internal, "the code has no loop that multiplies and adds", {}, 0};
            return 0;
        }
        return innermost->cycles;
    }

    /// Least squares.
    Line line(const SuperSchedule& schedule) {
        double sum_x = 0, sum_y = 0, squares = 0, products = 0;
        for (const std::int64_t vectors : vectors_of_c) {
            const double y = cycles(schedule, vectors * analyser_.target().lanes);
            const auto x = static_cast<double>(vectors);
            sum_x += x;
            sum_y += y;
            squares += x * x;
            products += x * y;
        }
        constexpr double n = vectors_of_c.size();
        const double slope = (n * products - sum_x * sum_y) / (n * squares - sum_x * sum_x);
        return {std::max(0.0, (sum_y - slope * sum_x) / n), slope};
    }

    const CodeAnalyser& analyser_;
    std::map<P, double> costs_;
    std::optional<Error> error_;
};

} // namespace

std::span<const MachineParameter> analysed_parameters() {
    return replaced;
}

Result<AnalysedCosts> analysed_costs(std::string_view cpu) {
    const auto analyser = CodeAnalyser::make(cpu);
    if (!analyser)
        return std::unexpected(analyser.error());
    auto cycles = CostFinder(*analyser).run();
    if (!cycles)
        return std::unexpected(std::move(cycles).error());
    return AnalysedCosts{std::string(analyser->cpu()), *std::move(cycles)};
}

Result<std::string> set_analysed_costs(MachineDescription& machine, std::string_view cpu) {
    const auto analyser = CodeAnalyser::make(cpu);
    if (!analyser)
        return std::unexpected(analyser.error());
    const int lanes = analyser->target().lanes;
    if (machine.float_lanes && *machine.float_lanes != lanes)
        return fail(Fault::Input,
                    fmt::format("code for '{}' works on {} floats at a time, and the machine '{}' on {}",
                                analyser->cpu(), lanes, machine.name, *machine.float_lanes));
    const auto costs = CostFinder(*analyser).run();
    if (!costs)
        return std::unexpected(costs.error());
    for (const auto& [parameter, cycles] : *costs)
        machine.coefficients[parameter] = cycles;
    return std::string(analyser->cpu());
}

} // namespace sparsight
