// The sky that was left in an image of a point source, from the image's rim.
//
// m0, m1, m2 are the medians of the outermost frame of pixels (of a stack: its outermost shell) and
// of the two frames inside it.
// Where the light has ended they agree, and m0 is the sky. Where wings still fall at the rim, the
// part of m0 that they are lies between 0 and w = (m1 − m0)²/(m2 − 2 m1 + m0) (Aitken's
// extrapolation: exact where each frame has the same part of the one inside it, too much for a
// Gaussian, a little too little for a Moffat profile).
#pragma once

#include <string>
#include <vector>

#include "ardent/imaging/image.h"

namespace ardent {

struct PsfSky {
  double level = 0;  // to be taken off every pixel; 0: there is none to speak of
  double part = 0;   // level·pixels over the light of the source
};

/// The sky, if it holds more than 1% as much light as the source. InputError where the rim is as
/// bright as the middle, and where wings at the rim leave open what the sky is. The pixels are
/// finite.
PsfSky estimate_psf_sky(const Image& psf);

/// What is to be said of a sky that was taken off.
std::vector<std::string> sky_warnings(const PsfSky& sky);

}  // namespace ardent
