// Lists of sources: files of several formats, regions for DS9, and circles on a picture.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "ardent/imaging/png.h"
#include "ardent/imaging/source_details.h"

namespace ardent {

/// Reads x and y, and z, sigma (or sigma_xy), sigma_z and flux where there are such columns (else
/// 1), by name, in any order; other columns are left alone. CSV or ECSV; InputError with line and
/// column for anything else.
std::vector<Source> read_catalogue(const std::string& path);

/// How a list is written.
struct CatalogueOptions {
  Index origin = 1;                         // number of the first pixel, 0 or 1; in region files 1
  bool stack = false;                       // sources have a z and a σ_z
  double zero_point = NAN;                  // magnitude of a flux of 1; NaN: no magnitudes
  std::vector<SourceDetails> details = {};  // of each detection; none: no columns of them
};

/// Sources by the ending of the file's name: .csv, .ecsv, .fits or .fit (a binary table), .vot or
/// .xml (VOTable), .reg (DS9; not of a stack). Columns x,y,sigma,flux, of a stack
/// x,y,z,sigma_xy,sigma_z,flux, and flux_sd,probability,snr of those found, mag,mag_sd where there
/// is a zero point (NaN where the flux is not above 0), and those of the details. The file appears
/// whole or not at all; InputError for other names.
void write_catalogue(const std::vector<Source>& sources, const std::string& path,
                     const CatalogueOptions& options = {});
void write_catalogue(const std::vector<Detection>& detections, const std::string& path,
                     const CatalogueOptions& options = {});

/// InputError unless the name is one of the above: before work is done for it.
void check_catalogue_name(const std::string& path, bool stack = false);

/// A DS9 region file: a circle of radius 2σ around each source, in image coordinates (from 1).
void write_regions(const std::vector<Detection>& detections, const std::string& path);

/// The image in greys with a circle of radius 2σ around each source.
Picture overlay(const Image& image, const std::vector<Detection>& detections);

}  // namespace ardent
