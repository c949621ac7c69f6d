#include "model/networks/network_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sparsight {

std::vector<float> Standardisation::apply(std::span<const double> numbers) const {
    std::vector<float> standardised(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        standardised[i] = static_cast<float>((numbers[i] - mean[i]) / deviation[i]);
    return standardised;
}

Standardisation fit_standardisation(std::span<const std::vector<double>> rows) {
    const std::size_t columns = rows.front().size();
    const auto count = static_cast<double>(rows.size());
    Standardisation fitted{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
    for (std::size_t column = 0; column < columns; ++column) {
        double& mean = fitted.mean[column];
        for (const auto& row : rows)
            mean += row[column] / count;
        double variance = 0;
        for (const auto& row : rows)
            variance += (row[column] - mean) * (row[column] - mean) / count;
        // Rounding leaves a constant column with a deviation that is not quite 0.
        const bool varies = variance > 1e-24 * (1 + mean * mean);
        fitted.deviation[column] = varies ? std::sqrt(variance) : 1.0;
    }
    return fitted;
}

namespace {

using Value = std::optional<double> (*)(const MachineDescription&);

struct Fact {
    MachineFeature feature;
    Value value;
};

template <typename T>
std::optional<double> number(const std::optional<T>& fact) {
    return fact ? std::optional(static_cast<double>(*fact)) : std::nullopt;
}
template <typename Unit>
std::optional<double> number(const std::optional<Quantity<Unit>>& fact) {
    return fact ? std::optional(fact->value) : std::nullopt;
}

/// Of one cache of the level; of hybrid processors the largest.
std::optional<double> cache_bytes(const MachineDescription& machine, int level) {
    std::optional<double> bytes;
    for (const CacheLevel& cache : machine.caches)
        if (cache.level == level)
            bytes = std::max(bytes.value_or(0), static_cast<double>(cache.bytes));
    return bytes;
}

using Machine = const MachineDescription&;
const std::array facts{
    Fact{{"cores", "", 4, 2}, [](Machine m) { return number(m.cores); }},
    Fact{{"threads", "", 5, 2}, [](Machine m) { return number(m.threads); }},
    Fact{{"sockets", "", 0, 1}, [](Machine m) { return number(m.sockets); }},
    Fact{{"NUMA nodes", "", 0, 1}, [](Machine m) { return number(m.numa_nodes); }},
    Fact{{"clock", "GHz", 1.6, 0.5}, [](Machine m) { return number(m.clock); }},
    Fact{{"float lanes", "", 3, 1}, [](Machine m) { return number(m.float_lanes); }},
    Fact{{"L1 cache", "bytes", 15, 1}, [](Machine m) { return cache_bytes(m, 1); }},
    Fact{{"L2 cache", "bytes", 20, 1.5}, [](Machine m) { return cache_bytes(m, 2); }},
    Fact{{"last cache", "bytes", 25, 1.5}, [](Machine m) { return number(m.last_cache_bytes()); }},
    Fact{{"all last caches", "bytes", 26, 2}, [](Machine m) { return number(m.all_last_caches_bytes()); }},
    Fact{{"memory", "bytes", 36, 2}, [](Machine m) { return number(m.memory_bytes); }},
    Fact{{"bandwidth of one thread", "GB/s", 4, 1},
         [](Machine m) { return number(m.copy_bandwidth.one_thread); }},
    Fact{{"bandwidth of all threads", "GB/s", 6, 1.5},
         [](Machine m) { return number(m.copy_bandwidth.all_threads); }},
    Fact{
        {"memory latency", "ns", 6.6, 0.5},
        [](Machine m) { return m.memory_latency ? std::optional(m.memory_latency->count()) : std::nullopt; }},
    Fact{{"arithmetic of one thread", "GFLOP/s", 6, 1},
         [](Machine m) { return number(m.peak_fma.one_thread); }},
    Fact{{"arithmetic of all threads", "GFLOP/s", 10, 2},
         [](Machine m) { return number(m.peak_fma.all_threads); }},
};

} // namespace

std::span<const MachineFeature> machine_facts() {
    static const auto features = [] {
        std::array<MachineFeature, facts.size()> list;
        std::ranges::transform(facts, list.begin(), &Fact::feature);
        return list;
    }();
    return features;
}

std::size_t machine_feature_count() {
    return 2 * facts.size();
}

std::vector<float> machine_features(const MachineDescription& machine) {
    std::vector<float> features;
    features.reserve(machine_feature_count());
    for (const Fact& fact : facts) {
        const std::optional<double> value = fact.value(machine);
        const bool known = value && *value > 0; // the logarithm of 0 says nothing
        features.push_back(
            known ? static_cast<float>((std::log2(*value) - fact.feature.centre) / fact.feature.spread)
                  : 0.0F);
        features.push_back(known ? 1.0F : 0.0F);
    }
    return features;
}

} // namespace sparsight
