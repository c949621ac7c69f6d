#include "evaluation/model_reasons/model_reasons_json.h"

#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <type_traits>
#include <utility>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

template <typename T, typename Value>
concept Either = std::same_as<std::remove_const_t<T>, Value>;

/// Thrown and caught within this file.
struct Defect {
    std::string text;
};

// What each value consists of, once for writing and for reading. `derived` members are written for whoever
// reads the JSON and passed over when it is read back.

template <typename Member>
void members(Member& member, Either<ReasonPredicate> auto& of) {
    member("subject", of.subject);
    member("key", of.key);
    member("title", of.title);
    member("relation", of.relation);
    member("value", of.value);
    member("number", of.number);
    member("unit", of.unit);
    member.derived("text", [&] { return to_text(of); });
}

template <typename Member>
void members(Member& member, Either<BoundedShare> auto& of) {
    member("value", of.value);
    member("lowest", of.lowest);
    member("highest", of.highest);
    member("draws", of.draws);
}

template <typename Member>
void members(Member& member, Either<Anchor> auto& of) {
    member("predicates", of.predicates);
    member("precision", of.precision);
    member("coverage", of.coverage);
}

template <typename Member>
void members(Member& member, Either<AnchorReason> auto& of) {
    member("anchor", of.anchor);
    member("nearest", of.nearest);
    member("unconditional", of.unconditional);
    member("wanted_precision", of.wanted_precision);
    member("confidence", of.confidence);
    member("longest", of.longest);
    member("candidates", of.candidates);
    member("calls", of.calls);
    member("pattern_draws", of.pattern_draws);
    member("patterns", of.patterns);
    member("machines", of.machines);
    member("complete", of.complete);
}

template <typename Member>
void members(Member& member, Either<PairTimes> auto& of) {
    member("schedule_ms", of.schedule_ms);
    member("against_ms", of.against_ms);
    member("origin", of.origin);
    member.derived("log2_gain", [&] { return of.log2_gain(); });
}

template <typename Member>
void members(Member& member, Either<SensitivityPoint> auto& of) {
    member("value", of.value);
    member("number", of.number);
    member("present", of.is_present);
    member("margin", of.margin);
    member("times", of.times);
    member("schedule", of.schedule);
}

template <typename Member>
void members(Member& member, Either<PartedPair> auto& of) {
    member("better", of.better);
    member("worse", of.worse);
    member("factor", of.factor);
}

template <typename Member>
void members(Member& member, Either<SensitivityCurve> auto& of) {
    member("kind", of.kind);
    member("key", of.key);
    member("title", of.title);
    member("unit", of.unit);
    member("read", of.is_read);
    member("points", of.points);
    member("kendall_tau", of.kendall_tau);
    member("widest", of.widest);
    member("with_times", of.with_times);
    member("wrong_sides", of.wrong_sides);
    member("swing", of.swing);
}

template <typename Member>
void members(Member& member, Either<SensitivityReason> auto& of) {
    member("curves", of.curves);
    member("complete", of.complete);
}

template <typename Member>
void members(Member& member, Either<NearestMatrix> auto& of) {
    member("matrix", of.name);
    member("distance", of.distance);
    member("margin", of.margin);
    member("schedule_ms", of.schedule_ms);
    member("against_ms", of.against_ms);
    member("best_ms", of.best_ms);
    member("best_schedule", of.best_schedule);
}

template <typename Member>
void members(Member& member, Either<NearestSchedule> auto& of) {
    member("schedule", of.schedule);
    member("distance", of.distance);
    member("matrices", of.matrices);
    member("median_speedup", of.median_speedup);
}

template <typename Member>
void members(Member& member, Either<Distances> auto& of) {
    member("nearest", of.nearest);
    member("typical", of.typical);
    member("far", of.far);
    member.derived("outside", [&] { return of.is_outside(); });
}

template <typename Member>
void members(Member& member, Either<NearestReason> auto& of) {
    member("space", of.space);
    member("trained", of.trained);
    member("missing", of.missing);
    member("is_trained", of.is_trained);
    member("matrix_distances", of.matrix_distances);
    member("matrices", of.matrices);
    member("schedules", of.schedules);
    member("schedule_distances", of.schedule_distances);
    member("against_distances", of.against_distances);
    member("schedule", of.schedule);
    member("against", of.against);
    member("machine", of.machine);
}

template <typename Member>
void members(Member& member, Either<CalibrationBin> auto& of) {
    member("lowest", of.lowest);
    member("highest", of.highest);
    member("predicted", of.predicted);
    member("observed", of.observed);
}

template <typename Member>
void members(Member& member, Either<UncertaintyReason> auto& of) {
    member("method", of.method);
    member("margin", of.margin);
    member("deviation", of.deviation);
    member("confidence", of.confidence);
    member("scale", of.scale);
    member("fitted_pairs", of.fitted_pairs);
    member("fitted_matrices", of.fitted_matrices);
    member("held_out", of.held_out);
    member("checked_pairs", of.checked_pairs);
    member("checked_matrices", of.checked_matrices);
    member("calibration_error", of.calibration_error);
    member("bins", of.bins);
    member("machine", of.machine);
}

template <typename Member>
void members(Member& member, Either<SaliencyCell> auto& of) {
    member("row", of.row);
    member("column", of.column);
    member("entries", of.entries);
    member("support", of.support);
}

template <typename Member>
void members(Member& member, Either<SaliencyReason> auto& of) {
    member("row_edges", of.row_edges);
    member("column_edges", of.column_edges);
    member("margin", of.margin);
    member("removed_share", of.removed_share);
    member("cells", of.cells);
    member("complete", of.complete);
}

template <typename Member>
void members(Member& member, Either<MissingReason> auto& of) {
    member("part", of.part);
    member("why", of.why);
}

template <typename Member>
void members(Member& member, Either<ModelReasons> auto& of) {
    member("model", of.model);
    member("architecture", of.architecture);
    member("operator", of.op);
    member("dense", of.dense);
    member("matrix", of.matrix);
    member("machine", of.machine);
    member("seed", of.seed);
    member("reads_machine", of.reads_machine);
    member("schedule", of.schedule);
    member("against", of.against);
    member("schedule_score", of.schedule_score);
    member("against_score", of.against_score);
    member("times", of.times);
    member.derived("margin", [&] { return of.margin(); });
    member.derived("right", [&] { return of.is_right(); });
    member("anchors", of.anchors);
    member("sensitivity", of.sensitivity);
    member("nearest", of.nearest);
    member("uncertainty", of.uncertainty);
    member("saliency", of.saliency);
    member("missing", of.missing);
}

class Writer {
public:
    template <typename T>
    static Json written(const T& value) {
        if constexpr (std::is_enum_v<T>) {
            return name(value);
        } else if constexpr (std::floating_point<T>) {
            return std::isfinite(value) ? Json(value) : Json(); // JSON has no infinity
        } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
            return value;
        } else {
            Writer writer;
            members(writer, value);
            return std::move(writer.json_);
        }
    }
    template <typename T>
    static Json written(const std::optional<T>& value) {
        return value ? written(*value) : Json();
    }
    template <typename T>
    static Json written(const std::vector<T>& values) {
        Json list = Json::array();
        for (const T& value : values)
            list.push_back(written(value));
        return list;
    }

    template <typename T>
    void operator()(const char* key, const T& value) {
        json_[key] = written(value);
    }
    template <typename Compute>
    void derived(const char* key, Compute compute) {
        json_[key] = written(compute());
    }

private:
    Json json_ = Json::object();
};

std::optional<ReasonSubject> parsed(std::string_view text, ReasonSubject) {
    return parse_reason_subject(text);
}
std::optional<PredicateRelation> parsed(std::string_view text, PredicateRelation) {
    return parse_predicate_relation(text);
}
std::optional<PatternDraws> parsed(std::string_view text, PatternDraws) {
    return parse_pattern_draws(text);
}
std::optional<VariedKind> parsed(std::string_view text, VariedKind) {
    return parse_varied_kind(text);
}
std::optional<TimeOrigin> parsed(std::string_view text, TimeOrigin) {
    return parse_time_origin(text);
}
std::optional<ReasonSpace> parsed(std::string_view text, ReasonSpace) {
    return parse_reason_space(text);
}
std::optional<ReasonPart> parsed(std::string_view text, ReasonPart) {
    return parse_reason_part(text);
}

class Reader {
public:
    Reader(const Json& json, std::string path)
        : json_(json)
        , path_(std::move(path)) {
        if (!json.is_object())
            throw Defect{fmt::format("{} is no object", path_.empty() ? "what stands there" : path_)};
    }

    template <typename T>
    void operator()(const char* key, T& value) {
        const std::string place = path_.empty() ? key : path_ + "." + key;
        const auto found = json_.find(key);
        if (found == json_.end())
            throw Defect{fmt::format("{} is missing", place)};
        read(*found, place, value);
    }
    template <typename Compute>
    void derived(const char*, const Compute&) {}

private:
    template <typename T>
    static void read(const Json& json, const std::string& place, T& value) {
        if constexpr (std::is_enum_v<T>) {
            std::string text;
            read(json, place, text);
            const auto known = parsed(text, T{});
            if (!known)
                throw Defect{fmt::format("{} is {:?}, which is not known here", place, text.substr(0, 40))};
            value = *known;
        } else if constexpr (std::same_as<T, bool>) {
            if (!json.is_boolean())
                throw Defect{place + " is neither true nor false"};
            value = json.get<bool>();
        } else if constexpr (std::integral<T>) {
            if (!json.is_number_integer())
                throw Defect{place + " is no whole number"};
            value = json.get<T>();
        } else if constexpr (std::floating_point<T>) {
            if (!json.is_number())
                throw Defect{place + " is no number"};
            value = json.get<T>();
        } else if constexpr (std::same_as<T, std::string>) {
            if (!json.is_string())
                throw Defect{place + " is no text"};
            value = json.get<std::string>();
        } else {
            Reader reader(json, place);
            members(reader, value);
        }
    }
    template <typename T>
    static void read(const Json& json, const std::string& place, std::optional<T>& value) {
        if (json.is_null()) {
            value.reset();
            return;
        }
        T present{};
        read(json, place, present);
        value = std::move(present);
    }
    template <typename T>
    static void read(const Json& json, const std::string& place, std::vector<T>& values) {
        if (!json.is_array())
            throw Defect{place + " is no list"};
        values.clear();
        for (const Json& each : json) {
            const std::string place_of_each = fmt::format("{}[{}]", place, values.size());
            read(each, place_of_each, values.emplace_back());
        }
    }

    const Json& json_;
    std::string path_;
};

} // namespace

Json model_reasons_json(const ModelReasons& reasons) {
    return Writer::written(reasons);
}

Result<ModelReasons> parse_model_reasons(const Json& json) {
    try {
        ModelReasons reasons;
        Reader reader(json, {});
        members(reader, reasons);
        return reasons;
    } catch (const Defect& defect) {
        return fail(Fault::Input, "reasons of a model: " + defect.text);
    }
}

} // namespace sparsight
