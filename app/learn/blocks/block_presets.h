// Presets of `train` for basic blocks.
#pragma once

#include "workflow/learning_settings.h"

#include <array>

namespace sparsight {

/// Sizes as published: Ithemal has 256 numbers a layer (Mendis et al., ICML 2019), GRANITE 256 numbers and 8
/// iterations with Adam at 1e-3 and batches of 100 blocks (Sykora et al., IISWC 2022). The numbers of epochs
/// are ours. A step takes 7 (GRANITE) to 15 times (Ithemal) as long as with the usual width of 64.
inline constexpr std::array block_presets{
    Preset{"ithemal2019", "blocks: Ithemal's network, as published, 256 wide", R"({
        "architecture": "ithemal", "method": "supervised", "loss": "relative", "width": 256,
        "workloads_per_step": 100, "rate": 0.001, "epochs": 30})"},
    Preset{"granite2022", "blocks: GRANITE's graph network, as published, 256 wide", R"({
        "architecture": "granite", "method": "supervised", "loss": "relative", "width": 256,
        "workloads_per_step": 100, "rate": 0.001, "epochs": 100})"},
};

} // namespace sparsight
