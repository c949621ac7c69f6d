#include "domains/sparse/tensor/statistics.h"

#include <fmt/format.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

/// Where a statistic stands: reading and writing it are one lambda.
struct Place {
    double (*read)(const PatternStatistics&, std::size_t) = nullptr;
    void (*write)(PatternStatistics&, std::size_t, double) = nullptr;
};

template <auto Reach>
constexpr Place place{
    [](const PatternStatistics& s, std::size_t i) { return static_cast<double>(Reach(s, i)); },
    [](PatternStatistics& s, std::size_t i, double value) {
        auto& number = Reach(s, i);
        number = static_cast<std::remove_reference_t<decltype(number)>>(value);
    }};

template <auto Member>
constexpr Place member = place<[](auto& s, std::size_t) -> auto& { return s.*Member; }>;

template <auto Of, auto Member>
constexpr Place length = place<[](auto& s, std::size_t) -> auto& { return s.*Of.*Member; }>;

class Table {
public:
    void add(std::string name, std::string title, std::string unit, std::string definition, bool is_integer,
             const Place& at, std::size_t index = 0) {
        rows_.push_back({std::move(name), std::move(title), std::move(unit), std::move(definition),
                         is_integer, at.read, at.write, index});
    }

    template <LengthStatistics PatternStatistics::* Of>
    void add_lengths(const std::string& of, const std::string& items) {
        add(of + "_length_mean", "Mean " + of + " length", "entries",
            "Entries of a " + of + ", mean over all " + items + ", empty ones counted.", false,
            length<Of, &LengthStatistics::mean>);
        add(of + "_length_max", "Longest " + of, "entries", "Entries of the longest " + of + ".", true,
            length<Of, &LengthStatistics::max>);
        add(of + "_length_variation", "Variation of " + of + " lengths", "",
            "Coefficient of variation of the " + of +
                " lengths: standard deviation over mean; 0 when all are alike.",
            false, length<Of, &LengthStatistics::coefficient_of_variation>);
        add(of + "_length_gini", "Gini of " + of + " lengths", "",
            "Gini coefficient of the " + of + " lengths: 0 when all " + items +
                " are alike, towards 1 when few hold all entries.",
            false, length<Of, &LengthStatistics::gini>);
        add("empty_" + items, "Empty " + items, items, "How many " + items + " hold no entry.", true,
            length<Of, &LengthStatistics::empty>);
    }

    [[nodiscard]] std::vector<Statistic> rows() && { return std::move(rows_); }

private:
    std::vector<Statistic> rows_;
};

void add_shape(Table& table) {
    table.add("bandwidth", "Bandwidth", "columns", "Largest |i − j| over the entries (i, j).", true,
              member<&PatternStatistics::bandwidth>);
    table.add("profile", "Profile", "entries",
              "Sum over the rows of the distance from the first entry to the diagonal, where it lies left of "
              "it.",
              true, member<&PatternStatistics::profile>);
    table.add("diagonal_occupancy", "Diagonal occupancy", "",
              "Share of the places of the main diagonal that hold an entry.", false,
              member<&PatternStatistics::diagonal_occupancy>);
    table.add("occupied_diagonals", "Occupied diagonals", "diagonals",
              "Diagonals that hold an entry: what a diagonal format would store.", true,
              member<&PatternStatistics::occupied_diagonals>);
    table.add(
        "symmetry", "Pattern symmetry", "",
        "Share of the entries off the diagonal whose mirror image is an entry too; 1 when there are none.",
        false, member<&PatternStatistics::symmetry>);
}

void add_blocks_and_tiles(Table& table) {
    for (std::size_t b = 0; b < block_sizes.size(); ++b)
        table.add(fmt::format("block_fill_{}", block_sizes[b]),
                  fmt::format("Fill of {0} × {0} blocks", block_sizes[b]), "",
                  fmt::format("Entries over the places of all aligned {0} × {0} blocks that hold an entry; "
                              "blocks at the border count whole.",
                              block_sizes[b]),
                  false, place<[](auto& s, std::size_t i) -> auto& { return s.block_fill[i]; }>, b);
    for (std::size_t t = 0; t < tile_heights.size(); ++t) {
        table.add(fmt::format("tile_columns_{}", tile_heights[t]),
                  fmt::format("Columns of a tile of {} rows", tile_heights[t]), "columns",
                  fmt::format("Different columns that {} rows touch together, mean over the tiles.",
                              tile_heights[t]),
                  false, place<[](auto& s, std::size_t i) -> auto& { return s.tiles[i].distinct_columns; }>,
                  t);
        table.add(fmt::format("tile_reuse_{}", tile_heights[t]),
                  fmt::format("Reuse in tiles of {} rows", tile_heights[t]), "",
                  fmt::format("Entries over the different columns of each tile of {} rows, tiles summed: how "
                              "often a tile uses a column.",
                              tile_heights[t]),
                  false, place<[](auto& s, std::size_t i) -> auto& { return s.tiles[i].reuse; }>, t);
    }
}

std::vector<Statistic> make_table() {
    Table table;
    table.add("rows", "Rows", "rows", "Number of rows.", true, member<&PatternStatistics::rows>);
    table.add("cols", "Columns", "columns", "Number of columns.", true, member<&PatternStatistics::cols>);
    table.add("nnz", "Entries", "entries", "Number of stored entries.", true,
              member<&PatternStatistics::nnz>);
    table.add("density", "Density", "", "Entries over rows · columns.", false,
              member<&PatternStatistics::density>);
    table.add_lengths<&PatternStatistics::row_length>("row", "rows");
    table.add_lengths<&PatternStatistics::column_length>("column", "columns");
    add_shape(table);
    add_blocks_and_tiles(table);
    return std::move(table).rows();
}

} // namespace

std::span<const Statistic> statistics() {
    static const std::vector<Statistic> table = make_table();
    return table;
}

} // namespace sparsight
