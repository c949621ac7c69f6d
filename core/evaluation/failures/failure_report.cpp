#include "evaluation/failures/failure_report.h"

#include "evaluation/failures/failure_headline.h"
#include "evaluation/failures/page_writer.h"
#include "evaluation/html.h"
#include "evaluation/report_style.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

constexpr std::size_t shown_cases = 25; ///< of a story

class SummaryWriter {
public:
    explicit SummaryWriter(const FailureReport& report)
        : report_(report) {}

    std::string write() {
        add("<h1>{}</h1>\n<p class=\"lead\">{}; {}; {}</p>\n", html_text(report_.title),
            html_text(report_.setting), html_text(report_.origin.date), html_text(report_.origin.created_by));
        for (const std::string& remark : report_.remarks)
            add("<p>{}</p>\n", html_text(remark));
        add_figures();
        if (report_.stories.empty())
            return html_page(report_.title, text_);
        add_overview();
        for (std::size_t story = 0; story < report_.stories.size(); ++story)
            add_story(story);
        for (std::size_t page = 0; page < report_.pages.size(); ++page)
            text_ += PageWriter(report_.pages[page], 2).write(fmt::format("case{}", page));
        add_origin();
        return html_page(report_.title, text_);
    }

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }

    void add_figures() {
        add("<p><strong>{}</strong></p>\n",
            html_text(failures_headline(report_.cases, report_.compared, report_.stories.size())));
    }

    [[nodiscard]] bool is_simulated() const { return report_.stories.front().times == TimeSource::Simulated; }

    /// A bar a story, by what is lost.
    void add_overview() {
        double most = 0;
        for (const FailureStory& story : report_.stories)
            most = std::max(most, story.lost_ms);
        add("<table>\n<tr><th></th><th class=\"number\">Cases</th><th class=\"number\">Lost, {}ms</th><th>"
            "</th></tr>\n",
            is_simulated() ? "simulated " : "");
        for (std::size_t at = 0; at < report_.stories.size(); ++at) {
            const FailureStory& story = report_.stories[at];
            add("<tr><td class=\"sentence\"><a href=\"#story{}\">{}</a></td>{}{}<td><span class=\"bar "
                "losing\" "
                "style=\"width:{:.1f}rem\"></span></td></tr>\n",
                at, html_text(story_sentence(story, report_.op)),
                number_cell(fmt::to_string(story.cases.size())),
                number_cell(fmt::format("{:.3g}", story.lost_ms)), most > 0 ? 8 * story.lost_ms / most : 0);
        }
        add("</table>\n");
    }

    void add_story(std::size_t at) {
        const FailureStory& story = report_.stories[at];
        add("<h2 id=\"story{}\">{}. {}</h2>\n", at, at + 1, html_text(story_sentence(story, report_.op)));
        std::vector<std::string> families;
        families.reserve(story.families.size());
        for (const StoryFamily& family : story.families)
            families.push_back(fmt::format("{} ({})", title(family.family), family.cases));
        add("<p class=\"faint\">Patterns: {}</p>\n", html_text(fmt::format("{}", fmt::join(families, ", "))));
        add("<div class=\"scroll\"><table>\n<thead><tr><th>Matrix</th><th>Chosen by</th><th "
            "class=\"number\">chosen, {0}ms</th><th "
            "class=\"number\">against, {0}ms</th><th "
            "class=\"number\">behind</th><th>What</th><th>Decision</th></tr></thead>\n",
            is_simulated() ? "simulated " : "");
        const std::size_t shown = std::min(shown_cases, story.cases.size());
        for (const std::size_t place : std::span(story.cases).first(shown))
            add_case(report_.cases[place]);
        add("</table></div>\n");
        if (shown < story.cases.size())
            add("<p class=\"faint\">… and {} more.</p>\n", story.cases.size() - shown);
    }

    void add_case(const FailureCase& failure) {
        const FailureSign& sign = failure.main();
        std::vector<std::string_view> kinds;
        kinds.reserve(failure.signs.size());
        for (const FailureSign& each : failure.signs)
            kinds.push_back(title(each.kind));
        const auto page = std::ranges::find_if(report_.pages, [&](const FailurePage& each) {
            return each.failure && each.failure->matrix == failure.matrix &&
                   each.failure->model_name == failure.model_name;
        });
        const std::string matrix = html_text(failure.matrix);
        add("<tr><td>{}</td><td>{}</td>{}{}{}<td>{}</td><td>{}</td></tr>\n",
            page == report_.pages.end()
                ? matrix
                : fmt::format("<a href=\"#case{}\">{}</a>", page - report_.pages.begin(), matrix),
            html_text(failure.model_name),
            number_cell(
                fmt::format("{}{:.4g}", sign.chosen.is_at_least ? "≥ " : "", sign.chosen.milliseconds)),
            number_cell(fmt::format("{:.4g}", sign.against.milliseconds)),
            number_cell(fmt::format("{:.0f} %", 100 * sign.lost_share())),
            html_text(fmt::format("{}", fmt::join(kinds, ", "))), decision_cell(failure));
    }

    [[nodiscard]] std::string decision_cell(const FailureCase& failure) const {
        const std::string text = html_text(cause_text(failure, report_.op));
        return failure.diagnosis ? text : fmt::format("<span class=\"faint\">{}</span>", text);
    }

    void add_origin() {
        add("<h2>To see it again</h2>\n<pre class=\"command\">{}</pre>\n<p class=\"faint\">Times of {}; seed "
            "{}; {}.</p>\n",
            html_text(report_.origin.command), html_text(report_.origin.machine), report_.origin.seed,
            html_text(report_.origin.created_by));
    }

    const FailureReport& report_;
    std::string text_;
};

} // namespace

std::string failure_html(const FailurePage& page) {
    return html_page(page_title(page), PageWriter(page, 1).write({}));
}

std::string failures_html(const FailureReport& report) {
    return SummaryWriter(report).write();
}

} // namespace sparsight
