// What the tests of sparsight-cli share: a folder of their own to run it in, and short ways to look at its
// answers.
#pragma once

#include "app/cli/child_process.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>

namespace sparsight::testing {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

/// With whatever is wrong in the message of the test that uses it.
inline Json parsed(const std::string& text) {
    Json json = Json::parse(text, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << "this is not one JSON value: " << text;
    return json;
}

inline Words keys(const Json& object) {
    Words keys;
    for (const auto& [key, value] : object.items())
        keys.push_back(key);
    return keys;
}

class CliTest : public ::testing::Test {
protected:
    CliTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "sparsight-cli-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~CliTest() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    [[nodiscard]] static Words command_line(const Words& arguments) {
        Words words{SPARSIGHT_CLI};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return words;
    }
    [[nodiscard]] Outcome run(const Words& arguments) const {
        return ChildProcess(command_line(arguments), folder_).finish();
    }
    /// What `run` prints with --json, where it has to work.
    [[nodiscard]] Json answer(Words arguments) const {
        arguments.emplace_back("--json");
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return parsed(outcome.out);
    }

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    /// 3 × 4, five entries.
    std::filesystem::path write_matrix(const std::string& name) const {
        return write(name,
                     "%%MatrixMarket matrix coordinate pattern general\n3 4 5\n1 1\n1 3\n2 2\n3 1\n3 4\n");
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ifstream stream(folder_ / name);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
};

} // namespace sparsight::testing
