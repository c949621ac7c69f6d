#include "gui/domains/sparse/matrices/simulate_dialog.h"

#include "base/parallel.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/icons/icon.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/number_input.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>

namespace sparsight {

namespace {

QString from(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "edge-factor" → "Edge factor".
QString label_of(const Parameter& parameter) {
    QString label = from(parameter.name).replace(QLatin1Char('-'), QLatin1Char(' '));
    label[0] = label[0].toUpper();
    return label;
}

bool is_switch(const Parameter& parameter) {
    return parameter.choices == std::vector<double>{0, 1};
}

} // namespace

ParameterForm::ParameterForm(QWidget* parent)
    : QWidget(parent)
    , form_(new QFormLayout(this)) {
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void ParameterForm::show_parameters(std::span<const Parameter> parameters) {
    while (form_->rowCount() > 0)
        form_->removeRow(0);
    fields_.clear();
    for (const Parameter& parameter : parameters)
        fields_.push_back(make_field(parameter));
}

ParameterForm::Field ParameterForm::make_field(const Parameter& parameter) {
    const auto add = [this, &parameter](QWidget* editor) {
        editor->setObjectName(from(parameter.name));
        editor->setToolTip(from(parameter.description));
        editor->setAccessibleName(label_of(parameter));
        auto* label = new QLabel(label_of(parameter), this);
        label->setToolTip(from(parameter.description));
        label->setBuddy(editor);
        form_->addRow(label, editor);
    };
    Field field;
    field.parameter = &parameter;
    if (is_switch(parameter)) {
        auto* box = new QCheckBox(this);
        box->setChecked(parameter.default_value != 0);
        connect(box, &QCheckBox::toggled, this, &ParameterForm::changed);
        add(box);
        field.value = [box] { return box->isChecked() ? 1.0 : 0.0; };
        field.set = [box](double value) { box->setChecked(value != 0); };
    } else if (!parameter.choices.empty()) {
        auto* box = new QComboBox(this);
        for (const double choice : parameter.choices)
            box->addItem(QString::number(choice), choice);
        box->setCurrentIndex(box->findData(parameter.default_value));
        connect(box, &QComboBox::currentIndexChanged, this, &ParameterForm::changed);
        add(box);
        field.value = [box] { return box->currentData().toDouble(); };
        field.set = [box](double value) { box->setCurrentIndex(box->findData(value)); };
    } else {
        auto* box =
            new NumberField(parameter.is_integer ? NumberField::Kind::Whole : NumberField::Kind::Real, this);
        box->setRange(parameter.minimum, parameter.maximum);
        box->setValue(parameter.default_value);
        if (!parameter.unit.empty())
            box->setSuffix(QLatin1Char(' ') + from(parameter.unit));
        connect(box, &NumberField::valueChanged, this, &ParameterForm::changed);
        add(box);
        field.value = [box] { return box->value(); };
        field.set = [box](double value) { box->setValue(value); };
    }
    return field;
}

ParameterValues ParameterForm::values() const {
    ParameterValues values;
    for (const Field& field : fields_)
        if (const double value = field.value(); std::abs(value - field.parameter->default_value) > 1e-15)
            values[std::string(field.parameter->name)] = value;
    return values;
}

void ParameterForm::reset() {
    for (const Field& field : fields_)
        field.set(field.parameter->default_value);
}

namespace {

constexpr std::chrono::milliseconds debounce{120};
constexpr int most_matrices = 100'000;

QString shown_text(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString collection_name() {
    return QStringLiteral("simulated-matrices");
}

Result<CsrPattern> make_pattern(const std::string& family, ParameterValues values, std::uint64_t seed,
                                const std::stop_token& stop) {
    if (family != collection_name().toStdString())
        return generate_matrix(family, values, seed, stop);
    values["count"] = 1; // the first matrix represents all
    auto matrices = simulate_matrices(values, seed, stop);
    if (!matrices)
        return std::unexpected(matrices.error());
    return std::move(matrices->front().pattern);
}

Result<std::shared_ptr<const MatrixAnalysis>> make(const std::string& family, const ParameterValues& values,
                                                   std::uint64_t seed, const std::stop_token& stop) {
    auto pattern = make_pattern(family, values, seed, stop);
    if (!pattern)
        return std::unexpected(pattern.error());
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "the preview was stopped");
    return look_at_matrix(shown_text(family), std::move(*pattern), available_threads());
}

} // namespace

SimulateDialog::SimulateDialog(QWidget* parent)
    : QDialog(parent)
    , families_(new QListWidget(this))
    , description_(new QLabel(this))
    , form_(new ParameterForm(this))
    , seed_(new NumberField(NumberField::Kind::Whole, this))
    , count_(new NumberField(NumberField::Kind::Whole, this))
    , common_(new QFormLayout)
    , name_(new QLineEdit(this))
    , plot_(new SparsityPlot(this))
    , facts_(new QLabel(this))
    , stale_(new Staleness({facts_}, this))
    , stop_(new QPushButton(icon(QStringLiteral("stop")), tr("S&top"), this))
    , add_(new QPushButton(icon_on_accent(QStringLiteral("simulate")), tr("&Add to the workspace"), this))
    , add_more_(new QPushButton(tr("Add and &continue"), this))
    , destination_(new QLabel(this))
    , added_(new QLabel(this)) {
    setWindowTitle(tr("Simulate matrices"));
    debounce_.setSingleShot(true);
    debounce_.setInterval(debounce);
    connect(&debounce_, &QTimer::timeout, this, &SimulateDialog::preview);

    for (const Generator& generator : generators()) {
        auto* item = new QListWidgetItem(shown_text(generator.title), families_);
        item->setData(Qt::UserRole, shown_text(generator.name));
        item->setToolTip(shown_text(generator.description));
    }
    auto* collection = new QListWidgetItem(tr("Simulated matrices (a collection)"), families_);
    collection->setData(Qt::UserRole, collection_name());
    families_->setAccessibleName(tr("Families of matrices"));
    connect(families_, &QListWidget::currentItemChanged, this, &SimulateDialog::show_family);

    auto* row = new QHBoxLayout;
    row->setSpacing(2 * grid_step);
    families_->setFixedWidth(fontMetrics().averageCharWidth() * 40);
    families_->setSpacing(2);
    row->addWidget(families_);
    row->addWidget(make_choices());
    row->addWidget(make_preview(), 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row, 1);
    column->addLayout(make_buttons());
    resize(1040, 640);
    families_->setCurrentRow(0);
}

QLayout* SimulateDialog::make_buttons() {
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    add_->setObjectName(QStringLiteral("add"));
    add_->setDefault(true);
    add_more_->setObjectName(QStringLiteral("add-and-go-on"));
    add_more_->setAutoDefault(false);
    added_->setObjectName(QStringLiteral("added"));
    added_->setForegroundRole(QPalette::PlaceholderText);
    added_->setWordWrap(true); // the reason why not is longer
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(add_, &QPushButton::clicked, this, [this] { add(true); });
    connect(add_more_, &QPushButton::clicked, this, [this] { add(false); });
    destination_->setObjectName(QStringLiteral("destination"));
    destination_->setTextFormat(Qt::PlainText);
    set_destination({});
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(grid_step);
    buttons->addWidget(destination_);
    buttons->addWidget(added_, 1);
    buttons->addWidget(close);
    buttons->addWidget(add_more_);
    buttons->addWidget(add_);
    return buttons;
}

void SimulateDialog::set_destination(const QString& workspace) {
    const QString name = QFileInfo(workspace).completeBaseName();
    destination_->setText(workspace.isEmpty()
                              ? tr("Target: a new workspace")
                              : tr("Target: %1")
                                    .arg(fontMetrics().elidedText(name, Qt::ElideMiddle,
                                                                  24 * fontMetrics().averageCharWidth())));
    destination_->setToolTip(workspace.isEmpty() ? tr("None is open: one is made when a matrix is added.")
                                                 : workspace);
}

void SimulateDialog::add(bool and_close) {
    is_asking_ = true;
    closes_when_added_ = and_close;
    added_->clear();
    show_adding();
    Q_EMIT simulate(request());
}

void SimulateDialog::confirm() {
    is_asking_ = false;
    show_adding();
    added_->setText(tr("Added to the workspace: %1").arg(++additions_));
    if (closes_when_added_)
        accept();
}

void SimulateDialog::refuse(const QString& reason) {
    is_asking_ = false;
    show_adding();
    added_->setText(reason);
}

void SimulateDialog::allow_adding(const QString& reason_against) {
    reason_against_adding_ = reason_against;
    show_adding();
}

void SimulateDialog::show_adding() {
    const QString reason = is_asking_ ? tr("The workspace is being made.") : reason_against_adding_;
    for (QPushButton* button : {add_, add_more_}) {
        button->setEnabled(reason.isEmpty());
        button->setToolTip(reason);
    }
    if (reason.isEmpty())
        add_more_->setToolTip(tr("And keep this window open, to make another one"));
}

QWidget* SimulateDialog::make_choices() {
    auto* panel = new QWidget(this);
    panel->setFixedWidth(fontMetrics().averageCharWidth() * 46);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    description_->setWordWrap(true);
    description_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(description_);

    auto* scroll = new QScrollArea(panel);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    form_->setContentsMargins(0, grid_step, grid_step, grid_step);
    scroll->setWidget(form_);
    column->addWidget(scroll, 1);
    connect(form_, &ParameterForm::changed, this, &SimulateDialog::preview_soon);

    common_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    common_->setContentsMargins(0, 0, grid_step, 0);
    seed_->setRange(0, NumberField::largest_whole);
    seed_->setValue(1);
    seed_->setToolTip(tr("The same family, parameters and seed give the same matrix on every computer."));
    count_->setRange(1, most_matrices);
    count_->setToolTip(tr("The matrices have this seed and the ones that follow."));
    name_->setPlaceholderText(tr("name of the family"));
    common_->addRow(tr("&Seed"), seed_);
    common_->addRow(tr("&How many"), count_);
    common_->addRow(tr("&Name"), name_);
    column->addLayout(common_);
    connect(seed_, &NumberField::valueChanged, this, &SimulateDialog::preview_soon);
    return panel;
}

QWidget* SimulateDialog::make_preview() {
    auto* panel = new QWidget(this);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    plot_->setMinimumSize(280, 240);
    column->addWidget(plot_, 1);
    keep_font(*facts_, caption_font);
    facts_->setWordWrap(true);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stop_->setAutoDefault(false);
    stop_->setToolTip(tr("Stop making the preview"));
    stop_->setObjectName(QStringLiteral("stop-preview"));
    QSizePolicy keeps_its_place = stop_->sizePolicy();
    keeps_its_place.setRetainSizeWhenHidden(true);
    stop_->setSizePolicy(keeps_its_place);
    connect(stop_, &QPushButton::clicked, this, &SimulateDialog::stop_preview);
    auto* below = new QHBoxLayout;
    below->addWidget(facts_, 1);
    below->addWidget(stop_, 0, Qt::AlignTop);
    column->addLayout(below);
    return panel;
}

bool SimulateDialog::is_collection() const {
    return family_ == collection_name();
}

void SimulateDialog::choose_family(const QString& name) {
    for (int row = 0; row < families_->count(); ++row)
        if (families_->item(row)->data(Qt::UserRole).toString() == name)
            families_->setCurrentRow(row);
}

void SimulateDialog::show_family() {
    if (families_->currentItem() == nullptr)
        return;
    family_ = families_->currentItem()->data(Qt::UserRole).toString();
    count_->setVisible(!is_collection()); // collections have their own parameter for it
    common_->labelForField(count_)->setVisible(!is_collection());
    if (is_collection()) {
        description_->setText(
            tr("<p>Many small matrices with random sizes and densities, as the meta-learning "
               "report trains on. The preview shows the first one.</p>"));
        form_->show_parameters(simulated_matrices_parameters());
    } else {
        const Generator* generator = find_generator(family_.toStdString());
        description_->setText(QStringLiteral("<p>%1</p><p><small>%2</small></p>")
                                  .arg(shown_text(generator->description).toHtmlEscaped(),
                                       tr("Source: %1").arg(shown_text(generator->source)).toHtmlEscaped()));
        form_->show_parameters(generator->parameters);
    }
    align_forms({&form_->rows(), common_});
    preview();
}

SimulateJob SimulateDialog::request() const {
    SimulateJob job;
    job.family = family_;
    for (const auto& [parameter, value] : form_->values())
        job.parameters.emplace_back(QString::fromStdString(parameter), value);
    job.count = static_cast<int>(count_->whole_value());
    job.seed = static_cast<std::uint64_t>(seed_->value());
    job.name = name_->text().trimmed();
    return job;
}

void SimulateDialog::preview_soon() {
    debounce_.start();
}

void SimulateDialog::preview() {
    debounce_.stop();
    plot_->set_error({});
    plot_->set_busy(tr("Making the matrix…"));
    stale_->begin();
    stop_->show();
    previews_.ask([family = family_.toStdString(), values = form_->values(),
                   seed = static_cast<std::uint64_t>(seed_->whole_value())](
                      const std::stop_token& stop) { return make(family, values, seed, stop); },
                  [this](Result<std::shared_ptr<const MatrixAnalysis>> matrix, bool is_newest) {
                      if (is_newest)
                          show_preview(std::move(matrix));
                  });
}

void SimulateDialog::stop_preview() {
    debounce_.stop();
    previews_.cancel();
    stale_->end();
    stop_->hide();
    plot_->set_busy({});
    plot_->set_source(nullptr);
    plot_->set_hint(tr("The matrix can be added all the same."), tr("The preview was stopped"));
    facts_->clear();
    allow_adding({});
}

void SimulateDialog::show_preview(Result<std::shared_ptr<const MatrixAnalysis>> matrix) {
    plot_->set_busy({});
    stale_->end();
    stop_->hide();
    if (!matrix) {
        const QString reason = QString::fromStdString(matrix.error().message);
        plot_->set_error(reason);
        facts_->clear();
        allow_adding(reason);
        return;
    }
    allow_adding({});
    plot_->set_source(std::make_shared<PyramidSource>((*matrix)->pyramid));
    const PatternStatistics& statistics = (*matrix)->statistics;
    facts_->setText(tr("%1 rows · %2 columns · %3 entries · %4 entries a row (longest row: %5)")
                        .arg(count_text(statistics.rows), count_text(statistics.cols),
                             count_text(statistics.nnz), significant(statistics.row_length.mean),
                             count_text(statistics.row_length.max)));
}

} // namespace sparsight
