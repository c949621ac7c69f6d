#include "learning/transfer/networks.h"

#include "base/reading/csv_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <optional>

namespace sparsight {
namespace {

/// Of a product of M × K and K × N, in each of `batch` parts.
constexpr double gflop(double batch, double m, double n, double k) {
    return 2 * batch * m * n * k / 1e9;
}

/// Twelve layers of twelve heads, 768 wide, with 3,072 units between (Devlin et al., "BERT: Pre-training of
/// Deep Bidirectional Transformers for Language Understanding", NAACL 2019, section 3: BERT-base), for one
/// sequence of 128 tokens. Queries, keys and values are one product, 3 × 768 wide.
Network bert_base() {
    return {"BERT-base",
            "BERT-base has 12 layers of each shape and one pooler (Devlin et al., 2019); a sequence has 128 "
            "tokens.",
            {{"dense_B1_M128_N2304_K768", 12, gflop(1, 128, 2304, 768)},
             {"batch_matmul_B12_M128_N128_K64", 12, gflop(12, 128, 128, 64)},
             {"batch_matmul_B12_M128_N64_K128", 12, gflop(12, 128, 64, 128)},
             {"dense_B1_M128_N768_K768", 12, gflop(1, 128, 768, 768)},
             {"dense_B1_M128_N3072_K768", 12, gflop(1, 128, 3072, 768)},
             {"dense_B1_M128_N768_K3072", 12, gflop(1, 128, 768, 3072)},
             {"dense_B1_M1_N768_K768", 1, gflop(1, 1, 768, 768)}}};
}

} // namespace

std::span<const Network> known_networks() {
    static const std::vector<Network> networks{bert_base()};
    return networks;
}

namespace {

/// A number above 0 that is the whole text.
template <typename Number>
std::optional<Number> positive(std::string_view text) {
    Number number{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && stop == text.data() + text.size();
    return is_whole && std::isfinite(static_cast<double>(number)) && number > 0 ? std::optional(number)
                                                                                : std::nullopt;
}

/// Places of the columns network, workload, occurrences and gflop.
Result<std::array<std::size_t, 4>> network_columns(const CsvTable& table) {
    std::array<std::size_t, 4> places{};
    std::size_t at = 0;
    for (const std::string_view name : {"network", "workload", "occurrences", "gflop"}) {
        const auto place = table.column(name);
        if (!place)
            return fail_in_file(Fault::Input, table.file(), 1,
                                fmt::format("there is no column {}, expected network, workload, occurrences "
                                            "and gflop",
                                            name));
        places[at++] = *place;
    }
    return places;
}

Result<void> add_layer(const CsvTable& table, const std::array<std::size_t, 4>& columns,
                       std::vector<Network>& networks) {
    const auto [name, workload, occurrences, gflop] = columns;
    for (const std::size_t text : {name, workload})
        if (table.field(text).empty())
            return std::unexpected(table.unexpected_field(text, "a name"));
    const auto count = positive<int>(table.field(occurrences));
    if (!count)
        return std::unexpected(table.unexpected_field(occurrences, "a whole number, 1 or more"));
    const auto work = positive<double>(table.field(gflop));
    if (!work)
        return std::unexpected(table.unexpected_field(gflop, "a number above 0"));
    auto network = std::ranges::find(networks, table.field(name), &Network::name);
    if (network == networks.end())
        network = networks.insert(network, {std::string(table.field(name)),
                                            fmt::format("Its occurrences are those of {}.", table.file()),
                                            {}});
    if (std::ranges::find(network->layers, table.field(workload), &NetworkLayer::workload) !=
        network->layers.end())
        return std::unexpected(
            table.unexpected_field(workload, "a layer that no earlier line of the network has"));
    network->layers.push_back({std::string(table.field(workload)), *count, *work});
    return {};
}

} // namespace

Result<std::vector<Network>> read_networks(const std::filesystem::path& table) {
    auto lines = CsvTable::open(table);
    if (!lines)
        return std::unexpected(std::move(lines).error());
    const auto columns = network_columns(*lines);
    if (!columns)
        return std::unexpected(columns.error());
    std::vector<Network> networks;
    for (;;) {
        const auto has_line = lines->next();
        if (!has_line)
            return std::unexpected(has_line.error());
        if (!*has_line)
            break;
        if (lines->defect())
            return std::unexpected(*lines->defect());
        if (auto added = add_layer(*lines, *columns, networks); !added)
            return std::unexpected(std::move(added).error());
    }
    if (networks.empty())
        return fail_in_file(Fault::Input, lines->file(), 2, "there is no layer, expected a line for each");
    return networks;
}

std::vector<std::size_t> significant_layers(std::span<const NetworkLayer> layers, double share) {
    std::vector<std::size_t> places(layers.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::greater{}, [&](std::size_t place) { return layers[place].work(); });
    double left = 0;
    for (const NetworkLayer& layer : layers)
        left += share * layer.work();
    std::size_t count = 0;
    while (count < places.size() && (count == 0 || left > 1e-12)) {
        left -= layers[places[count]].work();
        ++count;
    }
    places.resize(count);
    return places;
}

} // namespace sparsight
