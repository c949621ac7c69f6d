#include "other_libraries.h"

#ifdef SPARSIGHT_HAS_LIBRSB
#include <rsb.h>
#endif

#include <vector>

namespace sparsight::bench {

#ifdef SPARSIGHT_HAS_LIBRSB

namespace {

class LibrsbProduct final : public LibraryProduct {
public:
    LibrsbProduct(const CsrPattern& pattern, std::int64_t dense, int threads) {
        rsb_lib_init(RSB_NULL_INIT_OPTIONS);
        rsb_int_t wanted = threads;
        rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &wanted);
        const std::vector<rsb_nnz_idx_t> row_pointers(pattern.row_pointers.begin(),
                                                      pattern.row_pointers.end());
        rsb_err_t error = RSB_ERR_NO_ERROR;
        matrix_ = rsb_mtx_alloc_from_csr_const(
            pattern.values.data(), row_pointers.data(), pattern.column_ids.data(),
            static_cast<rsb_nnz_idx_t>(pattern.nnz()), RSB_NUMERICAL_TYPE_FLOAT,
            static_cast<rsb_coo_idx_t>(pattern.rows), static_cast<rsb_coo_idx_t>(pattern.cols), 0, 0,
            RSB_FLAG_NOFLAGS, &error);
        if (matrix_ != nullptr)
            rsb_tune_spmm(&matrix_, nullptr, nullptr, 0, 5.0, RSB_TRANSPOSITION_N, &one_, nullptr,
                          static_cast<rsb_coo_idx_t>(dense), RSB_FLAG_WANT_ROW_MAJOR_ORDER, nullptr, 0,
                          &zero_, nullptr, 0);
    }
    ~LibrsbProduct() override {
        rsb_mtx_free(matrix_);
        rsb_lib_exit(RSB_NULL_EXIT_OPTIONS);
    }
    LibrsbProduct(const LibrsbProduct&) = delete;
    LibrsbProduct& operator=(const LibrsbProduct&) = delete;

    [[nodiscard]] bool usable() const { return matrix_ != nullptr; }

    void run(std::span<const float> b, std::span<float> c, std::int64_t dense) override {
        const auto columns = static_cast<rsb_coo_idx_t>(dense);
        rsb_spmm(RSB_TRANSPOSITION_N, &one_, matrix_, columns, RSB_FLAG_WANT_ROW_MAJOR_ORDER, b.data(),
                 columns, &zero_, c.data(), columns);
    }

private:
    rsb_mtx_t* matrix_ = nullptr;
    float one_ = 1;
    float zero_ = 0;
};

} // namespace

std::unique_ptr<LibraryProduct> librsb_product(const CsrPattern& pattern, std::int64_t dense, int threads) {
    auto product = std::make_unique<LibrsbProduct>(pattern, dense, threads);
    if (!product->usable())
        return nullptr;
    return product;
}

#else

std::unique_ptr<LibraryProduct> librsb_product(const CsrPattern&, std::int64_t, int) {
    return nullptr;
}

#endif

} // namespace sparsight::bench
