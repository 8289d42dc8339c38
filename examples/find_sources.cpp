// Point sources in an image: four of them are drawn with noise, found again, and compared with the
// truth; the cleaned image is written as a PNG if a name is given. Any image in memory will do:
// ardent::Image is a vector of pixels with a width and a height.
#include <ardent/imaging.h>

#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  namespace imaging = ardent::imaging;
  const imaging::Scene scene = imaging::simulate(
      {.sources = 4, .width = 64, .height = 64, .sigma = imaging::Range{1.5, 1.5}, .seed = 3});
  const imaging::LocateOptions options{.sigma = imaging::Range{1.5, 1.5}};
  const ardent::LocateResult found = imaging::locate(scene.image, options);

  std::vector<ardent::Source> sources;
  for (const ardent::Detection& one : found.detections) {
    std::printf("x %6.2f  y %6.2f  flux %6.3f +- %.3f  probability %.3f\n", one.source.x,
                one.source.y, one.source.flux, one.flux_sd, one.probability);
    sources.push_back(one.source);
  }
  const imaging::Matches matches = imaging::match(sources, scene.truth, 1);
  std::printf("%td of %zu within a pixel, on average %.2f away\n", matches.pairs,
              scene.truth.size(), matches.distance);
  if (count > 1) imaging::write_image(imaging::denoise(scene.image, options), arguments[1]);
}
// It prints:
//   x  29.07  y  48.99  flux  7.637 +- 0.055  probability 1.000
//   x   4.51  y  29.48  flux  5.994 +- 0.055  probability 1.000
//   x  23.22  y  46.21  flux  3.384 +- 0.055  probability 1.000
//   x  17.72  y  51.69  flux  3.166 +- 0.055  probability 1.000
//   4 of 4 within a pixel, on average 0.05 away
