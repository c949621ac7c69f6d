#include "domains/records/formats/record_file.h"

#include "base/reading/csv_table.h"
#include "base/reading/unpacked_file.h"
#include "base/text.h"

#include <array>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::string_view, 4> record_suffixes{".csv", ".json", ".log", "db.txt"};
/// What may stand in an archive of records.
constexpr ArchiveMembers record_members{"file of tuning records", record_suffixes};

constexpr std::size_t line_block_bytes = std::size_t{1} << 18;
constexpr std::string_view mark_of_utf8 = "\xef\xbb\xbf";

Error with_place(Error error, const std::string& file, std::int64_t line) {
    error.file = file;
    error.line = line;
    return error;
}

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
        return std::unexpected(with_place(std::move(file).error(), name_, 0));
    return std::move(file->bytes);
}

RecordLines::RecordLines(std::string file, std::unique_ptr<ByteSource> bytes)
    : file_(std::move(file))
    , bytes_(std::move(bytes))
    , blocks_(*bytes_, line_block_bytes) {}

Result<bool> RecordLines::next() {
    for (;;) {
        while (block_.text().empty()) {
            const auto has_more = blocks_.next(block_);
            if (!has_more) {
                const std::int64_t in_block = has_more.error().line;
                return std::unexpected(
                    with_place(has_more.error(), file_, in_block == 0 ? 0 : line_ + in_block));
            }
            if (!*has_more)
                return false;
        }
        text_ = trimmed(block_.take_line());
        if (++line_ == 1 && text_.starts_with(mark_of_utf8))
            text_ = trimmed(text_.substr(mark_of_utf8.size()));
        if (!text_.empty())
            return true;
    }
}

} // namespace sparsight
