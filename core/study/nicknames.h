// Names of configurations that people can say, beside the texts that files have. Domains may leave them out.
#pragma once

#include "study/domain.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// What Domain::codec() returns in a domain whose configurations have nicknames.
class NicknamingCodec : public ConfigurationCodec {
public:
    /// In the same order: "fixed CSR", "2-row blocks, chunk 32". They are distinct within the list where the
    /// configurations or their threads are.
    [[nodiscard]] virtual std::vector<std::string>
    nicknames(std::span<const ParsedConfiguration> configurations) const = 0;
};

/// As NicknamingCodec::nicknames(); empty ones where the codec has none.
[[nodiscard]] std::vector<std::string> nicknames(const ConfigurationCodec& codec,
                                                 std::span<const ParsedConfiguration> configurations);

/// Of texts in one setting, in the same order. One is empty where the domain has no nicknames or the text
/// can't be read.
[[nodiscard]] std::vector<std::string> nicknames(const Domain& domain, const Setting& setting,
                                                 std::span<const std::string> texts);

} // namespace sparsight
