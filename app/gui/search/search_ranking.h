// How well a text fits what is typed, for "search everything".
#pragma once

#include <QString>

namespace sparsight {

/// 0: not at all. Otherwise the more the better: the whole text, its beginning, the beginning of a word,
/// anywhere in it, and last its letters in this order with gaps. Upper and lower case are the same. Several
/// words in the query must all fit.
[[nodiscard]] int search_score(const QString& query, const QString& text);

} // namespace sparsight
