#include "machine/machine_edit.h"

#include "base/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <ranges>

namespace sparsight {

namespace {

using P = MachineParameter;

double accepted(P parameter, double value) {
    const ParameterInfo& info = parameter_info(parameter);
    const double within = std::clamp(value, info.lowest, info.highest);
    return is_count(info) ? std::round(within) : within;
}

/// Two numbers that differ by no more than what bytes are rounded by.
bool equal_but_for_rounding(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

/// What the parameters should be once `parameter` is `value`: its neighbours in the order of sockets, cores
/// and threads make room for it.
MachineParameters wanted(const MachineParameters& before, P parameter, double value) {
    MachineParameters target = before;
    target[parameter] = accepted(parameter, value);
    if (parameter == P::Sockets)
        target[P::Cores] = std::max(target[P::Cores], target[P::Sockets]);
    if (parameter == P::Threads)
        target[P::Cores] = std::min(target[P::Cores], target[P::Threads]);
    if (target[P::Cores] != before[P::Cores] && parameter != P::Threads)
        target[P::Threads] =
            accepted(P::Threads, target[P::Cores] * std::max(1.0, before[P::Threads] / before[P::Cores]));
    target[P::Sockets] = std::min(target[P::Sockets], target[P::Cores]);
    if (parameter != P::L3Caches)
        target[P::L3Caches] = std::min(target[P::L3Caches], target[P::Cores]);
    return target;
}

/// Writes parameters into the facts of a description, if there are facts that say them.
class FactWriter {
public:
    FactWriter(MachineDescription& machine, const MachineParameters& target)
        : machine_(machine)
        , target_(target) {}

    void write(P parameter) {
        const double value = target_[parameter];
        machine_.coefficients.erase(parameter);
        switch (parameter) {
        case P::Sockets:
            machine_.sockets = static_cast<int>(value);
            if (machine_.numa_nodes)
                machine_.numa_nodes = machine_.sockets;
            break;
        case P::Cores:
            machine_.cores = static_cast<int>(value);
            break;
        case P::Threads:
            machine_.threads = static_cast<int>(value);
            break;
        case P::SmtGain:
            machine_.smt_gain = value;
            break;
        case P::ClockRate:
            machine_.clock = Gigahertz{value};
            break;
        case P::Lanes:
            machine_.float_lanes = static_cast<int>(value);
            machine_.instruction_sets.clear(); // they would speak of other lanes
            break;
        case P::L1Bytes:
            write_cache(1, value);
            break;
        case P::L2Bytes:
            write_cache(2, value);
            break;
        case P::L3Bytes:
            write_last_cache(value);
            break;
        case P::L3Caches:
            write_last_cache_count(static_cast<int>(value));
            break;
        case P::L3Bandwidth:
            machine_.l3_bandwidth = GigabytesPerSecond{value};
            break;
        case P::CoreBandwidth:
            machine_.copy_bandwidth.one_thread = GigabytesPerSecond{value};
            break;
        case P::SocketBandwidth:
            machine_.copy_bandwidth.all_threads = GigabytesPerSecond{value * target_[P::Sockets]};
            break;
        case P::MemoryLatency:
            machine_.memory_latency = Nanoseconds(value);
            break;
        case P::OutstandingMisses:
            machine_.outstanding_misses = value;
            break;
        case P::RemotePenalty:
            machine_.remote_penalty = value;
            break;
        case P::RegionCost:
            machine_.region_cost = Nanoseconds(value * 1e3);
            break;
        case P::ChunkCost:
            machine_.chunk_cost = Nanoseconds(value * 1e3);
            break;
        case P::Noise:
            machine_.noise = value;
            break;
        default: // of the costs of loops and the like no fact tells
            machine_.coefficients[parameter] = value;
        }
    }

    /// After the number of cores or threads has changed: as many caches as they need, of the same size.
    void count_caches() {
        const auto threads = static_cast<int>(target_[P::Threads]);
        for (CacheLevel& each : machine_.caches)
            if (each.level == 3)
                share_last_cache(each, threads);
            else if (each.instances && each.shared_by_threads)
                each.instances = std::max(1, threads / *each.shared_by_threads);
    }

private:
    /// Each serves at least one core; fewer cores than caches leave the same bytes in fewer of them.
    void share_last_cache(CacheLevel& last, int threads) const {
        const int before = last.instances.value_or(1);
        const int after = std::min(before, static_cast<int>(target_[P::Cores]));
        last.bytes = last.bytes * static_cast<std::uint64_t>(before) / static_cast<std::uint64_t>(after);
        if (last.instances)
            last.instances = after;
        last.shared_by_threads = std::max(1, threads / after);
    }

    /// The one cache of the level: what a hybrid processor has several of becomes one kind.
    CacheLevel& cache(int level) {
        auto& caches = machine_.caches;
        const auto first = std::ranges::lower_bound(caches, level, {}, &CacheLevel::level);
        if (first == caches.end() || first->level != level)
            return *caches.insert(first, CacheLevel{level, 0, usual_cache_line, {}, {}});
        caches.erase(std::next(first), std::ranges::upper_bound(caches, level, {}, &CacheLevel::level));
        return *first;
    }

    /// Each core has its own of this size.
    void write_cache(int level, double bytes) {
        CacheLevel& own = cache(level);
        const double threads = target_[P::Threads] / target_[P::Cores];
        own.bytes = static_cast<std::uint64_t>(std::llround(bytes));
        own.shared_by_threads = static_cast<int>(std::floor(threads));
        own.instances = static_cast<int>(target_[P::Cores]);
    }

    /// As many as before, or one a socket.
    void write_last_cache(double bytes) {
        if (bytes < 1) {
            std::erase_if(machine_.caches, [](const CacheLevel& each) { return each.level == 3; });
            return;
        }
        CacheLevel& last = cache(3);
        const int instances = std::min(last.instances.value_or(static_cast<int>(target_[P::Sockets])),
                                       static_cast<int>(target_[P::Cores]));
        last.instances = instances;
        last.bytes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(bytes / instances)));
        last.shared_by_threads = std::max(1, static_cast<int>(target_[P::Threads]) / instances);
    }

    /// The same bytes in so many caches.
    void write_last_cache_count(int count) {
        const auto last = std::ranges::find(machine_.caches, 3, &CacheLevel::level);
        if (last == machine_.caches.end()) {
            machine_.coefficients[P::L3Caches] = count;
            return;
        }
        last->instances = count;
        write_last_cache(target_[P::L3Bytes]);
    }

    MachineDescription& machine_;
    const MachineParameters& target_;
};

struct Setting {
    P parameter{};
    double value = 0;
};

/// Of all sockets, in GB/s.
double bandwidth_of_all(const MachineParameters& values) {
    return values[P::SocketBandwidth] * values[P::Sockets];
}

bool is_core_faster_than_all(const MachineParameters& values) {
    return values[P::CoreBandwidth] > bandwidth_of_all(values) * (1 + 1e-6);
}

/// "KEY=VALUE" with a value within the range of the parameter.
Result<Setting> parse_setting(std::string_view setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos)
        return fail(Fault::Input, fmt::format("'{}' sets nothing: expected KEY=VALUE", setting));
    const std::string_view key = setting.substr(0, equals);
    const std::string_view text = setting.substr(equals + 1);
    const auto parameter = parse_machine_parameter(key);
    if (!parameter)
        return fail(Fault::Input, fmt::format("there is no parameter '{}': expected one of {}", key,
                                              fmt::join(parameter_keys(), ", ")));
    const ParameterInfo& info = parameter_info(*parameter);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool is_number = error == std::errc() && end == text.data() + text.size();
    if (!is_number && info.unit == "B")
        if (const auto bytes = parse_bytes(text)) {
            value = static_cast<double>(*bytes);
            is_number = true;
        }
    if (!is_number || value < info.lowest || value > info.highest || std::isnan(value) ||
        (is_count(info) && value != std::round(value)))
        return fail(Fault::Input, fmt::format("{} is '{}': expected a {}number {}", key, text,
                                              is_count(info) ? "whole " : "", range_text(info)));
    return Setting{*parameter, value};
}

Result<void> require_even_sockets(const MachineParameters& values) {
    if (std::fmod(values[P::Cores], values[P::Sockets]) == 0)
        return {};
    return fail(Fault::Input,
                fmt::format("cores is {} and sockets is {}: expected as many cores on each socket",
                            values[P::Cores], values[P::Sockets]));
}

} // namespace

MachineDescription with_parameter(const MachineDescription& machine, MachineParameter parameter,
                                  double value) {
    const ResolvedParameters before = resolve_parameters(machine);
    const MachineParameters target = wanted(before.values, parameter, value);
    MachineDescription changed = machine;
    FactWriter writer(changed, target);
    const auto changes = [&](P each) { return target[each] != before.values[each]; };
    const auto was_known = [&](P each) {
        return std::ranges::find(before.assumed, each) == before.assumed.end();
    };
    for (const ParameterInfo& info : all_parameters()) {
        const P each = info.parameter;
        const bool is_asked_for = each == parameter || changes(each);
        // Caches and bandwidths that are told for the whole machine change with its cores and sockets.
        if (is_asked_for || (was_known(each) &&
                             !equal_but_for_rounding(resolve_parameters(changed).values[each], target[each])))
            writer.write(each);
    }
    if (changes(P::Cores) || changes(P::Threads))
        writer.count_caches();
    if (changes(P::Cores) || changes(P::Threads) || changes(P::ClockRate) || changes(P::Lanes))
        changed.peak_fma = {}; // measured at other ones
    for (const ParameterInfo& info : all_parameters()) {
        const P each = info.parameter;
        const bool is_known = each == parameter || was_known(each);
        if (is_known && !equal_but_for_rounding(resolve_parameters(changed).values[each], target[each]))
            changed.coefficients[each] = target[each]; // no fact could say it, as that there is no cache
    }
    return changed;
}

MachineDescription with_even_parameter(const MachineDescription& machine, MachineParameter parameter,
                                       double value) {
    const MachineDescription changed = with_parameter(machine, parameter, value);
    const MachineParameters values = resolve_parameters(changed).values;
    const double most_of_socket = std::floor(parameter_info(P::Cores).highest / values[P::Sockets]);
    const double of_socket = std::round(values[P::Cores] / values[P::Sockets]);
    const double even = values[P::Sockets] * std::clamp(of_socket, 1.0, most_of_socket);
    const bool counts = parameter == P::Sockets || parameter == P::Cores || parameter == P::Threads;
    return counts && even != values[P::Cores] ? with_parameter(changed, P::Cores, even) : changed;
}

Result<MachineDescription> with_settings(MachineDescription machine, std::span<const std::string> settings) {
    std::vector<Setting> all;
    for (const std::string& setting : settings) {
        const auto parsed = parse_setting(setting);
        if (!parsed)
            return std::unexpected(parsed.error());
        machine = with_parameter(machine, parsed->parameter, parsed->value);
        std::erase_if(all, [&](const Setting& before) { return before.parameter == parsed->parameter; });
        all.push_back(*parsed);
    }
    const MachineParameters values = resolve_parameters(machine).values;
    for (const Setting& each : all)
        if (!equal_but_for_rounding(values[each.parameter], each.value))
            return fail(Fault::Input,
                        fmt::format("{}={} contradicts later settings, which make it {}: each socket needs a "
                                    "core and each core a thread",
                                    parameter_info(each.parameter).key, each.value, values[each.parameter]));
    const auto sets = [&](std::initializer_list<P> wanted) {
        return std::ranges::any_of(all, [&](const Setting& each) {
            return std::ranges::find(wanted, each.parameter) != wanted.end();
        });
    };
    if (sets({P::Sockets, P::Cores, P::Threads}))
        if (auto even = require_even_sockets(values); !even)
            return std::unexpected(std::move(even).error());
    if (sets({P::CoreBandwidth, P::SocketBandwidth}) && values[P::CoreBandwidth] > values[P::SocketBandwidth])
        return fail(Fault::Input, fmt::format("core_gb_per_s is {}: expected at most the {} of its socket",
                                              values[P::CoreBandwidth], values[P::SocketBandwidth]));
    return machine;
}

std::vector<std::string> unrequested_changes(const MachineDescription& before,
                                             const MachineDescription& after,
                                             std::span<const std::string> settings) {
    const MachineParameters old_values = resolve_parameters(before).values;
    const MachineParameters new_values = resolve_parameters(after).values;
    std::vector<std::string> changes;
    for (const P parameter : {P::Sockets, P::Cores, P::Threads}) {
        const std::string_view key = parameter_info(parameter).key;
        const bool is_asked_for = std::ranges::any_of(settings, [&](const std::string& setting) {
            return setting.starts_with(fmt::format("{}=", key));
        });
        if (!is_asked_for && old_values[parameter] != new_values[parameter])
            changes.push_back(
                fmt::format("{} is {} instead of {}", key, new_values[parameter], old_values[parameter]));
    }
    return changes;
}

Result<void> require_consistent(const MachineDescription& machine) {
    if (machine.source == MachineSource::Probed)
        return {};
    const MachineParameters values = resolve_parameters(without_calibration(machine)).values;
    if (auto even = require_even_sockets(values); !even)
        return even;
    if (is_core_faster_than_all(values))
        return fail(Fault::Input,
                    fmt::format("the bandwidth of one core is {:.4g} GB/s: expected at most that of all, "
                                "{:.4g} GB/s",
                                values[P::CoreBandwidth], bandwidth_of_all(values)));
    return {};
}

MachineDescription simulated_copy(MachineDescription machine) {
    machine.source = MachineSource::Simulated;
    machine.calibration = {};
    const MachineParameters values = resolve_parameters(machine).values;
    if (!require_even_sockets(values))
        machine = with_even_parameter(machine, P::Cores, values[P::Cores]);
    if (const MachineParameters now = resolve_parameters(machine).values; is_core_faster_than_all(now))
        machine = with_parameter(machine, P::CoreBandwidth, bandwidth_of_all(now));
    return machine;
}

} // namespace sparsight
