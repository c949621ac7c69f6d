#include "domains/records/formats/record_file.h"

#include "base/reading/csv_table.h"
#include "base/reading/text_lines.h"
#include "base/reading/unpacked_file.h"

#include <array>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::string_view, 4> record_suffixes{".csv", ".json", ".log", "db.txt"};
/// What may stand in an archive of records.
constexpr ArchiveMembers record_members{"file of tuning records", record_suffixes};

} // namespace

RecordFile RecordFile::at(std::filesystem::path path) {
    RecordFile file;
    file.name_ = path.string();
    return file;
}

RecordFile RecordFile::of_text(std::string name, std::string_view text) {
    RecordFile file;
    file.name_ = std::move(name);
    file.text_ = text;
    file.is_text_ = true;
    return file;
}

Result<std::unique_ptr<ByteSource>> RecordFile::open() const {
    if (is_text_)
        return memory_source(text_);
    // An archive with one table is read as before, whatever else is in it.
    auto file = open_unpacked(name_, CsvTable::unpacked_bytes, table_files);
    if (!file && file.error().fault == Fault::Input)
        file = open_unpacked(name_, CsvTable::unpacked_bytes, record_members);
    if (!file)
        return std::unexpected(in_file(std::move(file).error(), name_, 0));
    return std::move(file->bytes);
}

} // namespace sparsight
