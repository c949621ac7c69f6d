#include "domains/blocks/simulator/block_simulation.h"

#include "domains/blocks/simulator/table_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <optional>

namespace sparsight {
namespace {

/// Before every answer; another one is of another version.
constexpr std::string_view form_of_simulations = "sparsight simulator 1\n";
constexpr std::string_view refusal = "refused ";

/// Takes words and lines from the front of a text.
class Words {
public:
    explicit Words(std::string_view text)
        : rest_(text) {}

    [[nodiscard]] bool is_empty() const { return rest_.empty(); }
    [[nodiscard]] std::string_view rest() const { return rest_; }
    std::string_view next(char end) {
        const std::size_t at = std::min(rest_.find(end), rest_.size());
        const std::string_view word = rest_.substr(0, at);
        rest_.remove_prefix(std::min(at + 1, rest_.size()));
        return word;
    }
    template <typename Number>
    std::optional<Number> number() {
        const std::string_view word = next(' ');
        Number value{};
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        return error == std::errc() && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
    }

private:
    std::string_view rest_;
};

Error damaged() {
    return {Fault::Internal, "a question or an answer of the simulator is damaged", {}, 0};
}

std::string one_line(const Error& error) {
    std::string text = error.text();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

Result<Words> read_answer(std::string_view answer) {
    if (!answer.starts_with(form_of_simulations))
        return fail(Fault::Environment, "sparsight-cli, which simulates blocks, is of another version");
    answer.remove_prefix(form_of_simulations.size());
    if (answer.starts_with(refusal))
        return fail(Fault::Input, std::string(answer.substr(refusal.size())));
    return Words(answer);
}

/// Values that the questions point to.
struct OwnedQuery {
    MachineCode code;
    ProcessorValues processor{};
    std::vector<std::pair<std::size_t, std::vector<int>>> classes{};
};

std::optional<OwnedQuery> parse_query(std::string_view line) {
    Words words(line);
    OwnedQuery query;
    const auto code = parse_hex(words.next(' '));
    if (!code)
        return std::nullopt;
    query.code = *code;
    for (int& value : query.processor) {
        const auto number = words.number<int>();
        if (!number)
            return std::nullopt;
        value = *number;
    }
    while (!words.is_empty()) {
        Words of_class(words.next(';'));
        const auto place = of_class.number<std::size_t>();
        if (!place)
            return std::nullopt;
        std::vector<int> values;
        while (!of_class.is_empty()) {
            const auto number = of_class.number<int>();
            if (!number)
                return std::nullopt;
            values.push_back(*number);
        }
        query.classes.emplace_back(*place, std::move(values));
    }
    return query;
}

/// What the simulator could not stand is refused before it is asked.
bool fits(const OwnedQuery& query, const SimulatorTable& original) {
    for (std::size_t at = 0; at < query.processor.size(); ++at)
        if (!parameter_bounds(original, {ParameterPlace::of_processor, at}).contain(query.processor[at]))
            return false;
    for (const auto& [place, values] : query.classes) {
        if (place >= original.classes.size() || values.size() != original.values_a_class())
            return false;
        for (std::size_t at = 0; at < values.size(); ++at)
            if (!parameter_bounds(original, {place, at}).contain(values[at]))
                return false;
        std::vector<int> repaired = values;
        repair(original, place, repaired);
        if (repaired != values)
            return false;
    }
    return true;
}

std::string answer_classes(Words words, BlockSimulator& simulator) {
    std::vector<MachineCode> codes;
    while (!words.is_empty()) {
        const auto code = parse_hex(words.next('\n'));
        if (!code)
            return std::string(refusal) + one_line(code.error());
        codes.push_back(*code);
    }
    std::vector<const MachineCode*> pointers;
    for (const MachineCode& each : codes)
        pointers.push_back(&each);
    const auto found = simulator.classes(pointers);
    if (!found)
        return std::string(refusal) + one_line(found.error());
    std::string answer;
    for (const auto& each : *found) {
        if (!each)
            answer += '!' + one_line(each.error());
        else
            for (const std::size_t place : *each)
                fmt::format_to(std::back_inserter(answer), "{} ", place);
        answer += '\n';
    }
    return answer;
}

std::string answer_cycles(Words words, BlockSimulator& simulator) {
    Words head(words.next('\n'));
    const auto iterations = head.number<int>();
    if (!iterations || *iterations < 1)
        return std::string(refusal) + damaged().message;
    std::vector<OwnedQuery> owned;
    while (!words.is_empty()) {
        auto query = parse_query(words.next('\n'));
        if (!query || !fits(*query, simulator.original()))
            return std::string(refusal) + damaged().message;
        owned.push_back(*std::move(query));
    }
    std::vector<SimulationQuery> queries;
    for (const OwnedQuery& each : owned) {
        SimulationQuery& query = queries.emplace_back(SimulationQuery{&each.code, each.processor});
        for (const auto& [place, values] : each.classes)
            query.classes.emplace_back(place, &values);
    }
    const auto found = simulator.cycles(queries, *iterations, {});
    if (!found)
        return std::string(refusal) + one_line(found.error());
    std::string answer;
    for (const auto& each : *found)
        answer += each ? fmt::format("{}\n", *each) : '!' + one_line(each.error()) + '\n';
    return answer;
}

} // namespace

SimulationQuery query_of(const MachineCode& code, std::span<const std::size_t> classes,
                         const SimulatorTable& table) {
    SimulationQuery query{&code, table.processor};
    for (std::size_t at = 0; at < classes.size(); ++at)
        if (std::ranges::find(classes.first(at), classes[at]) ==
            classes.begin() + static_cast<std::ptrdiff_t>(at))
            query.classes.emplace_back(classes[at], &table.classes[classes[at]].values);
    return query;
}

std::string classes_question(std::string_view machine, std::span<const MachineCode* const> codes) {
    std::string question = fmt::format("classes\n{}\n", machine);
    for (const MachineCode* const code : codes)
        question += to_hex(*code) + '\n';
    return question;
}

std::string cycles_question(std::string_view machine, std::span<const SimulationQuery> queries,
                            int iterations) {
    std::string question = fmt::format("cycles\n{}\n{}\n", machine, iterations);
    for (const SimulationQuery& query : queries) {
        question += to_hex(*query.code);
        for (const int value : query.processor)
            fmt::format_to(std::back_inserter(question), " {}", value);
        char before = ' ';
        for (const auto& [place, values] : query.classes) {
            fmt::format_to(std::back_inserter(question), "{}{}", before, place);
            for (const int value : *values)
                fmt::format_to(std::back_inserter(question), " {}", value);
            before = ';';
        }
        question += '\n';
    }
    return question;
}

Result<std::vector<Result<std::vector<std::size_t>>>> parse_classes(std::string_view answer) {
    auto words = read_answer(answer);
    if (!words)
        return std::unexpected(std::move(words).error());
    std::vector<Result<std::vector<std::size_t>>> all;
    while (!words->is_empty()) {
        const std::string_view line = words->next('\n');
        if (line.starts_with('!')) {
            all.emplace_back(fail(Fault::Input, std::string(line.substr(1))));
            continue;
        }
        std::vector<std::size_t> places;
        Words numbers(line);
        while (!numbers.is_empty()) {
            const auto place = numbers.number<std::size_t>();
            if (!place)
                return std::unexpected(damaged());
            places.push_back(*place);
        }
        all.emplace_back(std::move(places));
    }
    return all;
}

Result<std::vector<Result<double>>> parse_cycles(std::string_view answer) {
    auto words = read_answer(answer);
    if (!words)
        return std::unexpected(std::move(words).error());
    std::vector<Result<double>> all;
    while (!words->is_empty()) {
        const std::string_view line = words->next('\n');
        if (line.starts_with('!')) {
            all.emplace_back(fail(Fault::Input, std::string(line.substr(1))));
            continue;
        }
        const auto cycles = Words(line).number<double>();
        if (!cycles)
            return std::unexpected(damaged());
        all.emplace_back(*cycles);
    }
    return all;
}

std::string
answer_simulator_question(std::string_view question,
                          const std::function<Result<BlockSimulator*>(std::string_view machine)>& simulator) {
    Words words(question);
    const std::string_view kind = words.next('\n');
    const auto found = simulator(words.next('\n'));
    std::string answer(form_of_simulations);
    if (!found)
        return answer + std::string(refusal) + one_line(found.error());
    if (kind == "table")
        return answer + table_bytes((*found)->original());
    if (kind == "classes")
        return answer + answer_classes(words, **found);
    if (kind == "cycles")
        return answer + answer_cycles(words, **found);
    return answer + std::string(refusal) + damaged().message;
}

} // namespace sparsight
