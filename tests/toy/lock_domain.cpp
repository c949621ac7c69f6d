#include "toy/lock_domain.h"

#include "base/text.h"
#include "toy/digit_space.h"

#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace sparsight::toy {

namespace {

using testing::digit_decision;
using testing::DigitSpace;
using testing::text_of_word;
using testing::word;

constexpr std::size_t digits = 4;
constexpr int base = 5;

class LockCodec final : public ConfigurationCodec {
public:
    Result<ParsedConfiguration> parse(std::string_view text) const override {
        if (const auto valid = DigitSpace(digits, base).check(word(text)); !valid)
            return std::unexpected(valid.error());
        return ParsedConfiguration{word(text)};
    }
    std::string text(const Configuration& configuration, int) const override {
        return text_of_word(configuration);
    }
    std::vector<DecisionValue> decisions(const Configuration& configuration) const override {
        std::vector<DecisionValue> values;
        for (const char digit : text_of_word(configuration)) {
            const Decision decision = digit_decision(values.size());
            values.push_back({decision.key, decision.name, std::string(1, digit)});
        }
        return values;
    }
};

Result<DescribedWorkload> read_lock(const std::string& line) {
    std::istringstream words(line);
    DescribedWorkload lock;
    words >> lock.name;
    for (std::size_t place = 0; place < digits; ++place) {
        int digit = -1;
        if (!(words >> digit) || digit < 0 || digit >= base)
            return fail(Fault::Input,
                        fmt::format("'{}' is no lock, expected a name and {} digits from 0 to {}", line,
                                    digits, base - 1));
        lock.facts[digit_decision(place).key] = digit;
    }
    return lock;
}

class LockDomain final : public Domain {
public:
    LockDomain() {
        for (std::size_t place = 0; place < digits; ++place) {
            const Decision digit = digit_decision(place);
            statistics_.push_back({digit.key, digit.name, "", "a digit of the secret", true});
        }
    }

    std::string_view name() const override { return "locks"; }
    const DomainWords& words() const override { return words_; }

    std::span<const SettingOption> setting_options() const override { return {}; }
    Result<Setting> setting_of(const SettingOptions& options) const override {
        if (!options.empty())
            return fail(Fault::Input, fmt::format("locks have no option '{}'", options.begin()->first));
        return Setting{std::string(name()), ""};
    }
    Result<Setting> parse_setting(std::string_view text) const override {
        if (!text.empty())
            return fail(Fault::Input, fmt::format("'{}' is no setting of locks, which have none", text));
        return setting_of({});
    }
    std::string describe(const Setting&) const override { return "opening the lock"; }
    std::vector<SettingMember> members(const Setting&) const override { return {}; }

    Result<WrittenConfiguration> written(const Setting&, std::string_view text) const override {
        if (const auto parsed = LockCodec().parse(text); !parsed)
            return std::unexpected(parsed.error());
        return WrittenConfiguration{.domain = std::string(name()),
                                    .family = "",
                                    .text = std::string(text),
                                    .canonical = std::string(text),
                                    .is_baseline = text == text_of_word(*space_->baseline())};
    }
    Result<std::shared_ptr<const ConfigurationCodec>> codec(const Setting&) const override { return codec_; }
    Result<std::shared_ptr<const ConfigurationSpace>> space(const SpaceRequest&) const override {
        return space_;
    }

    std::span<const StatisticDescription> statistics() const override { return statistics_; }

    Result<std::vector<DescribedWorkload>> read_workloads(const std::filesystem::path& file) const override {
        std::ifstream lines(file);
        if (!lines)
            return fail_in_file(Fault::Environment, file.string(), 0, "the file can't be read");
        std::vector<DescribedWorkload> locks;
        std::int64_t number = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            auto lock = read_lock(line);
            if (!lock)
                return fail_in_file(Fault::Input, file.string(), number, lock.error().message);
            locks.push_back(*std::move(lock));
        }
        return locks;
    }

private:
    DomainWords words_{.workload = {"lock", "locks"},
                       .configuration = {"combination", "combinations"},
                       .baseline = Noun{"all zeros", "all zeros"}};
    std::vector<StatisticDescription> statistics_;
    std::shared_ptr<const ConfigurationCodec> codec_ = std::make_shared<LockCodec>();
    std::shared_ptr<const ConfigurationSpace> space_ = std::make_shared<DigitSpace>(digits, base);
};

} // namespace

std::unique_ptr<const Domain> make_lock_domain() {
    return std::make_unique<LockDomain>();
}

} // namespace sparsight::toy
