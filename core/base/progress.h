// How a long action tells what it has done. It is stopped through a std::stop_token.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace sparsight {

/// `done` of `total` units of work; total 0 means that it is not known.
struct Progress {
    std::string_view stage; ///< what is being done, for the user ("reading", "measuring cage8")
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// Called on the thread that does the work; an empty function means that nobody listens.
using ProgressSink = std::function<void(const Progress&)>;

} // namespace sparsight
