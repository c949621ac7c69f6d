// What the tests of sparsight-cli share: a folder of their own to run it in, and short ways to look at its
// answers.
#pragma once

#include "app/cli/child_process.h"
#include "support/own_measuring_lock.h"
#include "support/test_files.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

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
    [[nodiscard]] static Words command_line(const Words& arguments) {
        Words words{SPARSIGHT_CLI};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return words;
    }
    [[nodiscard]] Outcome run(const Words& arguments) const {
        return ChildProcess(command_line(arguments), folder()).finish();
    }
    /// What `run` prints with --json, where it has to work.
    [[nodiscard]] Json answer(Words arguments) const {
        arguments.emplace_back("--json");
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return parsed(outcome.out);
    }

    static Words lines(const std::string& text) {
        Words lines;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
            lines.push_back(line);
        return lines;
    }
    /// What `--progress json` prints: one JSON value a line.
    static std::vector<Json> events_and_warnings(const std::string& out) {
        std::vector<Json> events;
        for (const std::string& line : lines(out))
            events.push_back(parsed(line));
        return events;
    }
    /// Without what depends on what else this computer does: that it is busy, or that another program
    /// measures, until it has its turn.
    static std::vector<Json> events(const std::string& out) {
        std::vector<Json> events = events_and_warnings(out);
        std::erase_if(events, [](const Json& event) {
            return event["event"] == "warning" || event["event"] == "turn"; // the end of a wait
        });
        return events;
    }

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        return write_file(folder_ / name, text);
    }
    /// 3 × 4, five entries.
    std::filesystem::path write_matrix(const std::string& name) const {
        return write(name,
                     "%%MatrixMarket matrix coordinate pattern general\n3 4 5\n1 1\n1 3\n2 2\n3 1\n3 4\n");
    }
    [[nodiscard]] std::string read(const std::string& name) const { return file_content(folder_ / name); }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

private:
    OwnMeasuringLock lock_;
    TemporaryFolder folder_;
};

} // namespace sparsight::testing
