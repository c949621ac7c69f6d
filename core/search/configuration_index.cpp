#include "search/configuration_index.h"

#include "base/files.h"
#include "search/predictor_head.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <zlib.h>

namespace sparsight {
namespace {

/// Places of the configurations that none before them is equal to.
std::vector<std::size_t> first_of_each(std::span<const Configuration> configurations) {
    std::unordered_set<Configuration> seen;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < configurations.size(); ++at)
        if (seen.insert(configurations[at]).second)
            places.push_back(at);
    return places;
}

/// The node of each row: rows of equal bytes share one; nodes are numbered as they first appear.
std::vector<std::uint32_t> nodes_of_rows(std::span<const float> rows, std::size_t width) {
    std::unordered_map<std::string_view, std::uint32_t> nodes;
    std::vector<std::uint32_t> of_rows;
    for (std::size_t at = 0; at + width <= rows.size(); at += width) {
        const std::string_view bytes(reinterpret_cast<const char*>(rows.data() + at), width * sizeof(float));
        of_rows.push_back(nodes.try_emplace(bytes, static_cast<std::uint32_t>(nodes.size())).first->second);
    }
    return of_rows;
}

ConfigurationNodes nodes_from(std::span<const std::uint32_t> nodes_of_configurations) {
    ConfigurationNodes nodes;
    const std::size_t count =
        nodes_of_configurations.empty() ? 0 : std::size_t{1} + std::ranges::max(nodes_of_configurations);
    nodes.starts.assign(count + 1, 0);
    for (const std::uint32_t node : nodes_of_configurations)
        ++nodes.starts[node + 1];
    for (std::size_t node = 0; node < count; ++node)
        nodes.starts[node + 1] += nodes.starts[node];
    nodes.configurations.resize(nodes_of_configurations.size());
    std::vector<std::uint32_t> next(nodes.starts.begin(), nodes.starts.end());
    for (std::uint32_t at = 0; at < nodes_of_configurations.size(); ++at)
        nodes.configurations[next[nodes_of_configurations[at]]++] = at;
    return nodes;
}

/// The first k configurations of nodes that are sorted by score.
std::vector<Ranked> first_configurations_of(const ConfigurationIndex& index, std::span<const Ranked> nodes,
                                            std::size_t k) {
    BestRanked best(k);
    for (const Ranked& node : nodes)
        for (const std::uint32_t configuration : index.nodes.of(node.candidate))
            (void)best.offer({configuration, node.score});
    return best.take();
}

} // namespace

Result<ConfigurationIndex> gather_configurations(std::string model,
                                                 std::span<const Configuration> configurations,
                                                 std::span<const float> embeddings) {
    if (configurations.size() > std::numeric_limits<std::uint32_t>::max() / 2)
        return fail(Fault::Limit,
                    fmt::format("{} configurations are too many for an index", configurations.size()));
    ConfigurationIndex index;
    index.model = std::move(model);
    if (configurations.empty())
        return index;
    if (embeddings.empty() || embeddings.size() % configurations.size() != 0)
        return fail(Fault::Internal, fmt::format("{} configurations have {} numbers of embeddings",
                                                 configurations.size(), embeddings.size()));
    index.width = embeddings.size() / configurations.size();
    FloatBuffer rows;
    for (const std::size_t at : first_of_each(configurations)) {
        index.configurations.push_back(configurations[at]);
        const std::span<const float> row = embeddings.subspan(at * index.width, index.width);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    index.nodes = nodes_from(nodes_of_rows(rows, index.width));
    index.embeddings.resize(index.nodes.count() * index.width);
    for (std::uint32_t node = 0; node < index.nodes.count(); ++node)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(index.nodes.of(node).front() * index.width),
                    index.width, index.embeddings.begin() + static_cast<std::ptrdiff_t>(node * index.width));
    return index;
}

Result<ConfigurationIndex> build_configuration_index(std::string model,
                                                     std::span<const Configuration> configurations,
                                                     std::span<const float> embeddings,
                                                     const GraphSettings& settings, std::stop_token stop,
                                                     const ProgressSink& progress) {
    auto gathered = gather_configurations(std::move(model), configurations, embeddings);
    if (!gathered)
        return gathered;
    ConfigurationIndex index = *std::move(gathered);
    if (index.configurations.empty())
        return index;
    Result<ProximityGraph> graph =
        build_proximity_graph(index.embeddings, index.width, settings, std::move(stop), progress);
    if (!graph)
        return std::unexpected(graph.error());
    index.graph = *std::move(graph);
    return index;
}

IndexSearch search_index(const ConfigurationIndex& index, std::span<const float> rows,
                         const WorkloadPredictor& predictor, const WalkSettings& settings) {
    IndexSearch search;
    search.walk = walk_graph(
        index.graph,
        [&](std::span<const std::uint32_t> nodes, std::span<float> scores) {
            predictor.score(rows, nodes, scores);
        },
        settings);
    search.best =
        first_configurations_of(index, search.walk.best, static_cast<std::size_t>(std::max(settings.k, 0)));
    return search;
}

std::vector<Ranked> search_exhaustively(const ConfigurationIndex& index, std::span<const float> rows,
                                        const WorkloadPredictor& predictor, std::size_t k, int threads) {
    return first_configurations_of(index, best_of(score_all(predictor, rows, threads), k), k);
}

std::vector<Configuration> candidates(const ConfigurationIndex& index, std::span<const Ranked> best,
                                      const std::optional<Configuration>& baseline) {
    std::vector<Configuration> found;
    found.reserve(best.size() + 1);
    for (const Ranked& ranked : best)
        found.push_back(index.configurations[ranked.candidate]);
    if (baseline && std::ranges::find(found, *baseline) == found.end())
        found.push_back(*baseline);
    return found;
}

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "SPSINDEX";
constexpr std::uint32_t format_version = 1;
constexpr std::size_t checked_from = 16;

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

template <typename Number>
void append(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(Number));
}
template <typename List>
void append_list(std::string& bytes, const List& list) {
    append(bytes, static_cast<std::uint64_t>(list.size()));
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(*list.data()));
}

std::string encode(const ConfigurationIndex& index, const ConfigurationText& text) {
    std::string lines;
    for (const Configuration& configuration : index.configurations)
        lines += text.to_text(configuration) + '\n';
    std::string bytes;
    append_list(bytes, index.model);
    append(bytes, text.family);
    append_list(bytes, lines);
    append_list(bytes, index.nodes.starts);
    append_list(bytes, index.nodes.configurations);
    append(bytes, static_cast<std::uint64_t>(index.width));
    append_list(bytes, index.embeddings);
    append(bytes, index.graph.node_count);
    append(bytes, index.graph.entry);
    append(bytes, static_cast<std::uint64_t>(index.graph.layers.size()));
    for (const LinkLists& layer : index.graph.layers) {
        append_list(bytes, layer.starts);
        append_list(bytes, layer.links);
    }
    return bytes;
}

/// Takes what was appended. Once something is missing, everything is.
class Reader {
public:
    explicit Reader(std::string_view bytes)
        : bytes_(bytes) {}

    template <typename Number>
    void take(Number& number) {
        take_bytes(&number, sizeof(Number));
    }
    template <typename List>
    void take_list(List& list) {
        std::uint64_t count = 0;
        take(count);
        if (count > bytes_.size() / sizeof(*list.data())) {
            is_complete_ = false;
            return;
        }
        list.resize(static_cast<std::size_t>(count));
        take_bytes(list.data(), list.size() * sizeof(*list.data()));
    }
    /// Whether everything was there and nothing is left.
    [[nodiscard]] bool is_exhausted() const { return is_complete_ && bytes_.empty(); }
    [[nodiscard]] bool is_complete() const { return is_complete_; }

private:
    void take_bytes(void* to, std::size_t count) {
        is_complete_ = is_complete_ && count <= bytes_.size();
        if (!is_complete_ || count == 0)
            return;
        std::memcpy(to, bytes_.data(), count);
        bytes_.remove_prefix(count);
    }

    std::string_view bytes_;
    bool is_complete_ = true;
};

/// Lists that cut `count` numbers below `bound` into as many pieces as there are starts but one.
bool are_lists(std::span<const std::uint32_t> starts, std::span<const std::uint32_t> numbers,
               std::size_t pieces, std::size_t bound) {
    return starts.size() == pieces + 1 && starts.front() == 0 && starts.back() == numbers.size() &&
           std::ranges::is_sorted(starts) &&
           std::ranges::all_of(numbers, [&](std::uint32_t number) { return number < bound; });
}

bool is_consistent(const ConfigurationIndex& index) {
    if (index.configurations.empty()) {
        ConfigurationIndex empty;
        empty.model = index.model;
        return index == empty;
    }
    const std::size_t nodes = index.nodes.count();
    const ProximityGraph& graph = index.graph;
    return nodes > 0 && index.nodes.configurations.size() == index.configurations.size() &&
           are_lists(index.nodes.starts, index.nodes.configurations, nodes, index.configurations.size()) &&
           index.width > 0 && index.embeddings.size() / index.width == nodes &&
           index.embeddings.size() % index.width == 0 && graph.node_count == nodes && graph.entry < nodes &&
           !graph.layers.empty() &&
           std::ranges::all_of(
               graph.layers,
               [&](const LinkLists& layer) { return are_lists(layer.starts, layer.links, nodes, nodes); });
}

Result<std::vector<Configuration>> parse_lines(const ConfigurationText& text, std::string_view lines) {
    std::vector<Configuration> configurations;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        Result<Configuration> configuration = text.parse(lines.substr(begin, end - begin));
        if (!configuration)
            return std::unexpected(configuration.error());
        configurations.push_back(*std::move(configuration));
        begin = end + 1;
    }
    return configurations;
}

Result<ConfigurationIndex> decode(std::string_view bytes, const ConfigurationText& text) {
    if (!bytes.starts_with(magic))
        return fail(Fault::Input, "is no index of Sparsight");
    Reader header(bytes.substr(magic.size(), checked_from - magic.size()));
    std::uint32_t version = 0;
    std::uint32_t sum = 0;
    header.take(version);
    header.take(sum);
    if (!header.is_complete())
        return fail(Fault::Input, "breaks off");
    if (version != format_version)
        return fail(Fault::Input,
                    fmt::format("is an index in format {}, which this version of Sparsight does "
                                "not know; it reads format {}",
                                version, format_version));
    if (checksum(bytes.substr(checked_from)) != sum)
        return fail(Fault::Input, "is damaged or breaks off: its checksum is wrong");

    ConfigurationIndex index;
    Reader reader(bytes.substr(checked_from));
    std::uint8_t family = 0;
    std::string lines;
    std::uint64_t width = 0;
    std::uint64_t layers = 0;
    reader.take_list(index.model);
    reader.take(family);
    reader.take_list(lines);
    reader.take_list(index.nodes.starts);
    reader.take_list(index.nodes.configurations);
    reader.take(width);
    reader.take_list(index.embeddings);
    reader.take(index.graph.node_count);
    reader.take(index.graph.entry);
    reader.take(layers);
    for (std::uint64_t layer = 0; layer < layers && reader.is_complete(); ++layer) {
        LinkLists& lists = index.graph.layers.emplace_back();
        reader.take_list(lists.starts);
        reader.take_list(lists.links);
    }
    index.width = static_cast<std::size_t>(width);
    if (!reader.is_exhausted())
        return fail(Fault::Input, "is no index that can be used");
    if (family != text.family)
        return fail(Fault::Input, "is an index of other configurations");
    Result<std::vector<Configuration>> configurations = parse_lines(text, lines);
    if (!configurations)
        return std::unexpected(configurations.error());
    index.configurations = *std::move(configurations);
    if (!is_consistent(index))
        return fail(Fault::Input, "is an index that contradicts itself");
    return index;
}

} // namespace

Result<void> write_configuration_index(const std::filesystem::path& path, const ConfigurationIndex& index,
                                       const ConfigurationText& text) {
    const std::string checked = encode(index, text);
    std::string bytes(magic);
    append(bytes, format_version);
    append(bytes, checksum(checked));
    return write_whole_file(path, bytes + checked);
}

Result<ConfigurationIndex> read_configuration_index(const std::filesystem::path& path,
                                                    const ConfigurationText& text) {
    const auto in_file = [&](const Error& error) {
        return fail_in_file(error.fault, path.string(), 0, error.message);
    };
    if (const Result<void> regular = require_regular_file(path); !regular)
        return in_file(regular.error());
    std::error_code code;
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    std::string bytes(code ? 0 : static_cast<std::size_t>(size), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (code || !file)
        return fail_in_file(Fault::Environment, path.string(), 0, "cannot be read");
    Result<ConfigurationIndex> index = decode(bytes, text);
    if (!index)
        return in_file(index.error());
    return index;
}

} // namespace sparsight
