#include "domains/records/records.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sparsight {
/// Collects the lines of one setting. Values and configurations have numbers by their first line here, and
/// get their final order when all are known.
class RecordTimesBuilder {
public:
    RecordTimesBuilder(Setting setting, std::span<const std::string> decisions)
        : decisions_(decisions.begin(), decisions.end())
        , values_(decisions.size())
        , codes_(decisions.size()) {
        times_.setting_ = std::move(setting);
        key_.resize(2 * decisions.size());
    }

    Result<void> add(const RecordRow& row) {
        RecordTimes::Time time;
        time.ms = row.median.count();
        time.spread_ms = static_cast<float>(row.spread.count());
        time.repeats = row.repeats;
        time.workload = workload(row.workload);
        if (row.machine != last_place_.machine || row.run != last_place_.run || times_.places_.empty())
            last_place_ = {std::string(row.machine), std::string(row.run)};
        const auto place = number_in(times_.places_, last_place_, "pairs of machine and run");
        if (!place)
            return std::unexpected(place.error());
        time.place = *place;
        if (row.status != MeasurementStatus::Measured) {
            const auto reason = number_in(times_.reasons_, std::string(row.reason), "reasons for failures");
            if (!reason)
                return std::unexpected(reason.error());
            time.reason = *reason;
        }
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const auto code = code_of(i, row.values[i]);
            if (!code)
                return std::unexpected(code.error());
            key_[2 * i] = static_cast<char>(*code >> 8);
            key_[2 * i + 1] = static_cast<char>(*code & 0xFF);
        }
        auto found = configurations_.find(key_);
        if (found == configurations_.end())
            found = configurations_.emplace(key_, static_cast<std::uint32_t>(configurations_.size())).first;
        time.configuration = found->second;
        times_.times_.push_back(time);
        return {};
    }

    Result<RecordTimes> finish() && {
        if (auto packed = pack(); !packed)
            return std::unexpected(packed.error());
        auto& times = times_.times_;
        const auto key = [](const RecordTimes::Time& time) {
            return std::tuple(time.workload, time.place, time.configuration);
        };
        const auto is_before = [&](const RecordTimes::Time& one, const RecordTimes::Time& other) {
            return std::tuple(key(one), one.reason != 0, one.ms) <
                   std::tuple(key(other), other.reason != 0, other.ms);
        };
        std::ranges::sort(times, is_before);
        const auto repeated = std::ranges::unique(times, {}, key);
        times_.repeated_ = std::ssize(repeated);
        times.erase(repeated.begin(), repeated.end());
        times.shrink_to_fit();
        times_.workloads_by_name_.resize(times_.workloads_.size());
        std::iota(times_.workloads_by_name_.begin(), times_.workloads_by_name_.end(), 0U);
        std::ranges::sort(times_.workloads_by_name_, {},
                          [&](std::uint32_t at) -> const std::string& { return times_.workloads_[at]; });
        return std::move(times_);
    }

private:
    /// So that a view finds a string.
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    template <typename Value>
    using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

    std::uint32_t workload(std::string_view name) {
        if (!times_.workloads_.empty() && times_.workloads_[last_workload_] == name)
            return last_workload_;
        auto found = workloads_.find(name);
        if (found == workloads_.end()) {
            found = workloads_.emplace(name, static_cast<std::uint32_t>(times_.workloads_.size())).first;
            times_.workloads_.emplace_back(name);
        }
        return last_workload_ = found->second;
    }

    /// The place of the value, which is added where it is new. There are few.
    template <typename Value>
    static Result<std::uint16_t> number_in(std::vector<Value>& values, const Value& value,
                                           std::string_view what) {
        constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
        const auto found = std::ranges::find(values, value);
        const auto at = static_cast<std::size_t>(found - values.begin());
        if (found == values.end()) {
            if (values.size() == most)
                return fail(Fault::Limit, fmt::format("the table has more than {} {}", most, what));
            values.push_back(value);
        }
        return static_cast<std::uint16_t>(at);
    }

    /// 0 for an absent value; otherwise 1 + its place in values_.
    Result<std::uint16_t> code_of(std::size_t decision, std::string_view raw) {
        if (raw.empty())
            return 0;
        ByText<std::uint16_t>& codes = codes_[decision];
        if (const auto known = codes.find(raw); known != codes.end())
            return known->second;
        std::vector<std::string>& values = values_[decision];
        std::string canonical = canonical_value(raw);
        const auto found = codes.find(canonical);
        const std::size_t code = found != codes.end() ? found->second : values.size() + 1;
        if (code > DecisionTable::most_values)
            return fail(Fault::Limit, fmt::format("the decision {} has more than {} values",
                                                  decisions_[decision], DecisionTable::most_values));
        if (found == codes.end()) {
            values.push_back(canonical);
            codes.emplace(std::move(canonical), static_cast<std::uint16_t>(code));
        }
        codes.emplace(raw, static_cast<std::uint16_t>(code));
        return static_cast<std::uint16_t>(code);
    }

    /// Makes the table of decisions and gives the configurations their final places.
    Result<void> pack() {
        std::vector<RecordDecision> decisions;
        for (std::size_t i = 0; i < decisions_.size(); ++i) {
            const bool is_optional =
                std::ranges::any_of(configurations_ | std::views::keys,
                                    [&](const std::string& key) { return code(key, i) == 0; });
            decisions.push_back({decisions_[i], values_[i], false, is_optional});
        }
        auto made = DecisionTable::of_values(std::move(decisions));
        if (!made)
            return std::unexpected(made.error());
        times_.table_ = *std::move(made);
        const DecisionTable& table = *times_.table_;
        std::vector<std::size_t> columns; ///< of the decisions of the table
        std::vector<std::vector<std::uint16_t>> places(table.decision_count());
        for (std::size_t i = 0; i < table.decision_count(); ++i) {
            const auto at = std::ranges::find(decisions_, table.table()[i].name) - decisions_.begin();
            columns.push_back(static_cast<std::size_t>(at));
            places[i].push_back(0);
            for (const std::string& value : values_[columns.back()])
                places[i].push_back(table.place_of(i, value));
        }
        std::vector<std::pair<Configuration, std::uint32_t>> packed;
        packed.reserve(configurations_.size());
        std::vector<std::uint16_t> row(table.decision_count());
        for (const auto& [key, number] : configurations_) {
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] = places[i][code(key, columns[i])];
            packed.emplace_back(table.pack(row), number);
        }
        std::ranges::sort(packed);
        std::vector<std::uint32_t> final_places(packed.size());
        times_.configurations_.reserve(packed.size());
        for (auto& [configuration, number] : packed) {
            final_places[number] = static_cast<std::uint32_t>(times_.configurations_.size());
            times_.configurations_.push_back(std::move(configuration));
        }
        for (RecordTimes::Time& time : times_.times_)
            time.configuration = final_places[time.configuration];
        return {};
    }

    static std::size_t code(const std::string& key, std::size_t decision) {
        return (static_cast<std::size_t>(static_cast<unsigned char>(key[2 * decision])) << 8) |
               static_cast<unsigned char>(key[2 * decision + 1]);
    }

    std::vector<std::string> decisions_;           ///< of the table's columns
    std::vector<std::vector<std::string>> values_; ///< canonical ones of each decision
    std::vector<ByText<std::uint16_t>> codes_;     ///< of canonical values and of all forms that were read
    ByText<std::uint32_t> configurations_;         ///< by their codes, two bytes each
    ByText<std::uint32_t> workloads_;
    std::string key_;
    RecordPlace last_place_;
    std::uint32_t last_workload_ = 0;
    RecordTimes times_;
};

std::span<const RecordTimes::Time> RecordTimes::times_of(std::string_view workload) const {
    const auto name_of = [this](std::uint32_t at) -> std::string_view { return workloads_[at]; };
    const auto found = std::ranges::lower_bound(workloads_by_name_, workload, {}, name_of);
    if (found == workloads_by_name_.end() || name_of(*found) != workload)
        return {};
    const auto range = std::ranges::equal_range(times_, *found, {}, &Time::workload);
    return {range.begin(), range.end()};
}

std::span<const RecordTimes::Time> RecordTimes::group(std::string_view workload,
                                                      const RecordPlace& place) const {
    const auto at = std::ranges::find(places_, place);
    if (at == places_.end())
        return {};
    const auto range = std::ranges::equal_range(
        times_of(workload), static_cast<std::uint16_t>(at - places_.begin()), {}, &Time::place);
    return {range.begin(), range.end()};
}

std::optional<Measurement> RecordTimes::find(std::string_view workload, const RecordPlace& place,
                                             const Configuration& configuration) const {
    const auto at = std::ranges::lower_bound(configurations_, configuration);
    if (at == configurations_.end() || *at != configuration)
        return std::nullopt;
    const auto number = static_cast<std::uint32_t>(at - configurations_.begin());
    const auto times = group(workload, place);
    const auto found = std::ranges::lower_bound(times, number, {}, &Time::configuration);
    if (found == times.end() || found->configuration != number)
        return std::nullopt;
    Measurement measurement;
    measurement.status = found->reason == 0 ? MeasurementStatus::Measured : MeasurementStatus::Failed;
    measurement.median = Milliseconds(found->ms);
    measurement.spread = Milliseconds(found->spread_ms);
    measurement.repeats = found->repeats;
    measurement.reason = reasons_[found->reason];
    return measurement;
}

std::optional<BestRecord> RecordTimes::best(std::string_view workload, const RecordPlace& place) const {
    const Time* best = nullptr;
    for (const Time& time : group(workload, place))
        if (time.reason == 0 && (best == nullptr || time.ms < best->ms))
            best = &time;
    if (best == nullptr)
        return std::nullopt;
    return BestRecord{configurations_[best->configuration], Milliseconds(best->ms)};
}

RecordSpace RecordTimes::space(std::string_view workload) const {
    std::vector<Configuration> configurations;
    for (const Time& time : times_of(workload))
        configurations.push_back(configurations_[time.configuration]);
    return {table_, std::move(configurations)};
}

Result<std::vector<RecordTimes>> read_record_times(RecordReader& reader, const std::stop_token& stop,
                                                   const ProgressSink& progress) {
    constexpr std::int64_t lines_between_reports = 50'000;
    std::map<std::string, RecordTimesBuilder, std::less<>> by_variant;
    RecordRow row;
    for (std::int64_t count = 1;; ++count) {
        const auto has_row = reader.next(row);
        if (!has_row)
            return std::unexpected(has_row.error());
        if (!*has_row)
            break;
        auto of = by_variant.find(row.variant);
        if (of == by_variant.end())
            of = by_variant
                     .try_emplace(std::string(row.variant), record_setting(reader.space(), row.variant),
                                  reader.decisions())
                     .first;
        if (auto added = of->second.add(row); !added)
            return fail_in_file(added.error().fault, reader.table().file(), row.line, added.error().message);
        if (count % lines_between_reports == 0) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while records were read");
            if (progress)
                progress({"reading records", reader.table().consumed(), reader.table().total()});
        }
    }
    std::vector<RecordTimes> all;
    for (auto& [variant, builder] : by_variant) {
        auto times = std::move(builder).finish();
        if (!times)
            return std::unexpected(std::move(times).error());
        all.push_back(*std::move(times));
    }
    return all;
}

namespace {

Result<void> check_setting(const Setting& setting) {
    if (setting.domain == records_domain)
        return {};
    return fail(Fault::Input,
                fmt::format("'{}' of the domain {} is no setting of records", setting.text, setting.domain));
}

class RecordsDomain final : public Domain {
public:
    std::string_view name() const override { return records_domain; }
    const DomainWords& words() const override { return words_; }

    std::span<const SettingOption> setting_options() const override { return options_; }

    Result<Setting>
    setting_of(const std::map<std::string, std::string, std::less<>>& options) const override {
        for (const auto& [option, value] : options)
            if (option != options_.front().name)
                return fail(Fault::Input, fmt::format("there is no option '{}', expected {}", option,
                                                      options_.front().name));
        const auto space = options.find(options_.front().name);
        return parse_setting(space == options.end() ? "" : space->second);
    }

    Result<Setting> parse_setting(std::string_view text) const override {
        text = trimmed(text);
        if (text.empty() ||
            std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; }))
            return fail(Fault::Input,
                        fmt::format("{} is no space of records, expected a name such as gemm4096",
                                    quoted_excerpt(text)));
        return record_setting(text, {});
    }

    std::string describe(const Setting& setting) const override {
        return fmt::format("configurations of {}", setting.text);
    }
    std::vector<SettingMember> members(const Setting& setting) const override {
        return {{"space", "Space of configurations", setting.text}};
    }

    Result<WrittenConfiguration> written(const Setting& setting, std::string_view text) const override {
        if (auto checked = check_setting(setting); !checked)
            return std::unexpected(std::move(checked).error());
        auto decisions = parse_decisions(text);
        if (!decisions)
            return std::unexpected(std::move(decisions).error());
        return WrittenConfiguration{.domain = std::string(records_domain),
                                    .family = setting.text,
                                    .text = std::string(trimmed(text)),
                                    .canonical = decisions_to_text(*std::move(decisions))};
    }

    Result<std::shared_ptr<const ConfigurationCodec>>
    codec(const Setting& setting, std::span<const std::string> recorded) const override {
        if (auto checked = check_setting(setting); !checked)
            return std::unexpected(std::move(checked).error());
        auto table = DecisionTable::of_texts(recorded);
        if (!table)
            return std::unexpected(std::move(table).error());
        return *std::move(table);
    }

    Result<WorkloadSpace> space(const SpaceRequest& request) const override {
        if (auto checked = check_setting(request.setting); !checked)
            return std::unexpected(std::move(checked).error());
        if (request.recorded.empty())
            return fail(Fault::Input,
                        fmt::format("no time of {} is recorded, so there is no configuration to "
                                    "choose from",
                                    request.setting.text));
        auto table = DecisionTable::of_texts(request.recorded);
        if (!table)
            return std::unexpected(std::move(table).error());
        std::vector<Configuration> configurations;
        for (const std::string& text : request.available.empty() ? request.recorded : request.available) {
            auto parsed = (*table)->parse(text);
            if (!parsed)
                return std::unexpected(std::move(parsed).error());
            configurations.push_back(std::move(parsed->configuration));
        }
        auto space = std::make_shared<RecordSpace>(*table, std::move(configurations));
        return WorkloadSpace{*std::move(table), std::move(space)};
    }

private:
    DomainWords words_{.workload = {"workload", "workloads"},
                       .configuration = {"configuration", "configurations"},
                       .baseline = std::nullopt};
    std::array<SettingOption, 1> options_{
        {{"space", "", "NAME", "the space of configurations: the name of its table, such as gemm4096"}}};
};

} // namespace

std::unique_ptr<const Domain> make_records_domain() {
    return std::make_unique<RecordsDomain>();
}

} // namespace sparsight
