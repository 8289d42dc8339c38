/* What runs before main: the vectors, and the floating-point unit switched on. */
#include <stdint.h>

extern uint32_t __stack[];
extern void initialise_monitor_handles(void); /* newlib's semihosting */
extern int main(void);
extern void exit(int status) __attribute__((noreturn));

void _init(void) {}
void _fini(void) {}

void reset(void)
{
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: full access to the FPU */
    __asm__ volatile("dsb\n isb");
    initialise_monitor_handles();
    exit(main());
}

static void stop(void)
{
    for (;;)
        __asm__ volatile("bkpt 0");
}

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    __stack, (void *)reset, (void *)stop, (void *)stop, (void *)stop, (void *)stop, (void *)stop,
};
