// Every lesson of sparse kernels: what it names is in the window, what it says in numbers is simulated again,
// and it is walked through from the Help menu, with what it asks done.
#include "app/gui/shell/lesson_walk.h"
#include "app/gui/shell/window_fixture.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"
#include "gui/domains/sparse/whatif/what_if_page.h"
#include "gui/domains/sparse/whatif/winner_view.h"
#include "gui/help/lesson.h"
#include "gui/page/machine_words.h"
#include "gui/selection/selection.h"
#include "gui/shell/lesson_bar.h"
#include "gui/shell/lesson_player.h"
#include "gui/shell/lesson_widgets.h"
#include "machine/machine_presets.h"
#include "store/models.h"
#include "store/runs.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <sstream>
#include <utility>

namespace sparsight::testing {
namespace {

using P = MachineParameter;
using T = TimeTerm;
using Verb = LessonCommand::Verb;

std::vector<Lesson> lessons() {
    return lessons_of(QStringLiteral("sparse"));
}

Lesson lesson(const char* id) {
    for (Lesson& one : lessons())
        if (one.id == QLatin1String(id))
            return one;
    ADD_FAILURE() << "there is no lesson " << id;
    return {};
}

/// What a step of a lesson shows on the page What if, and simulates.
class SimulatedStep {
public:
    SimulatedStep(const Lesson& lesson, std::size_t step) {
        for (std::size_t at = 0; at <= step; ++at)
            for (const auto* const commands : {&lesson.steps[at].commands, &lesson.steps[at].help})
                for (const LessonCommand& command : *commands)
                    take(command);
        auto workspace = Workspace::create(folder_ / "demo.sparsight", "test");
        EXPECT_TRUE(add_demo_matrices(*workspace, 1).has_value());
        const auto record = find_matrix(*workspace, matrix_);
        EXPECT_TRUE(record && *record) << "the demo workspace has no " << matrix_;
        pattern_ = *load_pattern(*workspace, (**record).id);
        auto set = schedule_set(ProfiledPattern(pattern_), {Operator::SpMM, dense_, listed_, 0, 1});
        study_.schedules = std::move(set->schedules);
        study_.profiles = std::move(set->profiles);
    }

    /// On the machine of the step, or on another preset as it is.
    [[nodiscard]] MachineRanking ranked(const QString& other = {}) const {
        return rank_on(machine(other).now(), study_, formula_, basis(other));
    }
    [[nodiscard]] std::size_t map_winners() const {
        const EditedMachine edited = machine({});
        const MachineDescription here = edited.without({x_, y_});
        const MapAxis x = map_axis(here, x_, WinnerMapping::steps);
        const MapAxis y = map_axis(here, y_, WinnerMapping::steps);
        const auto map = formula_ == WhatIfFormula::Paper
                             ? paper_winner_map(here, x, y, basis({}).milliseconds)
                             : winner_map(here, x, y, study_.profiles);
        return map->winners().size();
    }

private:
    void take(const LessonCommand& command) {
        const QString key = command.object.mid(QStringLiteral("what-if-").size());
        const auto parameter = parse_machine_parameter(key.toStdString());
        if (command.verb == Verb::Workload) {
            matrix_ = command.value.toStdString();
        } else if (command.verb == Verb::Press && key == QStringLiteral("reset")) {
            changes_.clear();
        } else if (command.verb == Verb::Configurations) {
            listed_.clear();
            for (const QString& text : command.value.split(u'|', Qt::SkipEmptyParts))
                listed_.push_back(*parse_schedule(Operator::SpMM, text.trimmed().toStdString()));
        } else if (command.verb != Verb::Set) {
            return;
        } else if (key == QStringLiteral("machine")) {
            if (std::exchange(preset_, command.value) != command.value)
                changes_.clear();
        } else if (key == QStringLiteral("dense")) {
            dense_ = command.value.toInt();
        } else if (key == QStringLiteral("formula")) {
            formula_ = command.value == QStringLiteral("Mechanistic") ? WhatIfFormula::Mechanistic
                                                                      : WhatIfFormula::Paper;
        } else if (key == QStringLiteral("x") || key == QStringLiteral("y")) {
            for (const P each : slider_parameters())
                if (parameter_words(each).name == command.value)
                    (key == QStringLiteral("x") ? x_ : y_) = each;
        } else if (parameter) {
            changes_[*parameter] = command.value.toDouble();
        }
    }

    [[nodiscard]] EditedMachine machine(const QString& other) const {
        const QString key = (other.isEmpty() ? preset_ : other).section(u':', 1);
        EditedMachine machine(find_machine_preset(key.toStdString()).value().machine);
        if (other.isEmpty())
            for (const auto& [parameter, value] : changes_)
                machine.set(parameter, value);
        return machine;
    }
    [[nodiscard]] PaperBasis basis(const QString& other) const {
        const std::vector<std::optional<double>> nothing(study_.schedules.size());
        return paper_basis(nothing, resolve_parameters(machine(other).given()).values, study_.profiles);
    }

    TemporaryFolder folder_;
    std::string matrix_;
    int dense_ = 256;
    WhatIfFormula formula_ = WhatIfFormula::Mechanistic;
    QString preset_;
    std::map<P, double> changes_;
    P x_ = P::Cores;
    P y_ = P::L3Bytes;
    std::vector<SuperSchedule> listed_;
    CsrPattern pattern_;
    Study study_;
};

/// Whether a value is as a claim says: "= 1.21" is rounded, ">= 3" and "<= 1.01" are bounds.
void expect_claimed(double value, const std::string& relation, const std::string& claimed,
                    const std::string& claim) {
    const double number = std::stod(claimed);
    if (relation == ">=") {
        EXPECT_GE(value, number) << claim;
    } else if (relation == "<=") {
        EXPECT_LE(value, number) << claim;
    } else {
        ASSERT_EQ(relation, "=") << claim;
        const std::size_t point = claimed.find('.');
        const auto decimals = point == std::string::npos ? 0U : claimed.size() - point - 1;
        EXPECT_NEAR(value, number, 0.5 * std::pow(10, -static_cast<double>(decimals)) + 1e-9) << claim;
    }
}

/// "#2": fixed CSR is #0, then come the listed ones.
std::size_t place(const std::string& word) {
    EXPECT_EQ(word.front(), '#') << word;
    return std::stoul(word.substr(1));
}

void expect_claim(const Lesson& lesson, std::size_t step, const std::string& claim) {
    std::istringstream words(claim);
    std::string word;
    words >> word;
    if (word == "recorded")
        return; // of jobs: the walks below check it
    const SimulatedStep simulated(lesson, step);
    QString other;
    if (word == "on") {
        words >> word;
        other = QString::fromStdString(word);
        words >> word;
    }
    const MachineRanking ranked = simulated.ranked(other);
    const std::vector<double>& times = ranked.ranking.milliseconds;
    std::string first;
    std::string second;
    std::string relation;
    std::string value;
    if (word == "wins") {
        words >> first;
        EXPECT_EQ(*ranked.ranking.winner(), place(first)) << claim;
    } else if (word == "ratio") {
        words >> first >> value >> second >> relation >> value;
        const std::size_t below = second == "best" ? *ranked.ranking.winner() : place(second);
        expect_claimed(times[place(first)] / times[below], relation, value, claim);
    } else if (word == "share") {
        words >> first >> second >> relation >> value;
        const auto terms = all_time_terms();
        const auto term = std::ranges::find(terms, first, [](T each) { return name(each); });
        ASSERT_NE(term, terms.end()) << claim;
        const std::size_t schedule = place(second);
        expect_claimed(100 * ranked.parts[schedule][*term] / times[schedule], relation, value, claim);
    } else if (word == "map") {
        words >> relation >> value;
        expect_claimed(static_cast<double>(simulated.map_winners()), relation, value, claim);
    } else if (word == "same-order") {
        words >> value;
        const SimulatedStep before(lesson, std::stoul(value) - 1);
        EXPECT_EQ(ranked.ranking.order, before.ranked().ranking.order) << claim;
        EXPECT_GT(times[0], 5 * before.ranked().ranking.milliseconds[0]) << "every bar has grown";
    } else {
        ADD_FAILURE() << "no claim: " << claim;
    }
}

TEST(SparseLessons, AreTenAndATourAndTakeThreeToSixMinutes) {
    const std::vector<Lesson> all = lessons();
    EXPECT_EQ(std::ssize(all) + std::ssize(lessons_of(QStringLiteral("records"))), lesson_ids().size())
        << "every file can be read";
    ASSERT_EQ(all.size(), 11U);
    EXPECT_EQ(all.front().id, QStringLiteral("tour"));
    for (std::size_t at = 0; at < all.size(); ++at) {
        EXPECT_EQ(all[at].place, static_cast<int>(at)) << all[at].id.toStdString();
        EXPECT_GE(all[at].minutes, 3) << all[at].id.toStdString();
        EXPECT_LE(all[at].minutes, 6) << all[at].id.toStdString();
        EXPECT_GE(all[at].steps.size(), 5U) << all[at].id.toStdString();
    }
}

TEST(SparseLessons, SayInNumbersWhatTheSimulatorSays) {
    int claims = 0;
    for (const Lesson& lesson : lessons())
        for (std::size_t step = 0; step < lesson.steps.size(); ++step)
            for (const QString& claim : lesson.steps[step].claims) {
                SCOPED_TRACE(lesson.id.toStdString() + ": " + lesson.steps[step].title.toStdString());
                expect_claim(lesson, step, claim.toStdString());
                ++claims;
            }
    EXPECT_GT(claims, 30);
}

TEST(SparseLessons, ClaimWhateverTheyCompareInNumbers) {
    static const QRegularExpression number(QStringLiteral("\\d( %|\\.\\d+ times|× )"));
    for (const Lesson& lesson : lessons())
        for (const LessonStep& step : lesson.steps)
            EXPECT_EQ(step.text.contains(number) && step.claims.isEmpty(), false)
                << lesson.id.toStdString() << ": " << step.title.toStdString();
}

TEST(SparseLessons, TellNoOutcomeBeforeTheUserHasDoneWhatTheyAsk) {
    for (const Lesson& lesson : lessons())
        for (const LessonStep& step : lesson.steps)
            EXPECT_TRUE(step.conditions.empty() || step.claims.isEmpty())
                << lesson.id.toStdString() << ": " << step.title.toStdString();
}

/// "lesson-loss" of "train --name lesson-loss"; empty without the option.
QString option(const QString& command_line, const char* name) {
    const QStringList words = command_line.split(u' ');
    const qsizetype at = words.indexOf(QLatin1String(name));
    return at < 0 ? QString() : words.value(at + 1);
}

TEST(SparseLessons, GoOnOnlyWithTheModelsAndSplitsThatTheyUse) {
    using Kind = LessonCondition::Kind;
    int jobs = 0;
    for (const Lesson& one : lessons()) {
        std::set<std::pair<Kind, QString>> there;
        for (const LessonStep& step : one.steps) {
            SCOPED_TRACE(one.id.toStdString() + ": " + step.title.toStdString());
            for (const LessonCommand& command : step.help) {
                if (command.verb != Verb::Run)
                    continue;
                ++jobs;
                const QString split = option(command.value, "--split");
                EXPECT_TRUE(split.isEmpty() || there.contains({Kind::Split, split})) << split.toStdString();
                for (const char* const name : {"--model", "--models"}) {
                    const QString model = option(command.value, name);
                    EXPECT_TRUE(model.isEmpty() || there.contains({Kind::Model, model}))
                        << model.toStdString();
                }
            }
            for (const LessonCondition& condition : step.conditions)
                there.emplace(condition.kind, condition.value);
            for (const LessonCommand& command : step.help)
                if (const QString made = option(command.value, "--name"); !made.isEmpty()) {
                    EXPECT_TRUE(there.contains({Kind::Model, made})) << made.toStdString();
                }
        }
    }
    EXPECT_GE(jobs, 6);
}

class SparseLessonsTest : public LessonWalk<WindowTest> {
protected:
    SparseLessonsTest() {
        recorded_checks_ = {
            {QStringLiteral("few shots"), [this] { expect_that_few_shots_are_enough(); }},
            {QStringLiteral("many shots"), [this] { expect_that_scratch_catches_up(); }},
            {QStringLiteral("regret rises while the validation loss falls"),
             [this] { expect_regret_to_rise(); }},
            {QStringLiteral("regret of five stays low"), [this] { expect_regret_of_five_to_stay_low(); }},
            {QStringLiteral("failures"), [this] { expect_failures_of_one_choice(); }},
            {QStringLiteral("fewer failures"), [this] { expect_fewer_failures(); }}};
    }
    /// Shares of pairs in the right order that the shot curve shows, by its line and the number of shots.
    [[nodiscard]] std::map<QString, std::map<int, double>> shown_shots() {
        auto* const chart = find<Chart>("shot-chart");
        EXPECT_TRUE(wait_until([&] { return chart->csv().count(u'\n') > 8; }))
            << "two lines, four points each";
        std::map<QString, std::map<int, double>> shots;
        const QStringList rows = chart->csv().split(u'\n', Qt::SkipEmptyParts).mid(1);
        for (const QString& row : rows) {
            const QStringList cells = row.trimmed().split(u',');
            shots[cells.value(0)][cells.value(2).toInt()] = cells.value(3).toDouble();
        }
        return shots;
    }
    /// "~80 % against ~50 %, and after one shot ~80 % against ~69 %": to a twentieth, as it is with draws of
    /// another computer.
    void expect_that_few_shots_are_enough() {
        auto shots = shown_shots();
        auto& learned = shots[QStringLiteral("lesson-meta")];
        auto& scratch = shots[QStringLiteral("scratch")];
        EXPECT_NEAR(learned[0], 0.80, 0.05);
        EXPECT_NEAR(scratch[0], 0.50, 0.05) << "it can only guess";
        EXPECT_NEAR(learned[1], 0.80, 0.05);
        EXPECT_NEAR(scratch[1], 0.69, 0.05);
    }
    /// "It has caught up after 10 shots: ~83 % against ~81 %", and the sentence does not say otherwise.
    void expect_that_scratch_catches_up() {
        auto shots = shown_shots();
        auto& learned = shots[QStringLiteral("lesson-meta")];
        auto& scratch = shots[QStringLiteral("scratch")];
        EXPECT_NEAR(scratch[10], 0.83, 0.05);
        EXPECT_NEAR(learned[10], 0.81, 0.05);
        EXPECT_GT(scratch[10], learned[10] - 0.02);
        EXPECT_GT(scratch[10] - scratch[0], 2 * (learned[10] - learned[0])) << "it rises faster";
        const std::string told = find<QLabel>("shot-sentence")->text().toStdString();
        EXPECT_THAT(told, ::testing::HasSubstr(" with 10 matrices"));
        EXPECT_THAT(told, ::testing::Not(::testing::HasSubstr("is as good as training from scratch")));
    }

    /// Of the model of the lesson on loss and regret, by epoch.
    [[nodiscard]] std::vector<double> validated(const char* metric) {
        std::vector<double> values;
        auto workspace = Workspace::open(program_->session().path().toStdString());
        const auto model = find_model(*workspace, "lesson-loss");
        EXPECT_TRUE(model && *model && (**model).run);
        const auto curve = list_metric(*workspace, *(**model).run, std::string("validation/") + metric);
        EXPECT_TRUE(curve.has_value());
        for (const MetricPoint& point : *curve)
            values.push_back(point.value);
        EXPECT_GT(values.size(), 20U);
        return values;
    }
    /// "A later epoch has a lower validation loss, but more than twice the regret."
    void expect_regret_to_rise() {
        const std::vector<double> loss = validated("loss");
        const std::vector<double> regret = validated("regret_at_1");
        ASSERT_EQ(loss.size(), regret.size());
        bool is_so = false;
        for (std::size_t early = 0; early < loss.size(); ++early)
            for (std::size_t late = early + 1; late < loss.size(); ++late)
                is_so = is_so || (loss[late] < 0.8 * loss[early] && regret[late] > 2 * regret[early] &&
                                  regret[late] > regret[early] + 0.15);
        EXPECT_TRUE(is_so);
        EXPECT_LT(loss.back(), 0.6 * loss.front()) << "the loss falls";
    }
    /// "Regret among the first 5 choices stays far below that of the first one."
    void expect_regret_of_five_to_stay_low() {
        const auto highest_of_second_half = [](const std::vector<double>& values) {
            return std::ranges::max(values | std::views::drop(values.size() / 2));
        };
        EXPECT_LT(highest_of_second_half(validated("regret_at_5")),
                  0.7 * highest_of_second_half(validated("regret_at_1")));
    }

    /// Whether the box has this entry, which the demo's evaluations of other models have not.
    [[nodiscard]] bool shows(const char* page, const char* name, const QString& entry) {
        const auto* const box =
            qobject_cast<QComboBox*>(player().find(QLatin1String(page), QLatin1String(name)));
        return box != nullptr &&
               wait_until([&] { return box->currentText().contains(entry) && page_is_settled(); });
    }
    [[nodiscard]] int failure_cases() {
        const auto* const table = qobject_cast<DataTable*>(
            player().find(QStringLiteral("failures"), QStringLiteral("failure-cases")));
        return table == nullptr ? -1 : table->view()->model()->rowCount();
    }
    /// "Each case is a matrix on which the chosen schedule is slow."
    void expect_failures_of_one_choice() {
        EXPECT_TRUE(shows("failures", "failure-source", one_choice_));
        failures_of_one_choice_ = failure_cases();
        EXPECT_GE(failures_of_one_choice_, 1);
    }
    /// "Never more matrices fail, and often fewer do."
    void expect_fewer_failures() {
        ASSERT_GE(failures_of_one_choice_, 1);
        window().show_page(QStringLiteral("failures"));
        EXPECT_TRUE(shows("failures", "failure-source", twenty_choices_));
        EXPECT_TRUE(wait_until([&] { return failure_cases() <= failures_of_one_choice_; }))
            << failure_cases();
    }

    /// Its beginning is not scrolled away, and not below the end of the page.
    [[nodiscard]] bool is_in_sight(const QWidget& widget) {
        QRect seen = widget.rect();
        for (const QWidget* at = &widget; !at->isWindow(); at = at->parentWidget())
            seen = seen.translated(at->pos()).intersected(at->parentWidget()->rect());
        return !seen.isEmpty() && seen.top() == widget.mapTo(&window(), QPoint()).y() &&
               seen.height() >= std::min(widget.height(), 100);
    }
    /// The demo has an evaluation of other models, which the lesson must not show.
    void expect_failures_to_be_of_its_own_evaluation() {
        walk(lesson("failure-to-remedy"), [&](std::size_t step) {
            if (step == 2) {
                EXPECT_TRUE(shows("results", "evaluation", one_choice_));
            }
            if (step >= 3 && step <= 7) {
                EXPECT_TRUE(shows("failures", "failure-source", one_choice_));
                EXPECT_GE(failure_cases(), 1);
                EXPECT_TRUE(find<QWidget>("case-headline")->isVisible());
            }
            if (step >= 4 && step <= 7) {
                EXPECT_TRUE(wait_until([&] { return is_in_sight(*player().target(static_cast<int>(step))); }))
                    << "what it speaks of is scrolled to";
            }
            if (step == 8) {
                EXPECT_TRUE(shows("results", "evaluation", twenty_choices_));
            }
        });
    }

private:
    const QString one_choice_ = QStringLiteral("lesson-loss on Laptop, 5 matrices, best of 1,");
    const QString twenty_choices_ = QStringLiteral("lesson-loss on Laptop, 5 matrices, best of 20,");
    int failures_of_one_choice_ = 0;
};

TEST_F(SparseLessonsTest, HaveACheckForWhatTheySayOfJobs) {
    expect_checks_for(lessons());
}

TEST_F(SparseLessonsTest, NameOnlyPagesAndWidgetsThatAreThere) {
    begin(lesson("tour"));
    for (const Lesson& one : lessons())
        for (const LessonStep& step : one.steps) {
            SCOPED_TRACE(one.id.toStdString() + ": " + step.title.toStdString());
            ASSERT_NE(window().page(step.page), nullptr) << step.page.toStdString();
            QStringList names{step.point};
            for (const LessonCondition& condition : step.conditions)
                names << condition.object;
            for (const auto* const commands : {&step.commands, &step.help})
                for (const LessonCommand& command : *commands) {
                    names << command.object;
                    if (command.verb == Verb::Set) {
                        QWidget* const widget = player().find(step.page, command.object);
                        ASSERT_NE(widget, nullptr) << command.object.toStdString();
                        EXPECT_TRUE(set_lesson_value(*widget, command.value))
                            << command.object.toStdString() << " has no " << command.value.toStdString();
                    }
                }
            for (const QString& name : names) {
                EXPECT_TRUE(name.isEmpty() || player().find(step.page, name) != nullptr)
                    << name.toStdString();
            }
        }
}

TEST_F(SparseLessonsTest, OnWhatIfAreWalkedThroughFromTheHelpMenu) {
    int walked = 0;
    for (const Lesson& one : lessons()) {
        const bool has_job = std::ranges::any_of(one.steps, [](const LessonStep& step) {
            return std::ranges::any_of(step.help, [](const LessonCommand& command) {
                return command.verb == Verb::Run || command.verb == Verb::Press;
            });
        });
        if (has_job)
            continue;
        walk(one);
        ++walked;
        if (HasFatalFailure())
            return;
    }
    EXPECT_GE(walked, 6);
    // The lesson's own schedules are left like others.
    window().show_page(QStringLiteral("whatif"));
    auto* const set = find<QComboBox>("what-if-set");
    EXPECT_EQ(set->currentText(), QStringLiteral("Those of the lesson"));
    set->setCurrentIndex(0);
    auto* const page = qobject_cast<WhatIfPage*>(window().page(QStringLiteral("whatif")));
    ASSERT_TRUE(wait_until([&] { return page->is_settled(); }));
    EXPECT_EQ(page->bars(0).picture().bars.size(), 20) << "the usual ones again";
    EXPECT_EQ(set->findText(QStringLiteral("Those of the lesson")), -1);
}

TEST_F(SparseLessonsTest, ShowTheirSchedulesOnTheirMachine) {
    const Lesson one = lesson("constant-factor");
    begin(one);
    auto* const page = qobject_cast<WhatIfPage*>(window().page(QStringLiteral("whatif")));
    ASSERT_TRUE(wait_until([&] { return page->study().study() != nullptr && page->is_settled(); }));
    EXPECT_EQ(program_->selection().current().workload, QStringLiteral("demo-network"));
    EXPECT_EQ(page->bars(0).picture().bars.size(), 5) << "four, and fixed CSR";
    EXPECT_EQ(page->bars(0).picture().terms.size(), 1) << "by the paper's formula";
}

TEST_F(SparseLessonsTest, BringTheStatisticsIntoViewThatTheyName) {
    begin(lesson("padding-pattern"));
    player().go_to(static_cast<int>(player().lesson().steps.size()) - 1);
    auto* const table = find<QWidget>("statistics")->findChild<DataTable*>();
    ASSERT_NE(table, nullptr);
    const auto title = [&] {
        const int row = table->current_source_row();
        return row < 0 ? QString() : table->model()->index(row, 0).data().toString();
    };
    EXPECT_TRUE(wait_until([&] { return title().startsWith(QStringLiteral("Fill of 32")); }));
}

TEST_F(SparseLessonsTest, LookTheSameWhicheverWayOneCame) {
    begin(lesson("padding-machine"));
    auto* const caches = find<QWidget>("what-if-l3_caches");
    ASSERT_TRUE(wait_until([&] { return page_is_settled(); }));
    EXPECT_EQ(lesson_value(*caches), QStringLiteral("1"));
    player().go_to(5);
    EXPECT_EQ(find<QComboBox>("what-if-machine")->currentText(), QStringLiteral("Laptop (preset)"));
    EXPECT_NEAR(lesson_value(*find<QWidget>("what-if-socket_gb_per_s")).toDouble(), 400, 1e-6);
    EXPECT_TRUE(player().is_waiting());
    player().go_to(0);
    EXPECT_EQ(find<QComboBox>("what-if-machine")->currentText(), QStringLiteral("EPYC 7543"));
    EXPECT_EQ(lesson_value(*caches), QStringLiteral("1"));
    EXPECT_FALSE(player().is_waiting());
}

TEST_F(SparseLessonsTest, TheTourIsWalkedThroughWithItsMeasuring) {
    walk(lesson("tour"));
}

TEST_F(SparseLessonsTest, WhatIfAndMeasuredIsWalkedThroughInASmallWindowWithItsMeasuring) {
    constexpr QSize small(960, 540); // 1920 × 1080 at 200 %
    window().resize(small);
    walk(lesson("what-if-and-measured"), [&](std::size_t step) {
        QCoreApplication::processEvents();
        EXPECT_EQ(window().size(), small) << step;
    });
}

TEST_F(SparseLessonsTest, OfACacheAllThatAStepFramesIsSeenInASmallWindow) {
    window().resize(960, 540);
    walk(lesson("cache"), [&](std::size_t step) {
        QCoreApplication::processEvents();
        const QWidget& framed = *find<LessonFrame>("lesson-frame")->target();
        EXPECT_GE(framed.visibleRegion().boundingRect().height(), framed.height() * 9 / 10)
            << step << ' ' << framed.objectName().toStdString();
        const QWidget& headline = *find<QWidget>("what-if-headline");
        EXPECT_EQ(headline.visibleRegion().boundingRect().size(), headline.size()) << "it tells who wins";
        const QLabel& text = *find<QLabel>("lesson-text");
        EXPECT_LE(text.heightForWidth(text.width()), text.parentWidget()->height())
            << "it needs no scrolling";
    });
}

TEST_F(SparseLessonsTest, FewMeasurementsIsWalkedThroughWithItsTraining) {
    walk(lesson("few-measurements"));
}

TEST_F(SparseLessonsTest, LossAndFailureAreWalkedThroughAndTheLossFallsWhileRegretRises) {
    walk(lesson("loss-and-regret"));
    ASSERT_FALSE(HasFatalFailure());
    expect_failures_to_be_of_its_own_evaluation();
}

} // namespace
} // namespace sparsight::testing
