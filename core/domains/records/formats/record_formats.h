// Which format a file of tuning records has is seen in its content, whatever its name.
#pragma once

#include "domains/records/formats/record_file.h"
#include "domains/records/record_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace sparsight {

enum class RecordFormat : std::uint8_t {
    Table,        ///< record_table.h; also what is none of the others
    JsonDocument, ///< kernel_tuner_cache.h, t4_results.h
    TvmLog,       ///< tvm_log.h
    FindDatabase, ///< find_database.h
};

/// By the first bytes of its content.
[[nodiscard]] RecordFormat record_format_of(std::string_view head);

/// Errors, with the file: those of the format.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> open_records(const std::filesystem::path& path,
                                                                 const RecordOptions& options = {});
[[nodiscard]] Result<std::unique_ptr<RecordSource>> open_records(const RecordFile& file,
                                                                 const RecordOptions& options = {});

} // namespace sparsight
