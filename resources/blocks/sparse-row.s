# Row of a sparse matrix times a vector
# GCC 12.2 -O2 -march=haswell of: s += values[k] * x[columns[k]]
loop:
movsxd rax, dword ptr [rsi + 4*rcx]
vmovsd xmm1, qword ptr [rdi + 8*rcx]
inc rcx
vfmadd231sd xmm0, xmm1, qword ptr [rdx + 8*rax]
cmp r8, rcx
jne loop
