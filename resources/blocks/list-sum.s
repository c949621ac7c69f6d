# Sum over a linked list
# GCC 12.2 -O2 of: while (p) { s += p->value; p = p->next; }
loop:
add rax, qword ptr [rdi + 8]
mov rdi, qword ptr [rdi]
test rdi, rdi
jne loop
