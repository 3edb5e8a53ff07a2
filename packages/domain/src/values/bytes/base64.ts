/** Bytes that are made characters at a time: as many as a call takes as its arguments. */
const bytesAtOnce = 8_192

/** The bytes as Base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += bytesAtOnce) {
    binary += String.fromCharCode(...bytes.subarray(start, start + bytesAtOnce))
  }
  return btoa(binary)
}

/** The bytes that a text says in Base64; undefined where it isn't any. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
