// LLVM's tables of x86-64: what opcodes and registers are, how they are decoded and printed.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/instruction.h"
#include "domains/blocks/decoder/block_decoder.h"

#include <cstdint>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Triple.h>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

class CodeTarget {
public:
    /// Error (Environment): LLVM was built without x86.
    [[nodiscard]] static Result<std::unique_ptr<CodeTarget>> make();
    CodeTarget(const CodeTarget&) = delete;
    CodeTarget& operator=(const CodeTarget&) = delete;
    ~CodeTarget() = default;

    [[nodiscard]] const llvm::Target& target() const { return target_; }
    [[nodiscard]] const llvm::Triple& triple() const { return triple_; }
    [[nodiscard]] const llvm::MCTargetOptions& options() const { return options_; }
    [[nodiscard]] const llvm::MCRegisterInfo& registers() const { return *registers_; }
    [[nodiscard]] const llvm::MCInstrInfo& instructions() const { return *instructions_; }
    [[nodiscard]] const llvm::MCSubtargetInfo& subtarget() const { return *subtarget_; }

    /// The register of LLVM's number; not 0, which is no register.
    [[nodiscard]] const Register& reg(unsigned number) const { return named_[number]; }
    /// The number of the part of a whole register that has so many bits, the low byte where there are two.
    [[nodiscard]] std::optional<unsigned> part(const std::string& whole, int bits) const;

    struct Decoded {
        /// Those that LLVM decodes as instructions of their own, though they are part of this one: lock, rep.
        std::vector<llvm::MCInst> prefixes;
        llvm::MCInst instruction;
        std::size_t size = 0; ///< bytes, with the prefixes
    };
    /// Error (Input): the bytes begin no instruction.
    [[nodiscard]] Result<Decoded> decode(std::span<const std::uint8_t> code, std::size_t offset) const;
    [[nodiscard]] MachineCode encode(const Decoded& decoded) const;
    /// The same instruction in the form that loads its second operand, as "{load}" asks for: 3b c8 where 39
    /// c1 is usual. Absent where there is only one form.
    [[nodiscard]] std::optional<MachineCode> encode_loading(const Decoded& decoded) const;
    /// Words are parted by single blanks; no tabs.
    [[nodiscard]] std::string print(const Decoded& decoded, AssemblySyntax syntax) const;

private:
    explicit CodeTarget(const llvm::Target& target);
    void name_registers();
    [[nodiscard]] bool is_prefix(const llvm::MCInst& instruction) const;

    const llvm::Target& target_;
    llvm::Triple triple_;
    llvm::MCTargetOptions options_;
    std::unique_ptr<llvm::MCRegisterInfo> registers_;
    std::unique_ptr<llvm::MCAsmInfo> syntax_;
    std::unique_ptr<llvm::MCInstrInfo> instructions_;
    std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
    std::unique_ptr<llvm::MCContext> context_;
    std::unique_ptr<llvm::MCDisassembler> disassembler_;
    std::map<AssemblySyntax, std::unique_ptr<llvm::MCInstPrinter>> printers_;
    std::unique_ptr<llvm::MCCodeEmitter> emitter_;
    std::vector<Register> named_;
    std::map<std::pair<std::string, int>, unsigned> parts_; ///< by whole and bits
    std::map<std::string, unsigned> loading_forms_;         ///< opcodes, by the name of the usual form
};

} // namespace sparsight
