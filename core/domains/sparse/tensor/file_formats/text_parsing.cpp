#include "domains/sparse/tensor/file_formats/text_parsing.h"

#include <fast_float/fast_float.h>
#include <string>

namespace sparsight {

const std::array<double, largest_power - smallest_power + 1> scales{
    1e-37, 1e-36, 1e-35, 1e-34, 1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23,
    1e-22, 1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9,  1e-8,
    1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0,   1e1,   1e2,   1e3,   1e4,   1e5,   1e6,   1e7,
    1e8,   1e9,   1e10,  1e11,  1e12,  1e13,  1e14,  1e15,  1e16,  1e17,  1e18,  1e19};

namespace {

/// A number out of range is one all the same: value is then 0 or an infinity.
bool is_number(const char* begin, const char* end, float& value) {
    const auto [stopped, error] = fast_float::from_chars(begin, end, value);
    return stopped == end && (error == std::errc{} || error == std::errc::result_out_of_range);
}

} // namespace

bool read_unusual_float(const char*& p, float& value) {
    const char* end = p;
    while (!is_blank(*end) && *end != '\n')
        ++end;
    const char* begin = p;
    if (*begin == '+' && begin[1] != '-')
        ++begin;
    if (!is_number(begin, end, value)) {
        std::string word(begin, end);
        const std::size_t mark = word.find_first_of("dD");
        if (mark == std::string::npos)
            return false;
        word[mark] = 'e';
        if (!is_number(word.data(), word.data() + word.size(), value))
            return false;
    }
    p = end;
    return true;
}

} // namespace sparsight
