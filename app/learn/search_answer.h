// What a search says, of one workload after the other: for programs and for people.
#pragma once

#include "command/session.h"
#include "workflow/learning/search/search_job.h"

#include <string>

namespace sparsight {

/// How a search is told: in the words of its domain, its configurations in their texts.
class SearchTeller {
public:
    /// Refers to the domain and the codec.
    SearchTeller(const Domain& domain, const ConfigurationCodec& codec)
        : words_(domain.words())
        , codec_(codec) {}

    /// Without the map.
    [[nodiscard]] Json choice_json(const SearchedWorkload& searched) const;
    /// Of a choice that has one.
    [[nodiscard]] Json map_json(const WorkloadChoice& choice) const;
    [[nodiscard]] std::string choice_text(const SearchedWorkload& searched) const;

private:
    const DomainWords& words_;
    const ConfigurationCodec& codec_;
};

/// Of a whole search.
[[nodiscard]] Json outcome_json(const SearchOutcome& outcome, bool with_maps);

} // namespace sparsight
