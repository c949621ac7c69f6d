#include "matrix/statistics.h"

#include <fmt/format.h>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

using Value = double (*)(const PatternStatistics&, std::size_t);

void add_lengths(std::vector<Statistic>& table, const std::string& of, const std::string& items,
                 std::array<Value, 5> values) {
    table.push_back({of + "_length_mean", "Mean " + of + " length", "entries",
                     "Entries of a " + of + ", mean over all " + items + ", empty ones counted.", false,
                     values[0]});
    table.push_back({of + "_length_max", "Longest " + of, "entries", "Entries of the longest " + of + ".",
                     true, values[1]});
    table.push_back({of + "_length_variation", "Variation of " + of + " lengths", "",
                     "Coefficient of variation of the " + of +
                         " lengths: standard deviation over mean; 0 when all are alike.",
                     false, values[2]});
    table.push_back({of + "_length_gini", "Gini of " + of + " lengths", "",
                     "Gini coefficient of the " + of + " lengths: 0 when all " + items +
                         " are alike, towards 1 when few hold all entries.",
                     false, values[3]});
    table.push_back({"empty_" + items, "Empty " + items, items, "How many " + items + " hold no entry.", true,
                     values[4]});
}

template <LengthStatistics PatternStatistics::* Of>
constexpr std::array<Value, 5> length_values{
    [](const PatternStatistics& s, std::size_t) { return (s.*Of).mean; },
    [](const PatternStatistics& s, std::size_t) { return static_cast<double>((s.*Of).max); },
    [](const PatternStatistics& s, std::size_t) { return (s.*Of).coefficient_of_variation; },
    [](const PatternStatistics& s, std::size_t) { return (s.*Of).gini; },
    [](const PatternStatistics& s, std::size_t) { return static_cast<double>((s.*Of).empty); }};

template <auto Member>
double member(const PatternStatistics& s, std::size_t) {
    return static_cast<double>(s.*Member);
}

std::vector<Statistic> make_table() {
    std::vector<Statistic> table{
        {"rows", "Rows", "rows", "Number of rows.", true, member<&PatternStatistics::rows>},
        {"cols", "Columns", "columns", "Number of columns.", true, member<&PatternStatistics::cols>},
        {"nnz", "Entries", "entries", "Number of stored entries.", true, member<&PatternStatistics::nnz>},
        {"density", "Density", "", "Entries over rows · columns.", false,
         member<&PatternStatistics::density>},
    };
    add_lengths(table, "row", "rows", length_values<&PatternStatistics::row_length>);
    add_lengths(table, "column", "columns", length_values<&PatternStatistics::column_length>);
    const std::vector<Statistic> shape{
        {"bandwidth", "Bandwidth", "columns", "Largest |i − j| over the entries (i, j).", true,
         member<&PatternStatistics::bandwidth>},
        {"profile", "Profile", "entries",
         "Sum over the rows of the distance from the first entry to the diagonal, where it lies left of it.",
         true, member<&PatternStatistics::profile>},
        {"diagonal_occupancy", "Diagonal occupancy", "",
         "Share of the places of the main diagonal that hold an entry.", false,
         member<&PatternStatistics::diagonal_occupancy>},
        {"occupied_diagonals", "Occupied diagonals", "diagonals",
         "Diagonals that hold an entry: what a diagonal format would store.", true,
         member<&PatternStatistics::occupied_diagonals>},
        {"symmetry", "Pattern symmetry", "",
         "Share of the entries off the diagonal whose mirror image is an entry too; 1 when there are none.",
         false, member<&PatternStatistics::symmetry>},
    };
    table.insert(table.end(), shape.begin(), shape.end());
    for (std::size_t b = 0; b < block_sizes.size(); ++b)
        table.push_back(
            {fmt::format("block_fill_{}", block_sizes[b]),
             fmt::format("Fill of {0} × {0} blocks", block_sizes[b]), "",
             fmt::format("Entries over the places of all aligned {0} × {0} blocks that hold an entry; "
                         "blocks at the border count whole.",
                         block_sizes[b]),
             false, [](const PatternStatistics& s, std::size_t i) { return s.block_fill[i]; }, b});
    for (std::size_t t = 0; t < tile_heights.size(); ++t) {
        table.push_back(
            {fmt::format("tile_columns_{}", tile_heights[t]),
             fmt::format("Columns of a tile of {} rows", tile_heights[t]), "columns",
             fmt::format("Different columns that {} rows touch together, mean over the tiles.",
                         tile_heights[t]),
             false, [](const PatternStatistics& s, std::size_t i) { return s.tiles[i].distinct_columns; },
             t});
        table.push_back(
            {fmt::format("tile_reuse_{}", tile_heights[t]),
             fmt::format("Reuse in tiles of {} rows", tile_heights[t]), "",
             fmt::format(
                 "Entries over the different columns of each tile of {} rows, tiles summed: how often a "
                 "tile uses a column.",
                 tile_heights[t]),
             false, [](const PatternStatistics& s, std::size_t i) { return s.tiles[i].reuse; }, t});
    }
    return table;
}

} // namespace

std::span<const Statistic> statistics() {
    static const std::vector<Statistic> table = make_table();
    return table;
}

} // namespace sparsight
