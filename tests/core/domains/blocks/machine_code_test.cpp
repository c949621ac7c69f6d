// Bytes as hexadecimal digits.
#include "domains/blocks/code/machine_code.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MachineCodeText, IsReadWithBlanksAndInEitherCase) {
    EXPECT_THAT(parse_hex("48 01D8\n0f").value(), ElementsAre(0x48, 0x01, 0xd8, 0x0f));
    EXPECT_EQ(to_hex(parse_hex("4801D8").value()), "4801d8");
}

TEST(MachineCodeText, SaysWhatIsWrongAndWhere) {
    EXPECT_THAT(parse_hex("48g1").error().message,
                HasSubstr("found 'g' at place 3, expected a hexadecimal digit"));
    EXPECT_THAT(parse_hex("48\x01"
                          "1")
                    .error()
                    .message,
                HasSubstr("the byte 0x01 at place 3"));
    EXPECT_THAT(parse_hex("4801d").error().message, HasSubstr("odd number"));
    EXPECT_THAT(parse_hex("4 801").error().message, HasSubstr("found ' ' at place 2")) << "within a byte";
    EXPECT_THAT(parse_hex(" ").error().message, HasSubstr("no machine code"));
}

} // namespace
} // namespace sparsight
