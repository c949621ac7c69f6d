// An instruction as the words that Ithemal reads (Mendis, Renda, Amarasinghe, Carbin: Ithemal: accurate,
// portable and fast basic block throughput estimation using deep neural networks, ICML 2019, section 4.1).
#pragma once

#include "domains/blocks/code/instruction.h"

#include <string>
#include <vector>

namespace sparsight {

/// "add <S> rax <M> rbx CONST </M> <D> rax <E>": the mnemonic, what is read, and what is written. Prefixes
/// such as "lock" stand in front. The explicit operands come first, then the implicit registers, and then the
/// memory behind rsp that push and pop name in no operand. An operand that is read and written stands in both
/// lists. The operand of lea is an address alone and counts as read.
///
/// A register is its name and a number is CONST. An address has its base, its index, its segment, and CONST
/// where it has a displacement; its scale is left out. Flags, modes of arithmetic and the program counter are
/// left out of the implicit registers, as the decoder of the paper (DynamoRIO) does not list them: the
/// mnemonic tells them.
[[nodiscard]] std::vector<std::string> token_sequence(const Instruction& instruction);

} // namespace sparsight
