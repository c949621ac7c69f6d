# Reversal of an array, 8 floats at once
# GCC 12.2 -O3 -march=haswell of AVX intrinsics: permute_ps, permute2f128_ps
loop:
vpermilps ymm0, ymmword ptr [rdi + 4*rax], 27
add rax, 8
sub rcx, 32
vperm2f128 ymm0, ymm0, ymm0, 1
vmovups ymmword ptr [rcx + 32], ymm0
cmp rdx, rax
jg loop
