#include "model/pickle.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string start = "\x80\x02";

std::string unicode(std::string_view text) {
    const auto size = static_cast<char>(text.size());
    return "X"s + size + "\0\0\0"s + std::string(text);
}

std::string refusal(const std::string& pickle) {
    const Result<Pickle> read = read_pickle(pickle);
    if (read)
        return "was read";
    EXPECT_EQ(read.error().fault, Fault::Input);
    return read.error().message;
}

template <typename T>
T root(const std::string& pickle) {
    const Pickle read = read_pickle(pickle).value();
    return std::get<T>(read.values[read.root]);
}

TEST(Pickle, ReadsNumbersTextsAndTruthValues) {
    EXPECT_EQ(root<std::int64_t>(start + "K\xff."), 255);
    EXPECT_EQ(root<std::int64_t>(start + "M\x01\x02."), 513);
    EXPECT_EQ(root<std::int64_t>(start + "J\xfe\xff\xff\xff."), -2);
    EXPECT_EQ(root<std::int64_t>(start + "\x8a\x02\x00\x80."s), -32768);
    EXPECT_EQ(root<std::int64_t>(start + "\x8a\x00."s), 0);
    EXPECT_EQ(root<double>(start + "G\x3f\xf8\0\0\0\0\0\0."s), 1.5);
    EXPECT_EQ(root<std::string>(start + unicode("kernel") + "."), "kernel");
    EXPECT_EQ(root<std::string>("\x80\x04\x95\x08\0\0\0\0\0\0\0\x8c\x02hi."s), "hi");
    EXPECT_TRUE(root<bool>(start + "\x88."));
    EXPECT_FALSE(root<bool>(start + "\x89."));
}

TEST(Pickle, ReadsContainersInTheirOrder) {
    const Pickle read =
        read_pickle(start + "}(" + unicode("b") + "](K\x01K\x02"s + "e" + unicode("a") + "K\x03\x85u.")
            .value();
    const auto& dict = std::get<PickleDict>(read.values[read.root]);
    ASSERT_EQ(dict.items.size(), 2U);
    EXPECT_EQ(std::get<std::string>(read.values[dict.items[0].first]), "b");
    EXPECT_EQ(std::get<PickleList>(read.values[dict.items[0].second]).items.size(), 2U);
    EXPECT_EQ(std::get<PickleList>(read.values[dict.items[1].second]).items.size(), 1U);
}

TEST(Pickle, ReadsATensorAsAViewOfItsStorage) {
    const std::string storage =
        "(" + unicode("storage") + "ctorch\nFloatStorage\n" + unicode("7") + unicode("cpu") + "K\x06tQ";
    const auto tensor =
        root<PickleTensor>(start + "ctorch._utils\n_rebuild_tensor_v2\n(" + storage +
                           "K\x01K\x02K\x03\x86K\x03K\x01\x86\x89" + "ccollections\nOrderedDict\n)RtR.");
    EXPECT_EQ(tensor.storage.key, "7");
    EXPECT_EQ(tensor.storage.type, PickleGlobal::FloatStorage);
    EXPECT_EQ(tensor.storage.elements, 6);
    EXPECT_EQ(tensor.offset, 1);
    EXPECT_THAT(tensor.shape, ElementsAre(2, 3));
    EXPECT_THAT(tensor.strides, ElementsAre(3, 1));
}

TEST(Pickle, RefusesEveryOtherGlobalByItsName) {
    EXPECT_THAT(refusal(start + "cos\nsystem\n" + unicode("echo hello") + "\x85R."),
                HasSubstr("asks for os.system, which is refused"));
    EXPECT_THAT(refusal(start + "cbuiltins\neval\n."), HasSubstr("builtins.eval"));
    EXPECT_THAT(refusal("\x80\x04\x8c\x05posix\x8c\x06system\x93."s), HasSubstr("posix.system"));
    // A name that only looks like one of the known ones.
    EXPECT_THAT(refusal(start + "ctorch\nFloatStorage.__class__\n."), HasSubstr("is refused"));
    EXPECT_THAT(refusal(start + "ctorch\n\x1b[31m\n."), HasSubstr("torch.?[31m"));
}

TEST(Pickle, RefusesInstructionsThatDataDoNotNeed) {
    for (const char opcode : {'i', 'o', '\x81', '\x92', 'P', '\x82', 'S', 'V', 'I', '0', '2'})
        EXPECT_THAT(refusal(start + "N" + opcode + "."), HasSubstr("has the instruction 0x")) << opcode;
}

TEST(Pickle, RefusesCallsOfWhatIsNoFunction) {
    EXPECT_THAT(refusal(start + "ctorch\nFloatStorage\n)R."), HasSubstr("neither a tensor nor a container"));
    EXPECT_THAT(refusal(start + "K\x01)R."), HasSubstr("something else where a function was expected"));
    EXPECT_THAT(refusal(start + "ctorch._utils\n_rebuild_parameter\nK\x01\x85R."), HasSubstr("a tensor"));
}

TEST(Pickle, NamesTheByteWhereItBreaksOff) {
    const std::string whole = start + "}(" + unicode("b") + "](K\x01K\x02"s + "eu.";
    ASSERT_TRUE(read_pickle(whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(read_pickle(whole.substr(0, size))) << size;
    EXPECT_EQ(refusal(start + "X\xff\xff\xff\xff"), "the pickle breaks off (byte 2 of the pickle)");
    EXPECT_THAT(refusal(start + "\x8d\xff\xff\xff\xff\xff\xff\xff\xff"), HasSubstr("breaks off"));
}

TEST(Pickle, RefusesProgramsThatMakeNoSense) {
    EXPECT_THAT(refusal(start + "."), HasSubstr("empty stack"));
    EXPECT_THAT(refusal(start + "t."), HasSubstr("a mark that is not there"));
    EXPECT_THAT(refusal(start + "h\x05."), HasSubstr("recalls value 5, which was never kept"));
    EXPECT_THAT(refusal(start + "}(K\x01u."), HasSubstr("a key without a value"));
    EXPECT_THAT(refusal(start + "K\x01K\x02s."), HasSubstr("empty stack"));
    EXPECT_THAT(refusal(start + "K\x01(K\x02K\x03u."), HasSubstr("where a dictionary was expected"));
    EXPECT_THAT(refusal("\x80\x01N."), HasSubstr("protocol 1, expected 2 to 5"));
    EXPECT_THAT(refusal(start + "\x8a\x09\1\1\1\1\1\1\1\1\1."), HasSubstr("more than 64 bits"));
}

} // namespace
} // namespace sparsight
