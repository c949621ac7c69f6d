#include "domains/sparse/explanation/pages/schedule_comparison.h"

#include "base/quantity.h"
#include "evaluation/reports/figures.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

/// "C(i,j) += A(i,k) · B(k,j)", of the formula: the loops sum.
std::string statement_of(Operator op) {
    std::string text(description(op).formula);
    text.insert(text.find('='), 1, '+');
    if (const std::size_t sum = text.find("Σ"); sum != std::string::npos)
        text.erase(sum, text.find(' ', sum) + 1 - sum);
    return text;
}

std::int64_t iterations(const SuperSchedule& schedule, LoopIndex loop, const Extents& extents) {
    const std::int64_t split = schedule.split(loop.index);
    return loop.part == Part::Inner ? split : (extents[loop.index] + split - 1) / split;
}

std::string loop_line(const SuperSchedule& schedule, LoopIndex loop, const Extents& extents) {
    std::string text =
        fmt::format("for {} < {}", name(loop), format_count(iterations(schedule, loop, extents)));
    if (is_sparse_index(schedule.op, loop.index))
        text += schedule.format(loop) == LevelFormat::Compressed ? ", compressed" : ", uncompressed";
    if (schedule.parallel == loop)
        text += fmt::format(", {} {} by {}", schedule.threads, schedule.threads == 1 ? "thread" : "threads",
                            schedule.chunk);
    return text;
}

std::string_view content(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(' ');
    return begin == std::string::npos ? std::string_view() : std::string_view(line).substr(begin);
}

/// A loop, or the statement.
struct Line {
    std::optional<LoopIndex> loop;
    std::string text;
};

std::vector<Line> lines_of(const SuperSchedule& schedule, const Extents& extents) {
    std::vector<Line> lines;
    std::string indent;
    for (const LoopIndex loop : existing_loops(schedule)) {
        lines.push_back({loop, indent + loop_line(schedule, loop, extents)});
        indent += "  ";
    }
    lines.push_back({std::nullopt, indent + statement_of(schedule.op)});
    return lines;
}

/// The value of placing two lines beside each other; 0: not allowed.
int worth(const Line& from, const Line& to) {
    if (content(from.text) == content(to.text))
        return 3;
    return from.loop == to.loop ? 2 : 0;
}

} // namespace

bool ComparedLine::is_same() const {
    return from && to && content(*from) == content(*to);
}

std::vector<ComparedLine> compare_loops(const SuperSchedule& from, const SuperSchedule& to,
                                        const Extents& extents) {
    const std::vector<Line> left = lines_of(from, extents);
    const std::vector<Line> right = lines_of(to, extents);
    // The most that the lines from (l, r) on are worth.
    std::vector<std::vector<int>> best(left.size() + 1, std::vector<int>(right.size() + 1));
    for (std::size_t l = left.size(); l-- > 0;)
        for (std::size_t r = right.size(); r-- > 0;) {
            const int here = worth(left[l], right[r]);
            best[l][r] = std::max({best[l + 1][r], best[l][r + 1], here > 0 ? here + best[l + 1][r + 1] : 0});
        }
    std::vector<ComparedLine> compared;
    std::size_t l = 0;
    std::size_t r = 0;
    while (l < left.size() || r < right.size()) {
        const bool both = l < left.size() && r < right.size();
        const int here = both ? worth(left[l], right[r]) : 0;
        if (here > 0 && best[l][r] == here + best[l + 1][r + 1])
            compared.push_back({left[l++].text, right[r++].text});
        else if (l < left.size() && (r == right.size() || best[l][r] == best[l + 1][r]))
            compared.push_back({left[l++].text, std::nullopt});
        else
            compared.push_back({std::nullopt, right[r++].text});
    }
    return compared;
}

namespace {

constexpr double width = 920;
constexpr double bars_right = width - 120;
constexpr std::size_t longest_label = 56; ///< letters
/// Average width of a letter, in wide typefaces and at the size of print (html.cpp).
constexpr double letter_width = 7.8;
constexpr double label_gap = 12; ///< between a label and the bars
constexpr double row_height = 30;
constexpr double bar = 18;
constexpr double top = 8;

double longer_time(const Blame& blame) {
    return std::max(*blame.from.milliseconds, *blame.to.milliseconds);
}

bool begins_letter(char byte) {
    return (byte & '\xC0') != '\x80'; // of UTF-8
}

std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

/// Text shortened at the end of a word, with an ellipsis, where it is too long.
std::string elided(const std::string& text) {
    if (letters(text) <= longest_label)
        return text;
    std::size_t end = 0; // of as many letters as leave room for the ellipsis
    for (std::size_t begun = 0; begun + 2 <= longest_label; ++end)
        begun += begins_letter(text[end]) ? 1 : 0;
    --end;
    const std::size_t space = text.rfind(' ', end);
    return text.substr(0, space == std::string::npos ? end : space) + " …";
}

std::string label_of(const DecisionShare& share, const HybridSpace& space) {
    return elided(fmt::format("{}: {} → {}", share.decision.name, space.value(share.bit, space.from()),
                              space.value(share.bit, space.to())));
}

/// The left edge of the bars: labels end there.
double left_of_bars(const Blame& blame, const std::string& from_name, const std::string& to_name) {
    std::size_t longest = std::max(letters(elided(from_name)), letters(elided(to_name)));
    for (const DecisionShare& share : blame.shares)
        longest = std::max(longest, letters(label_of(share, *blame.space)));
    return std::ceil(letter_width * static_cast<double>(longest) + 2 * label_gap);
}

/// One after the other, from the upper end to the lower.
class Waterfall {
public:
    Waterfall(const Blame& blame, double longest, double bars_left)
        : blame_(blame)
        , bars_left_(bars_left)
        , decimals_(decimals_of(longer_time(blame)))
        , costs_(rounded_costs(blame))
        , axis_(SvgAxis::linear(0, longest, bars_left, bars_right)) {
        const auto rows = static_cast<double>(blame.shares.size() + 2);
        fmt::format_to(
            std::back_inserter(text_),
            "<svg viewBox=\"0 0 {} {:.0f}\" class=\"wide\" role=\"img\" aria-label=\"From the one time to "
            "the other, decision by decision\">\n",
            width, top + rows * row_height + 26);
        bottom_ = top + rows * row_height;
        for (const double tick : axis_.ticks())
            fmt::format_to(std::back_inserter(text_),
                           "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.1f}\"/>"
                           "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:.4g}</text>\n",
                           axis_.place(tick), top, bottom_, bottom_ + 18, tick + 0.0);
        fmt::format_to(std::back_inserter(text_), "<text x=\"{:.1f}\" y=\"{:.1f}\">ms</text>\n",
                       bars_right + 22, bottom_ + 18);
    }

    void add_end(const std::string& title, const ClockTime& time) {
        add_label(title, "strong");
        add_bar(0, *time.milliseconds, "end", 1);
        add_value(fmt::format("{}{:.{}f} ms", time.is_at_least ? "≥ " : "", *time.milliseconds, decimals_));
        level_ = *time.milliseconds;
        y_ += row_height;
    }
    void add_step(const WaterfallStep& step) {
        const DecisionShare& share = blame_.shares[step.share];
        add_connection();
        add_label(label_of(share, *blame_.space), "");
        add_bar(step.begin_ms, step.end_ms, share.milliseconds > 0 ? "lose" : "win",
                share.is_significant ? 1 : 0.4);
        add_value(signed_text(costs_[step.share], decimals_) + (share.is_significant ? "" : " ≈"));
        level_ = step.end_ms;
        y_ += row_height;
    }
    void connect() { add_connection(); }
    std::string finish() { return std::move(text_) + "</svg>\n"; }

private:
    /// Down from where the bar before ended.
    void add_connection() {
        fmt::format_to(std::back_inserter(text_),
                       "<line class=\"link\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>\n",
                       axis_.place(level_), y_ - row_height + (row_height + bar) / 2,
                       y_ + (row_height - bar) / 2);
    }
    void add_label(const std::string& text, std::string_view style) {
        fmt::format_to(std::back_inserter(text_),
                       "<text class=\"label {}\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       style, bars_left_ - label_gap, y_ + row_height / 2 + 4, html_text(text));
    }
    void add_bar(double begin, double end, std::string_view style, double opacity) {
        const double from = axis_.place(std::min(begin, end));
        const double to = axis_.place(std::max(begin, end));
        fmt::format_to(std::back_inserter(text_),
                       "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\" "
                       "opacity=\"{}\"/>\n",
                       style, from, y_ + (row_height - bar) / 2, std::max(to - from, 1.5), bar, opacity);
    }
    void add_value(const std::string& text) {
        fmt::format_to(std::back_inserter(text_),
                       "<text class=\"label\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                       width - 4, y_ + row_height / 2 + 4, text);
    }

    const Blame& blame_;
    double bars_left_;
    int decimals_;
    std::vector<double> costs_;
    SvgAxis axis_;
    std::string text_;
    double bottom_ = 0;
    double y_ = top;
    double level_ = 0; ///< where the bar before ended
};

} // namespace

int decimals_of(double milliseconds) {
    if (!(milliseconds > 0))
        return 3;
    constexpr int digits = 4;
    return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(milliseconds))), 0, 6);
}

/// Differences of rounded levels add up, rounded differences need not.
std::vector<double> rounded_costs(const Blame& blame) {
    const double unit = std::pow(10.0, decimals_of(longer_time(blame)));
    const auto rounded = [&](double milliseconds) { return std::round(milliseconds * unit) / unit; };
    std::vector<double> costs(blame.shares.size());
    for (const WaterfallStep& step : waterfall(blame))
        costs[step.share] = rounded(step.end_ms) - rounded(step.begin_ms);
    return costs;
}

std::string signed_text(double value, int decimals) {
    const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool is_nothing = digits.find_first_not_of("0.") == std::string::npos;
    return is_nothing ? digits : (value < 0 ? "−" : "+") + digits;
}

std::string waterfall_figure(const Blame& blame, const std::string& from_name, const std::string& to_name) {
    const std::vector<WaterfallStep> steps = waterfall(blame);
    double longest = longer_time(blame);
    for (const WaterfallStep& step : steps)
        longest = std::max({longest, step.begin_ms, step.end_ms});
    Waterfall figure(blame, longest, left_of_bars(blame, from_name, to_name));
    figure.add_end(elided(from_name), blame.from);
    for (const WaterfallStep& step : steps)
        figure.add_step(step);
    figure.connect();
    figure.add_end(elided(to_name), blame.to);
    return figure.finish();
}

} // namespace sparsight
