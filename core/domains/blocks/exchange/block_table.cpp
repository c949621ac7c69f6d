#include "domains/blocks/exchange/block_table.h"

#include "domains/blocks/tables/table_numbers.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::string_view throughput_prefix = "tp_";

/// Absent for another text than 0, 1 and none.
std::optional<bool> flag(std::string_view text) {
    if (text != "0" && text != "1" && !text.empty())
        return std::nullopt;
    return text == "1";
}

} // namespace

BlockTable::BlockTable(CsvTable table)
    : table_(std::move(table))
    , name_(table_.column("block_id"))
    , may_alias_(table_.column("may_alias"))
    , group_(table_.column("group_id"))
    , apart_(table_.column("group_in_other_split"))
    , applications_(table_.column("applications")) {
    for (std::size_t column = 0; column < table_.columns().size(); ++column)
        if (const std::string& title = table_.columns()[column];
            title.starts_with(throughput_prefix) && title.size() > throughput_prefix.size()) {
            machines_.push_back(title.substr(throughput_prefix.size()));
            machine_columns_.push_back(column);
        }
}

Result<BlockTable> BlockTable::open(const std::filesystem::path& path) {
    auto table = CsvTable::open(path);
    if (!table)
        return std::unexpected(std::move(table).error());
    const auto hex = table->column("hex");
    if (!hex)
        return fail_in_file(Fault::Input, table->file(), 1,
                            "the column hex is missing, expected the machine code of each block in it");
    BlockTable blocks(*std::move(table));
    blocks.hex_ = *hex;
    return blocks;
}

Result<std::optional<BlockTable::Row>> BlockTable::next() {
    const auto has_line = table_.next();
    is_over_ = !has_line || !*has_line;
    if (!has_line)
        return std::unexpected(has_line.error());
    if (!*has_line)
        return std::nullopt;
    if (table_.defect())
        return std::unexpected(*table_.defect());
    auto read = row();
    if (!read)
        return std::unexpected(std::move(read).error());
    return *std::move(read);
}

std::string BlockTable::name() const {
    return table_.defect() ? std::string() : std::string(table_.field(name_.value_or(hex_)));
}

Result<BlockTable::Row> BlockTable::row() const {
    Row row;
    auto code = parse_hex(table_.field(hex_));
    if (!code)
        return fail_in_file(Fault::Input, table_.file(), table_.line(),
                            "column hex: " + code.error().message);
    row.code = *std::move(code);
    row.name = name_ ? std::string(table_.field(*name_)) : to_hex(row.code);
    if (row.name.empty())
        return std::unexpected(table_.unexpected_field(*name_, "the name of the block"));
    for (const std::size_t column : machine_columns_) {
        const std::string_view text = table_.field(column);
        row.cycles.push_back(positive_number(text));
        if (!row.cycles.back() && !text.empty())
            return std::unexpected(table_.unexpected_field(column, "cycles above 0, or nothing"));
    }
    for (const auto& column : {may_alias_, apart_}) {
        if (!column)
            continue;
        const auto is_set = flag(table_.field(*column));
        if (!is_set)
            return std::unexpected(table_.unexpected_field(*column, "0 or 1"));
        if (column == apart_)
            row.is_apart = is_set;
        else
            row.may_alias = *is_set;
    }
    if (group_)
        row.group = table_.field(*group_);
    if (applications_)
        row.applications = table_.field(*applications_);
    return row;
}

} // namespace sparsight
