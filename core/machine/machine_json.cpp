#include "machine/machine_description.h"

#include "machine/machine_parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

template <typename Archive, typename Check>
void visit_cross_validation(Archive& archive, Check& check) {
    archive.field("operator", check.op);
    archive.field("dense", check.dense);
    archive.field("kendall_tau", check.quality.kendall_tau);
    archive.field("ordered_pair_accuracy", check.quality.ordered_pair_accuracy);
    archive.field("best_quarter_tau", check.quality.best_quarter_tau);
    archive.field("best_quarter_accuracy", check.quality.best_quarter_accuracy);
    archive.field("top_1_regret", check.quality.top_1_regret);
    archive.field("top_5_regret", check.quality.top_5_regret);
    archive.field("top_20_regret", check.quality.top_20_regret);
    archive.field("median_error", check.quality.median_error);
}

/// The one list of fields; Archive either writes each of them or reads it.
template <typename Archive, typename Machine>
void visit_fields(Archive& archive, Machine& machine) {
    archive.field("name", machine.name);
    archive.field("source", machine.source);
    archive.field("date", machine.date);
    archive.object("cpu", [&](auto& cpu) {
        cpu.field("model", machine.cpu_model);
        cpu.field("architecture", machine.architecture);
        cpu.field("sockets", machine.sockets);
        cpu.field("cores", machine.cores);
        cpu.field("threads", machine.threads);
        cpu.field("clock_ghz", machine.clock);
        cpu.field("float_lanes", machine.float_lanes);
        cpu.field("instruction_sets", machine.instruction_sets);
    });
    archive.list("caches", machine.caches, [](auto& item, auto& cache) {
        item.field("level", cache.level);
        item.field("bytes", cache.bytes);
        item.field("line_bytes", cache.line_bytes);
        item.field("shared_by_threads", cache.shared_by_threads);
        item.field("instances", cache.instances);
    });
    archive.object("memory", [&](auto& memory) {
        memory.field("bytes", machine.memory_bytes);
        memory.field("numa_nodes", machine.numa_nodes);
    });
    archive.object("measured", [&](auto& measured) {
        measured.field("copy_gb_per_s_one_thread", machine.copy_bandwidth.one_thread);
        measured.field("copy_gb_per_s_all_threads", machine.copy_bandwidth.all_threads);
        measured.field("memory_latency_ns", machine.memory_latency);
        measured.field("fma_gflop_per_s_one_thread", machine.peak_fma.one_thread);
        measured.field("fma_gflop_per_s_all_threads", machine.peak_fma.all_threads);
    });
    archive.added_object("simulation", [&](auto& simulation) {
        simulation.field("smt_gain", machine.smt_gain);
        simulation.field("l3_gb_per_s", machine.l3_bandwidth);
        simulation.field("outstanding_misses", machine.outstanding_misses);
        simulation.field("remote_penalty", machine.remote_penalty);
        simulation.field("region_ns", machine.region_cost);
        simulation.field("chunk_ns", machine.chunk_cost);
        simulation.field("noise", machine.noise);
        simulation.by_parameter("coefficients", machine.coefficients,
                                [](const ParameterInfo& info) { return "a number " + range_text(info); });
        simulation.added_object("calibration", [&](auto& calibration) {
            calibration.by_parameter("doubt_left", machine.calibration.doubt_left, [](const ParameterInfo&) {
                return std::string("a number from 0 to 1");
            });
            calibration.field("fitted_matrices", machine.calibration.fitted_matrices);
            calibration.object_if_known(
                "cross_validation", machine.calibration.cross_validation,
                [](auto& archive_of_it, auto& it) { visit_cross_validation(archive_of_it, it); });
        });
    });
}

class Writer {
public:
    explicit Writer(Json& json)
        : json_(json) {}

    template <typename T>
    void field(const char* key, const T& value) {
        json_[key] = as_json(value);
    }
    void object(const char* key, const auto& write) {
        Json inner = Json::object();
        Writer writer(inner);
        write(writer);
        json_[key] = std::move(inner);
    }
    void added_object(const char* key, const auto& write) { object(key, write); }
    template <typename T>
    void object_if_known(const char* key, const std::optional<T>& value, const auto& write) {
        if (value)
            object(key, [&](Writer& inner) { write(inner, *value); });
    }
    void by_parameter(const char* key, const std::map<MachineParameter, double>& values,
                      const auto& /*expected_of*/) {
        Json inner = Json::object();
        for (const auto& [parameter, value] : values)
            inner[parameter_info(parameter).key] = value;
        json_[key] = std::move(inner);
    }
    template <typename T>
    void list(const char* key, const std::vector<T>& values, const auto& write) {
        Json items = Json::array();
        for (const T& value : values) {
            Json inner = Json::object();
            Writer writer(inner);
            write(writer, value);
            items.push_back(std::move(inner));
        }
        json_[key] = std::move(items);
    }

private:
    template <typename T>
    static Json as_json(const std::optional<T>& value) {
        return value ? as_json(*value) : Json(nullptr);
    }
    template <typename Unit>
    static Json as_json(const Quantity<Unit>& value) {
        return value.value;
    }
    static Json as_json(Nanoseconds value) { return value.count(); }
    static Json as_json(MachineSource value) { return std::string(name(value)); }
    static Json as_json(const auto& value) { return value; }

    Json& json_;
};

/// A field's value as a user would write it, short enough for one line of an error. Lists and objects are not
/// spelt out: printing them recurses, and a hostile file may nest a million of them.
std::string shown(const Json& json) {
    if (json.is_array())
        return "a list";
    if (json.is_object())
        return "an object";
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() <= 60)
        return text;
    std::size_t end = 57;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) // not inside a UTF-8 character
        --end;
    return text.substr(0, end) + "...";
}

class Reader {
public:
    Reader(const Json& json, std::string prefix, std::string& complaint)
        : json_(json)
        , prefix_(std::move(prefix))
        , complaint_(complaint) {
        if (!json.is_object())
            complain(prefix_.empty() ? "the machine" : prefix_.substr(0, prefix_.size() - 1), json,
                     "an object");
    }

    template <typename T>
    void field(const char* key, T& value) {
        const Json* found = find(key, expected(value));
        if (found != nullptr && !read(*found, value))
            complain(prefix_ + key, *found, expected(value));
    }
    void object(const char* key, const auto& read_fields) {
        const Json* found = find(key, "an object");
        if (found == nullptr)
            return;
        Reader reader(*found, prefix_ + key + ".", complaint_);
        read_fields(reader);
        reader.finish();
    }
    /// Files that were written before it existed lack it.
    void added_object(const char* key, const auto& read_fields) {
        known_.insert(key);
        if (json_.is_object() && json_.contains(key))
            object(key, read_fields);
    }
    template <typename T>
    void object_if_known(const char* key, std::optional<T>& value, const auto& read_fields) {
        added_object(key, [&](Reader& inner) { read_fields(inner, value.emplace()); });
    }
    void by_parameter(const char* key, std::map<MachineParameter, double>& values, const auto& expected_of) {
        const Json* found = find(key, "an object of numbers");
        if (found == nullptr)
            return;
        if (!found->is_object())
            return complain(prefix_ + key, *found, "an object of numbers");
        for (const auto& [name, value] : found->items()) {
            const std::string where = fmt::format("{}{}.{}", prefix_, key, name);
            const auto parameter = parse_machine_parameter(name);
            if (!parameter)
                complain(where, value,
                         fmt::format("only the parameters {}", fmt::join(parameter_keys(), ", ")));
            else if (!value.is_number())
                complain(where, value, expected_of(parameter_info(*parameter)));
            else
                values[*parameter] = value.template get<double>();
        }
    }
    template <typename T>
    void list(const char* key, std::vector<T>& values, const auto& read_fields) {
        const Json* found = find(key, "a list of objects");
        if (found == nullptr)
            return;
        if (!found->is_array())
            return complain(prefix_ + key, *found, "a list of objects");
        for (const Json& item : *found) {
            Reader reader(item, fmt::format("{}{}[{}].", prefix_, key, values.size()), complaint_);
            read_fields(reader, values.emplace_back());
            reader.finish();
        }
    }

    /// Complains of a field that no machine has: a misspelt one would be lost without a word.
    void finish() {
        if (!json_.is_object())
            return;
        for (const auto& [key, value] : json_.items())
            if (!known_.contains(key))
                complain(prefix_ + key, value, fmt::format("only the fields {}", fmt::join(known_, ", ")));
    }

private:
    void complain(const std::string& where, const Json& found, const std::string& expected_here) {
        if (complaint_.empty())
            complaint_ = fmt::format("{} is {}: expected {}", where, shown(found), expected_here);
    }

    const Json* find(const char* key, const std::string& expected_here) {
        known_.insert(key);
        if (!json_.is_object())
            return nullptr;
        const auto found = json_.find(key);
        if (found != json_.end())
            return &*found;
        if (complaint_.empty())
            complaint_ = fmt::format("{}{} is missing: expected {}", prefix_, key, expected_here);
        return nullptr;
    }

    static bool read(const Json& json, std::string& value) {
        if (json.is_string())
            value = json.get<std::string>();
        return json.is_string();
    }
    static bool read(const Json& json, std::uint64_t& value) {
        const bool natural =
            json.is_number_unsigned() || (json.is_number_integer() && json.get<std::int64_t>() >= 0);
        if (!natural)
            return false;
        value = json.get<std::uint64_t>();
        return true;
    }
    static bool read(const Json& json, int& value) {
        std::uint64_t wide = 0;
        if (!read(json, wide) || wide > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
            return false;
        value = static_cast<int>(wide);
        return true;
    }
    static bool read(const Json& json, double& value) {
        if (json.is_number())
            value = json.get<double>();
        return json.is_number();
    }
    template <typename Unit>
    static bool read(const Json& json, Quantity<Unit>& value) {
        return read(json, value.value);
    }
    static bool read(const Json& json, Nanoseconds& value) {
        if (json.is_number())
            value = Nanoseconds(json.get<double>());
        return json.is_number();
    }
    static bool read(const Json& json, MachineSource& value) {
        const auto source = json.is_string() ? parse_machine_source(json.get<std::string>()) : std::nullopt;
        value = source.value_or(value);
        return source.has_value();
    }
    static bool read(const Json& json, std::vector<std::string>& value) {
        if (!json.is_array() || !std::ranges::all_of(json, [](const Json& item) { return item.is_string(); }))
            return false;
        value = json.get<std::vector<std::string>>();
        return true;
    }
    template <typename T>
    static bool read(const Json& json, std::optional<T>& value) {
        return json.is_null() || read(json, value.emplace());
    }

    static std::string expected(const std::string&) { return "a text"; }
    static std::string expected(std::uint64_t) { return "a whole number"; }
    static std::string expected(int) { return "a whole number"; }
    static std::string expected(double) { return "a number"; }
    template <typename Unit>
    static std::string expected(const Quantity<Unit>&) {
        return "a number";
    }
    static std::string expected(Nanoseconds) { return "a number"; }
    static std::string expected(MachineSource) { return "\"probed\", \"simulated\" or \"recorded\""; }
    static std::string expected(const std::vector<std::string>&) { return "a list of texts"; }
    template <typename T>
    static std::string expected(const std::optional<T>&) {
        return expected(T{}) + ", or null where it is unknown";
    }

    const Json& json_;
    std::string prefix_; ///< of the names of fields here: "", "cpu.", "caches[2]."
    std::string& complaint_;
    std::set<std::string> known_{};
};

constexpr int newest_format = 1;

} // namespace

nlohmann::ordered_json machine_to_json(const MachineDescription& machine) {
    Json json = Json::object();
    json["format"] = newest_format;
    Writer writer(json);
    visit_fields(writer, machine);
    return json;
}

std::string machine_to_text(const MachineDescription& machine) {
    return machine_to_json(machine).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<MachineDescription> machine_from_json(const nlohmann::ordered_json& json) {
    std::string complaint;
    Reader reader(json, "", complaint);
    int format = 0;
    reader.field("format", format);
    if (complaint.empty() && format != newest_format)
        complaint = fmt::format("format is {}: expected {}, the only one that this version reads", format,
                                newest_format);
    MachineDescription machine;
    visit_fields(reader, machine);
    reader.finish();
    if (!complaint.empty())
        return fail(Fault::Input, complaint);
    if (const auto valid = validate(machine); !valid)
        return std::unexpected(valid.error());
    return machine;
}

Result<MachineDescription> machine_from_text(std::string_view text) {
    try {
        return machine_from_json(Json::parse(text));
    } catch (const Json::parse_error& error) {
        const std::string_view before = text.substr(0, std::min(error.byte, text.size()));
        return fail_in_file(Fault::Input, {}, 1 + std::ranges::count(before, '\n'),
                            fmt::format("this is not JSON: {}", error.what()));
    } catch (const Json::exception& error) { // such as a number too large for any type
        return fail(Fault::Input, fmt::format("this is not JSON: {}", error.what()));
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit,
                    fmt::format("the description has {} bytes, more than there is memory for", text.size()));
    }
}

Result<MachineDescription> machine_from_printed_text(std::string_view text) {
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) // the other one says what is wrong, and where
        return machine_from_text(text);
    for (const char* printed_besides : {"fingerprint", "origin", "note", "parameters"})
        json.erase(printed_besides);
    return machine_from_json(json);
}

} // namespace sparsight
