// Two schedules on a small banded matrix, simulated: fixed CSR and one whose k1 level is uncompressed and
// whose chunk is large.
#pragma once

#include "app/gui/workspace/only_sparse.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/workspace/workspace_session.h"

#include <gtest/gtest.h>

namespace sparsight::testing {

inline PairSubject planted_subject() {
    PairSubject subject;
    subject.matrix = QStringLiteral("banded");
    subject.against = fixed_csr(Operator::SpMM, 2);
    subject.schedule = *parse_schedule(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 256");
    subject.dense = 32;
    return subject;
}

inline std::shared_ptr<const PairStudy> studied_pair(const PairSubject& subject = planted_subject()) {
    const DomainRegistry domains = only_sparse();
    const WorkspaceSession session(domains);
    const auto pattern = generate_matrix("banded", {{"size", 300}}, 1);
    const auto study = study_pair(subject, *pattern, MachineRequest(session, {}), {});
    EXPECT_TRUE(study) << study.error().text();
    return *study;
}

} // namespace sparsight::testing
