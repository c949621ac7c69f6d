#include "kernel/loop_nest.h"

#include <algorithm>

namespace sparsight {

std::int64_t Affine::factor_of(Variable variable) const {
    const auto term = std::ranges::find(terms, variable, &Term::variable);
    return term == terms.end() ? 0 : term->factor;
}

Affine operator+(Affine left, const Affine& right) {
    for (const Affine::Term& term : right.terms) {
        const auto same = std::ranges::find(left.terms, term.variable, &Affine::Term::variable);
        if (same == left.terms.end())
            left.terms.push_back(term);
        else
            same->factor += term.factor;
    }
    left.constant += right.constant;
    return left;
}

Affine operator*(Affine affine, std::int64_t factor) {
    for (Affine::Term& term : affine.terms)
        term.factor *= factor;
    affine.constant *= factor;
    return affine;
}

} // namespace sparsight
