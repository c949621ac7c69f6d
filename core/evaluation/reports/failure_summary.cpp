#include "evaluation/reports/failure_summary.h"

#include "base/text.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t shown_cases = 25; ///< of a group

class SummaryWriter {
public:
    explicit SummaryWriter(const FailureSummary& summary)
        : summary_(summary) {}

    std::string write() {
        add("<h1>{}</h1>\n<p class=\"lead\">{}; {}; {}</p>\n", html_text(summary_.title),
            html_text(summary_.setting), html_text(summary_.date), html_text(summary_.created_by));
        for (const std::string& remark : summary_.remarks)
            add("<p>{}</p>\n", html_text(remark));
        add_figures();
        if (summary_.groups.empty())
            return html_page(summary_.title, text_);
        add_overview();
        for (std::size_t group = 0; group < summary_.groups.size(); ++group)
            add_group(group);
        text_ += summary_.sections;
        add_origin();
        return html_page(summary_.title, text_);
    }

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }

    void add_figures() {
        add("<p><strong>{}</strong></p>\n",
            html_text(failures_headline(summary_.cases, summary_.compared, summary_.groups.size())));
    }

    [[nodiscard]] bool is_simulated() const { return summary_.groups.front().times == TimeSource::Simulated; }

    /// One bar for each group, by its loss.
    void add_overview() {
        double most = 0;
        for (const FailureGroup& group : summary_.groups)
            most = std::max(most, group.lost_ms);
        add("<table>\n<tr><th></th><th class=\"number\">Cases</th><th class=\"number\">Lost, {}ms</th><th>"
            "</th></tr>\n",
            is_simulated() ? "simulated " : "");
        for (std::size_t at = 0; at < summary_.groups.size(); ++at) {
            const FailureGroup& group = summary_.groups[at];
            add("<tr><td class=\"sentence\"><a href=\"#group{}\">{}</a></td>{}{}<td><span class=\"bar "
                "losing\" "
                "style=\"width:{:.1f}rem\"></span></td></tr>\n",
                at, html_text(group_sentence(group, summary_.words)),
                number_cell(fmt::to_string(group.cases.size())),
                number_cell(fmt::format("{:.3g}", group.lost_ms)), most > 0 ? 8 * group.lost_ms / most : 0);
        }
        add("</table>\n");
    }

    void add_group(std::size_t at) {
        const FailureGroup& group = summary_.groups[at];
        add("<h2 id=\"group{}\">{}. {}</h2>\n", at, at + 1, html_text(group_sentence(group, summary_.words)));
        if (!summary_.family_title.empty())
            add_families(group);
        add("<div class=\"scroll\"><table>\n<thead><tr><th>{1}</th><th>Chosen by</th><th "
            "class=\"number\">chosen, {0}ms</th><th "
            "class=\"number\">against, {0}ms</th><th "
            "class=\"number\">behind</th><th>What</th><th>Decision</th></tr></thead>\n",
            is_simulated() ? "simulated " : "", html_text(capitalised(summary_.words.workload.one)));
        const std::size_t shown = std::min(shown_cases, group.cases.size());
        for (const std::size_t place : std::span(group.cases).first(shown))
            add_case(summary_.cases[place]);
        add("</table></div>\n");
        if (shown < group.cases.size())
            add("<p class=\"faint\">… and {} more.</p>\n", group.cases.size() - shown);
        for (const std::size_t place : group.cases)
            if (const std::string text = reasons_text(summary_.cases[place], summary_.words); !text.empty())
                add("<p><strong>{}</strong>: {}</p>\n", html_text(summary_.cases[place].workload),
                    html_text(text));
    }

    void add_families(const FailureGroup& group) {
        std::vector<std::string> families;
        families.reserve(group.families.size());
        for (const FamilyCount& family : group.families)
            families.push_back(fmt::format("{} ({})", family.family.title, family.cases));
        add("<p class=\"faint\">{}: {}</p>\n", html_text(summary_.family_title),
            html_text(fmt::format("{}", fmt::join(families, ", "))));
    }

    void add_case(const FailureCase& failure) {
        const FailureSign& sign = failure.main();
        std::vector<std::string> kinds;
        kinds.reserve(failure.signs.size());
        for (const FailureSign& each : failure.signs)
            kinds.push_back(title(each.kind, summary_.words));
        const std::string anchor = summary_.anchor ? summary_.anchor(failure) : std::string();
        const std::string workload = html_text(failure.workload);
        add("<tr><td>{}</td><td>{}</td>{}{}{}<td>{}</td><td>{}</td></tr>\n",
            anchor.empty() ? workload : fmt::format("<a href=\"#{}\">{}</a>", anchor, workload),
            html_text(failure.model_name),
            number_cell(
                fmt::format("{}{:.4g}", sign.chosen.is_at_least ? "≥ " : "", sign.chosen.milliseconds)),
            number_cell(fmt::format("{:.4g}", sign.against.milliseconds)),
            number_cell(fmt::format("{:.0f} %", 100 * sign.lost_share())),
            html_text(fmt::format("{}", fmt::join(kinds, ", "))), decision_cell(failure));
    }

    [[nodiscard]] std::string decision_cell(const FailureCase& failure) const {
        const std::string text = html_text(cause_text(failure));
        return failure.diagnosis ? text : fmt::format("<span class=\"faint\">{}</span>", text);
    }

    void add_origin() {
        add("<h2>To see it again</h2>\n<pre class=\"command\">{}</pre>\n<p class=\"faint\">Times of {}; seed "
            "{}; {}.</p>\n",
            html_text(summary_.command), html_text(summary_.machine), summary_.seed,
            html_text(summary_.created_by));
    }

    const FailureSummary& summary_;
    std::string text_;
};

} // namespace

std::string failure_summary_html(const FailureSummary& summary) {
    return SummaryWriter(summary).write();
}

} // namespace sparsight
