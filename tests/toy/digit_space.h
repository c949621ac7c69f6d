// A domain of a few lines, on which tests show that what serves any domain does: its configurations are words
// of digits, and each digit is a decision.
#pragma once

#include "study/configuration_space.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sparsight::testing {

[[nodiscard]] inline Configuration word(std::string_view text) {
    return Configuration(std::as_bytes(std::span(text)));
}

[[nodiscard]] inline std::string text_of_word(const Configuration& configuration) {
    const auto bytes = configuration.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[nodiscard]] inline std::vector<std::size_t> differing_places(const Configuration& one,
                                                               const Configuration& other) {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < one.bytes().size(); ++place)
        if (one.bytes()[place] != other.bytes()[place])
            places.push_back(place);
    return places;
}

[[nodiscard]] inline Decision digit_decision(std::size_t place) {
    return {static_cast<std::uint32_t>(place), fmt::format("digit_{}", place),
            fmt::format("digit {}", place)};
}

/// Each differing digit from the one word or the other.
class MixedWords final : public HybridSpace {
public:
    static Result<std::shared_ptr<const HybridSpace>> make(const Configuration& from,
                                                           const Configuration& to) {
        std::vector<std::size_t> places = differing_places(from, to);
        if (auto few = check_count(places.size()); !few)
            return std::unexpected(std::move(few.error()));
        return std::shared_ptr<const HybridSpace>(new MixedWords(from, to, std::move(places)));
    }

    Hybrid at(DecisionSet taken) const override {
        std::string text = text_of_word(from());
        for (std::size_t decision = 0; decision < places_.size(); ++decision)
            if ((taken >> decision & 1U) != 0)
                text[places_[decision]] = text_of_word(to())[places_[decision]];
        return {word(text)};
    }
    std::string value(std::size_t decision, const Configuration& configuration) const override {
        return text_of_word(configuration).substr(places_[decision], 1);
    }
    std::string_view noun() const override { return "word"; }
    std::string text(const Configuration& configuration) const override {
        return text_of_word(configuration);
    }

private:
    static std::vector<Decision> decisions_of(const std::vector<std::size_t>& places) {
        std::vector<Decision> decisions;
        for (const std::size_t place : places)
            decisions.push_back(digit_decision(place));
        return decisions;
    }
    MixedWords(const Configuration& from, const Configuration& to, std::vector<std::size_t> places)
        : HybridSpace(from, to, decisions_of(places))
        , places_(std::move(places)) {}

    std::vector<std::size_t> places_;
};

/// Words of `length` digits below `base`. A step changes a digit by one.
class DigitSpace final : public ConfigurationSpace {
public:
    DigitSpace(std::size_t length, int base, bool has_baseline = true)
        : length_(length)
        , base_(base)
        , has_baseline_(has_baseline) {}

    Result<void> check(const Configuration& configuration) const override {
        const std::string text = text_of_word(configuration);
        const bool valid = text.size() == length_ && std::ranges::all_of(text, [&](char digit) {
                               return digit >= '0' && digit < '0' + base_;
                           });
        return valid ? Result<void>() : fail(Fault::Input, "'" + text + "' is no word of this space");
    }
    std::optional<Configuration> baseline() const override {
        return has_baseline_ ? std::optional(word(std::string(length_, '0'))) : std::nullopt;
    }
    std::vector<Configuration> sample(std::size_t count, Random& random) const override {
        const double size = std::pow(base_, static_cast<double>(length_));
        std::unordered_set<Configuration> seen;
        std::vector<Configuration> words;
        while (words.size() < count && static_cast<double>(words.size()) < size) {
            std::string text(length_, '0');
            for (char& digit : text)
                digit = static_cast<char>('0' + random.below(static_cast<std::uint64_t>(base_)));
            if (seen.insert(word(text)).second)
                words.push_back(word(text));
        }
        return words;
    }
    std::vector<Configuration> neighbours(const Configuration& of) const override {
        std::vector<Configuration> near;
        const std::string text = text_of_word(of);
        for (std::size_t at = 0; at < text.size(); ++at)
            for (const int step : {-1, 1}) {
                std::string changed = text;
                changed[at] = static_cast<char>(changed[at] + step);
                if (check(word(changed)))
                    near.push_back(word(changed));
            }
        return near;
    }
    std::optional<Configuration> neighbour(const Configuration& of, Random& random) const override {
        const std::vector<Configuration> near = neighbours(of);
        return near.empty() ? std::nullopt : std::optional(random.pick(std::span(near)));
    }
    std::optional<Configuration> mixture(const Configuration& one, const Configuration& other,
                                         Random& random) const override {
        std::string child = text_of_word(one);
        const std::string another = text_of_word(other);
        for (std::size_t at = 0; at < child.size(); ++at)
            if (random.chance(0.5))
                child[at] = another[at];
        return word(child);
    }
    std::vector<double> distances(std::span<const Configuration> words) const override {
        std::vector<double> distances;
        for (const Configuration& row : words)
            for (const Configuration& col : words) {
                double apart = 0;
                for (std::size_t at = 0; at < length_; ++at)
                    apart += row.bytes()[at] == col.bytes()[at] ? 0 : 1;
                distances.push_back(apart);
            }
        return distances;
    }
    std::vector<DecisionChange> changes(const Configuration& before,
                                        const Configuration& after) const override {
        std::vector<DecisionChange> changes;
        for (const std::size_t place : differing_places(before, after))
            changes.push_back({digit_decision(place), text_of_word(before).substr(place, 1),
                               text_of_word(after).substr(place, 1)});
        return changes;
    }
    Result<std::shared_ptr<const HybridSpace>> between(const Configuration& from,
                                                       const Configuration& to) const override {
        for (const Configuration& each : {from, to})
            if (auto valid = check(each); !valid)
                return std::unexpected(std::move(valid.error()));
        return MixedWords::make(from, to);
    }

private:
    std::size_t length_;
    int base_;
    bool has_baseline_;
};

} // namespace sparsight::testing
