#include "collection/operand_limit.h"

#include "machine/memory_facts.h"

namespace sparsight {

std::uint64_t operand_limit() {
    const auto memory = usable_memory_bytes(SystemFiles("/"));
    return memory ? *memory / 2 : std::uint64_t{2} << 30;
}

} // namespace sparsight
