// The transpose of works.cu for Oclgrind: n = 1024, blocks of 32 x 8.
kernel void transpose(global const float* in, global float* out) {
  local float cells[32][33];
  const uint n = 1024, tx = get_local_id(0), ty = get_local_id(1);
  uint x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
  for (uint row = 0; row < 32; row += 8) cells[ty + row][tx] = in[(y + row) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 32 + tx, y = get_group_id(0) * 32 + ty;
  for (uint row = 0; row < 32; row += 8) out[(y + row) * n + x] = cells[tx][ty + row];
}
