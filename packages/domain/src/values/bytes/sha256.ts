/** The cube roots of the first 64 primes: the first 32 bits of their fractional parts. */
const roundConstants = fractionsOf(64, Math.cbrt)

/** Bytes that one round of the digest takes in. */
const blockBytes = 64

/**
 * SHA-256 of a text in UTF-8, in lower-case hexadecimal, in a microsecond for each 20 bytes or so. It only gives long
 * texts a short name that all storages know, and protects nothing: what is secret goes through the port `Secrets`, which
 * a rule that says what follows from cells has not.
 */
export function sha256(text: string): string {
  const blocks = toBlocks(new TextEncoder().encode(text))
  const state = fractionsOf(8, Math.sqrt)
  const schedule = new Int32Array(64)
  for (let offset = 0; offset < blocks.byteLength; offset += blockBytes) {
    for (let i = 0; i < 16; i++) schedule[i] = blocks.getInt32(offset + i * 4)
    for (let i = 16; i < 64; i++) schedule[i] = extended(schedule, i)
    addRounds(state, schedule)
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The bytes, a bit that ends them, and their number of bits at the end of the last block. */
function toBlocks(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / blockBytes) * blockBytes
  const padded = new Uint8Array(length)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n)
  return view
}

function extended(schedule: Int32Array, index: number): number {
  const at = (back: number) => schedule[index - back] ?? 0
  const a = at(15)
  const b = at(2)
  const mixedA = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
  const mixedB = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
  return (at(16) + mixedA + at(7) + mixedB) | 0
}

function addRounds(state: Int32Array, schedule: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + mixedE + choice + (roundConstants[i] ?? 0) + (schedule[i] ?? 0)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    ;[h, g, f, e, d, c, b] = [g, f, e, (d + first) | 0, c, b, a]
    a = (first + mixedA + majority) | 0
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = ((state[index] ?? 0) + word) | 0
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

/** The first 32 bits of the fractional parts of the roots of so many primes. */
function fractionsOf(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  }
  return Int32Array.from(primes, (prime) => Math.floor((root(prime) % 1) * 2 ** 32) | 0)
}
