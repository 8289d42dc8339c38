// Lists of sources: CSV, regions for DS9, and circles on a picture.
#pragma once

#include <string>
#include <vector>

#include "ardent/imaging/locate_stack.h"
#include "ardent/imaging/png.h"
#include "ardent/imaging/tile.h"

namespace ardent {

/// Reads x and y, and sigma and flux where there are such columns (else 1), by name, in any order;
/// other columns are left alone. InputError with line and column for anything else.
std::vector<Source> read_catalogue(const std::string& path);

/// x,y,sigma,flux with all digits. The file appears whole or not at all.
void write_catalogue(const std::vector<Source>& sources, const std::string& path);
/// The same with flux_sd, probability and snr.
void write_catalogue(const std::vector<Detection>& detections, const std::string& path);

/// Beads of a stack: x,y,z,sigma_xy,sigma_z,flux, and flux_sd,probability,snr of those found.
void write_catalogue(const std::vector<Bead>& beads, const std::string& path);
void write_catalogue(const std::vector<BeadDetection>& detections, const std::string& path);

/// A DS9 region file: a circle of radius 2σ around each source, in image coordinates.
void write_regions(const std::vector<Detection>& detections, const std::string& path);

/// The image in greys with a circle of radius 2σ around each source.
Picture overlay(const Image& image, const std::vector<Detection>& detections);

}  // namespace ardent
