// How alike machines are by their data sheets alone: what is known of a machine before anything ran on it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// What a sheet says of a machine. What it does not say is unknown, not zero.
struct MachineSheet {
    std::map<std::string, double, std::less<>> numbers;    ///< "mem_bw_gbs"
    std::map<std::string, std::string, std::less<>> texts; ///< "vendor", "arch"
};

/// Distances between sheets. Numbers are compared by their logarithms where all of them are above 0, as
/// ratios are what matters, and are standardised over the sheets.
class SheetScale {
public:
    /// Of the numbers that at least two of the sheets say.
    [[nodiscard]] static SheetScale over(std::span<const MachineSheet> sheets);

    /// The mean of the squared differences of the numbers that both sheets say. Another maker (the text
    /// "vendor") counts 2, and another generation (the first word of "arch") ½. A sheet that shares nothing
    /// with the other is as far away as another maker.
    [[nodiscard]] double distance(const MachineSheet& one, const MachineSheet& other) const;

    /// The numbers of a sheet as this scale reads them: of each its standardised value and 1, or twice 0
    /// where it is unknown.
    [[nodiscard]] std::vector<float> masked_numbers(const MachineSheet& sheet) const;
    [[nodiscard]] std::size_t width() const { return 2 * columns_.size(); }

private:
    struct Column {
        bool is_logarithmic = false;
        double mean = 0;
        double deviation = 1;
        [[nodiscard]] double apply(double number) const;
    };
    std::map<std::string, Column, std::less<>> columns_;
};

} // namespace sparsight
