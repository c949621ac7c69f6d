// LLVM's tables of a processor as a copy of our own, whose numbers can be changed.
#pragma once

#include "base/error.h"
#include "domains/blocks/decoder/code_target.h"
#include "domains/blocks/simulator/simulator_table.h"

#include <cstddef>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace sparsight {

/// What LLVM-MCA reads of a processor: its dispatch width, its reorder buffer, and the micro-operations,
/// latencies, read advances and resources of each scheduling class. Not thread-safe.
///
/// LLVM writes a use of a port into all groups that contain it as well. Here the cycles of a group are those
/// that are asked of the group itself.
class ProcessorTables {
public:
    /// `machine` is a short name of microarchitectures. The target must outlive the tables. Error (Input): no
    /// such machine, or LLVM has no scheduling model of it.
    [[nodiscard]] static Result<ProcessorTables> copy(const CodeTarget& target, std::string_view machine);
    ~ProcessorTables();
    ProcessorTables(ProcessorTables&&) noexcept;
    ProcessorTables& operator=(ProcessorTables&&) noexcept;

    /// LLVM's own numbers, of all classes.
    [[nodiscard]] const SimulatorTable& original() const;
    /// The processor with the numbers that were set last.
    [[nodiscard]] const llvm::MCSubtargetInfo& subtarget() const;

    /// Within parameter_bounds().
    void set_processor(const ProcessorValues& values);
    void set_class(std::size_t place, std::span<const int> values);

    /// The place of the class of an instruction, whose operands may matter (xor eax, eax). Absent where LLVM
    /// has none.
    [[nodiscard]] std::optional<std::size_t> class_of(const llvm::MCInst& instruction) const;

private:
    struct State;
    explicit ProcessorTables(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace sparsight
