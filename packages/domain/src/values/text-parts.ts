/**
 * The parts of a text in their order, each of the length in UTF-16 code units; one unit longer where it would end inside a
 * character: half of one is not text.
 */
export function* textParts(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const last = text.charCodeAt(start + length - 1)
    const end = start + length + (last >= 0xd800 && last <= 0xdbff ? 1 : 0)
    yield text.slice(start, end)
    start = end
  }
}
