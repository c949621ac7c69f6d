#include "domains/records/record_space.h"

#include "base/names.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <ranges>
#include <set>

namespace sparsight {
namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Absent for what is no finite number.
std::optional<double> number_of(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// In quotation marks where it has to be.
std::string value_text(std::string_view value) {
    if (value.find_first_of(" \t\r\n\f\v=\"") == std::string_view::npos)
        return std::string(value);
    std::string quoted = "\"";
    for (const char c : value) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

/// Takes the value at the front of `text` away; absent where a quoted one does not end as it should.
std::optional<std::string> take_value(std::string_view& text) {
    if (!text.starts_with('"')) {
        const std::string_view value = text.substr(0, text.find_first_of(white_space));
        text.remove_prefix(value.size());
        if (value.contains('"') || value.contains('='))
            return std::nullopt;
        return std::string(value);
    }
    std::string value;
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '"' && (++at == text.size() || text[at] != '"')) {
            text.remove_prefix(at);
            const bool is_at_end = text.empty() || white_space.contains(text.front());
            return is_at_end ? std::optional(value) : std::nullopt;
        }
        value += text[at];
    }
    return std::nullopt;
}

} // namespace

bool is_decision_name(std::string_view name) {
    return !name.empty() && name.find_first_of(" \t\r\n\f\v=\"") == std::string_view::npos;
}

std::string canonical_value(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    const std::string_view digits = text.substr(is_negative ? 1 : 0);
    if (!digits.empty() && std::ranges::all_of(digits, is_digit)) {
        const std::size_t first = digits.find_first_not_of('0');
        if (first == std::string_view::npos)
            return "0";
        return fmt::format("{}{}", is_negative ? "-" : "", digits.substr(first));
    }
    constexpr std::ptrdiff_t exact_digits = 15;
    const auto value = number_of(text);
    if (!value || std::ranges::count_if(text, is_digit) > exact_digits)
        return std::string(text);
    return *value == 0 ? "0" : fmt::format("{}", *value);
}

std::string decisions_to_text(DecisionValues values) {
    std::ranges::sort(values);
    std::string text;
    for (const auto& [name, value] : values)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value_text(canonical_value(value)));
    return text;
}

Result<DecisionValues> parse_decisions(std::string_view text) {
    constexpr std::string_view expected = "expected decisions such as tile_x=8 unroll=1";
    DecisionValues values;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::string_view word = text.substr(0, text.find_first_of(white_space));
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos || !is_decision_name(word.substr(0, equals)))
            return fail(Fault::Input, fmt::format("'{}' is no decision, {}", word, expected));
        std::string name(word.substr(0, equals));
        text.remove_prefix(equals + 1);
        auto value = take_value(text);
        if (!value || value->empty())
            return fail(Fault::Input, fmt::format("the decision {} has no value, {}", name, expected));
        if (std::ranges::find(values, name, &DecisionValues::value_type::first) != values.end())
            return fail(Fault::Input, fmt::format("the decision {} occurs twice", name));
        values.emplace_back(std::move(name), *std::move(value));
    }
    if (values.empty())
        return fail(Fault::Input, fmt::format("there is no decision, {}", expected));
    return values;
}

Result<Configuration> parse_record(std::string_view text) {
    auto decisions = parse_decisions(text);
    if (!decisions)
        return std::unexpected(std::move(decisions).error());
    return Configuration(std::as_bytes(std::span<const char>(decisions_to_text(*std::move(decisions)))));
}

std::string record_text(const Configuration& configuration) {
    std::string text;
    for (const std::byte byte : configuration.bytes())
        text += static_cast<char>(byte);
    return text;
}

namespace {

/// In the order of their names.
DecisionValues values_of(const Configuration& configuration) {
    return parse_decisions(record_text(configuration)).value_or(DecisionValues());
}

} // namespace

Result<ParsedConfiguration> RecordCodec::parse(std::string_view text) const {
    auto configuration = parse_record(text);
    if (!configuration)
        return std::unexpected(std::move(configuration).error());
    return ParsedConfiguration{*std::move(configuration)};
}

std::string RecordCodec::text(const Configuration& configuration, int) const {
    return record_text(configuration);
}

std::vector<DecisionValue> RecordCodec::decisions(const Configuration& configuration) const {
    std::vector<DecisionValue> made;
    for (auto& [name, value] : values_of(configuration))
        made.push_back({name, name, std::move(value)});
    return made;
}

void RecordCodec::visit_decisions(const Configuration& configuration, const DecisionVisitor& visit) const {
    const auto bytes = configuration.bytes();
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.contains('"')) {
        ConfigurationCodec::visit_decisions(configuration, visit);
        return;
    }
    while (!text.empty()) { // canonical: one blank between decisions, and none else
        const std::size_t equals = text.find('=');
        const std::size_t end = std::min(text.find(' ', equals), text.size());
        visit(text.substr(0, equals), text.substr(equals + 1, end - equals - 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

namespace {

/// Numbers ascending, otherwise by text.
Result<RecordDecision> decision_of(std::string name, const std::set<std::string>& values, bool is_optional) {
    if (values.size() > DecisionTable::most_values)
        return fail(Fault::Limit, fmt::format("the decision {} has {} values; the limit is {}", name,
                                              values.size(), DecisionTable::most_values));
    RecordDecision decision{std::move(name), {values.begin(), values.end()}, true, is_optional};
    decision.is_ordinal =
        std::ranges::all_of(values, [](const std::string& value) { return number_of(value).has_value(); });
    if (decision.is_ordinal)
        std::ranges::stable_sort(decision.values, {},
                                 [](const std::string& value) { return *number_of(value); });
    return decision;
}

} // namespace

Result<DecisionTable> DecisionTable::of(std::span<const Configuration> configurations) {
    struct Seen {
        std::set<std::string> values;
        std::size_t count = 0;
    };
    std::map<std::string, Seen> seen;
    for (const Configuration& configuration : configurations)
        for (auto& [name, value] : values_of(configuration)) {
            Seen& of = seen[name];
            of.values.insert(std::move(value));
            ++of.count;
        }
    DecisionTable table;
    for (const auto& [name, of] : seen) {
        auto decision = decision_of(name, of.values, of.count < configurations.size());
        if (!decision)
            return std::unexpected(std::move(decision).error());
        table.decisions_.push_back(*std::move(decision));
    }
    return table;
}

std::optional<std::vector<std::uint16_t>> DecisionTable::places(const Configuration& configuration) const {
    std::vector<std::uint16_t> places(decisions_.size(), 0);
    for (const auto& [name, value] : values_of(configuration)) {
        const auto found = std::ranges::lower_bound(decisions_, name, {}, &RecordDecision::name);
        if (found == decisions_.end() || found->name != name)
            return std::nullopt;
        const auto at = static_cast<std::size_t>(found - decisions_.begin());
        places[at] = place_of(at, value);
        if (places[at] == 0)
            return std::nullopt;
    }
    return places;
}

Configuration DecisionTable::at(std::span<const std::uint16_t> places) const {
    std::string text;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] != 0)
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", decisions_[i].name,
                                value_text(decisions_[i].values[places[i] - 1U]));
    return Configuration(std::as_bytes(std::span<const char>(text)));
}

std::string DecisionTable::shown_value(std::size_t decision, const Configuration& configuration) const {
    for (auto& [name, value] : values_of(configuration))
        if (name == decisions_[decision].name)
            return std::move(value);
    return "none";
}

std::uint16_t DecisionTable::place_of(std::size_t decision, std::string_view value) const {
    const RecordDecision& of = decisions_[decision];
    auto found = of.values.end();
    if (!of.is_ordinal) {
        found = std::ranges::lower_bound(of.values, value);
    } else if (const auto number = number_of(value)) {
        found = std::ranges::lower_bound(of.values, *number, {},
                                         [](const std::string& each) { return *number_of(each); });
        found = std::find(found, of.values.end(), value);
    }
    if (found == of.values.end() || *found != value)
        return 0;
    return static_cast<std::uint16_t>(1 + (found - of.values.begin()));
}

namespace {

/// Places in the table.
std::vector<std::size_t> differing_decisions(const DecisionTable& table, const Configuration& one,
                                             const Configuration& other) {
    const auto places = table.places(one);
    const auto others = table.places(other);
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < table.decisions().size(); ++i)
        if ((*places)[i] != (*others)[i])
            differing.push_back(i);
    return differing;
}

Decision named(const DecisionTable& table, std::size_t place) {
    const std::string& name = table.decisions()[place].name;
    return {static_cast<std::uint32_t>(place), name, name};
}

class RecordHybrids final : public HybridSpace {
public:
    static Result<std::shared_ptr<const HybridSpace>> make(const std::shared_ptr<const DecisionTable>& table,
                                                           const Configuration& from,
                                                           const Configuration& to) {
        std::vector<std::size_t> places = differing_decisions(*table, from, to);
        if (auto few = check_count(places.size()); !few)
            return std::unexpected(std::move(few).error());
        std::vector<Decision> decisions;
        for (const std::size_t place : places)
            decisions.push_back(named(*table, place));
        return std::make_shared<RecordHybrids>(table, from, to, std::move(decisions), std::move(places));
    }

    Hybrid at(DecisionSet taken) const override {
        std::vector<std::uint16_t> places = *table_->places(from());
        const std::vector<std::uint16_t> others = *table_->places(to());
        for (std::size_t i = 0; i < places_.size(); ++i)
            if ((taken >> i & 1U) != 0)
                places[places_[i]] = others[places_[i]];
        return {table_->at(places)};
    }
    std::string value(std::size_t decision, const Configuration& configuration) const override {
        return table_->shown_value(places_[decision], configuration);
    }
    std::string text(const Configuration& configuration) const override { return record_text(configuration); }

    RecordHybrids(std::shared_ptr<const DecisionTable> table, const Configuration& from,
                  const Configuration& to, std::vector<Decision> decisions, std::vector<std::size_t> places)
        : HybridSpace(from, to, std::move(decisions))
        , table_(std::move(table))
        , places_(std::move(places)) {}

private:
    std::shared_ptr<const DecisionTable> table_;
    std::vector<std::size_t> places_; ///< of decisions() in the table
};

} // namespace

Result<std::shared_ptr<const RecordSpace>> RecordSpace::of(std::span<const std::string> texts) {
    std::vector<Configuration> configurations;
    configurations.reserve(texts.size());
    for (const std::string& text : texts) {
        auto configuration = parse_record(text);
        if (!configuration)
            return std::unexpected(std::move(configuration).error());
        configurations.push_back(*std::move(configuration));
    }
    std::ranges::sort(configurations);
    const auto repeated = std::ranges::unique(configurations);
    configurations.erase(repeated.begin(), repeated.end());
    auto table = DecisionTable::of(configurations);
    if (!table)
        return std::unexpected(std::move(table).error());
    return std::shared_ptr<const RecordSpace>(new RecordSpace(*std::move(table), std::move(configurations)));
}

RecordSpace::RecordSpace(DecisionTable table, std::vector<Configuration> configurations)
    : table_(std::make_shared<const DecisionTable>(std::move(table)))
    , configurations_(std::move(configurations))
    , members_(configurations_.begin(), configurations_.end()) {}

Result<void> RecordSpace::check(const Configuration& configuration) const {
    if (has(configuration))
        return {};
    const auto decisions = table_->decisions();
    const DecisionValues values = values_of(configuration);
    for (const auto& [name, value] : values) {
        const auto decision = std::ranges::find(decisions, name, &RecordDecision::name);
        if (decision == decisions.end()) {
            std::vector<std::string> names;
            for (const RecordDecision& each : decisions)
                names.push_back(each.name);
            return fail(Fault::Input, fmt::format("there is no decision \"{}\"; known decisions: {}", name,
                                                  list_known(std::move(names), name)));
        }
        if (std::ranges::find(decision->values, value) == decision->values.end())
            return fail(Fault::Input, fmt::format("the decision {} has no value \"{}\"; possible values: {}",
                                                  name, value, list_known(decision->values, value)));
    }
    for (const RecordDecision& decision : decisions)
        if (!decision.is_optional &&
            std::ranges::find(values, decision.name, &DecisionValues::value_type::first) == values.end())
            return fail(Fault::Input, fmt::format("the decision {} is missing; possible values: {}",
                                                  decision.name, list_known(decision.values, "")));
    return fail(Fault::Input, fmt::format("the table has no configuration {}", record_text(configuration)));
}

std::vector<Configuration> RecordSpace::sample(std::size_t count, Random& random) const {
    count = std::min(count, size());
    std::vector<Configuration> drawn;
    drawn.reserve(count);
    // R. W. Floyd's algorithm (Bentley and Floyd, "A sample of brilliance", 1987).
    std::unordered_set<std::size_t> seen;
    for (std::size_t last = size() - count; last < size(); ++last) {
        std::size_t place = random.below(last + 1);
        if (!seen.insert(place).second) {
            place = last;
            seen.insert(place);
        }
        drawn.push_back(configurations_[place]);
    }
    return drawn;
}

std::vector<Configuration> RecordSpace::neighbours(const Configuration& configuration) const {
    std::vector<std::uint16_t> places = *table_->places(configuration);
    std::vector<Configuration> near;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const RecordDecision& decision = table_->decisions()[i];
        const std::uint16_t here = places[i];
        for (std::size_t other = decision.is_optional ? 0 : 1; other <= decision.values.size(); ++other) {
            places[i] = static_cast<std::uint16_t>(other);
            if (other == here)
                continue;
            if (Configuration changed = table_->at(places); has(changed))
                near.push_back(std::move(changed));
        }
        places[i] = here;
    }
    return near;
}

std::optional<Configuration> RecordSpace::neighbour(const Configuration& configuration,
                                                    Random& random) const {
    const std::vector<Configuration> near = neighbours(configuration);
    if (near.empty())
        return std::nullopt;
    return random.pick(std::span(near));
}

std::optional<Configuration> RecordSpace::mixture(const Configuration& one, const Configuration& other,
                                                  Random& random) const {
    std::vector<std::uint16_t> places = *table_->places(one);
    const std::vector<std::uint16_t> others = *table_->places(other);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (random.chance(0.5))
            places[i] = others[i];
    Configuration child = table_->at(places);
    return has(child) ? std::optional(std::move(child)) : std::nullopt;
}

std::vector<double> RecordSpace::distances(std::span<const Configuration> configurations) const {
    constexpr std::size_t far_apart = 4; ///< places
    const std::size_t width = table_->decisions().size();
    std::vector<std::uint16_t> places;
    places.reserve(configurations.size() * width);
    for (const Configuration& each : configurations)
        std::ranges::copy(*table_->places(each), std::back_inserter(places));
    std::vector<double> shares; ///< of a decision for each place apart
    for (const RecordDecision& decision : table_->decisions()) {
        const std::size_t most =
            decision.is_ordinal ? std::max<std::size_t>(decision.values.size(), 2) - 1 : 1;
        shares.push_back(1.0 / static_cast<double>(std::min(most, far_apart)));
    }
    const std::size_t count = configurations.size();
    std::vector<double> distances(count * count, 0.0);
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t col = row + 1; col < count; ++col) {
            double apart = 0;
            for (std::size_t i = 0; i < width; ++i) {
                const int one = places[row * width + i];
                const int other = places[col * width + i];
                if (one != other)
                    apart += one == 0 || other == 0 ? 1 : std::min(1.0, std::abs(one - other) * shares[i]);
            }
            distances[row * count + col] = apart;
            distances[col * count + row] = apart;
        }
    return distances;
}

std::vector<DecisionChange> RecordSpace::changes(const Configuration& before,
                                                 const Configuration& after) const {
    std::vector<DecisionChange> changes;
    for (const std::size_t each : differing_decisions(*table_, before, after))
        changes.push_back(
            {named(*table_, each), table_->shown_value(each, before), table_->shown_value(each, after)});
    return changes;
}

Result<std::shared_ptr<const HybridSpace>> RecordSpace::between(const Configuration& from,
                                                                const Configuration& to) const {
    for (const Configuration& each : {from, to})
        if (auto valid = check(each); !valid)
            return std::unexpected(std::move(valid).error());
    return RecordHybrids::make(table_, from, to);
}

} // namespace sparsight
