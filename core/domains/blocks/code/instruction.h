// A decoded x86-64 instruction, as plain values: what it is called, what it reads, and what it writes. The
// decoder (decoder/) makes it; whatever looks at code needs nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// Registers have parts: al, ax and eax are parts of rax, xmm3 of zmm3. Two registers are taken to
/// overlap where `whole` is the same, also the low and the high byte (al, ah).
/// The stack of x87 is not followed: st0 is the same register before and after a push.
struct Register {
    std::string name;  ///< "eax"; lower case
    std::string whole; ///< the largest register that it is a part of: "rax"
    int bits = 0;      ///< 0 for flags and other registers of no size

    bool operator==(const Register&) const = default;
};

/// segment:[base + scale · index + displacement]. Parts that are absent add nothing.
struct MemoryAddress {
    std::optional<Register> segment;
    std::optional<Register> base; ///< also rip
    std::optional<Register> index;
    int scale = 1;
    std::int64_t displacement = 0;

    bool operator==(const MemoryAddress&) const = default;
};

enum class OperandKind {
    Register,
    Immediate,
    Memory, ///< neither read nor written by lea, whose operand is an address alone
    Target, ///< of a branch: its distance in bytes from the end of the instruction
};

struct Operand {
    OperandKind kind = OperandKind::Register;
    int bits = 0; ///< of what is read or written; 0: not known (of an address alone, of a target)
    bool is_read = false;
    bool is_written = false;
    Register reg{};          ///< of OperandKind::Register
    std::int64_t value = 0;  ///< of Immediate and Target
    MemoryAddress address{}; ///< of Memory

    bool operator==(const Operand&) const = default;
};

/// A register that the text does not name: the flags, rsp of push, rax and rdx of mul.
struct ImplicitRegister {
    Register reg;
    bool is_read = false;
    bool is_written = false;

    bool operator==(const ImplicitRegister&) const = default;
};

struct Instruction {
    std::size_t offset = 0;                   ///< of its first byte in the block
    std::size_t size = 0;                     ///< bytes
    std::string opcode{};                     ///< LLVM's name of the form: "ADD64rm"
    std::string mnemonic{};                   ///< "add"
    std::string text{};                       ///< Intel's syntax: "add rax, qword ptr [rbx]"
    std::vector<std::string> prefixes{};      ///< "lock", "rep"; those that are part of the opcode are not
    std::vector<Operand> operands{};          ///< explicit ones in the order of the text
    std::vector<ImplicitRegister> implicit{}; ///< each register once
    bool reads_memory = false;                ///< also without an operand: pop
    bool writes_memory = false;               ///< also without an operand: push

    bool operator==(const Instruction&) const = default;
};

} // namespace sparsight
