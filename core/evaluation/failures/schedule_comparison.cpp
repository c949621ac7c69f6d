#include "evaluation/failures/schedule_comparison.h"

#include "base/quantity.h"
#include "schedule/existing_loops.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

std::string_view statement_of(Operator op) {
    switch (op) {
    case Operator::SpMM:
        return "C(i,j) += A(i,k) · B(k,j)";
    case Operator::SpMV:
        return "y(i) += A(i,k) · x(k)";
    case Operator::SDDMM:
        return "C(i,j) += A(i,j) · B(i,k) · D(k,j)";
    }
    return "";
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
    lines.push_back({std::nullopt, indent + std::string(statement_of(schedule.op))});
    return lines;
}

/// What it is worth that two lines stand beside each other; 0: they may not.
int worth(const Line& from, const Line& to) {
    if (content(from.text) == content(to.text))
        return 3;
    return from.loop == to.loop ? 2 : 0;
}

} // namespace

bool ComparedLine::is_same() const {
    return from && to && content(*from) == content(*to);
}

std::vector<std::string> loop_lines(const SuperSchedule& schedule, const Extents& extents) {
    std::vector<std::string> texts;
    for (Line& line : lines_of(schedule, extents))
        texts.push_back(std::move(line.text));
    return texts;
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

} // namespace sparsight
