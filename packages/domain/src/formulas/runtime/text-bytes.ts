/** The length of a text in UTF-8. */
export function textBytes(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0x80) bytes += isSurrogate(unit) ? 1 : unit >= 0x800 ? 2 : 1
  }
  return bytes
}

/** Each half of a pair takes two of the pair's four bytes. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
