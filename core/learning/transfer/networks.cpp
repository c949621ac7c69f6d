#include "learning/transfer/networks.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sparsight {
namespace {

/// Of a product of M × K and K × N, in each of `batch` parts.
constexpr double gflop(double batch, double m, double n, double k) {
    return 2 * batch * m * n * k / 1e9;
}

/// Twelve layers of twelve heads, 768 wide, with 3,072 units between (Devlin et al., "BERT: Pre-training of
/// Deep Bidirectional Transformers for Language Understanding", NAACL 2019, section 3: BERT-base), for one
/// sequence of 128 tokens. Queries, keys and values are one product, 3 × 768 wide.
Network bert_base() {
    return {"BERT-base",
            "BERT-base has 12 layers of each shape and one pooler (Devlin et al., 2019); a sequence has 128 "
            "tokens.",
            {{"dense_B1_M128_N2304_K768", 12, gflop(1, 128, 2304, 768)},
             {"batch_matmul_B12_M128_N128_K64", 12, gflop(12, 128, 128, 64)},
             {"batch_matmul_B12_M128_N64_K128", 12, gflop(12, 128, 64, 128)},
             {"dense_B1_M128_N768_K768", 12, gflop(1, 128, 768, 768)},
             {"dense_B1_M128_N3072_K768", 12, gflop(1, 128, 3072, 768)},
             {"dense_B1_M128_N768_K3072", 12, gflop(1, 128, 768, 3072)},
             {"dense_B1_M1_N768_K768", 1, gflop(1, 1, 768, 768)}}};
}

} // namespace

std::span<const Network> known_networks() {
    static const std::vector<Network> networks{bert_base()};
    return networks;
}

std::vector<std::size_t> significant_layers(std::span<const NetworkLayer> layers, double share) {
    std::vector<std::size_t> places(layers.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::greater{}, [&](std::size_t place) { return layers[place].work(); });
    double left = 0;
    for (const NetworkLayer& layer : layers)
        left += share * layer.work();
    std::size_t count = 0;
    while (count < places.size() && (count == 0 || left > 1e-12)) {
        left -= layers[places[count]].work();
        ++count;
    }
    places.resize(count);
    return places;
}

} // namespace sparsight
