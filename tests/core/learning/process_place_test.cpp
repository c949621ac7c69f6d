#include "learning/process_place.h"

#include <gmock/gmock.h>
#include <map>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

Result<ProcessPlace> place(const Variables& variables) {
    return process_place([&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
}

TEST(ProcessPlaceTest, IsAloneWhereNothingIsSaid) {
    EXPECT_EQ(place({}).value(), ProcessPlace{});
    EXPECT_EQ(place({{"MASTER_ADDR", "node1"}}).value().count, 1);
}

TEST(ProcessPlaceTest, IsAsTorchrunSays) {
    const Variables variables{
        {"RANK", "3"}, {"WORLD_SIZE", "8"}, {"MASTER_ADDR", "node1"}, {"MASTER_PORT", "1234"}};
    EXPECT_EQ(place(variables).value(), (ProcessPlace{3, 8, "node1", 1234}));
}

TEST(ProcessPlaceTest, IsAsMpirunSays) {
    EXPECT_EQ(place({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}).value(),
              (ProcessPlace{1, 2, "127.0.0.1", 29500}));
    EXPECT_EQ(place({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}, {"MASTER_ADDR", "node7"}}).value(),
              (ProcessPlace{0, 4, "node7", 29500}));
}

TEST(ProcessPlaceTest, IsAsSrunSaysAndMeetsOnItsFirstNode) {
    Variables variables{{"SLURM_PROCID", "2"},
                        {"SLURM_NTASKS", "4"},
                        {"SLURM_STEP_ID", "0"},
                        {"SLURM_STEP_NODELIST", "node[03-05,09],other"}};
    EXPECT_EQ(place(variables).value(), (ProcessPlace{2, 4, "node03", 29500}));
    variables.insert_or_assign("SLURM_STEP_NODELIST", "alone");
    EXPECT_EQ(place(variables).value().master, "alone");
    variables.insert_or_assign("SLURM_STEP_NODELIST", "a,b");
    EXPECT_EQ(place(variables).value().master, "a");
    variables.insert_or_assign("MASTER_ADDR", "b");
    EXPECT_EQ(place(variables).value().master, "b");
}

TEST(ProcessPlaceTest, KnowsWhichProcessOfItsComputerItIs) {
    Variables variables{{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}};
    EXPECT_EQ(place(variables).value().local_rank, 1);
    variables.insert_or_assign("LOCAL_RANK", "8");
    EXPECT_THAT(place(variables).error().message, HasSubstr("LOCAL_RANK is '8'"));
    EXPECT_EQ(
        place({{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "8"}, {"SLURM_STEP_ID", "0"}, {"SLURM_LOCALID", "3"}})
            .value()
            .local_rank,
        3);
    EXPECT_EQ(place({{"OMPI_COMM_WORLD_RANK", "3"},
                     {"OMPI_COMM_WORLD_SIZE", "4"},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}})
                  .value()
                  .local_rank,
              1);
    EXPECT_EQ(place({{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}, {"SLURM_LOCALID", "1"}}).value().local_rank, 1);
    EXPECT_EQ(place({{"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "2"}, {"SLURM_LOCALID", "1"}})
                  .value()
                  .local_rank,
              2)
        << "torchrun's own processes, started by srun";
}

TEST(ProcessPlaceTest, InABatchJobWithoutSrunIsOneProcess) {
    EXPECT_EQ(place({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}).value().count, 1);
}

TEST(ProcessPlaceTest, RefusesWhatCantBeByName) {
    struct Case {
        Variables variables;
        const char* message;
    };
    const std::vector<Case> cases{
        {{{"RANK", "0"}}, "the environment variable RANK is set and WORLD_SIZE is not"},
        {{{"WORLD_SIZE", "2"}}, "WORLD_SIZE is set and RANK is not"},
        {{{"RANK", "2"}, {"WORLD_SIZE", "2"}}, "RANK is '2'; expected a number from 0 to 1"},
        {{{"RANK", "x"}, {"WORLD_SIZE", "2"}}, "RANK is 'x'"},
        {{{"RANK", "0"}, {"WORLD_SIZE", "0"}}, "WORLD_SIZE is '0'"},
        {{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_PORT", "70000"}}, "MASTER_PORT is '70000'"},
    };
    for (const Case& one : cases) {
        const auto refused = place(one.variables);
        ASSERT_FALSE(refused.has_value()) << one.message;
        EXPECT_EQ(refused.error().fault, Fault::Input);
        EXPECT_THAT(refused.error().text(), HasSubstr(one.message));
    }
}

} // namespace
} // namespace sparsight
