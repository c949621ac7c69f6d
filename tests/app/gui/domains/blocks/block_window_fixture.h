// The window of a program with sparse matrices and basic blocks.
#pragma once

#include "app/gui/shell/window_fixture.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/exchange/block_import.h"
#include "gui/domains/blocks/analysis/blocks_page.h"
#include "gui/domains/blocks/block_views.h"
#include "gui/selection/selection.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace sparsight::testing {

class BlockWindowTest : public WindowTest {
protected:
    BlockWindowTest() {
        program_.reset();
        ApplicationOptions options;
        options.settings_file = path("settings.ini");
        options.jobs.folder = path("jobs");
        options.jobs.worker_program = QStringLiteral(SPARSIGHT_CLI);
        options.jobs.poll_interval = std::chrono::milliseconds(20);
        DomainRegistry domains = only_sparse();
        EXPECT_TRUE(domains.add(make_blocks_domain()).has_value());
        program_ = std::make_unique<Application>(std::move(domains), options);
        add_sparse_views(*program_);
        add_block_views(*program_);
        program_->start();
        window().show();
    }

    /// A table of two blocks, "chain" and "wide", with times on Haswell and Skylake.
    QString make_table() {
        const QString file = path("blocks.csv");
        std::ofstream(file.toStdString()) << "block_id,hex,applications,tp_hsw,tp_skl\n"
                                             "chain,480fafc34801c8,gzip,400,405\n"
                                             "wide,4883c0014883c3014883c101,ffmpeg,100,\n";
        return file;
    }
    /// A workspace with that table.
    QString make_blocks() {
        auto workspace = Workspace::create(path("b.sparsight").toStdString(), "test");
        const auto decoder = BlockDecoder::make();
        Observer silent;
        const auto report = import_blocks(*workspace, *decoder, {.files = {make_table().toStdString()}},
                                          silent, std::stop_token());
        EXPECT_EQ(report->blocks, 2);
        return path("b.sparsight");
    }
    void choose_blocks() {
        program_->session().choose_domain(*program_->session().domains().find(blocks_domain));
        ASSERT_TRUE(wait_until([&] { return program_->session().domain().name() == blocks_domain; }));
    }
    /// The page of a single block in a workspace with both.
    BlocksPage& open_page() {
        open(make_blocks());
        choose_blocks();
        window().show_page(QStringLiteral("block-analysis"));
        EXPECT_TRUE(wait_until([&] { return page_is_settled(); }));
        return page();
    }
    [[nodiscard]] BlocksPage& page() { return *window().findChild<BlocksPage*>(); }
    [[nodiscard]] std::string headline() { return find<QLabel>("block-headline")->text().toStdString(); }
    void choose_entry(const char* box, const QString& text) {
        auto* const entries = find<QComboBox>(box);
        const int at = entries->findText(text, Qt::MatchContains);
        ASSERT_GE(at, 0) << text.toStdString();
        entries->setCurrentIndex(at);
        Q_EMIT entries->activated(at);
        ASSERT_TRUE(wait_until([&] { return page().is_settled(); }));
    }
};

} // namespace sparsight::testing
