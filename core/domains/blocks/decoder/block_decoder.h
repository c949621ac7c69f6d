// Machine code of x86-64 to instructions, and assembly text to machine code, by LLVM's MC library. It is in
// a library of its own, as no process that loads LibTorch loads LLVM.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/instruction.h"
#include "domains/blocks/code/machine_code.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class CodeTarget;

enum class AssemblySyntax { Intel, Att };

/// Not thread-safe: each thread has its own. Making one takes some milliseconds.
class BlockDecoder {
public:
    /// Error (Environment): LLVM was built without x86.
    [[nodiscard]] static Result<BlockDecoder> make();
    ~BlockDecoder();
    BlockDecoder(BlockDecoder&&) noexcept;
    BlockDecoder& operator=(BlockDecoder&&) noexcept;

    /// Some 2 µs an instruction. Errors: more than most_instructions (Limit); (Input) the place of the first
    /// byte that begins no instruction, with the bytes there.
    static constexpr std::size_t most_instructions = 4096;
    [[nodiscard]] Result<std::vector<Instruction>> decode(std::span<const std::uint8_t> code) const;

    /// One line an instruction, which assemble() turns into the same bytes where that can be said: the form
    /// that an assembler would not choose by itself is marked ("{vex3}", "{load}"). Errors as of decode().
    [[nodiscard]] Result<std::string> print(std::span<const std::uint8_t> code, AssemblySyntax syntax) const;

    /// Takes what print() writes: the marks of GNU's assembler are known ("{load}", "{disp32}"). Comments,
    /// blank lines, and directives that add no code are passed over. Labels can be branched to. Errors
    /// (Input): the line with the defect, also as Error::line, and what LLVM's parser says of it; a directive
    /// that repeats or includes text; no instruction at all; an operand that only a linker knows.
    [[nodiscard]] Result<MachineCode> assemble(std::string_view text, AssemblySyntax syntax) const;

    /// LLVM's tables, for what else works on them.
    [[nodiscard]] const CodeTarget& target() const;

private:
    struct State;
    explicit BlockDecoder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace sparsight
