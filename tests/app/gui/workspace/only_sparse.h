// The domains of a window that has sparse matrices alone.
#pragma once

#include "domains/sparse/sparse_domain.h"
#include "study/domain.h"

#include <gtest/gtest.h>

namespace sparsight::testing {

[[nodiscard]] inline DomainRegistry only_sparse() {
    DomainRegistry domains;
    EXPECT_TRUE(domains.add(make_sparse_domain()).has_value());
    return domains;
}

/// What the sparse domain calls things.
[[nodiscard]] inline const DomainWords& sparse_words() {
    static const DomainWords words = make_sparse_domain()->words();
    return words;
}

} // namespace sparsight::testing
