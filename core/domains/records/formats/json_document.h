// A JSON document of tuning records: some members that say what was tuned, and one with all the records.
#pragma once

#include "domains/records/formats/json_stream.h"
#include "domains/records/formats/record_file.h"

#include <string>
#include <string_view>

namespace sparsight {

/// What a document has beside its records.
struct JsonDocument {
    std::string records;          ///< the member that holds them: "cache", "results"
    Json others = Json::object(); ///< all other members, wherever they stand
};

/// Reads all but the records. A file that ends within them is as long as it is. Errors, with file and line:
/// no JSON object; neither member is there.
[[nodiscard]] Result<JsonDocument> read_json_document(const RecordFile& file);

/// A stream that stands before the value of this member.
[[nodiscard]] Result<JsonStream> records_of(const RecordFile& file, std::string_view member);

} // namespace sparsight
