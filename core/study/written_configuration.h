// A configuration in the form in which a workspace and other programs keep it.
#pragma once

#include <string>

namespace sparsight {

/// A configuration as a workspace keeps it.
struct WrittenConfiguration {
    std::string domain;
    std::string family;    ///< within which the text has a meaning: of sparse the operator; may be empty
    std::string text;      ///< as it was written
    std::string canonical; ///< equal for texts that mean the same
    int threads = 1;       ///< a condition of the run; 1 where the domain has none
    bool is_baseline = false;

    bool operator==(const WrittenConfiguration&) const = default;
};

} // namespace sparsight
