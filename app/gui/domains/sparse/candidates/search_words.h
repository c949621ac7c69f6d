// What the window says of a search.
#pragma once

#include "gui/domains/sparse/candidates/candidate_rows.h"
#include "gui/domains/sparse/candidates/stored_searches.h"

#include <QString>

namespace sparsight {

/// "walk through the graph" …
[[nodiscard]] QString search_method_text(const QString& method);
/// How it goes about it, and what it is good for.
[[nodiscard]] QString search_method_meaning(const QString& method);

/// "recall@20 100 % against exhaustive · 1 834 of 20 412 scored · 2.1 ms …".
[[nodiscard]] QString search_facts(const CandidateSearch& search);

/// "For cage8 the model first takes these 20 for the fastest; the best is 1.42× as fast as fixed CSR.", as
/// rich text.
[[nodiscard]] QString search_headline(const CandidateSearch& search, const SearchSubject& subject,
                                      const std::vector<CandidateRow>& rows, TimeSource origin);

} // namespace sparsight
