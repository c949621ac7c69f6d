// Parameters of LLVM-MCA are learned from times that LLVM-MCA itself says: whoever begins from spoiled ones
// comes nearer. sparsight-cli simulates and decodes.
#include "domains/blocks/learning/surrogate/simulator_tuning.h"

#include "base/files.h"
#include "domains/blocks/code/decoder_process.h"
#include "domains/blocks/simulator/simulator_process.h"
#include "domains/blocks/simulator/table_file.h"
#include "domains/blocks/tuning/block_errors.h"
#include "support/results.h"
#include "support/test_files.h"

#include <ATen/ops/rand.h>
#include <array>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::must;

constexpr std::array<std::string_view, 8> codes{
    "480fafc3", // imul rax, rbx
    "480fafca", // imul rcx, rdx
    "480faff7", // imul rsi, rdi
    "4883c001", // add rax, 1
    "4801d1",   // add rcx, rdx
    "4883ee03", // sub rsi, 3
    "488b03",   // mov rax, qword ptr [rbx]
    "480303",   // add rax, qword ptr [rbx]
};

/// Requests a stop at the first event of a name.
class StoppingObserver final : public Observer {
public:
    explicit StoppingObserver(std::string name)
        : name_(std::move(name)) {}
    void event(std::string_view name, const Json&) override {
        if (name == name_)
            source_.request_stop();
    }
    /// Work that tells no events in between.
    void progress(const Progress& state) override {
        if (name_ == state.stage && state.done > 1)
            source_.request_stop();
    }
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::string name_;
    std::stop_source source_;
};

class SimulatorTuning : public ::testing::Test {
protected:
    void SetUp() override {
        simulator_ = must(SimulatorProcess::start("hsw", 1));
        write_blocks();
        spoiled_ = simulator_->original();
        for (const std::string_view name : {"WriteIMul64Reg.latency", "WriteALU.latency"}) {
            const auto place = find_parameter(spoiled_, name);
            ASSERT_TRUE(place) << name;
            set_value(spoiled_, *place, value_of(spoiled_, *place) + 3);
        }
    }

    /// Some blocks, each a group of its own, with the times of LLVM's parameters.
    void write_blocks() {
        Random random(5);
        std::vector<MachineCode> blocks;
        for (int block = 0; block < 60; ++block) {
            std::string hex;
            for (std::uint64_t left = 1 + random.below(4); left > 0; --left)
                hex += codes[random.below(codes.size())];
            blocks.push_back(must(parse_hex(hex)));
        }
        std::vector<const MachineCode*> pointers;
        for (const MachineCode& each : blocks)
            pointers.push_back(&each);
        const auto classes = must(simulator_->classes(pointers));
        std::vector<SimulationQuery> queries;
        for (std::size_t at = 0; at < blocks.size(); ++at)
            queries.push_back(query_of(blocks[at], *classes[at], simulator_->original()));
        const auto cycles = must(simulator_->cycles(queries, usual_iterations, {}));
        std::string table = "block_id,hex,group_id,tp_hsw\n";
        for (std::size_t at = 0; at < blocks.size(); ++at)
            table += fmt::format("{},{},g{},{}\n", at, to_hex(blocks[at]), at, 100 * *cycles[at]);
        must(write_whole_file(file_, table));
    }

    [[nodiscard]] TuningRequest request(TuningMethod method, std::string_view name) const {
        TuningRequest asked{.blocks = {.file = file_, .held_out = 0.2, .validation = 0.2},
                            .method = method,
                            .start = spoiled_,
                            .state = folder_.path() / (std::string(name) + ".state")};
        asked.surrogate = {.rounds = 2, .simulations = 300, .passes = 4, .batch = 32};
        asked.surrogate.table_passes = 25;
        asked.surrogate.width = 16;
        asked.surrogate.surrogate_rate = 0.01;
        asked.search.blocks_a_trial = 24;
        asked.sweeps = 1;
        asked.verdicts.blocks_a_parameter = 8;
        return asked;
    }
    [[nodiscard]] Result<TuningOutcome> tune(const TuningRequest& asked, Observer& observer,
                                             const std::stop_token& stop = {}) {
        return tune_simulator(
            asked, *simulator_, [this](std::span<const MachineCode> all) { return decoder_.decode(all); },
            observer, stop);
    }

    testing::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "blocks.csv";
    std::unique_ptr<SimulatorProcess> simulator_;
    DecoderProcess decoder_;
    SimulatorTable spoiled_;
};

TEST_F(SimulatorTuning, EveryMethodWithTheSimulatorBeforeItsEyesLowersTheErrorOfSpoiledParameters) {
    for (const TuningMethod method : {TuningMethod::Local, TuningMethod::Search}) {
        Observer observer;
        const TuningOutcome outcome = must(tune(request(method, "t"), observer));
        EXPECT_LT(outcome.validation_after, outcome.validation_before) << name(method);
        EXPECT_NE(outcome.table.learned, spoiled_) << name(method);
        ASSERT_TRUE(outcome.held_out);
        EXPECT_EQ(outcome.held_out->original.mape.value, 0) << "the times are those of LLVM's parameters";
        EXPECT_FALSE(outcome.table.parameters.empty());
        EXPECT_FALSE(std::filesystem::exists(request(method, "t").state)) << "it is finished";
    }
}

TEST_F(SimulatorTuning, SearchFindsSpoiledLatenciesAgain) {
    Observer observer;
    const TuningOutcome outcome = must(tune(request(TuningMethod::Search, "t"), observer));
    const auto place = find_parameter(spoiled_, "WriteIMul64Reg.latency");
    EXPECT_EQ(value_of(outcome.table.learned, *place), value_of(simulator_->original(), *place));
}

TEST_F(SimulatorTuning, SurrogateBeginsFromRandomParametersAndKeepsTheBetterTable) {
    Observer observer;
    const TuningOutcome outcome = must(tune(request(TuningMethod::Surrogate, "t"), observer));
    EXPECT_LE(outcome.validation_after, outcome.validation_before);
}

TEST_F(SimulatorTuning, AStoppedTuningGoesOnToTheSameResult) {
    for (const auto& [method, event] : {std::pair(TuningMethod::Local, "round"),
                                        {TuningMethod::Surrogate, "round"},
                                        {TuningMethod::Search, "trying parameters"},
                                        {TuningMethod::Search, "judging parameters"}}) {
        Observer observer;
        const TuningOutcome whole = must(tune(request(method, "whole"), observer));
        StoppingObserver stopping(event);
        const TuningOutcome part = must(tune(request(method, "parts"), stopping, stopping.token()));
        EXPECT_TRUE(part.is_stopped) << event;
        EXPECT_FALSE(part.held_out);
        EXPECT_TRUE(std::filesystem::exists(request(method, "parts").state));
        const TuningOutcome rest = must(tune(request(method, "parts"), observer));
        EXPECT_TRUE(rest.is_resumed);
        EXPECT_EQ(rest.table.learned, whole.table.learned) << name(method);
        EXPECT_EQ(rest.validation_after, whole.validation_after);
        EXPECT_EQ(csv_of(rest.table), csv_of(whole.table)) << name(method);
    }
}

TEST_F(SimulatorTuning, AStateOfAnotherTuningIsRefused) {
    StoppingObserver stopping("trying parameters");
    ASSERT_TRUE(must(tune(request(TuningMethod::Search, "t"), stopping, stopping.token())).is_stopped);
    Observer observer;
    TuningRequest other = request(TuningMethod::Search, "t");
    other.search.blocks_a_trial = 7;
    const auto refused = tune(other, observer);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text(), HasSubstr("t.state: is of a tuning with other settings or blocks"));
    must(write_whole_file(other.state, "something else"));
    const auto damaged = tune(other, observer);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().file, other.state.string());
}

TEST_F(SimulatorTuning, AMachineWithoutTimesIsNamed) {
    const auto other = must(SimulatorProcess::start("skl", 1));
    Observer observer;
    const auto refused = read_tuning_blocks({.file = file_}, *other, observer, {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text(), HasSubstr("blocks.csv:1: has no column tp_skl"));
    EXPECT_FALSE(SimulatorProcess::start("pdp-11", 1));
}

TEST_F(SimulatorTuning, BlocksThatAHeldOutSetHasAreLeftOut) {
    must(write_whole_file(file_,
                          "hex,group_id,group_in_other_split,tp_hsw\n480fafc3,a,0,300\n480fafca,b,1,300\n"));
    Observer observer;
    const auto blocks = read_tuning_blocks({.file = file_}, *simulator_, observer, {});
    ASSERT_FALSE(blocks) << "one group can't be in all parts";
    EXPECT_THAT(blocks.error().text(), HasSubstr("expected more groups"));
}

TEST_F(SimulatorTuning, ThePartOfAGroupIsTheSameWhateverIsReadBesides) {
    Observer observer;
    const auto all = must(read_tuning_blocks({.file = file_}, *simulator_, observer, {}));
    const auto some =
        must(read_tuning_blocks({.file = file_, .most_training = 10}, *simulator_, observer, {}));
    EXPECT_EQ(some.of(TuningPart::Training).size(), 10U);
    EXPECT_EQ(some.of(TuningPart::HeldOut).size(), all.of(TuningPart::HeldOut).size());
    for (const TuningBlock& each : some.blocks)
        EXPECT_TRUE(std::ranges::any_of(all.blocks, [&](const TuningBlock& other) {
            return other.code == each.code && other.part == each.part && other.group == each.group;
        }));
}

TEST_F(SimulatorTuning, TheSurrogateHasTheGradientOfItsFiniteDifferences) {
    std::vector<MachineCode> some{must(parse_hex("480fafc34883c001")), must(parse_hex("488b03"))};
    const auto decoded = must(decoder_.decode(some));
    const std::size_t width = simulator_->original().values_a_class();
    const ParameterSurrogate surrogate(
        {.tokens = {"unknown", "imul", "add", "rax", "rbx"}, .width = 8, .values_a_class = width});
    const NamedTensors network =
        to_tensors(draw_weights(surrogate.parameters(), 3), /*requires_grad=*/false, at::kDouble);
    std::vector<SurrogateBlock> encoded;
    for (const auto& each : decoded)
        encoded.push_back(surrogate.encode(each->instructions));
    const std::array<const SurrogateBlock*, 2> blocks{&encoded[0], &encoded[1]};
    const auto columns = static_cast<std::int64_t>(width);
    const at::Tensor values = (5 * at::rand({3, columns}, at::kDouble)).requires_grad_(true);
    const at::Tensor processor = (10 * at::rand({2, 2}, at::kDouble)).requires_grad_(true);
    const auto sum = [&](const at::Tensor& of_classes, const at::Tensor& of_processor) {
        return surrogate.log_cycles(network, blocks, of_classes, of_processor).sum();
    };
    const auto gradients = torch::autograd::grad({sum(values, processor)}, {values, processor});
    constexpr double step = 1e-5;
    for (const auto& [row, column] :
         {std::pair<std::int64_t, std::int64_t>(0, 0), {0, 1}, {1, 1}, {1, 3}, {2, 6}, {2, columns - 1}}) {
        const auto moved = [&](double by) {
            at::Tensor changed = values.detach().clone();
            changed[row][column] += by;
            return sum(changed, processor.detach()).item<double>();
        };
        EXPECT_NEAR(gradients[0][row][column].item<double>(), (moved(step) - moved(-step)) / (2 * step),
                    1e-8);
        EXPECT_NE(gradients[0][row][column].item<double>(), 0);
    }
    for (const std::int64_t column : {0, 1}) {
        const auto moved = [&](double by) {
            at::Tensor changed = processor.detach().clone();
            changed[0][column] += by;
            return sum(values.detach(), changed).item<double>();
        };
        EXPECT_NEAR(gradients[1][0][column].item<double>(), (moved(step) - moved(-step)) / (2 * step), 1e-8);
    }
}

} // namespace
} // namespace sparsight
