#include "search/schedule_index.h"

#include "base/files.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
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

/// Places of the schedules that are the first to mean what they mean.
std::vector<std::size_t> first_of_each_meaning(std::span<const SuperSchedule> schedules) {
    std::unordered_set<SuperSchedule> seen;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < schedules.size(); ++at)
        if (seen.insert(canonical(schedules[at])).second)
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

ScheduleNodes nodes_from(std::span<const std::uint32_t> nodes_of_schedules) {
    ScheduleNodes nodes;
    const std::size_t count =
        nodes_of_schedules.empty() ? 0 : std::size_t{1} + std::ranges::max(nodes_of_schedules);
    nodes.starts.assign(count + 1, 0);
    for (const std::uint32_t node : nodes_of_schedules)
        ++nodes.starts[node + 1];
    for (std::size_t node = 0; node < count; ++node)
        nodes.starts[node + 1] += nodes.starts[node];
    nodes.schedules.resize(nodes_of_schedules.size());
    std::vector<std::uint32_t> next(nodes.starts.begin(), nodes.starts.end());
    for (std::uint32_t schedule = 0; schedule < nodes_of_schedules.size(); ++schedule)
        nodes.schedules[next[nodes_of_schedules[schedule]]++] = schedule;
    return nodes;
}

/// The first k schedules of nodes that are sorted by score.
std::vector<Ranked> first_schedules(const ScheduleIndex& index, std::span<const Ranked> nodes,
                                    std::size_t k) {
    BestRanked best(k);
    for (const Ranked& node : nodes)
        for (const std::uint32_t schedule : index.nodes.of(node.candidate))
            (void)best.offer({schedule, node.score});
    return best.take();
}

} // namespace

Result<ScheduleIndex> gather_schedules(std::string model, std::span<const SuperSchedule> schedules,
                                       std::span<const float> embeddings) {
    if (schedules.size() > std::numeric_limits<std::uint32_t>::max() / 2)
        return fail(Fault::Limit, fmt::format("{} schedules are too many for an index", schedules.size()));
    ScheduleIndex index;
    index.model = std::move(model);
    if (schedules.empty())
        return index;
    if (embeddings.empty() || embeddings.size() % schedules.size() != 0)
        return fail(Fault::Internal, fmt::format("{} schedules have {} numbers of embeddings",
                                                 schedules.size(), embeddings.size()));
    index.width = embeddings.size() / schedules.size();
    FloatBuffer rows;
    for (const std::size_t at : first_of_each_meaning(schedules)) {
        index.schedules.push_back(canonical(schedules[at]));
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

Result<ScheduleIndex> build_schedule_index(std::string model, std::span<const SuperSchedule> schedules,
                                           std::span<const float> embeddings, const GraphSettings& settings,
                                           std::stop_token stop, const ProgressSink& progress) {
    auto gathered = gather_schedules(std::move(model), schedules, embeddings);
    if (!gathered)
        return gathered;
    ScheduleIndex index = *std::move(gathered);
    if (index.schedules.empty())
        return index;
    Result<ProximityGraph> graph =
        build_proximity_graph(index.embeddings, index.width, settings, std::move(stop), progress);
    if (!graph)
        return std::unexpected(graph.error());
    index.graph = *std::move(graph);
    return index;
}

IndexSearch search_index(const ScheduleIndex& index, std::span<const float> rows,
                         const MatrixPredictor& predictor, const WalkSettings& settings) {
    IndexSearch search;
    search.walk = walk_graph(
        index.graph,
        [&](std::span<const std::uint32_t> nodes, std::span<float> scores) {
            predictor.score(rows, nodes, scores);
        },
        settings);
    search.best = first_schedules(index, search.walk.best, static_cast<std::size_t>(std::max(settings.k, 0)));
    return search;
}

std::vector<Ranked> search_exhaustively(const ScheduleIndex& index, std::span<const float> rows,
                                        const MatrixPredictor& predictor, std::size_t k, int threads) {
    return first_schedules(index, best_of(score_all(predictor, rows, threads), k), k);
}

std::vector<SuperSchedule> candidates(const ScheduleIndex& index, std::span<const Ranked> best, Operator op,
                                      int threads) {
    std::vector<SuperSchedule> found;
    for (const Ranked& ranked : best) {
        SuperSchedule schedule = index.schedules[ranked.candidate];
        schedule.threads = threads;
        // Schedules that were collected with different numbers of threads may now be one.
        if (std::ranges::find(found, schedule) == found.end())
            found.push_back(schedule);
    }
    const SuperSchedule fixed = canonical(fixed_csr(op, threads));
    if (std::ranges::find(found, fixed) == found.end())
        found.push_back(fixed);
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

std::string encode(const ScheduleIndex& index) {
    std::string lines;
    for (const SuperSchedule& schedule : index.schedules)
        lines += to_text(schedule) + '\n';
    std::string bytes;
    append_list(bytes, index.model);
    append(bytes, index.schedules.empty() ? Operator::SpMM : index.schedules.front().op);
    append_list(bytes, lines);
    append_list(bytes, index.nodes.starts);
    append_list(bytes, index.nodes.schedules);
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

bool is_consistent(const ScheduleIndex& index) {
    if (index.schedules.empty()) {
        ScheduleIndex empty;
        empty.model = index.model;
        return index == empty;
    }
    const std::size_t nodes = index.nodes.count();
    const ProximityGraph& graph = index.graph;
    return nodes > 0 && index.nodes.schedules.size() == index.schedules.size() &&
           are_lists(index.nodes.starts, index.nodes.schedules, nodes, index.schedules.size()) &&
           index.width > 0 && index.embeddings.size() / index.width == nodes &&
           index.embeddings.size() % index.width == 0 && graph.node_count == nodes && graph.entry < nodes &&
           !graph.layers.empty() &&
           std::ranges::all_of(
               graph.layers,
               [&](const LinkLists& layer) { return are_lists(layer.starts, layer.links, nodes, nodes); });
}

Result<std::vector<SuperSchedule>> parse_lines(Operator op, std::string_view lines) {
    std::vector<SuperSchedule> schedules;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        Result<SuperSchedule> schedule = parse_schedule(op, lines.substr(begin, end - begin));
        if (!schedule)
            return std::unexpected(schedule.error());
        schedules.push_back(*std::move(schedule));
        begin = end + 1;
    }
    return schedules;
}

Result<ScheduleIndex> decode(std::string_view bytes) {
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

    ScheduleIndex index;
    Reader reader(bytes.substr(checked_from));
    Operator op{};
    std::string lines;
    std::uint64_t width = 0;
    std::uint64_t layers = 0;
    reader.take_list(index.model);
    reader.take(op);
    reader.take_list(lines);
    reader.take_list(index.nodes.starts);
    reader.take_list(index.nodes.schedules);
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
    if (!reader.is_exhausted() || std::ranges::find(all_operators, op) == all_operators.end())
        return fail(Fault::Input, "is no index that can be used");
    Result<std::vector<SuperSchedule>> schedules = parse_lines(op, lines);
    if (!schedules)
        return std::unexpected(schedules.error());
    index.schedules = *std::move(schedules);
    if (!is_consistent(index))
        return fail(Fault::Input, "is an index that contradicts itself");
    return index;
}

} // namespace

Result<void> write_schedule_index(const std::filesystem::path& path, const ScheduleIndex& index) {
    const std::string checked = encode(index);
    std::string bytes(magic);
    append(bytes, format_version);
    append(bytes, checksum(checked));
    return write_whole_file(path, bytes + checked);
}

Result<ScheduleIndex> read_schedule_index(const std::filesystem::path& path) {
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
    Result<ScheduleIndex> index = decode(bytes);
    if (!index)
        return in_file(index.error());
    return index;
}

} // namespace sparsight
