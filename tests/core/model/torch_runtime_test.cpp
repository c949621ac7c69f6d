#include "model/tensors/torch_runtime.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(TorchRuntime, SetsTheThreadsAndMeasuresBothRates) {
    const int before = at::get_num_threads();
    const TorchRuntime runtime = prepare_torch(2);
    EXPECT_EQ(runtime.threads, 2);
    EXPECT_EQ(at::get_num_threads(), 2);
    EXPECT_GT(runtime.product_rate.value, 0);
    EXPECT_GT(runtime.kernel_rate.value, 0);
    EXPECT_EQ(runtime.warning, blas_warning(runtime.product_rate, runtime.kernel_rate));
    EXPECT_EQ(prepare_torch(0).threads, 1);
    at::set_num_threads(before);
}

TEST(TorchRuntime, WarnsOfASlowBlasAndSaysWhatHelps) {
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{7}, GigaflopsPerSecond{158}),
                AllOf(HasSubstr("7 GFLOP/s"), HasSubstr("158"), HasSubstr("libopenblas0-openmp"),
                      HasSubstr("OPENBLAS_CORETYPE")));
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{32}, GigaflopsPerSecond{158}), HasSubstr("32 GFLOP/s"));
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{85}, GigaflopsPerSecond{158}), IsEmpty());
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{200}, GigaflopsPerSecond{158}), IsEmpty());
}

} // namespace
} // namespace sparsight
