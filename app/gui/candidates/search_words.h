// What the window says of a search.
#pragma once

#include "gui/candidates/candidate_rows.h"
#include "gui/candidates/stored_searches.h"

#include <QString>

namespace sparsight {

/// "walk through the graph" …
[[nodiscard]] QString search_method_text(const QString& method);
/// How it goes about it, and what it is good for.
[[nodiscard]] QString search_method_meaning(const QString& method, const DomainWords& words);

/// "recall@20 100 % against exhaustive · 1 834 of 20 412 scored · 2.1 ms …".
[[nodiscard]] QString search_facts(const CandidateSearch& search, const DomainWords& words);

/// "The model first predicts that these 20 schedules are the fastest for cage8; the best is 1.42× as fast as
/// fixed CSR.", as rich text. In a domain without a baseline the best known time stands in its place. Where
/// one of them is the fastest in turns, that figure leads, as on other pages, and the collected one follows.
[[nodiscard]] QString search_headline(const CandidateSearch& search, const SearchSubject& subject,
                                      const std::vector<CandidateRow>& rows, TimeSource origin,
                                      const DomainWords& words, const FastestInTurns* in_turns = nullptr);

/// That the times of the baseline or of the best choice spread as on a busy computer, with a link to measure
/// again, as rich text. Empty where they don't.
[[nodiscard]] QString search_noise(const std::vector<CandidateRow>& rows, const DomainWords& words);

} // namespace sparsight
