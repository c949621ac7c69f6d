#include "domains/sparse/encoder/network_description.h"

#include "base/names.h"
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "model/checkpoints/json_fields.h"
#include "model/networks/gray_box.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

bool has_parallel(const ScheduleLayout& layout) {
    return layout.tables == ScheduleTables::Full || layout.network == Operator::SDDMM;
}

int split_categories_of(const ScheduleLayout& layout, Index index) {
    constexpr int waco_sparse = 17;
    constexpr int waco_dense = 8;
    if (layout.tables == ScheduleTables::Full)
        return split_categories;
    return is_sparse_index(layout.network, index) ? waco_sparse : waco_dense;
}

int chunk_categories_of(const ScheduleLayout& layout) {
    if (layout.tables == ScheduleTables::Full)
        return chunk_categories;
    return layout.network == Operator::SDDMM ? 6 : 9;
}

} // namespace

std::vector<CategoryTable> category_tables(const ScheduleLayout& layout) {
    std::vector<CategoryTable> tables;
    for (const Index index : indices(layout.network))
        tables.push_back({letter(index) + std::string("split"), split_categories_of(layout, index)});
    for (const LoopIndex level : level_names(layout.network))
        tables.push_back({"format" + name(level), 2});
    if (has_parallel(layout))
        tables.push_back({"paridx", static_cast<int>(loop_count(layout.network))});
    tables.push_back({"parchunk", chunk_categories_of(layout)});
    return tables;
}

namespace {

/// `schedule_at` gives the schedule of a place.
template <typename ScheduleAt>
ScheduleBatch encode_each(const ScheduleLayout& layout, std::size_t count, ScheduleAt schedule_at) {
    const std::vector<CategoryTable> tables = category_tables(layout);
    const std::size_t loops = loop_count(layout.op);
    ScheduleBatch batch;
    batch.count = count;
    batch.categories.reserve(count * tables.size());
    batch.orders.reserve(count * loops * loops);
    for (std::size_t at = 0; at < count; ++at) {
        const ScheduleEncoding encoding = encode(schedule_at(at));
        std::size_t table = 0;
        const auto add = [&](int category) {
            batch.categories.push_back(std::min(category, tables[table].categories - 1));
            ++table;
        };
        std::ranges::for_each(encoding.splits, add);
        std::ranges::for_each(encoding.formats, add);
        if (has_parallel(layout))
            add(encoding.parallel);
        add(encoding.chunk);
        batch.orders.insert(batch.orders.end(), encoding.order.begin(), encoding.order.end());
    }
    return batch;
}

} // namespace

ScheduleBatch encode_batch(const ScheduleLayout& layout, std::span<const SuperSchedule> schedules) {
    return encode_each(layout, schedules.size(),
                       [&](std::size_t at) -> const SuperSchedule& { return schedules[at]; });
}

ScheduleBatch encode_batch(const ScheduleLayout& layout, std::span<const Configuration> configurations) {
    constexpr int any_threads = 1; // they are no part of an encoding
    return encode_each(layout, configurations.size(),
                       [&](std::size_t at) { return schedule_of(configurations[at], any_threads); });
}

constexpr Names<Architecture, 2> architecture_names{
    {{Architecture::WacoNet, "waconet"}, {Architecture::StatisticsNet, "statistics"}}};

std::string_view name(Architecture architecture) {
    return name_in(architecture_names, architecture);
}

std::optional<Architecture> parse_architecture(std::string_view text) {
    return value_in(architecture_names, text);
}

std::vector<double> matrix_numbers(Architecture architecture, const PatternStatistics& of) {
    if (architecture == Architecture::WacoNet)
        return {static_cast<double>(of.rows), static_cast<double>(of.cols), static_cast<double>(of.nnz)};
    std::vector<double> numbers;
    for (const Statistic& statistic : statistics()) {
        const double value = statistic.of(of);
        numbers.push_back(statistic.is_unbounded() ? std::log1p(value) : value);
    }
    return numbers;
}

namespace {

constexpr std::int64_t hidden_channels = 32; ///< of convolutions, small perceptrons and embedding tables
constexpr int convolutions = 14;

class ParameterList {
public:
    void add(std::string name, std::vector<std::int64_t> shape, Initial initial, std::int64_t fan) {
        list_.push_back({{std::move(name), std::move(shape)}, initial, fan});
    }
    void linear(const std::string& name, std::int64_t out, std::int64_t in) {
        add_linear(list_, name, out, in);
    }
    void predictor(std::int64_t workload_width) { add_predictor(list_, workload_width); }
    /// A table of embeddings.
    void table(const std::string& name, std::int64_t categories) {
        add(name + ".weight", {categories, hidden_channels}, Initial::Normal, 1);
    }
    [[nodiscard]] std::vector<NetworkParameter> take() { return std::move(list_); }

private:
    std::vector<NetworkParameter> list_;
};

/// Returns the width of what it gives to the matrix embedding.
std::int64_t add_matrix_input(ParameterList& list, const NetworkDescription& network) {
    if (network.architecture == Architecture::StatisticsNet) {
        constexpr std::int64_t width = 128;
        list.linear("statistics.0", width, static_cast<std::int64_t>(statistics().size()));
        list.linear("statistics.2", width, width);
        return width;
    }
    for (int layer = 1; layer <= convolutions; ++layer) {
        const std::int64_t area = layer == 1 ? 25 : 9;
        list.add(fmt::format("layer{}.0.kernel", layer),
                 {area, layer == 1 ? 1 : hidden_channels, hidden_channels}, Initial::KaimingNormal,
                 area * hidden_channels);
    }
    list.linear("feature.0", 64, 3);
    list.linear("feature.2", hidden_channels, 64);
    return convolutions * hidden_channels + hidden_channels;
}

void add_schedule_embedding(ParameterList& list, const ScheduleLayout& layout) {
    const std::vector<CategoryTable> tables = category_tables(layout);
    for (const CategoryTable& table : tables)
        list.table(table.name, table.categories);
    const auto loops = static_cast<std::int64_t>(loop_count(layout.op));
    list.linear("order", hidden_channels, loops * loops);
    const auto parts = static_cast<std::int64_t>(tables.size()) + 1;
    list.linear("schedule_embedding.0", embedding_width, parts * hidden_channels);
    list.linear("schedule_embedding.2", embedding_width, embedding_width);
}

} // namespace

std::vector<NetworkParameter> parameters(const NetworkDescription& network) {
    ParameterList list;
    std::int64_t width = add_matrix_input(list, network);
    if (network.machine) {
        list.linear("machine.0", 64, static_cast<std::int64_t>(machine_feature_count()));
        list.linear("machine.2", hidden_channels, 64);
        width += hidden_channels;
    }
    list.linear("matrix_embedding.0", 256, width);
    list.linear("matrix_embedding.2", embedding_width, 256);
    add_schedule_embedding(list, network.schedules);
    list.predictor(network.narrowed ? 1 : embedding_width);
    if (network.narrowed) {
        list.linear("head.0", 64, embedding_width);
        list.linear("head.2", 1, 64);
    }
    return list.take();
}

std::vector<NamedShape> parameter_shapes(const NetworkDescription& network) {
    return shapes_of(parameters(network));
}

std::vector<NamedArray> initial_weights(const NetworkDescription& network, std::uint64_t seed) {
    return draw_weights(parameters(network), seed);
}

namespace {

constexpr Names<ScheduleTables, 2> table_names{
    {{ScheduleTables::Waco, "waco"}, {ScheduleTables::Full, "full"}}};

std::string_view name(ScheduleTables tables) {
    return name_in(table_names, tables);
}

std::optional<ScheduleTables> parse_tables(std::string_view text) {
    return value_in(table_names, text);
}

/// Architectures without a domain were stored before there were others.
void require_sparse(const ModelArchitecture& architecture) {
    if (!architecture.domain.empty() && architecture.domain != sparse_domain)
        throw JsonDefect{fmt::format("domain is {:?}, expected {:?}", architecture.domain, sparse_domain)};
}

Standardisation read_standardisation(const OrderedJson& json, Architecture numbers) {
    const auto field = json_field<OrderedJson>(json, "standardisation");
    Standardisation read{json_field<std::vector<double>>(field, "mean"),
                         json_field<std::vector<double>>(field, "deviation")};
    const std::size_t expected = matrix_numbers(numbers, PatternStatistics{}).size();
    if (read.mean.size() != expected || read.deviation.size() != expected)
        throw JsonDefect{
            fmt::format("standardisation is of {} numbers, expected {}", read.mean.size(), expected)};
    for (const double deviation : read.deviation)
        if (!(deviation > 0))
            throw JsonDefect{"standardisation has a deviation that is not above 0"};
    return read;
}

NetworkDescription read_input(const OrderedJson& json, Architecture architecture) {
    NetworkDescription network;
    network.architecture = architecture;
    network.schedules.op = json_name(json, "operator", parse_operator);
    network.schedules.tables = json_name(json, "tables", parse_tables);
    network.schedules.network = json_name(json, "tables_of", parse_operator);
    network.machine = json_field<bool>(json, "machine");
    network.narrowed = json_field<bool>(json, "narrowed");
    if (loop_count(network.schedules.op) != loop_count(network.schedules.network))
        throw JsonDefect{"tables_of is an operator with another number of loops"};
    network.standardisation = read_standardisation(json, architecture);
    return network;
}

/// What read(the input) returns, or the field that is wrong.
template <typename Read>
auto read_fields(const ModelArchitecture& architecture, Read read) -> Result<decltype(read(OrderedJson()))> {
    try {
        require_sparse(architecture);
        return read(OrderedJson::parse(architecture.input, nullptr, /*allow_exceptions=*/false));
    } catch (const JsonDefect& defect) {
        return fail(Fault::Input, defect.text);
    }
}

} // namespace

ModelArchitecture describe(const NetworkDescription& network) {
    const OrderedJson input{
        {"operator", name(network.schedules.op)},
        {"tables", name(network.schedules.tables)},
        {"tables_of", name(network.schedules.network)},
        {"machine", network.machine},
        {"narrowed", network.narrowed},
        {"standardisation",
         {{"mean", network.standardisation.mean}, {"deviation", network.standardisation.deviation}}}};
    return {std::string(name(network.architecture)), input.dump()};
}

ModelArchitecture describe(const GrayBoxDescription& box) {
    const OrderedJson input{
        {"operator", name(box.setting.op)},
        {"dense", box.setting.dense},
        {"standardisation",
         {{"mean", box.standardisation.mean}, {"deviation", box.standardisation.deviation}}}};
    return {std::string(gray_box_architecture), input.dump()};
}

Result<GrayBoxDescription> read_gray_box(const ModelArchitecture& architecture) {
    return read_fields(architecture, [](const OrderedJson& input) {
        GrayBoxDescription box{
            {json_name(input, "operator", parse_operator), json_field<std::int64_t>(input, "dense")},
            read_standardisation(input, Architecture::StatisticsNet)};
        if (box.setting.dense < 1)
            throw JsonDefect{fmt::format("dense is {}, expected 1 or more", box.setting.dense)};
        return box;
    });
}

ModelArchitecture describe_trees(Operator op) {
    OrderedJson input;
    input["operator"] = name(op);
    return {std::string(trees_architecture), input.dump()};
}

Result<NetworkDescription> read_network(const ModelArchitecture& architecture) {
    return read_fields(architecture, [&](const OrderedJson& input) {
        const auto kind = parse_architecture(architecture.name);
        if (!kind)
            throw JsonDefect{fmt::format("architecture is {:?}, which is not known here",
                                         architecture.name.substr(0, 40))};
        return read_input(input, *kind);
    });
}

Result<Operator> read_model_operator(const ModelArchitecture& architecture) {
    return read_fields(architecture,
                       [](const OrderedJson& input) { return json_name(input, "operator", parse_operator); });
}

} // namespace sparsight
