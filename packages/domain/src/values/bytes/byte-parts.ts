/** The parts of bytes in their order, each of the length but for the last one. Their memory is that of the bytes. */
export function* byteParts<Bytes extends Uint8Array>(
  bytes: Bytes,
  length: number,
): Generator<Bytes, undefined> {
  for (let start = 0; start < bytes.length; start += length) {
    yield bytes.subarray(start, start + length) as Bytes
  }
}
