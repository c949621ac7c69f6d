#include "fuzz/reader_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    sparsight::testing::check_reader(&sparsight::parse_waco_csr, data, size);
    return 0;
}
