#include "domains/records/exchange/fact_sheet.h"

#include "machine/data_sheet.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

namespace sparsight {

namespace {

/// Between the facts of one line.
constexpr char fact_separator = '\x1f';

} // namespace

Result<FactSheet> FactSheet::read(CsvTable table, std::span<const std::string_view> keys) {
    const auto named =
        std::ranges::find_if(keys, [&](std::string_view name) { return table.column(name).has_value(); });
    if (named == keys.end())
        return fail_in_file(Fault::Input, table.file(), 1,
                            fmt::format("no column names what the lines describe, expected {}{}",
                                        keys.size() > 1 ? "one of: " : "", fmt::join(keys, ", ")));
    const std::size_t key = *table.column(*named);
    FactSheet sheet;
    sheet.names_.assign(table.columns().begin(), table.columns().end());
    sheet.names_.erase(sheet.names_.begin() + static_cast<std::ptrdiff_t>(key));
    for (;;) {
        const auto has_line = table.next();
        if (!has_line)
            return std::unexpected(has_line.error());
        if (!*has_line)
            return sheet;
        if (table.defect()) {
            sheet.problems_.add(*table.defect());
            continue;
        }
        const std::string_view name = table.field(key);
        if (name.empty() || sheet.lines_.contains(std::string(name))) {
            sheet.problems_.add(table.unexpected_field(
                key, name.empty() ? "a name" : "a name that no earlier line of the sheet has"));
            continue;
        }
        std::string facts;
        for (std::size_t i = 0; i < table.columns().size(); ++i)
            if (i != key)
                facts.append(table.field(i)).append(1, fact_separator);
        sheet.lines_.emplace(name, std::move(facts));
    }
}

std::optional<std::vector<FactSheet::Fact>> FactSheet::find(std::string_view name) const {
    auto found = lines_.find(std::string(name));
    if (const std::size_t colon = name.find(':'); found == lines_.end() && colon != std::string_view::npos)
        found = lines_.find(std::string(name.substr(colon + 1)));
    if (found == lines_.end())
        return std::nullopt;
    std::vector<Fact> facts;
    std::string_view rest = found->second;
    for (const std::string& fact : names_) {
        const std::string_view text = rest.substr(0, rest.find(fact_separator));
        rest.remove_prefix(text.size() + 1);
        if (!text.empty())
            facts.push_back({fact, std::string(text)});
    }
    return facts;
}

std::vector<FactSheet::Fact> as_machine_facts(std::vector<FactSheet::Fact> facts) {
    const auto is_gpu = [](const FactSheet::Fact& fact) {
        return (fact.name == "type" || fact.name == "kind") && fact.text == "GPU";
    };
    const bool are_of_gpu = std::ranges::any_of(facts, is_gpu);
    std::set<std::string, std::less<>> names;
    for (const FactSheet::Fact& fact : facts)
        names.insert(fact.name);
    for (FactSheet::Fact& fact : facts)
        if (const std::string_view key = field_of_column(fact.name, are_of_gpu);
            !key.empty() && names.emplace(key).second) // two columns of one fact keep their names
            fact.name = key;
    return facts;
}

} // namespace sparsight
