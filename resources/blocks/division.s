# Division of a constant by each entry
# GCC 12.2 -O2 -march=haswell of: a[i] = c / a[i]
loop:
vdivsd xmm1, xmm0, qword ptr [rdi]
add rdi, 8
vmovsd qword ptr [rdi - 8], xmm1
cmp rdi, rax
jne loop
