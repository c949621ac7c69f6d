# Scaled sum of arrays, 8 floats at once
# GCC 12.2 -O3 -march=haswell of: y[i] += a * x[i]
loop:
vmovups ymm1, ymmword ptr [rsi + rax]
vfmadd213ps ymm1, ymm2, ymmword ptr [rcx + rax]
vmovups ymmword ptr [rcx + rax], ymm1
add rax, 32
cmp rdi, rax
jne loop
