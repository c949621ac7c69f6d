#include "kernel/kernel_operands.h"

namespace sparsight {

OperandSizes operand_sizes(Operator op, const Extents& extents, std::int64_t positions) {
    const std::int64_t i = extents[Index::I];
    const std::int64_t j = extents[Index::J];
    const std::int64_t k = extents[Index::K];
    switch (op) {
    case Operator::SpMM:
        return {k * j, 0, i * j};
    case Operator::SpMV:
        return {k, 0, i};
    case Operator::SDDMM:
        return {i * k, j * k, positions};
    }
    return {};
}

} // namespace sparsight
