// How caches are recognised.
#pragma once

#include "ardent/base/container.h"

namespace ardent {

inline constexpr ContainerFormat kCacheFormat{
    .kind = "cache", .version = 2, .remedy = "; make it again with ardent convert"};

}  // namespace ardent
