#include "evaluation/failures/report_figures.h"

#include "evaluation/html.h"
#include "evaluation/svg_axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

constexpr double width = 920;
constexpr double bars_right = width - 120;
constexpr std::size_t longest_label = 56; ///< letters
/// Of a letter on average, in wide typefaces and as large as it is printed (printable_html.cpp).
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

/// What is longer ends with a whole word and an ellipsis.
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
    return elided(fmt::format("{}: {} → {}", name(share.decision, space.to().op),
                              value_of(share.decision, space.from()), value_of(share.decision, space.to())));
}

/// The left edge of the bars: labels end there.
double left_of_bars(const Blame& blame, const std::string& from_name, const std::string& to_name) {
    std::size_t longest = std::max(letters(elided(from_name)), letters(elided(to_name)));
    for (const DecisionShare& share : blame.shares)
        longest = std::max(longest, letters(label_of(share, blame.space)));
    return std::ceil(letter_width * static_cast<double>(longest) + 2 * label_gap);
}

/// One after the other, from the upper end to the lower.
class Waterfall {
public:
    Waterfall(const Blame& blame, double longest, double bars_left)
        : blame_(blame)
        , bars_left_(bars_left)
        , decimals_(decimals_of(longer_time(blame)))
        , costs_(shown_costs(blame))
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

    void add_end(const std::string& title, const HybridTime& time) {
        add_label(title, "strong");
        add_bar(0, *time.milliseconds, "end", 1);
        add_value(fmt::format("{}{:.{}f} ms", time.is_at_least ? "≥ " : "", *time.milliseconds, decimals_));
        level_ = *time.milliseconds;
        y_ += row_height;
    }
    void add_step(const WaterfallStep& step) {
        const DecisionShare& share = blame_.shares[step.share];
        add_connection();
        add_label(label_of(share, blame_.space), "");
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
std::vector<double> shown_costs(const Blame& blame) {
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
