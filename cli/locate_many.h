// locate for many images: a catalogue of each in a folder.
#pragma once

#include <string>
#include <vector>

#include "locate_options.h"

namespace ardent::cli {

struct ManyImages {
  std::vector<std::string> paths;
  std::string folder;           // where catalogues go, under the images' names
  std::string suffix = ".csv";  // of a catalogue
  bool details = false;
  double zero_point = 0;
  bool json = false;
};

/// One image after the other or, of several processes, each image in one that is free. Prints a
/// line per image, in their order. InputError where two images would have one catalogue.
void locate_many(const LocateArguments& arguments, const ManyImages& many);

}  // namespace ardent::cli
