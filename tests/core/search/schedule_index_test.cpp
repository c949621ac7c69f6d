#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "model/cost_model.h"
#include "model/networks/network_description.h"
#include "random_rows.h"
#include "search/schedule_index.h"
#include "support/test_files.h"

#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using testing::file_content;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::random_rows;
using ::testing::SizeIs;
using testing::TemporaryFolder;
using testing::write_file;

/// A network as it is before training, and what it says about the schedules of a matrix.
class ScheduleIndexOfANetwork : public ::testing::Test {
protected:
    ScheduleIndexOfANetwork() {
        NetworkDescription network;
        network.architecture = Architecture::StatisticsNet;
        network.standardisation.mean.assign(statistics().size(), 0.0);
        network.standardisation.deviation.assign(statistics().size(), 1.0);
        checkpoint_.weights = initial_weights(network, 1);
        checkpoint_.model.architecture = network;
        model_ = make_cost_model(checkpoint_).value();
    }

    std::vector<SuperSchedule> schedules(int count) const {
        Random random(5);
        return sample_uniform(Operator::SpMM, extents(Operator::SpMM, 4000, 3000, 256), count, 8, random);
    }
    ScheduleIndex index_of(const std::vector<SuperSchedule>& schedules) const {
        return build_schedule_index("initial", schedules, model_->embed_schedules(schedules).value()).value();
    }

    Checkpoint checkpoint_;
    std::unique_ptr<CostModel> model_;
};

TEST_F(ScheduleIndexOfANetwork, FindsTheBestSchedulesOfAMatrixWithAFractionOfTheScores) {
    const std::vector<SuperSchedule> all = schedules(4000);
    const ScheduleIndex index = index_of(all);
    const PredictorHead head = PredictorHead::of(checkpoint_).value();
    const FloatBuffer rows = head.project(index.embeddings, 1);
    double found = 0;
    constexpr int matrices = 10;
    for (int matrix = 0; matrix < matrices; ++matrix) {
        const std::vector<float> embedding =
            random_rows(1, embedding_width, static_cast<std::uint64_t>(matrix));
        const MatrixPredictor predictor = head.for_matrix(embedding).value();
        const IndexSearch search = search_index(index, rows, predictor);
        EXPECT_THAT(search.best, SizeIs(20));
        found += recall(search.best, search_exhaustively(index, rows, predictor, 20, 1));
        EXPECT_LT(search.walk.scored, 3000);
    }
    EXPECT_GE(found / matrices, 0.95);
}

TEST_F(ScheduleIndexOfANetwork, RanksAsTheModelItselfDoes) {
    CsrPattern pattern;
    pattern.rows = 3;
    pattern.cols = 3;
    pattern.row_pointers = {0, 1, 2, 3};
    pattern.column_ids = {0, 1, 2};
    const std::vector<SuperSchedule> all = schedules(300);
    const ScheduleIndex index = index_of(all);
    const auto scorer = model_->embed(pattern, nullptr, 1).value();
    const PredictorHead head = PredictorHead::of(checkpoint_).value();
    const FloatBuffer rows = head.project(index.embeddings, 1);
    const MatrixPredictor predictor = head.for_matrix(scorer->embedding()).value();
    const IndexSearch search = search_index(index, rows, predictor, {.k = 300, .width = 300});
    ASSERT_THAT(search.best, SizeIs(300));
    const std::vector<float> scores = scorer->score(index.schedules).value();
    for (const Ranked& ranked : search.best)
        EXPECT_NEAR(ranked.score, scores[ranked.candidate], 1e-5);
}

TEST_F(ScheduleIndexOfANetwork, KeepsEachMeaningOnceHoweverItIsWritten) {
    std::vector<SuperSchedule> all = schedules(50);
    all.insert(all.end(), all.begin(), all.begin() + 50);
    SuperSchedule csr = fixed_csr(Operator::SpMM, 8);
    all.push_back(csr);
    std::swap(csr.order[1], csr.order[5]); // the inner loops of unsplit indices elsewhere
    all.push_back(csr);
    const ScheduleIndex index = index_of(all);
    EXPECT_THAT(std::set(index.schedules.begin(), index.schedules.end()), SizeIs(index.schedules.size()));
    EXPECT_THAT(index.schedules, SizeIs(51));
    EXPECT_EQ(index.schedules.back(), canonical(csr));
}

TEST(ScheduleIndex, PutsSchedulesOfOneEmbeddingIntoOneNodeAndFindsAllOfThem) {
    std::vector<SuperSchedule> schedules;
    std::vector<float> embeddings;
    for (int chunk = 1; chunk <= 6; ++chunk) {
        schedules.push_back(fixed_csr(Operator::SpMM, 8));
        schedules.back().chunk = chunk;
        const std::vector<float> row = random_rows(1, 4, static_cast<std::uint64_t>(chunk % 3));
        embeddings.insert(embeddings.end(), row.begin(), row.end());
    }
    const ScheduleIndex index = build_schedule_index("", schedules, embeddings).value();
    ASSERT_EQ(index.nodes.count(), 3U);
    EXPECT_THAT(index.nodes.of(0), ElementsAre(0, 3));
    EXPECT_THAT(index.nodes.of(1), ElementsAre(1, 4));
    EXPECT_THAT(index.nodes.of(2), ElementsAre(2, 5));
    EXPECT_EQ(index.graph.node_count, 3U);
    EXPECT_THAT(index.embeddings, SizeIs(12));
}

TEST_F(ScheduleIndexOfANetwork, GivesEqualScoresInTheOrderOfTheSchedules) {
    // WACO's tables have no category of their own for splits of the dense index beyond 128.
    std::vector<SuperSchedule> all;
    for (const std::int64_t split : {512, 256, 128, 1024}) {
        all.push_back(fixed_csr(Operator::SpMM, 8));
        all.back().splits[static_cast<std::size_t>(Index::J)] = split;
    }
    const ScheduleIndex index = index_of(all);
    ASSERT_EQ(index.nodes.count(), 1U);
    const PredictorHead head = PredictorHead::of(checkpoint_).value();
    const FloatBuffer rows = head.project(index.embeddings, 1);
    const MatrixPredictor predictor = head.for_matrix(random_rows(1, embedding_width, 1)).value();
    const std::vector<Ranked> exact = search_exhaustively(index, rows, predictor, 3, 1);
    ASSERT_THAT(exact, SizeIs(3));
    for (std::uint32_t at = 0; at < 3; ++at)
        EXPECT_EQ(exact[at].candidate, at);
    EXPECT_EQ(search_index(index, rows, predictor, {.k = 3}).best, exact);
}

TEST(ScheduleIndex, AlwaysHasFixedCsrAmongTheCandidatesWithTheThreadsOfTheMachine) {
    ScheduleIndex index;
    for (const int threads : {48, 24}) {
        for (const int chunk : {8, 16, 32}) {
            index.schedules.push_back(canonical(fixed_csr(Operator::SpMM, threads)));
            index.schedules.back().chunk = chunk;
        }
    }
    const auto chunks = [&](const std::vector<Ranked>& best) {
        std::vector<int> found;
        for (const SuperSchedule& schedule : candidates(index, best, Operator::SpMM, 2)) {
            EXPECT_EQ(schedule.threads, 2);
            found.push_back(schedule.chunk);
        }
        return found;
    };
    EXPECT_THAT(chunks({{0, 1}, {1, 2}}), ElementsAre(8, 16, 32)) << "behind the others";
    EXPECT_THAT(chunks({{2, 1}, {0, 2}, {1, 3}}), ElementsAre(32, 8, 16)) << "where it belongs";
    EXPECT_THAT(chunks({{0, 1}, {3, 2}, {2, 3}}), ElementsAre(8, 32)) << "what has become one, once";
    EXPECT_THAT(chunks({}), ElementsAre(32));
}

TEST(ScheduleIndex, OfNoSchedulesFindsNothing) {
    const ScheduleIndex index = build_schedule_index("none", {}, {}).value();
    NetworkDescription network;
    network.architecture = Architecture::StatisticsNet;
    Checkpoint checkpoint;
    checkpoint.weights = initial_weights(network, 1);
    checkpoint.model.architecture = network;
    const PredictorHead head = PredictorHead::of(checkpoint).value();
    const MatrixPredictor predictor = head.for_matrix(random_rows(1, embedding_width, 1)).value();
    EXPECT_THAT(search_index(index, head.project(index.embeddings, 1), predictor).best, IsEmpty());
    EXPECT_THAT(search_exhaustively(index, head.project(index.embeddings, 1), predictor, 20, 2), IsEmpty());
    TemporaryFolder folder;
    ASSERT_TRUE(write_schedule_index(folder / "index", index));
    EXPECT_EQ(read_schedule_index(folder / "index").value(), index);
}

TEST(ScheduleIndex, RefusesEmbeddingsThatDoNotFitTheSchedules) {
    const std::vector<SuperSchedule> three(3, fixed_csr(Operator::SpMM, 8));
    EXPECT_FALSE(build_schedule_index("", three, random_rows(4, 4, 1)));
    EXPECT_FALSE(build_schedule_index("", three, {}));
}

TEST_F(ScheduleIndexOfANetwork, IsReadAsItWasWritten) {
    TemporaryFolder folder;
    const ScheduleIndex index = index_of(schedules(300));
    ASSERT_TRUE(write_schedule_index(folder / "index", index));
    EXPECT_TRUE(read_schedule_index(folder / "index").value() == index);
}

TEST_F(ScheduleIndexOfANetwork, RefusesDamagedTruncatedAndForeignFilesWithTheReason) {
    TemporaryFolder folder;
    const std::string path = (folder / "index").string();
    ASSERT_TRUE(write_schedule_index(path, index_of(schedules(40))));
    const std::string whole = file_content(path);
    const auto error_of = [&](const std::string& bytes) {
        write_file(path, bytes);
        const Result<ScheduleIndex> index = read_schedule_index(path);
        EXPECT_FALSE(index);
        return index ? std::string() : index.error().text();
    };
    std::string damaged = whole;
    damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 1);
    EXPECT_EQ(error_of(damaged), path + ": is damaged or breaks off: its checksum is wrong");
    EXPECT_THAT(error_of(whole.substr(0, whole.size() - 1)), HasSubstr("checksum"));
    EXPECT_THAT(error_of(whole.substr(0, 11)), HasSubstr("breaks off"));
    EXPECT_THAT(error_of("%%MatrixMarket"), HasSubstr("is no index of Sparsight"));
    EXPECT_THAT(error_of(""), HasSubstr("is no index of Sparsight"));
    std::string newer = whole;
    newer[8] = 9;
    EXPECT_THAT(error_of(newer), HasSubstr("format 9"));
    EXPECT_EQ(read_schedule_index(folder / "absent").error().fault, Fault::Environment);
}

TEST_F(ScheduleIndexOfANetwork, RefusesAnIndexThatContradictsItself) {
    TemporaryFolder folder;
    const ScheduleIndex index = index_of(schedules(40));
    const auto is_refused = [&](const auto& spoil) {
        ScheduleIndex spoiled = index;
        spoil(spoiled);
        EXPECT_TRUE(write_schedule_index(folder / "index", spoiled));
        const Result<ScheduleIndex> read = read_schedule_index(folder / "index");
        return !read && read.error().fault == Fault::Input;
    };
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.graph.layers[0].links[3] = 40; }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.graph.layers[0].starts[3] = 1'000'000; }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.graph.layers.clear(); }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.graph.entry = 40; }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.nodes.schedules[0] = 40; }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.embeddings.pop_back(); }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.width = 0; }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.schedules.pop_back(); }));
    EXPECT_TRUE(is_refused([](ScheduleIndex& of) { of.schedules[2].chunk = 0; }));
}

} // namespace
} // namespace sparsight
