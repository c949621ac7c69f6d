// Texts of the window that may begin with a preposition or be long, each with its reason. Keep this list
// short: a text is mostly better when it is said otherwise.
#pragma once

#include <array>
#include <string_view>

namespace sparsight::testing {

struct ExceptedText {
    std::string_view text;
    std::string_view reason;
};

inline constexpr std::array excepted_texts{
    ExceptedText{"by %1", "a choice that completes its label: Split: by matrix"},
    ExceptedText{"by machine", "a choice that completes its label: Split: by machine"},
    ExceptedText{"of %1 at a time", "completes the line of two fields: 4 threads take 32 of i1 at a time"},
    ExceptedText{" in the geometric mean", "says of the figure before it which mean it is"},
    ExceptedText{" on average", "says of the figure before it which mean it is"},
    ExceptedText{"within noise", "the field's own term, a value of a column"},
    ExceptedText{"beyond noise", "the field's own term, a value of a column"},
    ExceptedText{"unlike its training", "an adjective: the name of a kind of failure"},
};

} // namespace sparsight::testing
