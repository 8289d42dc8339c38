// Lists of sources: files of several formats, regions for DS9, and circles on a picture.
#pragma once

#include <string>
#include <vector>

#include "ardent/imaging/locate_stack.h"
#include "ardent/imaging/png.h"
#include "ardent/imaging/tile.h"

namespace ardent {

/// Reads x and y, and sigma and flux where there are such columns (else 1), by name, in any order;
/// other columns are left alone. CSV or ECSV; InputError with line and column for anything else.
std::vector<Source> read_catalogue(const std::string& path);

/// Sources by the ending of the file's name: .csv, .ecsv, .fits or .fit (a binary table), .reg
/// (DS9; not for beads, which have a z). Columns x,y,sigma,flux, and flux_sd,probability,snr of
/// those found; of beads x,y,z,sigma_xy,sigma_z,flux, and the same. Places count pixels from
/// `origin` on (0 or 1), in region files from 1. The file appears whole or not at all; InputError
/// for other names.
void write_catalogue(const std::vector<Source>& sources, const std::string& path, Index origin = 1);
void write_catalogue(const std::vector<Detection>& detections, const std::string& path,
                     Index origin = 1);
void write_catalogue(const std::vector<Bead>& beads, const std::string& path, Index origin = 1);
void write_catalogue(const std::vector<BeadDetection>& detections, const std::string& path,
                     Index origin = 1);

/// InputError unless the name is one of the above: before work is done for it.
enum class CatalogueOf { sources, beads };
void check_catalogue_name(const std::string& path, CatalogueOf of);

/// A DS9 region file: a circle of radius 2σ around each source, in image coordinates (from 1).
void write_regions(const std::vector<Detection>& detections, const std::string& path);

/// The image in greys with a circle of radius 2σ around each source.
Picture overlay(const Image& image, const std::vector<Detection>& detections);

}  // namespace ardent
