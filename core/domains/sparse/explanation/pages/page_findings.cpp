// The findings of a page: which decision, by what mechanism, why the model did not know, what would change
// it.
#include "base/quantity.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/explanation_text.h"
#include "domains/sparse/explanation/pages/page_writer.h"
#include "domains/sparse/explanation/pages/schedule_comparison.h"
#include "evaluation/diagnosis/change_text.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>

namespace sparsight {

void PageWriter::add_disagreement() {
    const Explanation& explanation = page_.explanation;
    const bool is_of_case = page_.failure && page_.failure->times != TimeSource::Simulated;
    if (page_.basis != DiagnosisBasis::Measured && !is_of_case)
        return;
    const double simulated = explanation.to.parts.total() / explanation.from.parts.total();
    const auto found = page_.basis == DiagnosisBasis::Measured
                           ? disagreement_of(explanation)
                           : disagreement_beyond_noise(page_.failure->main(), simulated);
    if (!found)
        return;
    const bool is_recorded = is_of_case && page_.failure->times == TimeSource::Recorded;
    add("<p><strong>The simulator contradicts it.</strong> {}</p>\n",
        html_text(to_text(*found, is_recorded ? "Recorded" : "Measured", against_title(page_),
                          page_.origin.machine, page_.basis != DiagnosisBasis::Measured && !is_recorded)));
}

void PageWriter::add_decisions() {
    add_heading("Which decision");
    const HybridCounts& counts = blame_.counts;
    add("<figure>{}<figcaption>{} {} Orange costs, blue gains; pale bars (≈) may be "
        "noise.</figcaption></figure>\n",
        waterfall_figure(blame_, against_title(page_), schedule_title(page_)),
        blame_.is_exact
            ? fmt::format("Exact Shapley values over {} schedules between both ({} programs), {}.",
                          counts.all, counts.programs, verb())
            : fmt::format("Shapley values of {} drawn pairs of orders, {} of {} schedules between both {}.",
                          blame_.draws, counts.asked, counts.all, verb()),
        counts.without_time > 0 ? fmt::format("{} can't be built and are left out.", counts.without_time)
                                : "");
    add("<div class=\"scroll\"><table>\n<thead><tr><th>Decision</th><th>{}</th><th>{}</th><th "
        "class=\"number\">costs, "
        "ms</th><th class=\"number\">times</th><th class=\"number\">± ms</th><th></th></tr></thead>\n",
        html_text(against_title(page_)), schedule_title(page_));
    const int decimals = decimals_of(std::max(*blame_.from.milliseconds, *blame_.to.milliseconds));
    const std::vector<double> shown = rounded_costs(blame_);
    for (std::size_t at = 0; at < blame_.shares.size(); ++at) {
        const DecisionShare& share = blame_.shares[at];
        const double noise = share.uncertainty_ms();
        add("<tr><td>{}</td><td>{}</td><td>{}</td>{}{}{}<td>{}</td></tr>\n", share.decision.name,
            blame_.space->value(share.bit, blame_.space->from()),
            blame_.space->value(share.bit, blame_.space->to()), number_cell(signed_text(shown[at], decimals)),
            number_cell(fmt::format("{}{:.3g}", share.is_sign_decided() ? "" : "~", share.factor)),
            number_cell(std::isfinite(noise) ? fmt::format("{:.2g}", noise) : "unknown"),
            share.is_same_program     ? "same program"
            : share.is_bounded        ? "rests on times that were cut off"
            : share.is_significant    ? ""
            : share.is_sign_decided() ? "within the noise"
                                      : "sign not decided");
    }
    add("</table></div>\n");
}

void PageWriter::add_mechanism() {
    add_heading("Mechanism of the loss");
    const Explanation& explanation = page_.explanation;
    const double longest = std::max(explanation.from.parts.total(), explanation.to.parts.total());
    const int decimals = decimals_of(longest);
    double widest = 0;
    for (const TimeTerm term : all_time_terms())
        widest = std::max(widest, std::abs(explanation.to.parts[term] - explanation.from.parts[term]));
    add("<div class=\"scroll\"><table>\n<thead><tr><th>Simulated, ms</th><th class=\"number\">{}</th><th "
        "class=\"number\">{}</th><th class=\"number\">difference</th><th></th></tr></thead>\n",
        html_text(against_title(page_)), schedule_title(page_));
    const auto add_row = [&](const std::string& title, double from, double to, bool is_part) {
        // Of the numbers as they are written.
        const double unit = std::pow(10.0, decimals);
        const double difference = (std::round(to * unit) - std::round(from * unit)) / unit;
        const bool is_nothing = std::abs(difference) <= 1e-6 * longest;
        const std::string shown_bar =
            is_part && !is_nothing && widest > 0
                ? fmt::format("<span class=\"bar {}\" style=\"width:{:.1f}rem\"></span>",
                              difference > 0 ? "losing" : "", 10 * std::abs(difference) / widest)
                : "";
        add("<tr><td>{}</td>{}{}{}<td>{}</td></tr>\n", title,
            number_cell(fmt::format("{:.{}f}", from, decimals)),
            number_cell(fmt::format("{:.{}f}", to, decimals)), number_cell(signed_text(difference, decimals)),
            shown_bar);
    };
    for (const TimeTerm term : all_time_terms())
        if (explanation.from.parts[term] > 1e-6 * longest || explanation.to.parts[term] > 1e-6 * longest)
            add_row(std::string(title(term)), explanation.from.parts[term], explanation.to.parts[term], true);
    add_row("<strong>all</strong>", explanation.from.parts.total(), explanation.to.parts.total(), false);
    if (page_.basis == DiagnosisBasis::Measured)
        add_row("<strong>measured</strong>", *blame_.from.milliseconds, *blame_.to.milliseconds, false);
    add("</table></div>\n");
    add_storage();
}

void PageWriter::add_storage() {
    const Explanation& explanation = page_.explanation;
    const auto bytes = [](const Mechanism& side) {
        return format_bytes(static_cast<std::uint64_t>(side.storage_bytes));
    };
    add("<p>A takes {} in place of {}; {:.0f} % of the innermost iterations work on explicit zeros (in place "
        "of "
        "{:.0f} %); parallel regions: {:.4g} of {:.4g} chunks each (in place of {:.4g} of {:.4g}).</p>\n",
        bytes(explanation.to), bytes(explanation.from), 100 * explanation.to.fill_in,
        100 * explanation.from.fill_in, explanation.to.regions, explanation.to.chunks,
        explanation.from.regions, explanation.from.chunks);
    if (page_.basis == DiagnosisBasis::Measured) {
        if (!explanation.from.counted || !explanation.to.counted) {
            add("<p class=\"faint\">Hardware counters: {}.</p>\n", html_text(explanation.no_counters));
            return;
        }
        TextTable table{{"Counted in one run", against_title(page_), schedule_title(page_)}, {}};
        const auto count_text = [](const std::optional<double>& count) {
            return count ? fmt::format("{:.4g}", *count) : std::string("not available here");
        };
        for (const HardwareEvent event : all_hardware_events)
            table.rows.push_back({std::string(title(event)), count_text((*explanation.from.counted)[event]),
                                  count_text((*explanation.to.counted)[event])});
        add_table(table);
    }
}

void PageWriter::add_reasons() {
    const bool is_strange = page_.failure && !page_.failure->unfamiliar.empty();
    if (page_.model_reasons.empty() && !is_strange)
        return;
    add_heading("Why the model did not know");
    if (is_strange) {
        std::vector<std::string> titles;
        std::ranges::transform(page_.failure->unfamiliar, std::back_inserter(titles),
                               [](const UnfamiliarStatistic& each) { return to_text(each); });
        add("<p>The pattern is unlike all that the model was trained on: {}.</p>\n",
            html_text(fmt::format("{}", fmt::join(titles, "; "))));
    }
    for (const ReportSection& section : page_.model_reasons) {
        add("<h{0}>{1}</h{0}>\n", level_ + 2, html_text(section.title));
        for (const std::string& paragraph : section.paragraphs)
            add("<p>{}</p>\n", html_text(paragraph));
        for (const std::string& figure : section.figures)
            add("<figure>{}</figure>\n", figure);
        for (const TextTable& table : section.tables)
            add_table(table);
    }
}

void PageWriter::add_changes() {
    add_heading("What would make it win");
    const Explanation& explanation = page_.explanation;
    if (!explanation.schedule_change) {
        add("<p>{} {} is not slower, so there is nothing to change in it.</p>\n",
            page_.basis == DiagnosisBasis::Measured ? "Measured," : "Simulated,", schedule_title(page_));
        return;
    }
    add("<ul>\n");
    const ConfigurationChange& change = *explanation.schedule_change;
    if (change.is_other_side)
        add("<li>{}</li>\n",
            html_text(no_change_text(change, title_of_other_side(blame_), blame_.space->noun(),
                                     page_.basis == DiagnosisBasis::Measured)));
    else
        add("<li><strong>The schedule</strong>: {}. {} {:.4g} ms against {:.4g} ms: "
            "{}.<br><code>{}</code></li>\n",
            changed_decisions(change), page_.basis == DiagnosisBasis::Measured ? "Measured" : "Simulated",
            *change.time.milliseconds, *blame_.from.milliseconds, verdict(change),
            html_text(blame_.space->text(change.configuration)));
    if (change.removal && !change.is_other_side)
        add("<li>The smallest change that removes the loss: {}.</li>\n",
            html_text(removal_text(*change.removal, title_of_other_side(blame_))));
    if (!explanation.simulation_agrees)
        add("<li>The simulator does not take {} for the slower one, so it says nothing of machines "
            "and patterns.</li>\n",
            schedule_title(page_));
    else if (explanation.machine_changes.empty())
        add("<li>No change of one number of the machine, within the usual range, makes it win.</li>\n");
    else if (const MachineChange& smallest = explanation.machine_changes.front(); true) {
        add("<li><strong>The machine</strong>: {}. Simulated {:.4g} ms against {:.4g} ms.</li>\n",
            html_text(to_text(smallest)), smallest.to_ms, smallest.from_ms);
    }
    if (explanation.simulation_agrees)
        add("<li>{}{}</li>\n",
            explanation.pattern_changes.winning.empty() ? "" : "<strong>The pattern</strong>: ",
            html_text(pattern_change_text(explanation.pattern_changes)));
    add("</ul>\n");
}

void PageWriter::add_origin() {
    const ReportOrigin& origin = page_.origin;
    add_heading("To see it again");
    add("<pre class=\"command\">{}</pre>\n<p class=\"faint\">Machine {}", html_text(origin.command),
        html_text(origin.machine));
    if (!origin.machine_facts.empty())
        add(" ({})", html_text(origin.machine_facts));
    if (!origin.model.empty())
        add("; model {}", html_text(origin.model));
    add("; seed {}; {}", origin.seed, html_text(origin.created_by));
    if (!origin.date.empty())
        add("; {}", html_text(origin.date));
    add(".</p>\n");
}

} // namespace sparsight
