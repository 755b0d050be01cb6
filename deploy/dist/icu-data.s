# The data of ICU as a library of its own: `as` reads the file "icudt72l.dat".
    .section .rodata
    .balign 16
    .globl icudt72_dat
    .type icudt72_dat, @object
icudt72_dat:
    .incbin "icudt72l.dat"
    .size icudt72_dat, . - icudt72_dat
    .section .note.GNU-stack, "", @progbits
