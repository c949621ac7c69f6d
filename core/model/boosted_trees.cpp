#include "model/boosted_trees.h"

#include "model/tree_shape.h"
#include "schedule/encoding.h"
#include "schedule/validity.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>
#include <xgboost/c_api.h>

namespace sparsight {
namespace {

struct MatrixDeleter {
    void operator()(void* handle) const { XGDMatrixFree(handle); }
};
using MatrixHandle = std::unique_ptr<void, MatrixDeleter>;

/// xgboost's functions return 0, or -1 and keep a text whose first line says what was wrong.
std::unexpected<Error> failed(std::string_view what) {
    const std::string_view text = XGBGetLastError();
    return fail(Fault::Internal, fmt::format("{}: {}", what, text.substr(0, text.find('\n'))));
}

void add_row(std::vector<float>& table, const std::vector<float>& statistics, const SuperSchedule& schedule) {
    const ScheduleEncoding encoding = encode(schedule);
    const auto add = [&](auto value) { table.push_back(static_cast<float>(value)); };
    table.insert(table.end(), statistics.begin(), statistics.end());
    std::ranges::for_each(encoding.splits, add);
    std::ranges::for_each(encoding.formats, add);
    add(encoding.parallel);
    add(encoding.chunk);
    const std::size_t loops = loop_count(encoding.op);
    for (std::size_t loop = 0; loop < loops; ++loop)
        for (std::size_t depth = 0; depth < loops; ++depth)
            if (encoding.order[loop * loops + depth] != 0)
                add(depth);
}

std::vector<float> statistic_values(const PatternStatistics& of) {
    std::vector<float> values;
    for (const Statistic& statistic : statistics())
        values.push_back(static_cast<float>(statistic.of(of)));
    return values;
}

Result<MatrixHandle> make_matrix(Operator op, const std::vector<float>& table) {
    const std::size_t columns = tree_feature_names(op).size();
    DMatrixHandle handle = nullptr;
    // Values are never NaN; that is what marks a missing one.
    if (XGDMatrixCreateFromMat(table.data(), table.size() / columns, columns,
                               std::numeric_limits<float>::quiet_NaN(), &handle) != 0)
        return failed("the table for the trees was not made");
    return MatrixHandle(handle);
}

std::vector<float> rows_of(const PatternStatistics& statistics, std::span<const SuperSchedule> schedules) {
    std::vector<float> table;
    const std::vector<float> values = statistic_values(statistics);
    for (const SuperSchedule& schedule : schedules)
        add_row(table, values, schedule);
    return table;
}

/// Of the rounds from `begin` to `end`, 0: all of them. xgboost rates what is fast highly; scores are low.
Result<std::vector<float>> negated_margins(BoosterHandle booster, DMatrixHandle matrix, std::size_t rows,
                                           int begin, int end) {
    const std::string what = fmt::format(
        R"({{"type": 1, "training": false, "iteration_begin": {}, "iteration_end": {}, "strict_shape": false}})",
        begin, end);
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* predicted = nullptr;
    if (XGBoosterPredictFromDMatrix(booster, matrix, what.c_str(), &shape, &dimensions, &predicted) != 0)
        return failed("the trees gave no scores");
    std::vector<float> scores(rows);
    std::ranges::transform(std::span(predicted, rows), scores.begin(), std::negate{});
    return scores;
}

/// Of each runtime how many different ones are slower: xgboost ranks the largest first.
std::vector<float> relevance(std::span<const double> milliseconds) {
    std::vector<double> different(milliseconds.begin(), milliseconds.end());
    std::ranges::sort(different, std::greater{});
    different.erase(std::ranges::unique(different).begin(), different.end());
    std::vector<float> values;
    for (const double runtime : milliseconds)
        values.push_back(static_cast<float>(std::ranges::lower_bound(different, runtime, std::greater{}) -
                                            different.begin()));
    return values;
}

} // namespace

struct BoostedTrees::Booster {
    BoosterHandle handle = nullptr;

    Booster() = default;
    Booster(const Booster&) = delete;
    Booster& operator=(const Booster&) = delete;
    ~Booster() {
        if (handle != nullptr)
            XGBoosterFree(handle);
    }

    Result<void> set(const char* key, const std::string& value) {
        if (XGBoosterSetParam(handle, key, value.c_str()) != 0)
            return failed(fmt::format("xgboost does not take {} = {}", key, value));
        return {};
    }
};

std::vector<std::string> tree_feature_names(Operator op) {
    std::vector<std::string> names;
    for (const Statistic& statistic : statistics())
        names.push_back(statistic.name);
    for (const Index index : indices(op))
        names.push_back(fmt::format("log2_{}split", letter(index)));
    for (const Index index : {row_index(op), column_index(op)})
        for (const char part : {'1', '0'})
            names.push_back(fmt::format("format_{}{}", letter(index), part));
    names.insert(names.end(), {"parallel", "log2_chunk"});
    for (const LoopIndex loop : loop_names(op))
        names.push_back("depth_" + name(loop));
    return names;
}

BoostedTrees::BoostedTrees(Operator op, std::unique_ptr<Booster> booster)
    : op_(op)
    , booster_(std::move(booster)) {}
BoostedTrees::BoostedTrees(BoostedTrees&& other) noexcept = default;
BoostedTrees& BoostedTrees::operator=(BoostedTrees&& other) noexcept = default;
BoostedTrees::~BoostedTrees() = default;

Result<BoostedTrees> BoostedTrees::train(Operator op, std::span<const TreesGroup> groups,
                                         const TreesOptions& options, std::stop_token stop,
                                         const ProgressSink& progress) {
    std::vector<float> table;
    std::vector<float> labels;
    std::vector<unsigned> sizes;
    for (const TreesGroup& group : groups) {
        const std::vector<float> statistics = statistic_values(group.statistics);
        for (const SuperSchedule& schedule : group.schedules)
            add_row(table, statistics, schedule);
        std::ranges::copy(relevance(group.milliseconds), std::back_inserter(labels));
        sizes.push_back(static_cast<unsigned>(group.schedules.size()));
    }
    if (labels.empty())
        return fail(Fault::Input, "there is no runtime to train the trees on");
    const Result<MatrixHandle> matrix = make_matrix(op, table);
    if (!matrix)
        return std::unexpected(matrix.error());
    if (XGDMatrixSetFloatInfo(matrix->get(), "label", labels.data(), labels.size()) != 0 ||
        XGDMatrixSetUIntInfo(matrix->get(), "group", sizes.data(), sizes.size()) != 0)
        return failed("the runtimes were not taken");

    auto booster = std::make_unique<Booster>();
    const DMatrixHandle data = matrix->get();
    if (XGBoosterCreate(&data, 1, &booster->handle) != 0)
        return failed("the trees were not made");
    const std::array<std::pair<const char*, std::string>, 8> settings{{
        {"objective", "rank:pairwise"},
        {"tree_method", "hist"},
        {"max_depth", std::to_string(options.depth)},
        {"eta", fmt::format("{}", options.rate)},
        {"num_pairsample", std::to_string(options.pairs)},
        {"seed", std::to_string(options.seed % 2147483647U)},
        {"nthread", std::to_string(options.threads)},
        {"verbosity", "0"},
    }};
    for (const auto& [key, value] : settings)
        if (auto set = booster->set(key, value); !set)
            return std::unexpected(std::move(set.error()));
    for (int round = 0; round < options.rounds; ++round) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        if (XGBoosterUpdateOneIter(booster->handle, round, data) != 0)
            return failed("the trees were not trained");
        if (progress)
            progress({.stage = "training trees",
                      .done = static_cast<std::uint64_t>(round) + 1,
                      .total = static_cast<std::uint64_t>(options.rounds)});
    }
    return BoostedTrees(op, std::move(booster));
}

Result<BoostedTrees> BoostedTrees::load(Operator op, std::string_view bytes) {
    // Before xgboost sees them: it takes what is no JSON for its old binary format, and trusts what it finds.
    if (auto trees = check_tree_shapes(bytes, tree_feature_names(op).size()); !trees)
        return std::unexpected(std::move(trees.error()));
    auto booster = std::make_unique<Booster>();
    if (XGBoosterCreate(nullptr, 0, &booster->handle) != 0)
        return failed("the trees were not made");
    if (auto set = booster->set("verbosity", "0"); !set)
        return std::unexpected(std::move(set.error()));
    bst_ulong features = 0;
    if (XGBoosterLoadModelFromBuffer(booster->handle, bytes.data(), bytes.size()) != 0 ||
        XGBoosterGetNumFeature(booster->handle, &features) != 0)
        return fail(Fault::Input, failed("are no trees of xgboost").error().message);
    if (const std::size_t expected = tree_feature_names(op).size(); features != expected)
        return fail(Fault::Input, fmt::format("the trees look at {} features, where {} has {}", features,
                                              name(op), expected));
    return BoostedTrees(op, std::move(booster));
}

Result<std::string> BoostedTrees::save() const {
    bst_ulong size = 0;
    const char* bytes = nullptr;
    if (XGBoosterSaveModelToBuffer(booster_->handle, R"({"format": "json"})", &size, &bytes) != 0)
        return failed("the trees were not saved");
    return std::string(bytes, size);
}

Result<std::vector<float>> BoostedTrees::score(const PatternStatistics& statistics,
                                               std::span<const SuperSchedule> schedules, int rounds) const {
    if (schedules.empty())
        return std::vector<float>{};
    const Result<MatrixHandle> matrix = make_matrix(op_, rows_of(statistics, schedules));
    if (!matrix)
        return std::unexpected(matrix.error());
    return negated_margins(booster_->handle, matrix->get(), schedules.size(), 0, rounds);
}

Result<int> BoostedTrees::rounds() const {
    int rounds = 0;
    if (XGBoosterBoostedRounds(booster_->handle, &rounds) != 0)
        return failed("the trees were not counted");
    return rounds;
}

Result<std::vector<float>> BoostedTrees::parts(const PatternStatistics& statistics,
                                               std::span<const SuperSchedule> schedules) const {
    if (schedules.empty())
        return std::vector<float>{};
    const Result<MatrixHandle> matrix = make_matrix(op_, rows_of(statistics, schedules));
    if (!matrix)
        return std::unexpected(matrix.error());
    const Result<int> rounds = this->rounds();
    if (!rounds)
        return std::unexpected(rounds.error());
    std::vector<float> parts(schedules.size() * tree_parts);
    std::vector<float> before(schedules.size(), 0.0F);
    for (std::size_t part = 0; part < tree_parts; ++part) {
        const int end = *rounds * static_cast<int>(part + 1) / static_cast<int>(tree_parts);
        if (end == 0) // which xgboost takes for all
            continue;
        auto until = negated_margins(booster_->handle, matrix->get(), schedules.size(), 0, end);
        if (!until)
            return until;
        for (std::size_t row = 0; row < schedules.size(); ++row)
            parts[row * tree_parts + part] = (*until)[row] - before[row];
        before = *std::move(until);
    }
    return parts;
}

} // namespace sparsight
