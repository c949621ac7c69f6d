// Names of configurations that people can say aloud, beside the texts in files. A domain may leave them out.
#pragma once

#include "study/domain.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// What Domain::codec() returns in a domain whose configurations have nicknames.
class NicknamingCodec : public ConfigurationCodec {
public:
    /// The nicknames in the same order: "fixed CSR", "2-row blocks, chunk 32". They are distinct within the
    /// list unless the configurations are equal.
    [[nodiscard]] virtual std::vector<std::string>
    nicknames(std::span<const ParsedConfiguration> configurations) const = 0;
};

/// Calls NicknamingCodec::nicknames(); returns empty texts where the codec has no nicknames.
[[nodiscard]] std::vector<std::string> nicknames(const ConfigurationCodec& codec,
                                                 std::span<const ParsedConfiguration> configurations);

/// The nicknames of texts in one setting, in the same order. A nickname is empty where the domain has none or
/// the text can't be parsed.
[[nodiscard]] std::vector<std::string> nicknames(const Domain& domain, const Setting& setting,
                                                 std::span<const std::string> texts);

} // namespace sparsight
