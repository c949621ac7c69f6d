# FNV-1a hash of bytes
# GCC 12.2 -O2 of: h = (h ^ p[i]) * 1099511628211
loop:
movzx edx, byte ptr [rdi]
inc rdi
xor rax, rdx
imul rax, rcx
cmp rsi, rdi
jne loop
