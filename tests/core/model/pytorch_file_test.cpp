#include "model/checkpoints/pytorch_file.h"
#include "model/checkpoints/pytorch_pickle.h"
#include "support/test_files.h"

#include <archive.h>
#include <archive_entry.h>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <numeric>

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

using ::testing::AllOf;

std::string small_tuple(const std::vector<int>& numbers) {
    std::string code = "(";
    for (const int number : numbers)
        code += "K"s + static_cast<char>(number);
    return code + "t";
}

/// A tensor over the storage "0" of `elements` numbers.
std::string tensor(std::string_view type, int elements, int offset, const std::vector<int>& shape,
                   const std::vector<int>& strides) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + unicode("storage") + "ctorch\n" + std::string(type) +
           "\n" + unicode("0") + unicode("cpu") + "K" + static_cast<char>(elements) + "tQK" +
           static_cast<char>(offset) + small_tuple(shape) + small_tuple(strides) + "\x89NtR";
}

std::string state_dict(const std::string& items) {
    return "\x80\x02}(" + items + "u.";
}

template <typename Number>
std::string raw(const std::vector<Number>& numbers) {
    std::string bytes(numbers.size() * sizeof(Number), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

void write_zip(const std::filesystem::path& path, const std::map<std::string, std::string>& members) {
    archive* zip = archive_write_new();
    archive_write_set_format_zip(zip);
    archive_write_zip_set_compression_store(zip); // as torch.save does
    archive_write_open_filename(zip, path.c_str());
    for (const auto& [name, content] : members) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
        archive_write_header(zip, entry);
        archive_write_data(zip, content.data(), content.size());
        archive_entry_free(entry);
    }
    archive_write_free(zip);
}

class WeightsFile : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& pickle, const std::string& storage) {
        write_zip(path_, {{"net/data.pkl", pickle}, {"net/data/0", storage}, {"net/version", "3\n"}});
        return path_;
    }
    std::string refusal(const std::string& pickle, const std::string& storage) {
        const auto read = read_pytorch_weights(write(pickle, storage));
        return read ? "was read" : read.error().message;
    }

    testing::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_.path() / "net.pth";
};

TEST_F(WeightsFile, GivesNamedArraysInTheirOrder) {
    const auto arrays =
        read_pytorch_weights(write(state_dict(unicode("b") + tensor("FloatStorage", 6, 0, {2, 3}, {3, 1}) +
                                              unicode("a") + tensor("FloatStorage", 6, 5, {}, {})),
                                   raw<float>({1, 2, 3, 4, 5, 6.5})));
    ASSERT_TRUE(arrays) << arrays.error().text();
    EXPECT_THAT(*arrays,
                ElementsAre(NamedArray{"b", {2, 3}, {1, 2, 3, 4, 5, 6.5}}, NamedArray{"a", {}, {6.5}}));
}

TEST_F(WeightsFile, FollowsStrides) {
    const auto arrays =
        read_pytorch_weights(write(state_dict(unicode("w") + tensor("FloatStorage", 6, 0, {3, 2}, {1, 3})),
                                   raw<float>({1, 2, 3, 4, 5, 6})))
            .value();
    EXPECT_THAT(arrays[0].values, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST_F(WeightsFile, ConvertsOtherTypesToFloat) {
    const auto values = [&](std::string_view type, const std::string& bytes) {
        return read_pytorch_weights(write(state_dict(unicode("w") + tensor(type, 2, 0, {2}, {1})), bytes))
            .value()[0]
            .values;
    };
    EXPECT_THAT(values("DoubleStorage", raw<double>({0.5, -2})), ElementsAre(0.5, -2));
    EXPECT_THAT(values("LongStorage", raw<std::int64_t>({7, -2})), ElementsAre(7, -2));
    EXPECT_THAT(values("IntStorage", raw<std::int32_t>({7, -2})), ElementsAre(7, -2));
    EXPECT_THAT(values("HalfStorage", raw<std::uint16_t>({0x3e00, 0x8001})), ElementsAre(1.5, -0x1p-24F));
}

TEST_F(WeightsFile, JoinsTheNamesOfNestedContainersAndPassesOverTheRest) {
    const std::string inner = "}(" + unicode("w") + tensor("FloatStorage", 1, 0, {1}, {1}) + "u";
    const auto arrays = read_pytorch_weights(
        write(state_dict(unicode("epoch") + "K\x05" + unicode("state_dict") + inner), raw<float>({3})));
    ASSERT_TRUE(arrays) << arrays.error().text();
    EXPECT_THAT(*arrays, ElementsAre(NamedArray{"state_dict.w", {1}, {3}}));
}

TEST_F(WeightsFile, RefusesCodeByItsNameAndTheFile) {
    const auto read = read_pytorch_weights(
        write(state_dict(unicode("w") + "cos\nsystem\n" + unicode("true") + "\x85R"), raw<float>({1})));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().fault, Fault::Input);
    EXPECT_THAT(read.error().text(),
                AllOf(HasSubstr("net.pth"), HasSubstr("os.system"), HasSubstr("refused")));
}

TEST_F(WeightsFile, RefusesTensorsThatLeaveTheirStorage) {
    const std::string storage = raw<float>({1, 2, 3, 4});
    const auto refused = [&](int offset, const std::vector<int>& shape, const std::vector<int>& strides) {
        return refusal(state_dict(unicode("w") + tensor("FloatStorage", 4, offset, shape, strides)), storage);
    };
    EXPECT_EQ(refused(0, {4}, {1}), "was read");
    EXPECT_EQ(refused(1, {4}, {1}), "the tensor w lies outside of its storage");
    EXPECT_THAT(refused(0, {3, 2}, {2, 1}), HasSubstr("lies outside"));
    EXPECT_THAT(refused(0, {2}, {1, 1}), HasSubstr("do not belong together"));
    EXPECT_EQ(refused(9, {0}, {1}), "was read");
}

TEST_F(WeightsFile, SaysWhichNumbersAreMissing) {
    EXPECT_EQ(refusal(state_dict(unicode("w") + tensor("FloatStorage", 4, 0, {4}, {1})), raw<float>({1, 2})),
              "2 of 4 numbers of the tensor w are there");
    write_zip(path_, {{"net/data.pkl", state_dict(unicode("w") + tensor("FloatStorage", 4, 0, {4}, {1}))}});
    EXPECT_EQ(read_pytorch_weights(path_).error().message, "the numbers of the tensor w are missing");
}

TEST_F(WeightsFile, RefusesWhatIsNoPyTorchFile) {
    EXPECT_EQ(refusal("\x80\x02}.", ""), "holds no tensor");
    write_zip(path_, {{"readme", "text"}});
    EXPECT_THAT(read_pytorch_weights(path_).error().message, HasSubstr("holds no data.pkl"));
    std::ofstream(path_) << "not a zip archive";
    EXPECT_THAT(read_pytorch_weights(path_).error().message,
                HasSubstr("is no PyTorch file: expected the zip"));
    std::ofstream(path_) << "\x80\x02}.";
    EXPECT_THAT(read_pytorch_weights(path_).error().message, HasSubstr("is a bare pickle: expected the zip"));
    std::ofstream(path_) << "PK\x03\x04 and no more";
    EXPECT_THAT(read_pytorch_weights(path_).error().message, HasSubstr("damaged or breaks off"));
    std::ofstream(path_).flush();
    EXPECT_FALSE(read_pytorch_weights(path_));
    EXPECT_THAT(read_pytorch_weights(folder_.path()).error().message, HasSubstr("a folder"));
    EXPECT_THAT(read_pytorch_weights(folder_.path() / "none").error().message, HasSubstr("cannot be opened"));
}

TEST_F(WeightsFile, RefusesMoreThanTheLimit) {
    const std::vector<float> numbers(200, 1.0F);
    const auto whole =
        write(state_dict(unicode("w") + tensor("FloatStorage", 100, 0, {100}, {1})), raw(numbers));
    EXPECT_TRUE(read_pytorch_weights(whole, {.bytes = 4096}));
    const auto refused = read_pytorch_weights(whole, {.bytes = 512});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::Limit);
    // One number seen as a hundred million of them.
    const auto repeated = read_pytorch_weights(
        write(state_dict(unicode("w") + tensor("FloatStorage", 1, 0, {100, 100, 100, 100}, {0, 0, 0, 0})),
              raw<float>({1})),
        {.bytes = 1 << 20});
    ASSERT_FALSE(repeated);
    EXPECT_EQ(repeated.error().fault, Fault::Limit);
}

TEST_F(WeightsFile, EndsOnContainersThatHoldThemselves) {
    EXPECT_EQ(refusal("\x80\x02]q\x01h\x01"s + "a.", ""), "its containers are nested too deeply");
    std::string bomb = "\x80\x02]q\x00"s; // each list holds the one before ten times
    for (char level = 1; level <= 20; ++level) {
        bomb += "](";
        for (int i = 0; i < 10; ++i)
            bomb += "h"s + static_cast<char>(level - 1);
        bomb += "eq"s + level;
    }
    EXPECT_EQ(refusal(bomb + ".", ""), "its containers are nested too deeply");
}

TEST_F(WeightsFile, NoticesThatAnyPartOfItIsCutOff) {
    const auto whole =
        write(state_dict(unicode("w") + tensor("FloatStorage", 4, 0, {4}, {1})), raw<float>({1, 2, 3, 4}));
    const auto size = std::filesystem::file_size(whole);
    for (std::uintmax_t cut = 1; cut < size; cut += 7) {
        std::filesystem::resize_file(whole, size - cut);
        EXPECT_FALSE(read_pytorch_weights(whole)) << "without its last " << cut << " bytes";
    }
}

TEST_F(WeightsFile, NoticesADamagedNumber) {
    const std::string numbers = raw<float>({1.25F, 2.25F, 3.25F, 4.25F});
    const auto path =
        write(state_dict(unicode("w") + tensor("FloatStorage", 4, 0, {4}, {1})), numbers + numbers);
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = bytes.find(numbers);
    ASSERT_NE(at, std::string::npos);
    bytes[at + 2] = static_cast<char>(bytes[at + 2] ^ 0x40);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_THAT(read_pytorch_weights(path).error().message, HasSubstr("damaged"));
}

TEST(PublishedWeights, AreReadAsTheirTensors) {
    SPARSIGHT_NEEDS_SHARED("waco");
    int files = 0;
    for (const char* folder : {"waco/pretrained", "waco/collected-32-threads"}) {
        for (const auto& entry : std::filesystem::directory_iterator(testing::shared_path(folder))) {
            if (entry.path().extension() != ".pth")
                continue;
            ++files;
            const auto arrays = read_pytorch_weights(entry.path());
            ASSERT_TRUE(arrays) << arrays.error().text();
            EXPECT_THAT(arrays->front().name, HasSubstr("layer1.0.kernel"));
            EXPECT_THAT(arrays->front().shape, ElementsAre(25, 1, 32));
            const auto numbers = std::accumulate(
                arrays->begin(), arrays->end(), std::size_t{0},
                [](std::size_t sum, const NamedArray& array) { return sum + array.values.size(); });
            EXPECT_GT(numbers, 370'000U) << entry.path();
            for (const NamedArray& array : *arrays)
                for (const float value : array.values)
                    ASSERT_TRUE(std::isfinite(value) && std::abs(value) < 100) << array.name;
        }
    }
    EXPECT_EQ(files, 6);
}

} // namespace
} // namespace sparsight
