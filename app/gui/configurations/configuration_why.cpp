#include "gui/configurations/configuration_why.h"

#include "evaluation/diagnosis/blame.h"
#include "evaluation/failures/failure_case.h"
#include "gui/page/domain_words.h"
#include "gui/page/why_column.h"
#include "gui/workspace/workspace_session.h"
#include "store/workspace.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"
#include "workflow/evaluation/stored_results.h"
#include "workflow/explanation/known_blame.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

struct WhyTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ConfigurationWhy)
};

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

/// "tile_x as 8 instead of 4"
QString change_of(const Blame& blame, const DecisionShare& share) {
    return WhyTexts::tr("%1 as %2 instead of %3")
        .arg(from(share.decision.name), from(blame.space->value(share.bit, blame.space->to())),
             from(blame.space->value(share.bit, blame.space->from())));
}

QString amount_of(const DecisionShare& share) {
    return runtime_text(std::abs(share.milliseconds));
}

/// Where no decision is named, by the same rule and in the same words as in lists of failures.
QString no_cause_sentence(const Blame& blame) {
    const bool is_gain = blame.difference_ms() < 0;
    return (is_gain ? WhyTexts::tr("Not explained: %1. All decisions together save %2.")
                    : WhyTexts::tr("Not diagnosed: %1. All decisions together cost %2."))
        .arg(from(no_cause_text(DiagnosisBasis::Recorded, is_gain)),
             runtime_text(std::abs(blame.difference_ms())));
}

/// Both ends included.
qint64 known_mixtures(const HybridCounts& counts) {
    return static_cast<qint64>(counts.asked - std::min(counts.asked, counts.without_time));
}

/// Something is known of what is between both, or nothing is between them.
bool can_blame(const Blame& blame) {
    return blame.shares.size() == 1 || known_mixtures(blame.counts) > 2;
}

QString saving_sentence(const Blame& blame) {
    const DecisionShare& most = blame.shares.back();
    const double gain = -blame.difference_ms();
    const double part = -most.milliseconds / gain;
    const QString what = change_of(blame, most);
    if (blame.shares.size() == 1)
        return WhyTexts::tr("One decision alone: %1 saves %2.").arg(what, amount_of(most));
    if (part > 1.005)
        return WhyTexts::tr(
                   "The largest saving: %1 saves %2. Other decisions cost some of it. The gain is %3.")
            .arg(what, amount_of(most), runtime_text(gain));
    return WhyTexts::tr("The largest saving: %1 saves %2, %3 of the gain of %4.")
        .arg(what, amount_of(most), share_text(part), runtime_text(gain));
}

QString cost_sentence(const Blame& blame) {
    const DecisionShare& most = blame.shares.front();
    const double loss = blame.difference_ms();
    const double part = most.milliseconds / loss;
    const QString what = change_of(blame, most);
    if (blame.shares.size() == 1)
        return WhyTexts::tr("One decision alone: %1 costs %2.").arg(what, amount_of(most));
    if (part > 1.005)
        return WhyTexts::tr("The most costly decision: %1 costs %2, more than the whole difference of %3. "
                            "Others win some of it back.")
            .arg(what, amount_of(most), runtime_text(loss));
    return WhyTexts::tr("The most costly decision: %1 costs %2, %3 of the difference of %4.")
        .arg(what, amount_of(most), share_text(part), runtime_text(loss));
}

} // namespace

QString blame_sentence(const Blame& blame, const Noun& configuration) {
    if (blame.shares.empty())
        return WhyTexts::tr("Both %1 mean the same.").arg(many(configuration));
    if (!can_blame(blame))
        return WhyTexts::tr(
                   "No decision can be blamed: none of the %1 mixtures between both has a known time.")
            .arg(count_text(static_cast<qint64>(blame.counts.asked) - 2));
    const bool is_gain = blame.difference_ms() < 0;
    const DecisionShare& most = is_gain ? blame.shares.back() : blame.shares.front();
    const double loss = is_gain ? -most.milliseconds : most.milliseconds;
    if (blame.difference_ms() != 0 && !is_cause(loss, most.is_significant))
        return no_cause_sentence(blame);
    if (is_gain)
        return saving_sentence(blame);
    if (blame.difference_ms() > 0)
        return cost_sentence(blame);
    return WhyTexts::tr("Both %1 take equally long.").arg(many(configuration));
}

QString blame_method(const Blame& blame) {
    if (blame.shares.empty() || !can_blame(blame))
        return {};
    const QString asked = count_text(static_cast<qint64>(blame.counts.asked));
    QStringList sentences{blame.is_exact
                              ? WhyTexts::tr("Shapley values over the known times of all mixtures of both.")
                              : WhyTexts::tr("Shapley values of %1 drawn pairs of orders of the decisions.")
                                    .arg(count_text(static_cast<qint64>(blame.draws)))};
    if (blame.counts.without_time == 0)
        return sentences.join(u' ') + u' ' + WhyTexts::tr("All %1 have one.").arg(asked);
    sentences << WhyTexts::tr("%1 of %2 have one, both ends included.")
                     .arg(count_text(known_mixtures(blame.counts)), asked);
    sentences
        << (blame.walked_orders > 0
                ? WhyTexts::tr("Known times alone lie on %1 of the ways from one to the other. The rest is "
                               "left out.")
                      .arg(share_text(blame.walked_orders))
                : WhyTexts::tr("Each way from one to the other passes an unknown time, so the shares are "
                               "rough."));
    return sentences.join(u' ');
}

WaterfallPicture blame_waterfall(const Blame& blame, const QString& against, const QString& configuration,
                                 bool is_simulated) {
    WaterfallPicture picture;
    if (blame.shares.empty() || !can_blame(blame))
        return picture;
    picture.axis.title = is_simulated ? WhyTexts::tr("simulated time") : WhyTexts::tr("time");
    picture.axis.unit = QStringLiteral("ms");
    picture.hatched = is_simulated;
    picture.from = {QStringLiteral("against"), against,
                    *blame.from.milliseconds,  blame.from.spread_ms,
                    blame.from.is_at_least,    ChartColour::Reference};
    picture.to = {
        QStringLiteral("selected"), configuration,
        *blame.to.milliseconds,     blame.to.spread_ms,
        blame.to.is_at_least,       blame.difference_ms() > 0 ? ChartColour::Lose : ChartColour::Win};
    for (const DecisionShare& share : blame.shares) {
        WaterfallBar bar;
        bar.key = from(share.decision.key);
        bar.label = from(share.decision.name);
        bar.change = QStringLiteral("%1 → %2").arg(from(blame.space->value(share.bit, blame.space->from())),
                                                   from(blame.space->value(share.bit, blame.space->to())));
        bar.amount = share.milliseconds;
        bar.uncertainty = share.uncertainty_ms();
        bar.is_significant = share.is_significant;
        if (!share.is_sign_decided())
            bar.note =
                WhyTexts::tr("It helps some mixtures and harms others, so it is not decided whether it "
                             "helps.");
        picture.steps.push_back(std::move(bar));
    }
    if (blame.difference_ms() < 0) // of a gain the largest saving stands first
        std::ranges::reverse(picture.steps);
    return picture;
}

ConfigurationWhy::ConfigurationWhy(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , column_(new WhyColumn(this))
    , choice_(new QWidget(this))
    , against_(new QComboBox(choice_))
    , waterfall_(new WaterfallChart(this)) {
    build();
    ask({}, {});
}

void ConfigurationWhy::build() {
    setObjectName(QStringLiteral("configuration-why"));
    against_->setObjectName(QStringLiteral("why-against"));
    against_->setAccessibleName(tr("Compared with"));
    against_->setToolTip(tr("What the selected one is compared with"));
    against_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(against_, &QComboBox::currentIndexChanged, this, [this] {
        if (!is_filling_)
            look_up();
    });
    connect(against_, &QComboBox::activated, this, [this] { wanted_ = against_->currentData().toString(); });
    waterfall_->setObjectName(QStringLiteral("known-steps"));
    waterfall_->setAccessibleName(tr("Steps between both by known times"));
    auto* const caption = new QLabel(tr("Compared &with"), choice_);
    caption->setBuddy(against_);
    auto* const choice = new QHBoxLayout(choice_);
    choice->setContentsMargins(0, 0, 0, 0);
    choice->addWidget(caption);
    choice->addWidget(against_);
    column_->add_to_line(choice_);
    column_->add_steps(waterfall_);
    auto* const whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(column_);
    setMinimumWidth(280);
}

void ConfigurationWhy::ask(const TimeSet& set, const QString& configuration) {
    const Noun& noun = services_.session.domain().words().configuration;
    const auto found = std::ranges::find_if(set.times, [&](const ConfigurationTime& time) {
        return !configuration.isEmpty() && from(time.result.configuration) == configuration;
    });
    selected_.reset();
    others_.clear();
    setting_ = set.setting;
    no_question_.clear();
    if (found == set.times.end()) {
        no_question_ =
            tr("Select a %1 in the table to see which decisions make it fast or slow.").arg(one(noun));
    } else if (found->rank == 0) {
        no_question_ = tr("This %1 has no time of its own, so it can’t be compared.").arg(one(noun));
    } else {
        selected_ = found->result;
        find_others(set);
        if (others_.empty())
            no_question_ = tr("Only this %1 has a time here. A comparison needs another one.").arg(one(noun));
    }
    fill_others();
    look_up();
}

void ConfigurationWhy::find_others(const TimeSet& set) {
    const auto add = [this](const char* role, const QString& title, const ConfigurationTime& time) {
        const std::string& text = time.result.configuration;
        if (time.rank > 0 && text != selected_->configuration &&
            std::ranges::find(others_, text, &Other::configuration) == others_.end())
            others_.push_back({QLatin1String(role), title, time.rank, text});
    };
    const auto ranked =
        std::ranges::count_if(set.times, [](const ConfigurationTime& time) { return time.rank > 0; });
    const auto baseline = std::ranges::find_if(
        set.times, [](const ConfigurationTime& time) { return time.result.is_baseline; });
    if (const auto& noun = services_.session.domain().words().baseline; noun && baseline != set.times.end())
        add("baseline", one(*noun), *baseline);
    add("fastest", tr("the fastest"), set.times.front());
    const auto place = static_cast<std::size_t>((ranked - 1) / 2);
    add("middle", tr("the middle one"), set.times[place]);
    add("slowest", tr("the slowest"), set.times[static_cast<std::size_t>(ranked) - 1]);
}

/// Keeps the role that the user chose, where it is offered.
void ConfigurationWhy::fill_others() {
    if (others_ == offered_)
        return;
    offered_ = others_;
    is_filling_ = true;
    against_->clear();
    for (const Other& other : others_)
        against_->addItem(tr("%1, rank %2").arg(other.title, count_text(other.rank)), other.key);
    against_->setCurrentIndex(others_.empty() ? -1 : std::max(0, against_->findData(wanted_)));
    is_filling_ = false;
}

void ConfigurationWhy::look_up() {
    is_due_ = !isVisible();
    const int place = against_->currentIndex();
    if (!selected_ || place < 0 || !no_question_.isEmpty()) {
        reader_.cancel();
        show_nothing(no_question_);
        return;
    }
    if (is_due_) { // an answer on its way would be one to what was selected before
        reader_.cancel();
        show_nothing({});
        return;
    }
    const ResultRecord& now = *selected_;
    KnownBlameRequest request{.times = {.domain = std::string(services_.session.domain().name()),
                                        .workload = now.workload,
                                        .machine = now.machine_fingerprint,
                                        .family = now.family,
                                        .setting = now.setting.text,
                                        .protocol = now.protocol,
                                        .threads = now.threads,
                                        .condition = now.condition},
                              .setting = setting_,
                              .against = others_[static_cast<std::size_t>(place)].configuration,
                              .configuration = now.configuration};
    reader_.ask(
        [file = services_.session.path().toStdString(), &domain = services_.session.domain(),
         request = std::move(request)](const std::stop_token& stop) -> Result<Blame> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            return blame_by_known_times(*workspace, domain, request, stop);
        },
        [this](const Result<Blame>& blame, bool is_newest) {
            if (is_newest && selected_ && no_question_.isEmpty())
                show_blame(blame);
        });
}

void ConfigurationWhy::show_nothing(const QString& why) {
    column_->show_sentence(why);
    column_->show_setting({});
    column_->show_basis({}, false);
    column_->show_method({});
    waterfall_->setVisible(false);
    waterfall_->set_picture({});
    choice_->setVisible(!others_.empty());
}

void ConfigurationWhy::show_blame(const Result<Blame>& blame) {
    const DomainWords& words = services_.session.domain().words();
    show_nothing(blame ? blame_sentence(*blame, words.configuration)
                       : tr("The steps between both can’t be known: %1.").arg(from(blame.error().message)));
    column_->show_setting(QStringLiteral("%1 · %2").arg(
        from(selected_->workload),
        conditions_text(services_.session.domain(), *selected_, selected_->threads > 1)));
    if (!blame)
        return;
    const bool is_simulated = shown_status(*selected_) == "simulated";
    column_->show_basis(is_simulated ? tr("simulated") : tr("known times"), is_simulated);
    QString method = blame_method(*blame);
    if (!selected_->spread_ms && !method.isEmpty())
        method += u' ' + tr("These times come without a spread: small shares may be noise.");
    column_->show_method(method);
    const auto place = static_cast<std::size_t>(std::max(0, against_->currentIndex()));
    waterfall_->set_picture(
        blame_waterfall(*blame, others_[place].title, tr("the selected one"), is_simulated));
    waterfall_->setVisible(!waterfall_->picture().empty());
}

void ConfigurationWhy::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (is_due_)
        look_up();
}

} // namespace sparsight
