// Functions of object files, whole and damaged.
#include "domains/blocks/code/machine_code.h"
#include "domains/blocks/decoder/object_code.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;

class ObjectCode : public ::testing::Test {
protected:
    static std::string two_functions() {
        std::ifstream file(std::filesystem::path(SPARSIGHT_SOURCE_DIR) / "tests/data/blocks/two_functions.o",
                           std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    static std::string error_of(const std::string& bytes, std::string_view function) {
        const auto code = read_object_code(bytes, function);
        return code ? std::string("none") : code.error().message;
    }
};

TEST_F(ObjectCode, IsThatOfTheNamedFunction) {
    const std::string file = two_functions();
    ASSERT_TRUE(is_object_file(file));
    const auto sum = read_object_code(file, "sum");
    ASSERT_TRUE(sum) << sum.error().message;
    EXPECT_EQ(to_hex(*sum), "488d0437c3") << "lea rax, [rdi + rsi]; ret";
    EXPECT_THAT(error_of(file, ""), HasSubstr("expected the name of one: sum, twice"));
}

TEST_F(ObjectCode, OfAFileThatEndsEarlyIsAnError) {
    const std::string whole = two_functions();
    std::size_t read = 0;
    for (std::size_t size = 0; size < whole.size(); ++size)
        read += read_object_code(whole.substr(0, size), "sum").has_value() ? 1 : 0;
    EXPECT_EQ(read, 0) << "the table of sections is at the end";
}

TEST_F(ObjectCode, OfADamagedFileEndsNoProgram) {
    const std::string whole = two_functions();
    std::size_t errors = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(value);
            errors += read_object_code(damaged, "sum").has_value() ? 0 : 1;
        }
    EXPECT_GT(errors, whole.size() / 10) << "of headers and tables";
}

} // namespace
} // namespace sparsight::testing
