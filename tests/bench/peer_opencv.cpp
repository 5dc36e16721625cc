// OpenCV beside us, on one thread. Its pictures are the caller's arrays.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_OPENCV
#include <opencv2/imgproc.hpp>

namespace trellis::bench {
namespace {

cv::Mat map(const Picture& p, const unsigned char* pixels) {
  return {static_cast<int>(p.height), static_cast<int>(p.width), CV_8U, const_cast<unsigned char*>(pixels)};
}

}  // namespace

std::optional<std::function<void()>> opencv_erosion(const Picture& p, unsigned char* result) {
  cv::setNumThreads(1);
  const cv::Mat square = cv::Mat::ones(3, 3, CV_8U);
  return [=, in = map(p, p.pixels), out = map(p, result)]() mutable { cv::erode(in, out, square); };
}

std::optional<std::function<void()>> opencv_histogram(const Picture& p, const unsigned char* mask) {
  cv::setNumThreads(1);
  return [in = map(p, p.pixels), chosen = map(p, mask), bins = cv::Mat()]() mutable {
    const int channel = 0, size = 16;
    const float range[] = {0, 256}, *const ranges = range;
    cv::calcHist(&in, 1, &channel, chosen, bins, 1, &size, const_cast<const float**>(&ranges));
  };
}

}  // namespace trellis::bench
#else
namespace trellis::bench {
std::optional<std::function<void()>> opencv_erosion(const Picture&, unsigned char*) { return std::nullopt; }
std::optional<std::function<void()>> opencv_histogram(const Picture&, const unsigned char*) { return std::nullopt; }
}  // namespace trellis::bench
#endif
