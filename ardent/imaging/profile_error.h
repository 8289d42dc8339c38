// How well the PSF is known: the fraction e of a source's light by which pixels miss the model.
//
// Real stars are no Gaussians, and no PSF is known to the last digit. A bright star then leaves far
// more than the noise, and what it leaves would pass for sources around it. As in DAOPHOT, the
// variance of a pixel is V + (e·model)², V that of pixel_noise.h without the profile error; here e
// is measured, where it is not given, so that the median of residual²/(V + (e·model)²) over bright
// pixels is that of a normal distribution.
#pragma once

#include "ardent/imaging/pixel_noise.h"

namespace ardent {

/// 0 if fewer than 20 pixels are ten times as bright as the noise, or what they leave is no larger
/// than the noise makes it (by three standard deviations of the median).
double estimate_profile_error(const Pixels& residual, const Image& model, const PixelNoise& noise);

}  // namespace ardent
