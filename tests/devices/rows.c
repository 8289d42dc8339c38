/* Predicts the rows of rows.h and prints what comes out, then the ticks of SysTick (25 MHz) that 100 of
   them took. Compiled with HEADER, CALL(row, out), its type REAL and OUTPUTS. */
#include <stdint.h>
#include <stdio.h>

#include HEADER
#include "rows.h"

#define SYSTICK ((volatile uint32_t *)0xE000E010)

/* Called through a pointer that the compiler knows nothing of: it moves nothing past the clock. */
static int called(const REAL *row, REAL *out)
{
    return CALL(row, out);
}

int main(void)
{
    int (*volatile call)(const REAL *, REAL *) = called;
    REAL out[OUTPUTS] = {0};
    uint32_t begin, ticks = 0;
    int i, k;
    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 5;
    for (i = 0; i < ROWS; ++i) {
        REAL row[COLUMNS];
        int found;
        for (k = 0; k < COLUMNS; ++k)
            row[k] = (REAL)rows[i][k];
        begin = SYSTICK[2];
        found = call(row, out);
        ticks += (begin - SYSTICK[2]) & 0xFFFFFF;
        printf("%d", found);
        for (k = 0; k < OUTPUTS; ++k)
            printf(" %.17g", (double)out[k]);
        printf("\n");
    }
    printf("%lu ticks\n", (unsigned long)ticks);
    return 0;
}
