#include "domains/records/record_space.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <optional>
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

/// The first of many, for a message.
std::string some_of(std::span<const std::string> values) {
    constexpr std::size_t most = 12;
    return fmt::format("{}{}", fmt::join(values.first(std::min(values.size(), most)), ", "),
                       values.size() > most ? fmt::format(" … ({} in all)", values.size()) : "");
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

Result<std::shared_ptr<const DecisionTable>> DecisionTable::of_values(std::vector<RecordDecision> decisions) {
    std::shared_ptr<DecisionTable> table(new DecisionTable);
    std::ranges::sort(decisions, {}, &RecordDecision::name);
    for (RecordDecision& decision : decisions) {
        if (decision.values.empty())
            continue;
        std::vector<std::pair<double, std::string>> ordered;
        decision.is_ordinal = true;
        for (const std::string& value : decision.values) {
            std::string canonical = canonical_value(value);
            const auto number = number_of(canonical);
            decision.is_ordinal = decision.is_ordinal && number;
            ordered.emplace_back(number.value_or(0), std::move(canonical));
        }
        if (!decision.is_ordinal)
            for (auto& [number, text] : ordered)
                number = 0;
        std::ranges::sort(ordered);
        const auto repeated = std::ranges::unique(ordered);
        ordered.erase(repeated.begin(), repeated.end());
        if (ordered.size() > most_values)
            return fail(Fault::Limit, fmt::format("the decision {} has {} values; the limit is {}",
                                                  decision.name, ordered.size(), most_values));
        decision.values.clear();
        std::ranges::move(ordered | std::views::values, std::back_inserter(decision.values));
        constexpr std::size_t values_of_a_byte = 255;
        table->widths_.push_back(decision.values.size() <= values_of_a_byte ? 1 : 2);
        table->packed_size_ += table->widths_.back();
        table->named_.push_back({decision.name, decision.name});
        table->decisions_.push_back(std::move(decision));
    }
    return table;
}

Result<std::shared_ptr<const DecisionTable>> DecisionTable::of_texts(std::span<const std::string> texts) {
    struct Seen {
        std::set<std::string, std::less<>> values;
        std::size_t count = 0;
    };
    std::map<std::string, Seen> seen;
    for (const std::string& text : texts) {
        auto decisions = parse_decisions(text);
        if (!decisions)
            return std::unexpected(std::move(decisions).error());
        for (auto& [name, value] : *decisions) {
            Seen& of = seen[name];
            of.values.insert(canonical_value(value));
            ++of.count;
        }
    }
    std::vector<RecordDecision> decisions;
    for (auto& [name, of] : seen)
        decisions.push_back({name, {of.values.begin(), of.values.end()}, false, of.count < texts.size()});
    return of_values(std::move(decisions));
}

Configuration DecisionTable::pack(std::span<const std::uint16_t> places) const {
    std::vector<std::byte> bytes;
    bytes.reserve(packed_size_);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (widths_[i] == 2)
            bytes.push_back(static_cast<std::byte>(places[i] >> 8));
        bytes.push_back(static_cast<std::byte>(places[i] & 0xFF));
    }
    return Configuration(bytes);
}

std::vector<std::uint16_t> DecisionTable::unpack(const Configuration& configuration) const {
    std::vector<std::uint16_t> places;
    places.reserve(decisions_.size());
    auto byte = configuration.bytes().begin();
    for (const std::size_t width : widths_) {
        unsigned place = 0;
        for (std::size_t i = 0; i < width; ++i)
            place = (place << 8) | std::to_integer<unsigned>(*byte++);
        places.push_back(static_cast<std::uint16_t>(place));
    }
    return places;
}

bool DecisionTable::is_packed(const Configuration& configuration) const {
    if (configuration.bytes().size() != packed_size_)
        return false;
    const auto places = unpack(configuration);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] > decisions_[i].values.size())
            return false;
    return true;
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

Result<ParsedConfiguration> DecisionTable::parse(std::string_view text) const {
    const auto decisions = parse_decisions(text);
    if (!decisions)
        return std::unexpected(decisions.error());
    std::vector<std::uint16_t> places(decisions_.size(), 0);
    for (const auto& [name, value] : *decisions) {
        const auto found = std::ranges::find(decisions_, name, &RecordDecision::name);
        if (found == decisions_.end()) {
            std::vector<std::string> names;
            std::ranges::copy(decisions_ | std::views::transform(&RecordDecision::name),
                              std::back_inserter(names));
            return fail(Fault::Input,
                        fmt::format("there is no decision {}, expected one of: {}", name, some_of(names)));
        }
        const auto at = static_cast<std::size_t>(found - decisions_.begin());
        places[at] = place_of(at, canonical_value(value));
        if (places[at] == 0)
            return fail(Fault::Input, fmt::format("the decision {} has no value '{}', expected one of: {}",
                                                  name, value, some_of(found->values)));
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] == 0 && !decisions_[i].is_optional)
            return fail(Fault::Input, fmt::format("the decision {} is missing, expected one of: {}",
                                                  decisions_[i].name, some_of(decisions_[i].values)));
    return ParsedConfiguration{pack(places), 1};
}

std::string DecisionTable::text(const Configuration& configuration, int) const {
    const auto places = unpack(configuration);
    std::string text;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] != 0)
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", decisions_[i].name,
                                value_text(decisions_[i].values[places[i] - 1U]));
    return text;
}

std::vector<std::string> DecisionTable::values(const Configuration& configuration) const {
    const auto places = unpack(configuration);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < places.size(); ++i)
        values.push_back(places[i] == 0 ? std::string() : decisions_[i].values[places[i] - 1U]);
    return values;
}

RecordSpace::RecordSpace(std::shared_ptr<const DecisionTable> table,
                         std::vector<Configuration> configurations)
    : table_(std::move(table))
    , configurations_(std::move(configurations)) {
    std::ranges::sort(configurations_);
    const auto repeated = std::ranges::unique(configurations_);
    configurations_.erase(repeated.begin(), repeated.end());
    members_.insert(configurations_.begin(), configurations_.end());
}

Result<void> RecordSpace::check(const Configuration& configuration) const {
    if (has(configuration))
        return {};
    if (!table_->is_packed(configuration))
        return fail(Fault::Input, "what was to be chosen is no configuration of this table");
    return fail(Fault::Input,
                fmt::format("the table has no configuration {}", table_->text(configuration, 1)));
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

std::optional<Configuration> RecordSpace::neighbour(const Configuration& configuration,
                                                    Random& random) const {
    std::vector<std::uint16_t> places = table_->unpack(configuration);
    std::vector<Configuration> near;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const RecordDecision& decision = table_->table()[i];
        const std::uint16_t here = places[i];
        for (std::size_t other = decision.is_optional ? 0 : 1; other <= decision.values.size(); ++other) {
            places[i] = static_cast<std::uint16_t>(other);
            if (other == here)
                continue;
            if (Configuration changed = table_->pack(places); has(changed))
                near.push_back(std::move(changed));
        }
        places[i] = here;
    }
    if (near.empty())
        return std::nullopt;
    return random.pick(std::span<const Configuration>(near));
}

std::optional<Configuration> RecordSpace::mixture(const Configuration& one, const Configuration& other,
                                                  Random& random) const {
    std::vector<std::uint16_t> places = table_->unpack(one);
    const std::vector<std::uint16_t> others = table_->unpack(other);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (random.chance(0.5))
            places[i] = others[i];
    Configuration child = table_->pack(places);
    return has(child) ? std::optional(std::move(child)) : std::nullopt;
}

std::vector<double> RecordSpace::distances(std::span<const Configuration> configurations) const {
    constexpr std::size_t far_apart = 4; ///< places
    const std::size_t width = table_->decision_count();
    std::vector<std::uint16_t> places;
    places.reserve(configurations.size() * width);
    for (const Configuration& each : configurations)
        std::ranges::copy(table_->unpack(each), std::back_inserter(places));
    std::vector<double> shares; ///< of a decision for each place apart
    for (const RecordDecision& decision : table_->table()) {
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

} // namespace sparsight
