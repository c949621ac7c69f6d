#include "domains/records/formats/record_formats.h"

#include "base/text.h"
#include "domains/records/formats/find_database.h"
#include "domains/records/formats/json_document.h"
#include "domains/records/formats/kernel_tuner_cache.h"
#include "domains/records/formats/record_table.h"
#include "domains/records/formats/t4_results.h"
#include "domains/records/formats/tvm_log.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sparsight {
namespace {

/// Members that a line of TVM may begin with, and that no document has.
constexpr std::array<std::string_view, 8> members_of_lines{"i",      "r",      "v",       "input",
                                                           "config", "result", "version", "tvm_version"};

/// The name of the first member of a JSON object; empty where there is none.
std::string_view first_member(std::string_view object) {
    std::string_view rest = trimmed(object.substr(1));
    if (!rest.starts_with('"'))
        return {};
    rest.remove_prefix(1);
    return rest.substr(0, rest.find('"'));
}

bool begins_a_find_database(std::string_view line) {
    const std::size_t equals = line.find('=');
    return equals != std::string_view::npos && !facts_of_convolution(trimmed(line.substr(0, equals))).empty();
}

Result<std::unique_ptr<RecordSource>> open_table(const RecordFile& file, const RecordOptions& options) {
    auto bytes = file.open();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    auto table = CsvTable::of_bytes(file.name(), *std::move(bytes));
    auto reader = table ? RecordReader::of_table(*std::move(table), options)
                        : Result<RecordReader>(std::unexpected(std::move(table).error()));
    if (!reader)
        return std::unexpected(std::move(reader).error());
    return std::make_unique<RecordReader>(*std::move(reader));
}

Result<std::unique_ptr<RecordSource>> open_document(const RecordFile& file, const RecordOptions& options) {
    const auto document = read_json_document(file);
    if (!document)
        return std::unexpected(document.error());
    return document->records == "cache" ? open_kernel_tuner_cache(file, *document, options)
                                        : open_t4_results(file, *document, options);
}

} // namespace

RecordFormat record_format_of(std::string_view head) {
    if (head.starts_with("\xef\xbb\xbf"))
        head.remove_prefix(3);
    head = trimmed(head);
    if (head.starts_with('{'))
        return std::ranges::find(members_of_lines, first_member(head)) != members_of_lines.end()
                   ? RecordFormat::TvmLog
                   : RecordFormat::JsonDocument;
    if (head.starts_with('#'))
        return RecordFormat::TvmLog;
    for (std::string_view rest = head; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        if (begins_a_find_database(line))
            return RecordFormat::FindDatabase;
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    return RecordFormat::Table;
}

Result<std::unique_ptr<RecordSource>> open_records(const std::filesystem::path& path,
                                                   const RecordOptions& options) {
    return open_records(RecordFile::at(path), options);
}

Result<std::unique_ptr<RecordSource>> open_records(const RecordFile& file, const RecordOptions& options) {
    auto bytes = file.open();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    const auto head = (*bytes)->head();
    if (!head) {
        Error error = head.error();
        error.file = file.name();
        return std::unexpected(std::move(error));
    }
    switch (record_format_of(*head)) {
    case RecordFormat::JsonDocument:
        return open_document(file, options);
    case RecordFormat::TvmLog:
        return open_tvm_log(file, options);
    case RecordFormat::FindDatabase:
        return open_find_database(file, options);
    case RecordFormat::Table:
        break;
    }
    return open_table(file, options);
}

} // namespace sparsight
