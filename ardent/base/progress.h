// Progress goes through a callback, which is public: this is its place among the modules.
#pragma once

#include "ardent/progress.h"
