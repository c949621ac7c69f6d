// One case as HTML: a page of its own, or a part of the page of all.
#pragma once

#include "domains/sparse/explanation/pages/failure_report.h"

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

namespace sparsight {

class PageWriter {
public:
    /// `level` is that of its headings' highest: 1 for a page of its own.
    PageWriter(const FailurePage& page, int level)
        : page_(page)
        , blame_(page.explanation.blame)
        , level_(level) {}

    /// What is between <body> and </body>; `id` is what links point to, empty for none.
    [[nodiscard]] std::string write(std::string_view id);

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }
    void add_heading(std::string_view title, std::string_view style = {});
    void add_table(const TextTable& table);

    void add_title(std::string_view id);
    void add_what_happened();
    void add_pattern();
    void add_times();
    void add_statistics();
    void add_signs();
    void add_schedules();
    void add_decisions();
    void add_mechanism();
    void add_storage();
    void add_reasons();
    void add_disagreement();
    void add_changes();
    void add_origin();

    [[nodiscard]] std::string_view verb() const; ///< "measured", "simulated"

    const FailurePage& page_;
    const Blame& blame_;
    int level_;
    std::string text_;
};

/// How the time of a case is known: of an evaluation's case that of the evaluation, otherwise that of the
/// page.
[[nodiscard]] std::string_view time_origin_text(const FailurePage& page);
/// "fixed CSR", or how a schedule is written.
[[nodiscard]] std::string against_title(const FailurePage& page);
/// "the chosen schedule" of a model, otherwise "the schedule".
[[nodiscard]] std::string schedule_title(const FailurePage& page);
/// "cage8: 2.7 times as slow as fixed CSR".
[[nodiscard]] std::string page_title(const FailurePage& page);

} // namespace sparsight
