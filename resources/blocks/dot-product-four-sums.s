# Dot product with four sums
# GCC 12.2 -O2 -march=haswell of: s0 += a[i] * b[i]; s1 += a[i+1] * b[i+1]; …
loop:
vmovsd xmm4, qword ptr [rdi]
vmovsd xmm5, qword ptr [rdi + 8]
add rdi, 32
add rsi, 32
vmovsd xmm6, qword ptr [rdi - 16]
vmovsd xmm7, qword ptr [rdi - 8]
vfmadd231sd xmm0, xmm4, qword ptr [rsi - 32]
vfmadd231sd xmm3, xmm5, qword ptr [rsi - 24]
vfmadd231sd xmm2, xmm6, qword ptr [rsi - 16]
vfmadd231sd xmm1, xmm7, qword ptr [rsi - 8]
cmp rax, rdi
jne loop
