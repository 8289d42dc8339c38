#include "locate_many.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "ardent/base/error.h"
#include "ardent/imaging/catalogue.h"
#include "ardent/imaging/image_file.h"
#include "ardent/imaging/source_details.h"
#include "describe.h"
#include "ranks.h"
#include "terminal.h"

namespace ardent::cli {
namespace {

namespace fs = std::filesystem;

/// The catalogue of each image, by their order.
std::vector<std::string> catalogue_paths(const ManyImages& many, bool stack) {
  std::vector<std::string> paths;
  std::map<std::string, std::string> image_of;
  for (const std::string& image : many.paths) {
    const std::string path =
        fs::path(many.folder) / (fs::path(image).stem().string() + many.suffix);
    check_catalogue_name(path, stack);
    const auto [other, is_new] = image_of.try_emplace(path, image);
    if (!is_new) {
      throw InputError(
          fmt::format("{} and {} would both have the catalogue {}", other->second, image, path));
    }
    paths.push_back(path);
  }
  return paths;
}

/// Finds the sources of one image and writes its catalogue; how many, and what there is to say.
Json located(const LocateArguments& arguments, const ManyImages& many,
             const std::string& image_path, const std::string& catalogue) {
  try {
    const Image image = arguments.read(image_path, arguments.extension);
    const LocateResult found = arguments.search(image, "", many.details, {});
    const auto known = many.details ? source_details(image, arguments.options, found)
                                    : std::vector<SourceDetails>{};
    write_catalogue(found.detections, catalogue,
                    {arguments.options.origin, arguments.stack, many.zero_point, known});
    return {{"image", image_path},
            {"catalogue", catalogue},
            {"sources", found.detections.size()},
            {"noise_variance", found.noise_variance},
            {"warnings", found.warnings}};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", image_path, error.what()));
  }
}

void print(const std::vector<Json>& images, const ManyImages& many) {
  if (many.json) {
    print_json({{"images", images}});
    return;
  }
  std::vector<std::vector<std::string>> rows{{"image", "sources", "noise variance"}};
  std::vector<std::string> warnings;
  for (const Json& image : images) {
    rows.push_back({image["image"], fmt::format("{}", image["sources"].get<Index>()),
                    fmt::format("{:.6g}", image["noise_variance"].get<double>())});
    for (const std::string warning : image["warnings"]) {
      warnings.push_back(fmt::format("{}: {}", image["image"].get<std::string>(), warning));
    }
  }
  warn(warnings);
  fmt::print("{}catalogues written to {}\n", text_table(rows), many.folder);
}

}  // namespace

void locate_many(const LocateArguments& arguments, const ManyImages& many) {
  const std::vector<std::string> catalogues = catalogue_paths(many, arguments.stack);
  if (leads()) fs::create_directories(many.folder);
  std::vector<std::string> tasks;
  for (std::size_t k = 0; k < many.paths.size(); ++k) tasks.push_back(fmt::format("{}", k));
  const auto work = [&](const std::string& task) {
    const std::size_t k = std::stoul(task);
    return located(arguments, many, many.paths[k], catalogues[k]).dump();
  };
  std::vector<Json> images(tasks.size());
  const auto take = [&](std::size_t task, const std::string& result) {
    images[task] = Json::parse(result);
  };
  if (ranks()) {
    ranks()->farm().run(tasks, work, take);
  } else {
    for (std::size_t k = 0; k < tasks.size(); ++k) take(k, work(tasks[k]));
  }
  if (leads()) print(images, many);
}

}  // namespace ardent::cli
