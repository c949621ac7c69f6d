// What a SuperSchedule means, in words and as JSON: its splits, its loops, how it stores the matrix, what
// runs in parallel, and, on a given matrix, how much it stores.
#pragma once

#include "command/session.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <optional>

namespace sparsight {

/// The storage of one matrix by a schedule, beside fixed CSR's.
struct StorageFacts {
    StorageFormat format;
    StorageSize size;
    std::uint64_t csr_bytes = 0;
    std::optional<Error> refusal; ///< why it would not be packed under the usual limits
};

[[nodiscard]] Result<StorageFacts> storage_facts(const SuperSchedule& schedule, const CsrPattern& pattern);

[[nodiscard]] std::string meaning_text(const SuperSchedule& schedule);
[[nodiscard]] Json meaning_json(const SuperSchedule& schedule);
[[nodiscard]] std::string to_text(const StorageFacts& storage);
[[nodiscard]] Json to_json(const StorageFacts& storage);

} // namespace sparsight
