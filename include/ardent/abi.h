// The interface that a program is linked with: public names lie in the inline namespace v0, so that
// a program and a library of another interface do not find each other.
//
// No public type depends on how either side is compiled: plain numbers, strings and standard
// containers cross the border, everything else lies behind a pointer.
#pragma once

// The library's own types have some of the same names (ardent::Dataset): while it is compiled
// itself v0 is not inline, which keeps them apart.
#ifdef ARDENT_INSIDE
#define ARDENT_V0 v0
#else
#define ARDENT_V0 inline v0
#endif
