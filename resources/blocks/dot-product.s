# Dot product with one sum
# GCC 12.2 -O2 -march=haswell of: s += a[i] * b[i]
loop:
vmovsd xmm1, qword ptr [rdi + 8*rax]
vfmadd231sd xmm0, xmm1, qword ptr [rsi + 8*rax]
inc rax
cmp rdx, rax
jne loop
